#include "json_text.h"
#include <stdint.h>
#include <string.h>

/* What stands before a member or the end of a list: a comma, a line break, and its indentation. */
static bool add_break(struct buf *out, bool comma, size_t depth) {
    char *at = buf_room(out, depth + 2);
    if (at == NULL) {
        return false;
    }
    if (comma) {
        *at++ = ',';
    }
    *at++ = '\n';
    memset(at, ' ', depth);
    at[depth] = '\0';
    out->length += (comma ? 2 : 1) + depth;
    return true;
}

static bool is_plain(char byte) {
    return (unsigned char)byte >= 0x20 && byte != '"' && byte != '\\';
}

/* Whether one of eight bytes is not plain. A subtraction borrows from the byte above only where it
 * has found one. */
static bool needs_escape(const char *text) {
    const uint64_t ones = 0x0101010101010101;
    const uint64_t highs = ones << 7;
    uint64_t word = 0;
    memcpy(&word, text, sizeof(word));
    uint64_t quotes = word ^ (ones * '"');
    uint64_t slashes = word ^ (ones * '\\');
    return (((word - ones * ' ') & ~word) | ((quotes - ones) & ~quotes) |
            ((slashes - ones) & ~slashes)) &
           highs;
}

/* How many bytes at the beginning can stand as they are. */
static size_t plain_length(const char *text, size_t length) {
    size_t at = 0;
    while (length - at >= sizeof(uint64_t) && !needs_escape(text + at)) {
        at += sizeof(uint64_t);
    }
    while (at < length && is_plain(text[at])) {
        at++;
    }
    return at;
}

static void add_escaped(struct buf *out, unsigned char byte) {
    static const char escapes[] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                   ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    if (byte < sizeof(escapes) && escapes[byte] != '\0') {
        const char pair[] = {'\\', escapes[byte]};
        buf_add(out, pair, sizeof(pair));
    } else {
        buf_add_format(out, "\\u%04X", (unsigned)byte);
    }
}

/* Adds a text that needs no escape, between quotes, and what stands behind it. */
static void add_plain(struct buf *out, const char *text, size_t length, const char *behind) {
    const size_t behind_length = strlen(behind);
    char *at = buf_room(out, length + behind_length + 2);
    if (at == NULL) {
        return;
    }
    *at++ = '"';
    memcpy(at, text, length);
    at[length] = '"';
    memcpy(at + length + 1, behind, behind_length + 1);
    out->length += length + behind_length + 2;
}

static void add_string(struct buf *out, const char *text, size_t length, const char *behind) {
    size_t plain = plain_length(text, length);
    if (plain == length) {
        add_plain(out, text, length, behind);
        return;
    }
    buf_add_char(out, '"');
    while (plain < length) {
        buf_add(out, text, plain);
        add_escaped(out, (unsigned char)text[plain]);
        text += plain + 1;
        length -= plain + 1;
        plain = plain_length(text, length);
    }
    buf_add(out, text, length);
    buf_add_char(out, '"');
    buf_add_text(out, behind);
}

static void add_real(struct buf *out, const json_t *value) {
    enum { REAL_BYTES = 64, DIGITS = 15 };
    char text[REAL_BYTES];
    size_t length =
        json_dumpb(value, text, sizeof(text), JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS));
    out->failed = out->failed || length == 0 || length > sizeof(text);
    buf_add(out, text, out->failed ? 0 : length);
}

static void add_value(struct buf *out, const json_t *value, size_t depth);

static void add_array(struct buf *out, const json_t *array, size_t depth) {
    const size_t count = json_array_size(array);
    buf_add_char(out, '[');
    for (size_t i = 0; i < count && !out->failed; i++) {
        add_break(out, i > 0, depth + 1);
        add_value(out, json_array_get(array, i), depth + 1);
    }
    if (count > 0) {
        add_break(out, false, depth);
    }
    buf_add_char(out, ']');
}

static void add_object(struct buf *out, const json_t *object, size_t depth) {
    bool is_first = true;
    buf_add_char(out, '{');
    for (void *at = json_object_iter((json_t *)object); at != NULL && !out->failed;
         at = json_object_iter_next((json_t *)object, at)) {
        add_break(out, !is_first, depth + 1);
        is_first = false;
        add_string(out, json_object_iter_key(at), json_object_iter_key_len(at), ": ");
        add_value(out, json_object_iter_value(at), depth + 1);
    }
    if (!is_first) {
        add_break(out, false, depth);
    }
    buf_add_char(out, '}');
}

static void add_value(struct buf *out, const json_t *value, size_t depth) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        add_object(out, value, depth);
        break;
    case JSON_ARRAY:
        add_array(out, value, depth);
        break;
    case JSON_STRING:
        add_string(out, json_string_value(value), json_string_length(value), "");
        break;
    case JSON_INTEGER:
        buf_add_format(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        add_real(out, value);
        break;
    case JSON_TRUE:
        buf_add_text(out, "true");
        break;
    case JSON_FALSE:
        buf_add_text(out, "false");
        break;
    case JSON_NULL:
        buf_add_text(out, "null");
        break;
    }
}

bool json_text_add(struct buf *out, const json_t *value) {
    add_value(out, value, 0);
    return !out->failed;
}
