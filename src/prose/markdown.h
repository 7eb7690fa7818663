/* Markdown as a row of blocks. The only door to cmark.
 *
 * A mark is [[...]] or [^...] in running text (code is left alone); markdown.c finds marks, whoever
 * walks says what stands in their place. */
#ifndef AGENT_SANDBOXES_PROSE_MARKDOWN_H
#define AGENT_SANDBOXES_PROSE_MARKDOWN_H

#include "buf.h"
#include "error.h"
#include <jansson.h>

enum markdown_kind {
    MARKDOWN_TEXT,    /* a paragraph, a list, ...: html */
    MARKDOWN_HEADING, /* level, text, html */
    MARKDOWN_MARK,    /* a paragraph of one mark with a blank in it: text, without its brackets */
    MARKDOWN_TABLE    /* rows */
};

struct markdown_block {
    enum markdown_kind kind;
    int level;
    const char *text;   /* without markup */
    const char *html;   /* of a heading: what stands inside it */
    const json_t *rows; /* [[{text, cell_html}]]; the first row is the head */
};

/* Each answers whether to go on. */
struct markdown_hooks {
    void *context;
    /* Appends what stands for a mark; text is "^source-id" or the inside of [[...]]. */
    bool (*mark)(void *context, const char *text, struct buf *html, struct error *error);
    /* The address of a link. */
    bool (*link)(void *context, const char *address, struct error *error);
    bool (*block)(void *context, const struct markdown_block *block, struct error *error);
};

/* Walks the blocks in order; within a block, marks and links come before the block itself.
 * *out_words counts the words of its text. */
bool markdown_walk(const char *markdown, const struct markdown_hooks *hooks, size_t *out_words,
                   struct error *error) MUST_USE;

#endif
