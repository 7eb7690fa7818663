/* Prose as plain Markdown, for readers without a page. */
#include "../represent/md.h"
#include "limit.h"
#include "prose_private.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void emit(void *context, const char *bytes, size_t length) {
    buf_add(context, bytes, length);
}

void mark_add_words(const char *words, struct buf *out) {
    const struct md_sink sink = {emit, out};
    md_escape(MD_CELL, words, strlen(words), &sink);
}

const char *mark_words(const json_t *facts, const struct mark *mark, struct error *error) {
    const json_t *fact = prose_fact(facts, mark->provider, mark->offering, mark->attribute);
    const char *words =
        mark->words != NULL ? mark->words : json_string_value(json_object_get(fact, "text"));
    if (fact == NULL || words == NULL) {
        (void)error_set(error, ERROR_INVALID, "%s:%s: there is no such fact", mark->provider,
                        mark->attribute);
        return NULL;
    }
    return words;
}

/* --- the walk
 * -----------------------------------------------------------------------------------------------------
 */

/* The start of the next mark, or the end of text. */
static const char *next_mark(const char *text) {
    const char *at = text;
    while (*at != '\0' && !(at[0] == '[' && (at[1] == '[' || at[1] == '^'))) {
        at++;
    }
    return at;
}

/* Copies text with every "<" that could begin markup escaped, but for code. *in_code goes
 * on from call to call. */
static void add_text(const char *text, size_t length, bool *in_code, struct buf *out) {
    for (size_t i = 0; i < length; i++) {
        char next = i + 1 < length ? text[i + 1] : '\0';
        *in_code = text[i] == '`' ? !*in_code : *in_code;
        if (text[i] == '<' && !*in_code &&
            (isalpha((unsigned char)next) != 0 || next == '/' || next == '!' || next == '?')) {
            buf_add_text(out, "\\<");
        } else {
            buf_add_char(out, text[i]);
        }
    }
}

static bool walk_mark(const char *inside, const char *end, const struct mark_hooks *hooks,
                      struct error *error) {
    char *text = strndup(inside, (size_t)(end - inside));
    struct mark mark = {0};
    bool good = text == NULL ? error_no_memory(error) : mark_parse(text, &mark, error);
    good = good && hooks->mark(hooks->context, &mark, error);
    mark_free(&mark);
    free(text);
    return good;
}

bool mark_walk(const char *markdown, const struct mark_hooks *hooks, struct error *error) {
    bool in_code = false;
    for (const char *at = markdown; *at != '\0';) {
        const char *start = next_mark(at);
        add_text(at, (size_t)(start - at), &in_code, hooks->out);
        if (*start == '\0') {
            break;
        }
        bool is_double = start[1] == '[';
        const char *inside = is_double ? start + 2 : start + 1;
        const char *end = strstr(inside, is_double ? "]]" : "]");
        if (end == NULL) {
            return error_set(error, ERROR_INVALID, "a mark does not end: %.40s", start);
        }
        if (!walk_mark(inside, end, hooks, error)) {
            return false;
        }
        at = end + (is_double ? 2 : 1);
    }
    return !hooks->out->failed || error_no_memory(error);
}

/* --- plain
 * --------------------------------------------------------------------------------------------------------
 */

struct plain {
    const json_t *facts;
    const char *base;
    struct buf *out;
};

static bool add_mark(void *context, const struct mark *mark, struct error *error) {
    struct plain *plain = context;
    const char *words = NULL;
    switch (mark->kind) {
    case MARK_SOURCE:
        buf_add_format(plain->out, "[^%s]", mark->name);
        return true;
    case MARK_TABLE:
        buf_add_format(plain->out, "Table: [%s](%s/compare/?%s)", mark->words, plain->base,
                       mark->name);
        return true;
    case MARK_DIAGRAM:
        buf_add_format(plain->out, "Diagram: %s", mark->words);
        return true;
    case MARK_FACT:
        break;
    }
    words = mark_words(plain->facts, mark, error);
    if (words != NULL) {
        mark_add_words(words, plain->out);
    }
    return words != NULL;
}

bool prose_plain(const json_t *facts, const char *base, const char *markdown, struct buf *out,
                 struct error *error) {
    struct plain plain = {facts, base, out};
    const struct mark_hooks hooks = {&plain, add_mark, out};
    return mark_walk(markdown, &hooks, error);
}
