#include "facts.h"
#include "limit.h"
#include "markdown.h"
#include "prose_private.h"
#include "site.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    struct view *view;
    struct prose *out;
    json_t *providers; /* slug to its facts by their id; as they are asked for */
    json_t *sources;   /* id to its row */
    json_t *ids;       /* heading ids and diagrams in use */
    json_t *heading;   /* id of the last heading: it names what follows */
    size_t tables;
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- small templates --- */

/* Appends a template fed with model, without the line break at its end. Takes model over. */
static bool add_part(struct builder *builder, const char *name, json_t *model, struct buf *out,
                     struct error *error) {
    struct buf part;
    buf_init(&part, LIMIT_ANSWER_BYTES);
    bool good = (model != NULL || error_no_memory(error)) &&
                template_render(builder->view->call->site->templates, name, model, &part, error);
    while (part.length > 0 && part.data[part.length - 1] == '\n') {
        part.length--;
    }
    good = good && (buf_add(out, part.data, part.length) || error_no_memory(error));
    buf_free(&part);
    json_decref(model);
    return good;
}

/* --- sources --- */

static bool load_sources(struct builder *builder, struct error *error) {
    json_t *rows =
        catalogue_rows(builder->view->call->catalogue, STATEMENT_SOURCES, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    size_t i = 0;
    json_t *row = NULL;
    bool good = true;
    json_array_foreach(rows, i, row) {
        good = json_object_set(builder->sources, string_of(row, "id"), row) == 0 && good;
    }
    json_decref(rows);
    return good || error_no_memory(error);
}

static bool add_source(struct builder *builder, const struct mark *mark, struct buf *html,
                       struct error *error) {
    if (json_object_size(builder->sources) == 0 && !load_sources(builder, error)) {
        return false;
    }
    const json_t *source = json_object_get(builder->sources, mark->name);
    if (source == NULL) {
        return error_set(error, ERROR_INVALID, "[^%s]: there is no such source", mark->name);
    }
    size_t number = view_source(builder->view, source);
    return add_part(builder, "html/prose_source.html",
                    json_pack("{s:I}", "number", (json_int_t)number), html, error);
}

/* --- facts --- */

/* The provider's facts by their id. Borrowed. */
static const json_t *facts_of(struct builder *builder, const char *slug, struct error *error) {
    const json_t *known = json_object_get(builder->providers, slug);
    if (known != NULL) {
        return known;
    }
    struct catalogue *catalogue = builder->view->call->catalogue;
    const struct generation *generation = catalogue_generation(catalogue);
    if (index_provider(generation_index(generation), slug) == NULL) {
        (void)error_set(error, ERROR_INVALID, "there is no provider %s", slug);
        return NULL;
    }
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACTS_OF_PROVIDER, error, BIND_TEXT(slug));
    json_t *list = rows == NULL ? NULL : facts_from_rows(generation, rows, error);
    if (list == NULL) {
        return NULL;
    }
    json_t *facts = json_object();
    bool good = json_object_set_new(builder->providers, slug, facts) == 0;
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(list, i, fact) {
        good = good && json_object_set(facts, string_of(fact, "id"), fact) == 0;
    }
    json_decref(list);
    if (!good) {
        (void)error_no_memory(error);
        return NULL;
    }
    return facts;
}

static bool add_fact(struct builder *builder, const struct mark *mark, struct buf *html,
                     struct error *error) {
    const json_t *facts = facts_of(builder, mark->provider, error);
    if (facts == NULL) {
        return false;
    }
    const json_t *fact = prose_fact(facts, mark->provider, mark->offering, mark->attribute);
    if (fact == NULL) {
        return error_set(error, ERROR_INVALID, "[[%s%s%s:%s]]: there is no such fact",
                         mark->provider, mark->offering == NULL ? "" : "/",
                         mark->offering == NULL ? "" : mark->offering, mark->attribute);
    }
    const char *id = string_of(fact, "id");
    if (json_object_set(builder->out->facts, id, json_object_get(facts, id)) != 0) {
        return error_no_memory(error);
    }
    return add_part(builder, "html/prose_fact.html",
                    json_pack("{s:o, s:s, s:O}", "href", view_fact_address(fact), "words",
                              mark->words != NULL ? mark->words : string_of(fact, "text"), "stale",
                              json_object_get(fact, "stale")),
                    html, error);
}

static bool on_mark(void *context, const char *text, struct buf *html, struct error *error) {
    struct builder *builder = context;
    struct mark mark;
    if (!mark_parse(text, &mark, error)) {
        return false;
    }
    bool good = mark_stands_right(&mark, text, false, error) &&
                (mark.kind == MARK_SOURCE ? add_source(builder, &mark, html, error)
                                          : add_fact(builder, &mark, html, error));
    mark_free(&mark);
    return good;
}

static bool on_link(void *context, const char *address, struct error *error) {
    struct builder *builder = context;
    return address[0] != '/' ||
           json_object_set_new(builder->out->links, address, json_true()) == 0 ||
           error_no_memory(error);
}

/* --- blocks --- */

/* Adds a block of one kind, with the keys of the others set to null. Takes value over. */
static bool add_block(struct builder *builder, const char *kind, json_t *value,
                      struct error *error) {
    json_t *block = json_pack("{s:n, s:n, s:n, s:n, s:n}", "text_html", "heading", "grid", "table",
                              "figure_html");
    bool good = json_object_set_new(block, kind, value) == 0;
    return (json_array_append_new(builder->out->blocks, block) == 0 && good) ||
           error_no_memory(error);
}

/* An id that begins with a letter, has letters, digits and hyphens, and that the page does not have
 * yet. */
static json_t *heading_id(struct builder *builder, const char *text) {
    struct buf id;
    buf_init(&id, LIMIT_TARGET_BYTES);
    for (; *text != '\0'; text++) {
        bool starts = id.length > 0 || isalpha((unsigned char)*text) != 0;
        if (starts && isalnum((unsigned char)*text) != 0) {
            buf_add_char(&id, (char)tolower((unsigned char)*text));
        } else if (*text != '\'' && id.length > 0 && id.data[id.length - 1] != '-') {
            buf_add_char(&id, '-');
        }
    }
    while (id.length > 0 && id.data[id.length - 1] == '-') {
        id.data[--id.length] = '\0';
    }
    if (id.length == 0) {
        buf_add_text(&id, "part");
    }
    size_t length = id.length;
    for (int i = 2; !id.failed && json_object_get(builder->ids, id.data) != NULL; i++) {
        id.length = length;
        buf_add_format(&id, "-%d", i);
    }
    json_t *result = id.failed ? NULL : json_stringn(id.data, id.length);
    if (result != NULL && json_object_set_new(builder->ids, id.data, json_true()) != 0) {
        json_decref(result);
        result = NULL;
    }
    buf_free(&id);
    return result;
}

static bool add_heading(struct builder *builder, const struct markdown_block *block,
                        struct error *error) {
    if (!heading_is_right(block, error)) {
        return false;
    }
    json_decref(builder->heading);
    builder->heading = heading_id(builder, block->text);
    bool good = builder->heading != NULL;
    if (good && block->level == 2) {
        good = json_array_append_new(
                   builder->out->contents,
                   json_pack("{s:O, s:s}", "id", builder->heading, "text", block->text)) == 0;
    }
    return good ? add_block(builder, "heading",
                            json_pack("{s:O, s:b, s:s}", "id", builder->heading, "is_section",
                                      block->level == 2, "title_html", block->html),
                            error)
                : error_no_memory(error);
}

/* A row of a pipe table: its first cell names it, each other one knows its column. */
static json_t *grid_row(const json_t *head, const json_t *row) {
    json_t *cells = json_array();
    size_t i = 0;
    json_t *cell = NULL;
    json_array_foreach(row, i, cell) {
        if (i > 0 && json_array_append_new(
                         cells, json_pack("{s:O, s:O}", "label",
                                          json_object_get(json_array_get(head, i), "text"),
                                          "cell_html", json_object_get(cell, "cell_html"))) != 0) {
            json_decref(cells);
            return NULL;
        }
    }
    return json_pack("{s:O, s:o}", "name_html",
                     json_object_get(json_array_get(row, 0), "cell_html"), "cells", cells);
}

static bool add_grid(struct builder *builder, const json_t *rows, struct error *error) {
    const json_t *head = json_array_get(rows, 0);
    json_t *columns = json_array();
    json_t *body = json_array();
    bool good = true;
    size_t i = 0;
    json_t *cell = NULL;
    json_array_foreach(head, i, cell) {
        good = good && (i == 0 || json_array_append(columns, cell) == 0);
    }
    for (i = 1; good && i < json_array_size(rows); i++) {
        good = json_array_append_new(body, grid_row(head, json_array_get(rows, i))) == 0;
    }
    json_t *grid = json_pack("{s:O, s:O, s:o, s:o}", "labelled_by", builder->heading, "corner_html",
                             json_object_get(json_array_get(head, 0), "cell_html"), "columns",
                             columns, "rows", body);
    if (!good) {
        json_decref(grid);
        return error_no_memory(error);
    }
    return add_block(builder, "grid", grid, error);
}

static bool add_diagram(struct builder *builder, const struct mark *mark, struct error *error) {
    char file[PROSE_DIAGRAM_BYTES];
    char id[PROSE_DIAGRAM_BYTES];
    if (!prose_diagram_file(mark->name, file, error)) {
        return false;
    }
    (void)snprintf(id, sizeof(id), "d-%s", mark->name);
    if (json_object_get(builder->ids, id) != NULL) {
        return error_set(error, ERROR_INVALID, "[[diagram %s]]: twice on a page", mark->name);
    }
    struct buf figure;
    struct error inner = {0};
    buf_init(&figure, LIMIT_ANSWER_BYTES);
    bool good = json_object_set_new(builder->ids, id, json_true()) == 0 || error_no_memory(error);
    if (good &&
        !add_part(builder, file, json_pack("{s:s}", "caption", mark->words), &figure, &inner)) {
        good = error_set(error, inner.kind, "[[diagram %.60s]]: %s", mark->name, inner.message);
    }
    good =
        good && add_block(builder, "figure_html", json_stringn(figure.data, figure.length), error);
    buf_free(&figure);
    return good;
}

static bool add_drawn(struct builder *builder, const char *text, struct error *error) {
    struct mark mark;
    if (!mark_parse(text, &mark, error)) {
        return false;
    }
    bool good = mark.kind == MARK_DIAGRAM && add_diagram(builder, &mark, error);
    if (mark.kind == MARK_TABLE) {
        builder->tables++;
        struct error inner = {0};
        json_t *table = prose_table(builder->view, mark.name, mark.words, builder->tables, &inner);
        good = table != NULL
                   ? add_block(builder, "table", table, error)
                   : error_set(error, inner.kind, "[[table %.80s]]: %s", mark.name, inner.message);
    } else if (mark.kind != MARK_DIAGRAM) {
        good = error_set(error, ERROR_INVALID, "[[%.80s]]: no such kind of mark", text);
    }
    mark_free(&mark);
    return good;
}

static bool on_block(void *context, const struct markdown_block *block, struct error *error) {
    struct builder *builder = context;
    switch (block->kind) {
    case MARKDOWN_TEXT:
        return add_block(builder, "text_html", json_string(block->html), error);
    case MARKDOWN_HEADING:
        return add_heading(builder, block, error);
    case MARKDOWN_MARK:
        return add_drawn(builder, block->text, error);
    case MARKDOWN_TABLE:
        return add_grid(builder, block->rows, error);
    }
    return error_set(error, ERROR_INTERNAL, "a block of no known kind");
}

/* --- the whole --- */

/* The ids that pages have besides those of headings, so that no heading takes one. */
static json_t *reserved_ids(void) {
    static const char *const names[] = {"main",      "nav",   "q",      "related",   "sources",
                                        "sources-h", "theme", "title",  "takeaways", "toc-h",
                                        "related-h", "facts", "facts-h"};
    json_t *ids = json_object();
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (json_object_set_new(ids, names[i], json_true()) != 0) {
            json_decref(ids);
            return NULL;
        }
    }
    return ids;
}

bool prose_build(struct view *view, const char *name, const char *markdown, struct prose *out,
                 struct error *error) {
    struct prose prose = {json_array(), json_array(), json_object(), json_object(), 0};
    struct builder builder = {.view = view,
                              .out = &prose,
                              .providers = json_object(),
                              .sources = json_object(),
                              .ids = reserved_ids(),
                              .heading = json_string("title")};
    const struct markdown_hooks hooks = {&builder, on_mark, on_link, on_block};
    bool good = prose.blocks != NULL && prose.contents != NULL && prose.links != NULL &&
                prose.facts != NULL && builder.providers != NULL && builder.sources != NULL &&
                builder.ids != NULL && builder.heading != NULL;
    struct error inner = {0};
    if (!good) {
        (void)error_no_memory(error);
    } else if (!markdown_walk(markdown, &hooks, &prose.words, &inner)) {
        bool is_fault = inner.kind == ERROR_INVALID || inner.kind == ERROR_NOT_FOUND;
        good = error_set(error, is_fault ? ERROR_CORRUPT : inner.kind, "%s: %s", name,
                         inner.message); /* of the catalogue, not of whoever asks */
    }
    json_decref(builder.providers);
    json_decref(builder.sources);
    json_decref(builder.ids);
    json_decref(builder.heading);
    if (good) {
        *out = prose;
    } else {
        prose_free(&prose);
    }
    return good;
}

void prose_free(struct prose *prose) {
    json_decref(prose->blocks);
    json_decref(prose->contents);
    json_decref(prose->links);
    json_decref(prose->facts);
    *prose = (struct prose){0};
}
