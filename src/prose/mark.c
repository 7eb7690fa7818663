/* Marks taken apart, and what a prose leans on. */
#include "markdown.h"
#include "prose_private.h"
#include <stdlib.h>
#include <string.h>

/* Cuts blanks from both ends, in place. */
static char *trim(char *text) {
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    text[length] = '\0';
    return text;
}

static bool is_name(const char *text, const char *letters) {
    return text != NULL && text[0] != '\0' && text[strspn(text, letters)] == '\0';
}

/* "table QUERY" or "diagram NAME" */
static bool parse_drawn(char *head, struct mark *mark) {
    char *blank = strchr(head, ' ');
    if (blank == NULL || mark->words == NULL) {
        return false;
    }
    *blank = '\0';
    mark->name = trim(blank + 1);
    mark->kind = strcmp(head, "table") == 0 ? MARK_TABLE : MARK_DIAGRAM;
    return mark->kind == MARK_TABLE ||
           (strcmp(head, "diagram") == 0 && is_name(mark->name, "abcdefghijklmnopqrstuvwxyz-"));
}

/* "slug:attribute" or "slug/offering:attribute" */
static bool parse_fact(char *head, struct mark *mark) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    char *colon = strchr(head, ':');
    if (colon == NULL) {
        return false;
    }
    *colon = '\0';
    mark->kind = MARK_FACT;
    mark->attribute = colon + 1;
    mark->provider = head;
    char *slash = strchr(head, '/');
    if (slash != NULL) {
        *slash = '\0';
        mark->offering = slash + 1;
    }
    return is_name(mark->provider, letters) && is_name(mark->attribute, letters) &&
           (slash == NULL || is_name(mark->offering, letters)) &&
           (mark->words == NULL || mark->words[0] != '\0');
}

bool mark_parse(const char *text, struct mark *out_mark, struct error *error) {
    struct mark mark = {.storage = strdup(text)};
    if (mark.storage == NULL) {
        return error_no_memory(error);
    }
    bool good = true;
    char *head = mark.storage;
    if (head[0] == '^') {
        mark.name = head + 1;
        good = is_name(mark.name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
    } else {
        char *bar = strchr(head, '|');
        if (bar != NULL) {
            *bar = '\0';
            mark.words = trim(bar + 1);
        }
        head = trim(head);
        good = strchr(head, ' ') != NULL ? parse_drawn(head, &mark) : parse_fact(head, &mark);
    }
    if (!good) {
        mark_free(&mark);
        return error_set(error, ERROR_INVALID, "[%.80s]: no such kind of mark", text);
    }
    *out_mark = mark;
    return true;
}

void mark_free(struct mark *mark) {
    free(mark->storage);
    *mark = (struct mark){0};
}

/* --- references --- */

static bool append(json_t *references, const char *list, json_t *value, struct error *error) {
    return json_array_append_new(json_object_get(references, list), value) == 0 ||
           error_no_memory(error);
}

bool mark_stands_right(const struct mark *mark, const char *text, bool is_paragraph,
                       struct error *error) {
    bool is_drawn = mark->kind == MARK_TABLE || mark->kind == MARK_DIAGRAM;
    return !is_drawn || is_paragraph ||
           error_set(error, ERROR_INVALID, "[[%s]]: must be a paragraph of its own", text);
}

bool heading_is_right(const struct markdown_block *block, struct error *error) {
    return (block->level >= 2 && block->level <= 3) ||
           error_set(error, ERROR_INVALID, "%.80s: headings are of the levels 2 and 3",
                     block->text);
}

static bool collect(json_t *references, const char *text, bool is_paragraph, struct error *error) {
    struct mark mark;
    if (!mark_parse(text, &mark, error)) {
        return false;
    }
    bool good = mark_stands_right(&mark, text, is_paragraph, error);
    if (!good) {
        mark_free(&mark);
        return false;
    }
    if (mark.kind == MARK_SOURCE) {
        good = append(references, "sources", json_string(mark.name), error);
    } else if (mark.kind == MARK_FACT) {
        good = append(references, "facts",
                      json_pack("{s:s, s:s?, s:s}", "provider", mark.provider, "offering",
                                mark.offering, "attribute", mark.attribute),
                      error);
    } else {
        good = append(references, mark.kind == MARK_TABLE ? "tables" : "diagrams",
                      json_string(mark.name), error);
    }
    mark_free(&mark);
    return good;
}

static bool collect_mark(void *context, const char *text, struct buf *html, struct error *error) {
    (void)html;
    return collect(context, text, false, error);
}

static bool collect_link(void *context, const char *address, struct error *error) {
    return append(context, "links", json_string(address), error);
}

static bool collect_block(void *context, const struct markdown_block *block, struct error *error) {
    return block->kind == MARKDOWN_MARK      ? collect(context, block->text, true, error)
           : block->kind == MARKDOWN_HEADING ? heading_is_right(block, error)
                                             : true;
}

json_t *prose_references(const char *name, const char *markdown, struct error *error) {
    json_t *references = json_pack("{s:[], s:[], s:[], s:[], s:[]}", "facts", "sources", "tables",
                                   "diagrams", "links");
    const struct markdown_hooks hooks = {references, collect_mark, collect_link, collect_block};
    struct error inner = {0};
    size_t words = 0;
    if (references == NULL || !markdown_walk(markdown, &hooks, &words, &inner)) {
        (void)(references == NULL ? error_no_memory(error)
                                  : error_set(error, inner.kind, "%s: %s", name, inner.message));
        json_decref(references);
        return NULL;
    }
    return references;
}

const json_t *prose_fact(const json_t *facts, const char *provider, const char *offering,
                         const char *attribute) {
    struct buf id;
    enum { ID_MAXIMUM = 1024 };
    buf_init(&id, ID_MAXIMUM);
    const json_t *fact = NULL;
    if (offering != NULL && buf_add_format(&id, "%s/%s:%s", provider, offering, attribute)) {
        fact = json_object_get(facts, id.data);
    }
    buf_free(&id);
    if (fact == NULL && buf_add_format(&id, "%s:%s", provider, attribute)) {
        fact = json_object_get(facts, id.data);
    }
    buf_free(&id);
    return fact;
}
