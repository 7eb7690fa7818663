#include "md.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

static bool is_control(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f;
}

static void emit(const struct md_sink *sink, const char *bytes, size_t length) {
    if (length > 0) {
        sink->emit(sink->context, bytes, length);
    }
}

static void emit_text(const struct md_sink *sink, const char *text) {
    emit(sink, text, strlen(text));
}

/* Whether a character reference such as "&amp;" or "&#106;" starts at bytes. */
static bool is_reference(const char *bytes, size_t length) {
    size_t i = 1;
    while (i < length && (bytes[i] == '#' || is_word(bytes[i]))) {
        i++;
    }
    return i > 1 && i < length && bytes[i] == ';';
}

/* What stands for the byte at i of running text, or NULL for itself. */
static const char *text_escape(const char *bytes, size_t length, size_t i) {
    switch (bytes[i]) {
    case '\\':
        return "\\\\";
    case '`':
        return "\\`";
    case '*':
        return "\\*";
    case '[':
        return "\\[";
    case ']':
        return "\\]";
    case '|':
        return "\\|";
    case '~':
        return "\\~";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return is_reference(bytes + i, length - i) ? "&amp;" : NULL;
    case '_':
        return i > 0 && i + 1 < length && is_word(bytes[i - 1]) && is_word(bytes[i + 1]) ? NULL
                                                                                         : "\\_";
    default:
        return is_control(bytes[i]) ? " " : NULL;
    }
}

static bool ends_marker(const char *bytes, size_t length, size_t i) {
    return i >= length || bytes[i] == ' ' || is_control(bytes[i]);
}

/* The place of the byte that would make a block of the text (heading, list, rule, underline), or
 * length. The text starts with no blank. */
static size_t block_marker(const char *bytes, size_t length) {
    if (length == 0 || bytes[0] == '#' || bytes[0] == '=') {
        return 0;
    }
    if (bytes[0] == '-' || bytes[0] == '+') {
        return ends_marker(bytes, length, 1) || bytes[1] == bytes[0] ? 0 : length;
    }
    size_t i = 0;
    while (i < length && is_digit(bytes[i])) {
        i++;
    }
    bool marker = i > 0 && i < length && (bytes[i] == '.' || bytes[i] == ')');
    return marker && ends_marker(bytes, length, i + 1) ? i : length;
}

static void escape_text(const char *bytes, size_t length, size_t marker,
                        const struct md_sink *sink) {
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        const char *escape = text_escape(bytes, length, i);
        if (i == marker) {
            emit(sink, bytes + from, i - from);
            emit_text(sink, "\\");
            from = i;
        } else if (escape != NULL) {
            emit(sink, bytes + from, i - from);
            emit_text(sink, escape);
            from = i + 1;
        }
    }
    emit(sink, bytes + from, length - from);
}

/* Four blanks would start a block of code, so of the blanks in front one is kept. */
static void escape_running_text(const char *bytes, size_t length, const struct md_sink *sink) {
    size_t start = 0;
    while (start < length && (bytes[start] == ' ' || is_control(bytes[start]))) {
        start++;
    }
    if (start > 0) {
        emit_text(sink, " ");
    }
    bytes += start;
    length -= start;
    escape_text(bytes, length, block_marker(bytes, length), sink);
}

static void escape_code(const char *bytes, size_t length, bool cell, const struct md_sink *sink) {
    size_t from = 0;
    size_t slashes = 0;
    for (size_t i = 0; i < length; i++) {
        const char *escape = is_control(bytes[i]) ? " " : NULL;
        if (bytes[i] == '`') {
            escape = "'";
        } else if (cell && bytes[i] == '|') {
            /* A backslash before the pipe would swallow the one that escapes it. */
            escape = slashes % 2 == 0 ? "\\|" : "\\\\|";
        }
        slashes = bytes[i] == '\\' ? slashes + 1 : 0;
        if (escape != NULL) {
            emit(sink, bytes + from, i - from);
            emit_text(sink, escape);
            from = i + 1;
        }
    }
    emit(sink, bytes + from, length - from);
}

static bool is_safe_address(const char *bytes, size_t length) {
    static const char *const schemes[] = {"http:", "https:", "mailto:"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t scheme = strlen(schemes[i]);
        if (length >= scheme && strncasecmp(bytes, schemes[i], scheme) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < length && strchr("/?#", bytes[i]) == NULL; i++) {
        if (bytes[i] == ':' || bytes[i] == '&' || bytes[i] == '\\') {
            return false;
        }
    }
    return true;
}

static void escape_url(const char *bytes, size_t length, const struct md_sink *sink) {
    static const char digits[] = "0123456789ABCDEF";
    if (!is_safe_address(bytes, length)) {
        emit_text(sink, "#");
        return;
    }
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (is_control(c) || strchr(" ()<>[]\\`\"|*", c) != NULL) {
            char escape[] = {'%', digits[(unsigned char)c >> 4], digits[c & 15], '\0'};
            emit_text(sink, escape);
        } else if (c == '&' && is_reference(bytes + i, length - i)) {
            emit_text(sink, "&amp;");
        } else {
            emit(sink, &c, 1);
        }
    }
}

void md_escape(enum md_form form, const char *bytes, size_t length, const struct md_sink *sink) {
    switch (form) {
    case MD_TEXT:
        escape_running_text(bytes, length, sink);
        break;
    case MD_CELL:
        escape_text(bytes, length, length, sink);
        break;
    case MD_CODE:
    case MD_CODE_CELL:
        escape_code(bytes, length, form == MD_CODE_CELL, sink);
        break;
    case MD_URL:
        escape_url(bytes, length, sink);
        break;
    case MD_RAW:
        emit(sink, bytes, length);
        break;
    }
}

static void scan_line_end(struct md_scan *scan) {
    if (scan->fence_line) {
        scan->in_fence = !scan->in_fence;
    }
    bool in_fence = scan->in_fence;
    memset(scan, 0, sizeof *scan);
    scan->in_fence = in_fence;
}

void md_scan_text(struct md_scan *scan, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (c == '\n') {
            scan_line_end(scan);
            continue;
        }
        if (c == '`') {
            scan->only_ticks = scan->only_ticks || !scan->in_line;
            scan->ticks++;
            scan->fence_line = scan->fence_line || (scan->only_ticks && scan->ticks == 3);
        } else if (c != ' ') {
            scan->only_ticks = false;
        }
        scan->in_line = scan->in_line || c != ' ';
        scan->pipes = scan->pipes || c == '|';
        if (c == '(' && scan->last == ']') {
            scan->destination = true;
        } else if (c == ')') {
            scan->destination = false;
        }
        scan->last = c;
    }
}

static bool is_in_code(const struct md_scan *scan) {
    return scan->in_fence || scan->fence_line || scan->ticks % 2 == 1;
}

bool md_scan_next_link(struct md_scan *scan, const char *bytes, size_t length, size_t *at,
                       size_t *out_destination) {
    bool found = false;
    while (!found && *at < length) {
        found = scan->destination && scan->last == '(' && !is_in_code(scan);
        *out_destination = *at;
        md_scan_text(scan, bytes + *at, 1);
        (*at)++;
    }
    return found;
}

const char *md_scan_variable(struct md_scan *scan, enum md_form *form) {
    bool in_code = is_in_code(scan);
    scan->in_line = true;
    scan->only_ticks = false;
    scan->last = '\0';
    if (*form == MD_RAW) {
        return scan->destination ? "the destination of a link needs :x-url" : NULL;
    }
    if (in_code) {
        if (*form != MD_CODE) {
            return "between backticks only :x-code is safe";
        }
        if (scan->pipes && !scan->in_fence) {
            *form = MD_CODE_CELL;
        }
        return NULL;
    }
    if (*form == MD_CODE) {
        return ":x-code outside backticks";
    }
    return scan->destination && *form != MD_URL ? "the destination of a link needs :x-url" : NULL;
}
