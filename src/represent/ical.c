#include "ical.h"
#include <string.h>

enum { LINE_OCTETS = 75 };

/* The octets of the character that starts here. */
static size_t character_octets(const char *text) {
    size_t length = 1;
    while (((unsigned char)text[length] & 0xc0U) == 0x80U) {
        length++;
    }
    return length;
}

/* Appends octets that belong together, on a new line where they do not fit. */
static void add_together(struct buf *out, size_t *used, const char *bytes, size_t length) {
    if (*used + length > LINE_OCTETS) {
        buf_add_text(out, "\r\n ");
        *used = 1;
    }
    buf_add(out, bytes, length);
    *used += length;
}

static void add(struct buf *out, const char *name, const char *value, bool is_text) {
    size_t used = strlen(name) + 1;
    buf_add_format(out, "%s:", name);
    while (*value != '\0') {
        size_t length = character_octets(value);
        if (is_text && *value == '\n') {
            add_together(out, &used, "\\n", 2);
        } else if (is_text && strchr("\\,;", *value) != NULL) {
            const char escaped[] = {'\\', *value};
            add_together(out, &used, escaped, sizeof(escaped));
        } else if ((unsigned char)*value >= ' ' && *value != '\x7f') {
            /* A control character would end the line, or has no meaning. */
            add_together(out, &used, value, length);
        }
        value += length;
    }
    buf_add_text(out, "\r\n");
}

void ical_add(struct buf *out, const char *name, const char *value) {
    add(out, name, value, false);
}

void ical_add_text(struct buf *out, const char *name, const char *text) {
    add(out, name, text, true);
}

void ical_begin(struct buf *out, const char *component) {
    buf_add_format(out, "BEGIN:%s\r\n", component);
}

void ical_end(struct buf *out, const char *component) {
    buf_add_format(out, "END:%s\r\n", component);
}
