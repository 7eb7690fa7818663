/* The tables of providers side by side. */
#include "buf.h"
#include "provider_record.h"
#include "side_by_side.h"
#include <stdio.h>
#include <string.h>

enum { OFFERING_COLUMNS = 8, LABEL_BYTES = 256 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool is_text(const char *one, const char *other) {
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

static bool is_deprecated(const json_t *offering) {
    return is_text(string_of(offering, "release_stage"), "deprecated");
}

/* Whether the offerings on sale answer an attribute otherwise than their provider as a whole. */
static bool offerings_differ(const json_t *record, const char *attribute) {
    const char *whole = string_of(provider_record_fact(record, NULL, attribute), "text");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(record, "offerings"), i, offering) {
        const json_t *own = json_object_get(json_object_get(offering, "facts"), attribute);
        if (own != NULL && !is_deprecated(offering) && !is_text(string_of(own, "text"), whole)) {
            return true;
        }
    }
    return false;
}

static const char *said_by(const json_t *record, const json_t *offering, const char *attribute) {
    const char *words =
        string_of(provider_record_fact(record, string_of(offering, "slug"), attribute), "text");
    return words == NULL ? "not documented" : words;
}

/* Adds "A, B: words" for number first of the offerings and those after it that say the same;
 * nothing where one before it does. */
static void add_alike(struct buf *text, const json_t *record, const char *attribute, size_t first) {
    const json_t *offerings = json_object_get(record, "offerings");
    const char *words = said_by(record, json_array_get(offerings, first), attribute);
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        bool is_alike =
            !is_deprecated(offering) && strcmp(said_by(record, offering, attribute), words) == 0;
        if (is_alike && i < first) {
            return;
        }
        if (is_alike) {
            const char *between = i > first ? ", " : text->length == 0 ? "" : "; ";
            buf_add_format(text, "%s%s", between, string_of(offering, "name"));
        }
    }
    buf_add_format(text, ": %s", words);
}

/* What the offerings say, those that say the same together, or JSON null where that adds nothing.
 */
static json_t *offerings_text(const json_t *record, const struct index_attribute *attribute) {
    if (attribute->type == TYPE_TEXT || !offerings_differ(record, attribute->key)) {
        return json_null();
    }
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(record, "offerings"), i, offering) {
        if (!is_deprecated(offering)) {
            add_alike(&text, record, attribute->key, i);
        }
    }
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

json_t *sides_row(const struct sides *sides, struct view *view,
                  const struct index_attribute *attribute) {
    json_t *cells = json_array();
    for (size_t i = 0; i < sides->count; i++) {
        const char *name = sides_name(sides, i);
        json_t *cell = view_cell(view, attribute, sides_fact(sides, i, attribute->key), name);
        if (json_object_set_new(cell, "side_name", json_string(name)) != 0 ||
            json_object_set_new(cell, "side_offerings",
                                offerings_text(sides->records[i], attribute)) != 0 ||
            json_array_append(cells, cell) != 0) {
            view->failed = true;
        }
        json_decref(cell);
    }
    return view_new(view,
                    json_pack("{s:s, s:s, s:s?, s:o}", "key", attribute->key, "label",
                              attribute->label, "glossary", attribute->glossary, "cells", cells));
}

/* The rows of one relation under one group, NULL where there are none. */
static json_t *group_of(const struct sides *sides, struct view *view, const json_t *group,
                        enum side_relation relation) {
    json_t *rows = json_array();
    for (size_t i = 0; i < sides->index->attribute_count; i++) {
        const struct index_attribute *attribute = &sides->index->attributes[i];
        if (sides->relations[i] == relation &&
            is_text(attribute->group_key, string_of(group, "key")) &&
            json_array_append_new(rows, sides_row(sides, view, attribute)) != 0) {
            view->failed = true;
        }
    }
    if (json_array_size(rows) == 0) {
        json_decref(rows);
        return NULL;
    }
    return view_new(view, json_pack("{s:O, s:i, s:o}", "label", json_object_get(group, "label"),
                                    "group_span", (int)sides->count + 1, "rows", rows));
}

static json_t *table_of(const struct sides *sides, struct view *view, const json_t *groups,
                        enum side_relation relation) {
    json_t *shown = json_array();
    size_t i = 0;
    json_t *group = NULL;
    json_array_foreach(groups, i, group) {
        json_t *rows = group_of(sides, view, group, relation);
        if (rows != NULL && json_array_append_new(shown, rows) != 0) {
            view->failed = true;
        }
    }
    return view_new(view,
                    json_pack("{s:s, s:b, s:b, s:b, s:I, s:O, s:s, s:o}", "id",
                              side_relation_name(relation), "different", relation == SIDE_DIFFERENT,
                              "partly", relation == SIDE_PARTLY, "same", relation == SIDE_SAME,
                              "count", (json_int_t)sides->counts[relation], "columns",
                              json_object_get(view->page, "side_columns"), "table_class",
                              sides->count == 2 ? "pair" : "grid cards", "groups", shown));
}

/* --- offerings --- */

/* The headline attributes in which some provider's offerings differ. */
static size_t offering_columns(const struct sides *sides, const struct index_attribute **out) {
    size_t count = 0;
    for (size_t i = 0; i < sides->index->attribute_count && count < OFFERING_COLUMNS; i++) {
        const struct index_attribute *attribute = &sides->index->attributes[i];
        bool differs = false;
        for (size_t side = 0; side < sides->count; side++) {
            differs = differs || offerings_differ(sides->records[side], attribute->key);
        }
        if (attribute->headline && differs) {
            out[count++] = attribute;
        }
    }
    return count;
}

static json_t *offering_row(const struct sides *sides, struct view *view, size_t side,
                            const json_t *offering, const struct index_attribute *const *columns,
                            size_t count) {
    const json_t *record = sides->records[side];
    const char *slug = string_of(offering, "slug");
    const char *stage = string_of(offering, "release_stage");
    char name[LABEL_BYTES];
    (void)snprintf(name, sizeof(name), "%s: %s", sides_name(sides, side),
                   offering == NULL ? "one offering" : string_of(offering, "name"));
    json_t *cells = json_array();
    for (size_t i = 0; i < count; i++) {
        const json_t *fact = provider_record_fact(record, slug, columns[i]->key);
        if (json_array_append_new(cells, view_cell(view, columns[i], fact, name)) != 0) {
            view->failed = true;
        }
    }
    json_t *sub =
        offering == NULL
            ? json_null()
            : json_sprintf("%s%s",
                           stage == NULL              ? "stage not documented"
                           : strcmp(stage, "ga") == 0 ? "generally available"
                                                      : stage,
                           json_is_true(json_object_get(offering, "is_default")) ? ", the default"
                                                                                 : "");
    return view_new(view, json_pack("{s:o, s:s, s:o, s:o}", "href",
                                    json_sprintf("/sandboxes/%s/", sides_slug(sides, side)), "name",
                                    name, "sub", sub, "cells", cells));
}

static json_t *offering_rows(const struct sides *sides, struct view *view,
                             const struct index_attribute *const *columns, size_t count) {
    json_t *rows = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        const json_t *offerings = json_object_get(sides->records[side], "offerings");
        size_t i = 0;
        json_t *offering = NULL;
        json_array_foreach(offerings, i, offering) {
            if (json_array_append_new(
                    rows, offering_row(sides, view, side, offering, columns, count)) != 0) {
                view->failed = true;
            }
        }
        if (json_array_size(offerings) == 0 &&
            json_array_append_new(rows, offering_row(sides, view, side, NULL, columns, count)) !=
                0) {
            view->failed = true;
        }
    }
    return rows;
}

/* The offerings as a table for the part "table", or JSON null where nothing sets them apart. */
static json_t *offering_table(const struct sides *sides, struct view *view) {
    const struct index_attribute *columns[OFFERING_COLUMNS];
    size_t count = offering_columns(sides, columns);
    if (count == 0) {
        return json_null();
    }
    json_t *heads = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(
                heads, json_pack("{s:s, s:n, s:b, s:n}", "label", columns[i]->label, "href",
                                 "numeric", (int)attribute_is_numeric(columns[i]), "sorted")) !=
            0) {
            view->failed = true;
        }
    }
    return view_new(view, json_pack("{s:s, s:s, s:s, s:o, s:o}", "table_id", "t-offerings",
                                    "caption", "What each of them sells.", "caption_more",
                                    "A row is one thing to buy: what stands in it holds together.",
                                    "columns", heads, "rows",
                                    offering_rows(sides, view, columns, count)));
}

/* --- the page's names --- */

static json_t *columns_of(const struct sides *sides, struct view *view) {
    json_t *columns = json_array();
    for (size_t i = 0; i < sides->count; i++) {
        if (json_array_append_new(
                columns, json_pack("{s:s, s:o}", "name", sides_name(sides, i), "href",
                                   json_sprintf("/sandboxes/%s/", sides_slug(sides, i)))) != 0) {
            view->failed = true;
        }
    }
    return columns;
}

/* Providers that are on their way out say so at the top. */
static json_t *banners_of(const struct sides *sides, struct view *view) {
    json_t *banners = json_array();
    for (size_t i = 0; i < sides->count; i++) {
        const json_t *record = sides->records[i];
        const char *status = string_of(record, "status");
        const char *slug = sides_slug(sides, i);
        if (!is_text(status, "active") &&
            json_array_append_new(
                banners, json_pack("{s:s, s:b, s:o, s:o}", "name", sides_name(sides, i), "gone",
                                   (int)is_text(status, "discontinued"), "text",
                                   view_words(view, json_object_get(record, "status_note")), "href",
                                   json_sprintf("/alternatives/%s/", slug))) != 0) {
            view->failed = true;
        }
    }
    return banners;
}

static json_t *neither_of(const struct sides *sides, struct view *view) {
    json_t *labels = json_array();
    for (size_t i = 0; i < sides->index->attribute_count; i++) {
        const struct index_attribute *attribute = &sides->index->attributes[i];
        if (sides->relations[i] == SIDE_NEITHER &&
            json_array_append_new(labels, json_pack("{s:s, s:s}", "key", attribute->key, "label",
                                                    attribute->label)) != 0) {
            view->failed = true;
        }
    }
    return view_new(view, json_pack("{s:o}", "labels", labels));
}

bool sides_show(const struct sides *sides, struct view *view, bool only_differences,
                struct error *error) {
    json_t *groups = catalogue_rows(view->call->catalogue, STATEMENT_GROUPS, NULL, 0, error);
    if (groups == NULL) {
        return false;
    }
    view_set(view, "side_columns", columns_of(sides, view));
    view_set(view, "side_banners", banners_of(sides, view));
    json_t *tables = json_array();
    const enum side_relation last = only_differences ? SIDE_PARTLY : SIDE_SAME;
    for (enum side_relation relation = SIDE_DIFFERENT; relation <= last; relation++) {
        if (sides->counts[relation] > 0 &&
            json_array_append_new(tables, table_of(sides, view, groups, relation)) != 0) {
            view->failed = true;
        }
    }
    json_decref(groups);
    view_set(view, "side_tables", tables);
    view_set(view, "side_only_differences", json_boolean(only_differences));
    view_set(view, "side_neither",
             only_differences || sides->counts[SIDE_NEITHER] == 0 ? json_null()
                                                                  : neither_of(sides, view));
    view_set(view, "side_offerings", offering_table(sides, view));
    return true;
}
