/* Tables that a prose draws from the catalogue. */
#include "comparison.h"
#include "facts.h"
#include "limit.h"
#include "prose_private.h"
#include "text.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- rows --- */

/* Whether two offerings show the same facts: what both inherit, say. */
static bool same_facts(const json_t *one, const json_t *other) {
    const char *key = NULL;
    json_t *fact = NULL;
    const json_t *others = json_object_get(other, "facts");
    json_object_foreach(json_object_get(one, "facts"), key, fact) {
        if (!json_equal(fact, json_object_get(others, key))) {
            return false;
        }
    }
    return true;
}

/* The names of the offerings that show what the one at first does, or NULL where they are all that
 * the provider sells. */
static json_t *names_like(const struct index_provider *provider, const json_t *offerings,
                          size_t first) {
    struct buf names;
    buf_init(&names, LIMIT_ANSWER_BYTES);
    size_t count = 0;
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (i >= first && same_facts(json_array_get(offerings, first), offering)) {
            const char *name = string_of(offering, "name");
            buf_add_format(&names, "%s%s", count == 0 ? "" : ", ", name == NULL ? "" : name);
            count++;
        }
    }
    bool is_whole = !provider->has_offerings || count == provider->slot_count;
    json_t *result = names.failed ? NULL : is_whole ? json_null() : json_string(names.data);
    buf_free(&names);
    return result;
}

static bool shown_before(const json_t *offerings, size_t place) {
    for (size_t i = 0; i < place; i++) {
        if (same_facts(json_array_get(offerings, i), json_array_get(offerings, place))) {
            return true;
        }
    }
    return false;
}

static json_t *cells_of(struct view *view, const json_t *columns, const json_t *facts) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *cells = json_array();
    size_t i = 0;
    json_t *column = NULL;
    json_array_foreach(columns, i, column) {
        const char *key = string_of(column, "key");
        if (json_array_append_new(cells, view_cell_linked(view, index_attribute(index, key),
                                                          json_object_get(facts, key))) != 0) {
            json_decref(cells);
            return NULL;
        }
    }
    return cells;
}

/* Adds a row for each kind of offering of a match. */
static bool add_rows(struct view *view, const json_t *columns, const json_t *match, json_t *rows) {
    const char *slug = string_of(match, "slug");
    const char *name = string_of(match, "name");
    const struct index_provider *provider =
        index_provider(generation_index(catalogue_generation(view->call->catalogue)), slug);
    const json_t *offerings = json_object_get(match, "offerings");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (shown_before(offerings, i)) {
            continue;
        }
        json_t *row =
            json_pack("{s:o, s:s, s:o, s:o}", "href", json_sprintf("/sandboxes/%s/", slug), "name",
                      name, "sub", names_like(provider, offerings, i), "cells",
                      cells_of(view, columns, json_object_get(offering, "facts")));
        if (json_array_append_new(rows, row) != 0) {
            return false;
        }
    }
    return true;
}

/* --- the table --- */

static json_t *columns_of(const struct question *question, const json_t *columns,
                          const struct catalogue_index *index) {
    json_t *result = json_array();
    size_t i = 0;
    json_t *column = NULL;
    json_array_foreach(columns, i, column) {
        const struct index_attribute *attribute = index_attribute(index, string_of(column, "key"));
        bool is_sorted = attribute == question->sort;
        const char *order = question->sort_descending ? "descending" : "ascending";
        if (json_array_append_new(result, json_pack("{s:s, s:s?, s:b, s:s?}", "label",
                                                    attribute->label, "href", NULL, "numeric",
                                                    (int)attribute_is_numeric(attribute), "sorted",
                                                    is_sorted ? order : NULL)) != 0) {
            json_decref(result);
            return NULL;
        }
    }
    return result;
}

/* The names of the undecided as one text; JSON null: there are none. */
static json_t *names_of(const json_t *list) {
    struct buf names;
    buf_init(&names, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(list, i, entry) {
        buf_add_format(&names, "%s%s", i == 0 ? "" : ", ", string_of(entry, "name"));
    }
    json_t *result = names.failed        ? NULL
                     : names.length == 0 ? json_null()
                                         : json_string(names.data);
    buf_free(&names);
    return result;
}

/* "The first 8 of 21.", or JSON null where all are shown. */
static json_t *share_of(const json_t *answer) {
    size_t shown = json_array_size(json_object_get(answer, "matches"));
    json_int_t all =
        json_integer_value(json_object_get(json_object_get(answer, "counts"), "matches"));
    return (json_int_t)shown < all ? json_sprintf("The first %zu of %lld.", shown, (long long)all)
                                   : json_null();
}

static json_t *table_of(struct view *view, const struct question *question, const json_t *answer,
                        const char *caption, size_t number) {
    const json_t *columns = json_object_get(answer, "columns");
    json_t *rows = json_array();
    size_t i = 0;
    json_t *match = NULL;
    bool good = rows != NULL;
    json_array_foreach(json_object_get(answer, "matches"), i, match) {
        good = good && add_rows(view, columns, match, rows);
    }
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "table_id", json_sprintf("t-%zu", number),
        "caption", json_sprintf("%s.", caption), "caption_more", share_of(answer), "columns",
        columns_of(question, columns,
                   generation_index(catalogue_generation(view->call->catalogue))),
        "rows", rows, "full", json_sprintf("/compare/?%s", string_of(answer, "query")), "left_out",
        names_of(json_object_get(answer, "undecided")), "has_rows", json_array_size(rows) > 0);
}

json_t *prose_table(struct view *view, const char *query, const char *caption, size_t number,
                    struct error *error) {
    struct catalogue *catalogue = view->call->catalogue;
    struct target target = {0};
    struct question question = {0};
    json_t *table = NULL;
    json_t *use_cases = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    json_t *answer =
        use_cases != NULL && prose_ask(generation_index(catalogue_generation(catalogue)), use_cases,
                                       query, &target, &question, error)
            ? comparison_answer(catalogue, &question, error)
            : NULL;
    if (answer != NULL) {
        table = table_of(view, &question, answer, caption, number);
        if (table == NULL) {
            (void)error_no_memory(error);
        }
    }
    json_decref(answer);
    json_decref(use_cases);
    question_free(&question);
    target_free(&target);
    return table;
}
