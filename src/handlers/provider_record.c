#include "provider_record.h"
#include "facts.h"
#include <stdio.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Sorts the rows of STATEMENT_CLAIMS into the record's four lists. Takes ownership of rows. */
static bool add_claims(json_t *record, json_t *rows, struct error *error) {
    static const struct {
        const char *kind;
        const char *key;
    } lists[] = {{"strength", "strengths"},
                 {"limitation", "limitations"},
                 {"best_for", "best_for"},
                 {"not_for", "not_for"}};
    bool good = rows != NULL;
    for (size_t i = 0; good && i < ARRAY_LENGTH(lists); i++) {
        json_t *list = json_array();
        size_t j = 0;
        json_t *row = NULL;
        json_array_foreach(rows, j, row) {
            if (good && strcmp(string_of(row, "kind"), lists[i].kind) == 0) {
                good = json_array_append_new(
                           list, json_pack("{s:O, s:O, s:O}", "text", json_object_get(row, "text"),
                                           "facts", json_object_get(row, "facts"), "reviewed_on",
                                           json_object_get(row, "reviewed_on"))) == 0;
            }
        }
        good = json_object_set_new(record, lists[i].key, list) == 0 && good;
    }
    bool had_rows = rows != NULL;
    json_decref(rows);
    return good || (had_rows ? error_no_memory(error) : false);
}

/* Groups fact rows by offering: the provider's own under "" and each offering's under its slug. */
static json_t *group_facts(struct catalogue *catalogue, const char *slug, struct error *error) {
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACTS_OF_PROVIDER, error, BIND_TEXT(slug));
    json_t *facts =
        rows == NULL ? NULL
                     : facts_from_rows(catalogue_generation(catalogue), json_incref(rows), error);
    json_t *groups = facts == NULL ? NULL : json_object();
    size_t i = 0;
    json_t *fact = NULL;
    bool good = groups != NULL;
    json_array_foreach(facts, i, fact) {
        const char *offering = string_of(json_array_get(rows, i), "offering");
        const char *key = offering == NULL ? "" : offering;
        json_t *group = json_object_get(groups, key);
        if (good && group == NULL) {
            group = json_object();
            good = json_object_set_new(groups, key, group) == 0;
        }
        good = good && json_object_set(group, string_of(fact, "attribute"), fact) == 0;
    }
    json_decref(rows);
    json_decref(facts);
    if (groups != NULL && !good) {
        json_decref(groups);
        (void)error_no_memory(error);
        return NULL;
    }
    return groups;
}

static json_t *object_or_empty(const json_t *groups, const char *key) {
    json_t *found = json_object_get(groups, key);
    return found == NULL ? json_object() : json_incref(found);
}

static bool add_facts(struct catalogue *catalogue, json_t *record, const char *slug,
                      struct error *error) {
    json_t *groups = group_facts(catalogue, slug, error);
    json_t *offerings =
        groups == NULL ? NULL
                       : CATALOGUE_ROWS(catalogue, STATEMENT_OFFERINGS, error, BIND_TEXT(slug));
    if (offerings == NULL) {
        json_decref(groups);
        return false;
    }
    bool good = json_object_set_new(record, "facts", object_or_empty(groups, "")) == 0;
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        good =
            good && json_object_set_new(offering, "facts",
                                        object_or_empty(groups, string_of(offering, "slug"))) == 0;
    }
    good = json_object_set_new(record, "offerings", offerings) == 0 && good;
    json_decref(groups);
    return good || error_no_memory(error);
}

/* Folds the source_x columns of each row into one "source" object. Takes ownership of rows. */
static bool add_sourced(json_t *record, const char *key, json_t *rows, struct error *error) {
    static const char *const names[] = {"id",   "url",       "title",       "publisher",
                                        "kind", "copy_date", "accessed_on", "verified_on"};
    if (rows == NULL) {
        return false;
    }
    bool good = true;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *source = json_object();
        for (size_t j = 0; good && j < ARRAY_LENGTH(names); j++) {
            char column[32];
            (void)snprintf(column, sizeof(column), "source_%s", names[j]);
            good = json_object_set(source, names[j], json_object_get(row, column)) == 0 &&
                   json_object_del(row, column) == 0;
        }
        good = json_object_set_new(row, "source", source) == 0 && good;
    }
    return (json_object_set_new(record, key, rows) == 0 && good) || error_no_memory(error);
}

static bool add_last_review(struct catalogue *catalogue, json_t *record, const char *slug,
                            struct error *error) {
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_REVIEWS, error, BIND_TEXT(slug));
    if (rows == NULL) {
        return false;
    }
    size_t count = json_array_size(rows);
    json_t *day =
        count == 0 ? json_null() : json_object_get(json_array_get(rows, count - 1), "reviewed_on");
    bool good = json_object_set(record, "last_reviewed", day) == 0;
    json_decref(rows);
    return good || error_no_memory(error);
}

json_t *provider_record(struct catalogue *catalogue, const char *slug, struct error *error) {
    json_t *record = CATALOGUE_ROW(catalogue, STATEMENT_PROVIDER, error, BIND_TEXT(slug));
    if (record == NULL) {
        return NULL;
    }
    const struct binding provider[] = {BIND_TEXT(slug)};
    bool good = add_last_review(catalogue, record, slug, error) &&
                add_claims(record, catalogue_rows(catalogue, STATEMENT_CLAIMS, provider, 1, error),
                           error) &&
                add_facts(catalogue, record, slug, error);
    if (good) {
        json_t *conflicts = catalogue_rows(catalogue, STATEMENT_CONFLICTS, provider, 1, error);
        good = conflicts != NULL &&
               (json_object_set_new(record, "conflicts", conflicts) == 0 || error_no_memory(error));
    }
    good = good &&
           add_sourced(record, "events",
                       catalogue_rows(catalogue, STATEMENT_EVENTS, provider, 1, error), error) &&
           add_sourced(record, "measurements",
                       catalogue_rows(catalogue, STATEMENT_MEASUREMENTS_NEWEST, provider, 1, error),
                       error);
    if (good) {
        json_t *sources =
            catalogue_rows(catalogue, STATEMENT_SOURCES_OF_PROVIDER, provider, 1, error);
        good = sources != NULL &&
               (json_object_set_new(record, "sources", sources) == 0 || error_no_memory(error));
    }
    if (!good) {
        json_decref(record);
        return NULL;
    }
    return record;
}

json_t *provider_record_fact(const json_t *record, const char *offering, const char *attribute) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(record, "offerings"), i, entry) {
        if (offering != NULL && strcmp(string_of(entry, "slug"), offering) == 0) {
            json_t *own = json_object_get(json_object_get(entry, "facts"), attribute);
            if (own != NULL) {
                return own;
            }
        }
    }
    return json_object_get(json_object_get(record, "facts"), attribute);
}
