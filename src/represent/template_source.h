/* Reads one template file into tokens and checks what can be checked without its surroundings: the
 * pragma on line 1, the form of every marker, stray braces, and that sections are balanced. */
#ifndef AGENT_SANDBOXES_TEMPLATE_SOURCE_H
#define AGENT_SANDBOXES_TEMPLATE_SOURCE_H

#include "error.h"
#include <stdbool.h>
#include <stddef.h>

enum template_kind { TEMPLATE_HTML, TEMPLATE_XML, TEMPLATE_MARKDOWN };

enum token_type {
    TOKEN_TEXT,
    TOKEN_VARIABLE,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_PART,
    TOKEN_COMMENT, /* never in a finished source */
};

struct token {
    enum token_type type;
    const char *text; /* literal text, or the marker's name; borrowed from the file's bytes */
    size_t length;
    const char *modifier; /* of a variable: what follows the colon */
    size_t modifier_length;
    int line;
    bool alone; /* it stands in a line of markers only, which leaves nothing behind */
};

struct template_source {
    const char *name; /* borrowed */
    enum template_kind kind;
    struct token *tokens;
    size_t count;
};

/* The line, with its line break, that a file of this kind must start with; empty for Markdown. */
const char *template_pragma(enum template_kind kind);

/* Name and bytes must outlive the source. The error names file and line. */
bool template_source_read(const char *name, const char *bytes, size_t length,
                          struct template_source *out, struct error *error) MUST_USE;

void template_source_free(struct template_source *source);

#endif
