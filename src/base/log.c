/* One event, one line, one write. */
#include "log.h"

#include "buf.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    /* A line longer than this is no longer read; what a client sends is bounded far below. */
    LOG_LINE_BYTES = 256 * 1024,
    /* Of one text; the rest shows as "...". */
    LOG_VALUE_BYTES = 8 * 1024,
};

static const char *const level_names[LOG__COUNT] = {
    [LOG_ERROR] = "error", [LOG_WARN] = "warn", [LOG_INFO] = "info", [LOG_DEBUG] = "debug"};

static enum log_level log_level = LOG_INFO;
static enum log_format log_format = LOG_TEXT;

void log_configure(enum log_level level, enum log_format format) {
    log_level = level;
    log_format = format;
}

bool log_enabled(enum log_level level) {
    return level <= log_level;
}

/* The size of the printable character at bytes; 0 where the byte must be escaped: a control
 * character (C0, DEL, C1), a line or paragraph separator, or not UTF-8. */
static size_t printable(const char *bytes, size_t length) {
    unsigned char byte = (unsigned char)bytes[0];
    if (byte < 0x80) {
        return byte < 0x20 || byte == 0x7F ? 0 : 1;
    }
    for (size_t size = 2; size <= 4 && size <= length; size++) {
        if (text_is_utf8(bytes, size)) {
            bool control = byte == 0xC2 && (unsigned char)bytes[1] < 0xA0;
            bool separator = size == 3 && (memcmp(bytes, "\xE2\x80\xA8", 3) == 0 ||
                                           memcmp(bytes, "\xE2\x80\xA9", 3) == 0);
            return control || separator ? 0 : size;
        }
    }
    return 0;
}

/* Adds a text within quotes. In JSON the backslash of \xNN is itself escaped, since JSON has no
 * escape for a byte. */
static void add_quoted(struct buf *line, const char *text, bool json) {
    size_t whole = strlen(text);
    size_t length = whole > LOG_VALUE_BYTES ? LOG_VALUE_BYTES : whole;
    buf_add_char(line, '"');
    size_t at = 0;
    while (at < length) {
        char character = text[at];
        size_t size = printable(text + at, whole - at);
        if (character == '"' || character == '\\') {
            buf_add_char(line, '\\');
            buf_add_char(line, character);
            size = 1;
        } else if (size > 0) {
            buf_add(line, text + at, size);
        } else if (character == '\n' || character == '\r' || character == '\t') {
            buf_add_text(line, character == '\n' ? "\\n" : character == '\r' ? "\\r" : "\\t");
            size = 1;
        } else {
            buf_add_format(line, json ? "\\\\x%02x" : "\\x%02x",
                           (unsigned)(unsigned char)character);
            size = 1;
        }
        at += size;
    }
    buf_add_text(line, at < whole ? "...\"" : "\"");
}

/* Whether a text can stand in a key=value line without quotes. */
static bool is_plain(const char *text) {
    if (*text == '\0' || strcmp(text, "null") == 0) {
        return false;
    }
    size_t length = strlen(text);
    if (length > LOG_VALUE_BYTES) {
        return false;
    }
    for (size_t at = 0; at < length;) {
        size_t size = printable(text + at, length - at);
        if (size == 0 || strchr(" \"\\=", text[at]) != NULL) {
            return false;
        }
        at += size;
    }
    return true;
}

static void add_text(struct buf *line, const char *text, bool json) {
    if (text == NULL) {
        buf_add_text(line, "null");
    } else if (!json && is_plain(text)) {
        buf_add_text(line, text);
    } else {
        add_quoted(line, text, json);
    }
}

static void add_value(struct buf *line, const struct log_field *field, bool json) {
    switch (field->type) {
    case LOG_FIELD_TEXT:
        add_text(line, field->text, json);
        return;
    case LOG_FIELD_INTEGER:
        buf_add_format(line, "%lld", (long long)field->integer);
        return;
    case LOG_FIELD_REAL:
        if (isfinite(field->real)) {
            text_add_number(line, field->real);
        } else {
            buf_add_text(line, "null");
        }
        return;
    }
}

static void add_name(struct buf *line, const char *name, bool json) {
    if (json) {
        buf_add_char(line, ',');
        add_quoted(line, name, true);
        buf_add_char(line, ':');
    } else {
        buf_add_format(line, " %s=", name);
    }
}

/* "2026-11-30T03:08:18.123Z" */
static void add_time(struct buf *line) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t day = now.tv_sec / 86400;
    int second = (int)(now.tv_sec % 86400);
    char date[TEXT_DATE_BYTES];
    text_iso_date(day, date);
    buf_add_format(line, "%sT%02d:%02d:%02d.%03dZ", date, second / 3600, second / 60 % 60,
                   second % 60, (int)(now.tv_nsec / 1000000));
}

static void add_head(struct buf *line, enum log_level level, const char *event, bool json) {
    buf_add_text(line, json ? "{\"time\":\"" : "");
    add_time(line);
    buf_add_text(line, json ? "\",\"level\":\"" : " ");
    buf_add_text(line, level_names[level]);
    buf_add_text(line, json ? "\",\"event\":" : " ");
    add_text(line, event, json);
}

void log_event(enum log_level level, const char *event, const struct log_field *fields,
               int field_count) {
    if (!log_enabled(level)) {
        return;
    }
    int saved = errno;
    bool json = log_format == LOG_JSON;
    struct buf line;
    buf_init(&line, LOG_LINE_BYTES);
    add_head(&line, level, event, json);
    for (int i = 0; i < field_count; i++) {
        add_name(&line, fields[i].name, json);
        add_value(&line, &fields[i], json);
    }
    buf_add_text(&line, json ? "}\n" : "\n");
    if (line.failed) {
        static const char text[] = "error log_line_lost\n";
        static const char object[] = "{\"level\":\"error\",\"event\":\"log_line_lost\"}\n";
        (void)file_write(STDERR_FILENO, json ? object : text,
                         json ? sizeof object - 1 : sizeof text - 1);
    } else {
        /* Where this fails there is nobody left to tell. */
        (void)file_write(STDERR_FILENO, line.data, line.length);
    }
    buf_free(&line);
    errno = saved;
}
