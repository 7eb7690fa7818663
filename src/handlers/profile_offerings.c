/* The offerings of a profile, side by side: a column each, a row for every attribute that at least
 * one of them states itself. */
#include "card.h"
#include "profile.h"
#include <string.h>

/* The answer of an offering: its own fact, else the provider's. NULL: neither. */
static const json_t *answer_of(const struct profile *profile, const json_t *offering,
                               const char *key) {
    const json_t *own = json_object_get(profile_facts(offering), key);
    return own != NULL ? own : json_object_get(profile_facts(profile->record), key);
}

static bool is_stated(const json_t *offerings, const char *key) {
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (json_object_get(profile_facts(offering), key) != NULL) {
            return true;
        }
    }
    return false;
}

static bool differs(const struct profile *profile, const json_t *offerings, const char *key) {
    const json_t *first =
        json_object_get(answer_of(profile, json_array_get(offerings, 0), key), "text");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (!json_equal(first, json_object_get(answer_of(profile, offering, key), "text"))) {
            return true;
        }
    }
    return false;
}

/* A cell: an own value with its receipt, an inherited one with a link to the provider's row. */
static json_t *offering_cell(struct profile *profile, const struct index_attribute *attribute,
                             const json_t *offering) {
    struct view *view = &profile->view;
    const json_t *own = json_object_get(profile_facts(offering), attribute->key);
    const json_t *answer = answer_of(profile, offering, attribute->key);
    const char *name = profile_text(offering, "name");
    bool is_own = own != NULL;
    json_t *cell = NULL;
    json_t *id = json_null();
    if (is_own) {
        cell = view_cell(view, attribute, own, name);
        id = json_sprintf("%s-%s", profile_text(offering, "slug"), attribute->key);
    } else {
        cell = view_cell(view, attribute, answer, NULL);
    }
    bool has_receipt = json_is_object(json_object_get(cell, "receipt"));
    json_t *note =
        is_own && !has_receipt ? view_words(view, json_object_get(own, "note")) : json_null();
    return view_new(view, json_pack("{s:s, s:o, s:o, s:o, s:s, s:b}", "offering", name, "id", id,
                                    "cell", cell, "note", note, "key", attribute->key, "inherited",
                                    (int)!is_own));
}

static json_t *attribute_row(struct profile *profile, const json_t *offerings,
                             const struct index_attribute *attribute) {
    json_t *cells = json_array();
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (json_array_append_new(cells, offering_cell(profile, attribute, offering)) != 0) {
            profile->view.failed = true;
        }
    }
    return view_new(&profile->view, json_pack("{s:s, s:s, s:o}", "key", attribute->key, "label",
                                              attribute->label, "cells", cells));
}

static json_t *rows(struct profile *profile, const json_t *offerings, bool differing) {
    json_t *list = json_array();
    for (size_t i = 0; i < profile->index->attribute_count; i++) {
        const struct index_attribute *attribute = &profile->index->attributes[i];
        if (is_stated(offerings, attribute->key) &&
            differs(profile, offerings, attribute->key) == differing &&
            json_array_append_new(list, attribute_row(profile, offerings, attribute)) != 0) {
            profile->view.failed = true;
        }
    }
    return list;
}

static json_t *columns(struct profile *profile, const json_t *offerings) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        json_t *entry = json_pack("{s:O, s:O, s:o, s:O}", "name", json_object_get(offering, "name"),
                                  "slug", json_object_get(offering, "slug"), "stage",
                                  card_stage(profile_text(offering, "release_stage")), "is_default",
                                  json_object_get(offering, "is_default"));
        if (json_array_append_new(list, view_new(&profile->view, entry)) != 0) {
            profile->view.failed = true;
        }
    }
    return list;
}

/* {columns, rows}, or null where there are no rows. Takes the rows over. */
static json_t *table(struct profile *profile, const json_t *offerings, json_t *list) {
    if (json_array_size(list) == 0) {
        json_decref(list);
        return json_null();
    }
    return view_new(&profile->view,
                    json_pack("{s:o, s:o}", "columns", columns(profile, offerings), "rows", list));
}

void profile_add_offerings(struct profile *profile) {
    const json_t *offerings = json_object_get(profile->record, "offerings");
    if (json_array_size(offerings) == 0) {
        view_set(&profile->view, "profile_offerings", json_null());
        return;
    }
    json_t *differing = table(profile, offerings, rows(profile, offerings, true));
    json_t *same = table(profile, offerings, rows(profile, offerings, false));
    view_set(&profile->view, "profile_offerings",
             json_pack("{s:I, s:O, s:o, s:o}", "count", (json_int_t)json_array_size(offerings),
                       "name", json_object_get(profile->record, "name"), "differing", differing,
                       "same", same));
}
