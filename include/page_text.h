/* The words of a page, and whether a passage is among them (docs/catalogue.md, "Fingerprint of a
 * passage"). */
#ifndef AGENT_SANDBOXES_PAGE_TEXT_H
#define AGENT_SANDBOXES_PAGE_TEXT_H

#include "base.h"
#include "buf.h"
#include <stdbool.h>
#include <stddef.h>

enum page_reading {
    PAGE_PLAIN, /* the bytes are the text */
    PAGE_APART, /* HTML: every tag stands between words */
    PAGE_INLINE /* HTML: tags that change only the look of a text (b, code, span, ...) join it */
};

/* Appends the words of a page, the maximal runs of [a-z0-9] of its text in lower case, with one
 * blank between two. Of HTML, comments, scripts and styles are left out and character references
 * are decoded. Text in UTF-16 is known by its byte order mark. Any bytes are fine. False: the
 * buffer failed. */
bool page_words(const char *bytes, size_t length, enum page_reading reading, struct buf *out);

/* Whether some count consecutive words of such a text have this SHA-256 (in lower-case hex). */
bool page_words_hold(const struct buf *words, size_t count, const char *sha256);

#endif
