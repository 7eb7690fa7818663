/* The facts of a profile: in short, and every one of them by group. */
#include "facts.h"
#include "profile.h"
#include <string.h>

void profile_add_quick(struct profile *profile) {
    struct view *view = &profile->view;
    json_t *quick = json_array();
    for (size_t i = 0; i < profile->index->attribute_count; i++) {
        const struct index_attribute *attribute = &profile->index->attributes[i];
        const json_t *fact = json_object_get(profile_facts(profile->record), attribute->key);
        if (!attribute->headline) {
            continue;
        }
        json_t *cell = view_cell(view, attribute, fact, profile_name(profile));
        json_t *entry = json_pack("{s:s, s:o}", "label", attribute->label, "cell", cell);
        if (json_array_append_new(quick, view_new(view, entry)) != 0) {
            view->failed = true;
        }
    }
    view_set(view, "profile_quick", quick);
}

/* --- every fact --- */

static json_t *fact_row(struct profile *profile, const struct index_attribute *attribute,
                        const json_t *fact) {
    struct view *view = &profile->view;
    json_t *term = attribute->glossary == NULL ? json_null()
                                               : json_sprintf("/glossary/%s/", attribute->glossary);
    return view_new(view,
                    json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:b}", "key",
                              attribute->key, "label", attribute->label, "term", term, "cell",
                              view_cell(view, attribute, fact, profile_name(profile)), "detail",
                              view_words(view, json_object_get(fact, "detail")), "note",
                              view_words(view, json_object_get(fact, "note")), "basis",
                              view_basis_label(profile_text(fact, "basis")), "checked",
                              view_date(view, profile_text(fact, "checked_on")), "correction",
                              json_sprintf("/corrections/?fact=%s", profile_text(fact, "id")),
                              "unsourced", (int)!json_is_object(json_object_get(fact, "source"))));
}

static json_t *rows_of_group(struct profile *profile, const char *group) {
    json_t *rows = json_array();
    for (size_t i = 0; i < profile->index->attribute_count; i++) {
        const struct index_attribute *attribute = &profile->index->attributes[i];
        const json_t *fact = json_object_get(profile_facts(profile->record), attribute->key);
        if (fact != NULL && strcmp(attribute->group_key, group) == 0 &&
            json_array_append_new(rows, fact_row(profile, attribute, fact)) != 0) {
            profile->view.failed = true;
        }
    }
    return rows;
}

void profile_add_groups(struct profile *profile) {
    struct view *view = &profile->view;
    json_t *groups =
        catalogue_rows(profile->call->catalogue, STATEMENT_GROUPS, NULL, 0, profile->error);
    json_t *shown = json_array();
    size_t total = 0;
    size_t i = 0;
    json_t *group = NULL;
    view->failed = view->failed || groups == NULL;
    json_array_foreach(groups, i, group) {
        const char *key = profile_text(group, "key");
        json_t *rows = rows_of_group(profile, key);
        size_t count = json_array_size(rows);
        total += count;
        json_t *entry = json_pack(
            "{s:s, s:O, s:O, s:I, s:b, s:o}", "key", key, "label", json_object_get(group, "label"),
            "name", json_object_get(profile->record, "name"), "count", (json_int_t)count,
            "is_pricing", (int)(strcmp(key, "pricing") == 0), "rows", rows);
        if (count == 0) {
            json_decref(entry);
        } else if (json_array_append_new(shown, view_new(view, entry)) != 0) {
            view->failed = true;
        }
    }
    json_decref(groups);
    view_set(view, "profile_groups", shown);
    view_set(view, "profile_fact_count", json_integer((json_int_t)total));
}

/* --- references to facts --- */

static const json_t *offering_of(const json_t *record, const char *slug, size_t length) {
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(record, "offerings"), i, offering) {
        const char *known = profile_text(offering, "slug");
        if (strlen(known) == length && memcmp(known, slug, length) == 0) {
            return offering;
        }
    }
    return NULL;
}

/* "gpu" or "container/gpu" as a link to its row; NULL for what the record does not have. */
static json_t *reference(struct profile *profile, const char *text) {
    const char *slash = strchr(text, '/');
    const char *key = slash == NULL ? text : slash + 1;
    const struct index_attribute *attribute = index_attribute(profile->index, key);
    const json_t *offering =
        slash == NULL ? NULL : offering_of(profile->record, text, (size_t)(slash - text));
    const json_t *own = json_object_get(profile_facts(offering), key);
    const json_t *fact = own != NULL ? own : json_object_get(profile_facts(profile->record), key);
    if (attribute == NULL || fact == NULL) {
        return NULL;
    }
    json_t *href = own != NULL ? json_sprintf("#%s-%s", profile_text(offering, "slug"), key)
                               : json_sprintf("#%s", key);
    json_t *label = own != NULL
                        ? json_sprintf("%s, %s", attribute->label, profile_text(offering, "name"))
                        : json_string(attribute->label);
    return json_pack("{s:o, s:o, s:O}", "href", href, "label", label, "text",
                     json_object_get(fact, "text"));
}

json_t *profile_references(struct profile *profile, const json_t *references) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *text = NULL;
    json_array_foreach(references, i, text) {
        json_t *entry = reference(profile, json_string_value(text));
        if (entry != NULL && json_array_append_new(list, entry) != 0) {
            profile->view.failed = true;
        }
    }
    return view_new(&profile->view, list);
}
