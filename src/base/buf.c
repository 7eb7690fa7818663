/* The growable buffer: the only file that calls realloc. */
#include "buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUF_FIRST_BYTES = 256 };

void buf_init(struct buf *buf, size_t maximum) {
    *buf = (struct buf){.maximum = maximum};
}

static bool fail(struct buf *buf) {
    buf->failed = true;
    return false;
}

/* Makes room for extra bytes and the NUL behind them. */
static bool reserve(struct buf *buf, size_t extra) {
    if (buf->failed) {
        return false;
    }
    if (extra > buf->maximum - buf->length) {
        return fail(buf);
    }
    size_t needed = buf->length + extra;
    if (needed == SIZE_MAX) {
        return fail(buf);
    }
    needed++;
    if (needed <= buf->capacity) {
        return true;
    }
    size_t capacity = buf->capacity > SIZE_MAX / 2 ? needed : buf->capacity * 2;
    if (capacity > buf->maximum) {
        capacity = buf->maximum;
    }
    if (capacity < BUF_FIRST_BYTES && needed < BUF_FIRST_BYTES) {
        capacity = BUF_FIRST_BYTES;
    }
    if (capacity < needed) {
        capacity = needed;
    }
    char *data = realloc(buf->data, capacity);
    if (data == NULL) {
        return fail(buf);
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

bool buf_add(struct buf *buf, const void *bytes, size_t length) {
    if (length == 0) {
        return !buf->failed;
    }
    if (!reserve(buf, length)) {
        return false;
    }
    memcpy(buf->data + buf->length, bytes, length);
    buf->length += length;
    buf->data[buf->length] = '\0';
    return true;
}

char *buf_room(struct buf *buf, size_t bytes) {
    return reserve(buf, bytes) ? buf->data + buf->length : NULL;
}

bool buf_add_text(struct buf *buf, const char *text) {
    return buf_add(buf, text, strlen(text));
}

bool buf_add_char(struct buf *buf, char character) {
    return buf_add(buf, &character, 1);
}

bool buf_add_format(struct buf *buf, const char *format, ...) {
    if (buf->failed) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (wanted < 0) {
        return fail(buf);
    }
    size_t length = (size_t)wanted;
    if (length == 0) {
        return true;
    }
    if (!reserve(buf, length)) {
        return false;
    }
    va_start(arguments, format);
    int written = vsnprintf(buf->data + buf->length, length + 1, format, arguments);
    va_end(arguments);
    if (written != wanted) {
        buf->data[buf->length] = '\0';
        return fail(buf);
    }
    buf->length += length;
    return true;
}

char *buf_take(struct buf *buf) {
    char *data = NULL;
    if (!buf->failed) {
        data = buf->data != NULL ? buf->data : calloc(1, 1);
        buf->data = NULL;
    }
    buf_free(buf);
    return data;
}

void buf_free(struct buf *buf) {
    free(buf->data);
    buf_init(buf, buf->maximum);
}
