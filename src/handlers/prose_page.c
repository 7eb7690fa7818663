#include "prose_page.h"
#include "buf.h"
#include "limit.h"
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

json_t *prose_page_answer(struct prose *prose) {
    json_t *text = json_object_get(json_array_get(prose->blocks, 0), "text_html");
    if (!json_is_string(text)) {
        return json_null();
    }
    json_incref(text);
    (void)json_array_remove(prose->blocks, 0);
    return text;
}

static bool names_slug(const json_t *slugs, const char *slug) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(slugs, i, entry) {
        if (strcmp(json_string_value(entry), slug) == 0) {
            return true;
        }
    }
    return false;
}

/* Sets name to [{href, label}] of the rows that the prose links to or that wanted names. */
static size_t set_related(struct view *view, const char *name, const char *folder,
                          const char *label, json_t *rows, const struct prose *prose,
                          const char *path, const json_t *wanted) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *href = json_sprintf("/%s/%s/", folder, string_of(row, "slug"));
        const char *address = json_string_value(href);
        bool is_related = address != NULL && strcmp(address, path) != 0 &&
                          (json_object_get(prose->links, address) != NULL ||
                           names_slug(wanted, string_of(row, "slug")));
        if (is_related &&
            json_array_append_new(list, json_pack("{s:O, s:O}", "href", href, "label",
                                                  json_object_get(row, label))) != 0) {
            view->failed = true;
        }
        json_decref(href);
    }
    json_decref(rows);
    size_t count = json_array_size(list);
    view_set(view, name, list);
    return count;
}

bool prose_page_fill(struct view *view, const struct prose *prose, const char *path,
                     const char *markdown, const json_t *related, struct error *error) {
    if (view->call->media == MEDIA_MARKDOWN) {
        json_t *twin = prose_twin(view, prose, markdown, error);
        if (twin == NULL) {
            return false;
        }
        view_set(view, "prose_markdown", twin);
    }
    struct catalogue *catalogue = view->call->catalogue;
    json_t *guides = catalogue_rows(catalogue, STATEMENT_GUIDES, NULL, 0, error);
    json_t *terms =
        guides == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_TERMS, NULL, 0, error);
    if (terms == NULL) {
        json_decref(guides);
        return false;
    }
    size_t guide_count =
        set_related(view, "prose_guides", "guides", "title", guides, prose, path, NULL);
    size_t term_count =
        set_related(view, "prose_terms", "glossary", "term", terms, prose, path, related);
    view_set(view, "prose_has_guides", json_boolean(guide_count > 0));
    view_set(view, "prose_has_terms", json_boolean(term_count > 0));
    view_set(view, "prose_has_related", json_boolean(guide_count + term_count > 0));
    view_set(view, "prose_blocks", json_incref(prose->blocks));
    return true;
}

json_t *prose_page_join(const json_t *words) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *word = NULL;
    json_array_foreach(words, i, word) {
        buf_add_format(&text, "%s%s", i == 0 ? "" : ", ", json_string_value(word));
    }
    json_t *result = text.failed ? NULL : text.length == 0 ? json_null() : json_string(text.data);
    buf_free(&text);
    return result;
}
