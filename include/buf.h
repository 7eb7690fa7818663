/* The one growable byte buffer. It is born with a maximum, keeps its first error, and is always
 * NUL-terminated. */
#ifndef AGENT_SANDBOXES_BUF_H
#define AGENT_SANDBOXES_BUF_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *data; /* NULL while empty */
    size_t length;
    size_t capacity;
    size_t maximum;
    bool failed; /* sticky: out of memory or over the maximum; later calls do nothing */
};

/* An empty buffer that will never hold more than maximum bytes. Allocates nothing. */
void buf_init(struct buf *buf, size_t maximum);

/* Each appends and returns false once the buffer has failed; a caller may append many times and
 * test buf->failed once. */
bool buf_add(struct buf *buf, const void *bytes, size_t length);
bool buf_add_text(struct buf *buf, const char *text);
bool buf_add_char(struct buf *buf, char character);
bool buf_add_format(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes room for so many bytes behind those that are there, and the NUL, and answers where they go;
 * the caller adds what it wrote to length and ends it with NUL. NULL: the buffer has failed. */
char *buf_room(struct buf *buf, size_t bytes);

/* Passes the malloc'd, NUL-terminated bytes to the caller (never NULL unless failed) and leaves the
 * buffer empty. */
char *buf_take(struct buf *buf) MUST_USE;

/* Frees the bytes; a second call and a zeroed buffer are fine. */
void buf_free(struct buf *buf);

#endif
