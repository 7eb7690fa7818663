/* Prose as plain Markdown, for readers without a page. */
#include "limit.h"
#include "prose_private.h"
#include <stdlib.h>
#include <string.h>

static bool add_mark(const json_t *facts, const char *base, const struct mark *mark,
                     struct buf *out, struct error *error) {
    switch (mark->kind) {
    case MARK_SOURCE:
        buf_add_format(out, "[^%s]", mark->name);
        return true;
    case MARK_TABLE:
        buf_add_format(out, "Table: [%s](%s/compare/?%s)", mark->words, base, mark->name);
        return true;
    case MARK_DIAGRAM:
        buf_add_format(out, "Diagram: %s", mark->words);
        return true;
    case MARK_FACT:
        break;
    }
    const json_t *fact = prose_fact(facts, mark->provider, mark->offering, mark->attribute);
    const char *words =
        mark->words != NULL ? mark->words : json_string_value(json_object_get(fact, "text"));
    if (fact == NULL || words == NULL) {
        return error_set(error, ERROR_INVALID, "%s:%s: there is no such fact", mark->provider,
                         mark->attribute);
    }
    buf_add_text(out, words);
    return true;
}

/* The start of the next mark, or the end of text. */
static const char *next_mark(const char *text) {
    const char *at = text;
    while (*at != '\0' && !(at[0] == '[' && (at[1] == '[' || at[1] == '^'))) {
        at++;
    }
    return at;
}

bool prose_plain(const json_t *facts, const char *base, const char *markdown, struct buf *out,
                 struct error *error) {
    for (const char *at = markdown; *at != '\0';) {
        const char *start = next_mark(at);
        buf_add(out, at, (size_t)(start - at));
        if (*start == '\0') {
            break;
        }
        bool is_double = start[1] == '[';
        const char *inside = is_double ? start + 2 : start + 1;
        const char *end = strstr(inside, is_double ? "]]" : "]");
        if (end == NULL) {
            return error_set(error, ERROR_INVALID, "a mark does not end: %.40s", start);
        }
        char *text = strndup(inside, (size_t)(end - inside));
        struct mark mark = {0};
        bool good = text == NULL ? error_no_memory(error) : mark_parse(text, &mark, error);
        good = good && add_mark(facts, base, &mark, out, error);
        mark_free(&mark);
        free(text);
        if (!good) {
            return false;
        }
        at = end + (is_double ? 2 : 1);
    }
    return !out->failed || error_no_memory(error);
}
