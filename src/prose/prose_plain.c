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

/* --- the walk --- */

/* The start of the next mark, or the end of text. */
static const char *next_mark(const char *text) {
    const char *at = text;
    while (*at != '\0' && !(at[0] == '[' && (at[1] == '[' || at[1] == '^'))) {
        at++;
    }
    return at;
}

/* The end of a run of one character. */
static const char *end_of_run(const char *at) {
    return at + strspn(at, "`");
}

/* Where the fenced block ends that this line opens, or NULL. A fence that is not at the margin may
 * end with its list or quotation, and is not trusted. */
static const char *end_of_fence(const char *markdown, const char *at) {
    const char *info = end_of_run(at);
    const char *line = strchrnul(info, '\n');
    if ((at != markdown && at[-1] != '\n') || info - at < 3 ||
        memchr(info, '`', (size_t)(line - info)) != NULL) {
        return NULL;
    }
    while (*line != '\0') {
        const char *end = end_of_run(++line);
        if (end - line >= info - at && end[strspn(end, " \t")] == '\n') {
            return end;
        }
        line = strchrnul(line, '\n');
    }
    return line;
}

/* Where the code ends that the backtick at `at` opens: behind its like on the same line and in the
 * same cell. Where there is none, behind the run, which is text. *out_code says which. */
static const char *end_of_code(const char *markdown, const char *at, bool *out_code) {
    const char *text = end_of_run(at);
    const char *end = end_of_fence(markdown, at);
    *out_code = end != NULL;
    if (end != NULL || (at != markdown && at[-1] == '\\')) {
        return end != NULL ? end : text;
    }
    for (end = text + strcspn(text, "`|\n"); *end == '`'; end += strcspn(end, "`|\n")) {
        const char *close = end;
        end = end_of_run(end);
        if (end - close == text - at) {
            *out_code = true;
            return end;
        }
    }
    return text;
}

/* Copies a piece of markdown with every "<" that could begin markup, and every "!" that could begin
 * a picture, escaped, but for code. Code goes on to *code_end, from call to call. */
static void add_text(const char *markdown, const char *text, const char *end, const char **code_end,
                     struct buf *out) {
    for (; text < end; text++) {
        bool in_code = text < *code_end;
        if (*text == '`' && !in_code) {
            const char *run = end_of_code(markdown, text, &in_code);
            *code_end = in_code ? run : text;
            for (; !in_code && text + 1 < run && text + 1 < end; text++) {
                buf_add_char(out, *text);
            }
        }
        char next = text[1];
        bool is_markup = *text == '<' && (isalpha((unsigned char)next) != 0 || next == '/' ||
                                          next == '!' || next == '?');
        if (!in_code && (is_markup || (*text == '!' && next == '['))) {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, *text);
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
    const char *code_end = markdown;
    for (const char *at = markdown; *at != '\0';) {
        const char *start = next_mark(at);
        add_text(markdown, at, start, &code_end, hooks->out);
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

/* --- plain --- */

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
