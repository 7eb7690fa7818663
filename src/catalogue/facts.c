#include "facts.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void add_label(struct buf *out, const struct index_attribute *attribute, const char *value) {
    const struct index_value *known = index_value(attribute, value);
    buf_add_text(out, known == NULL ? value : known->label);
}

static void add_number(struct buf *out, const struct index_attribute *attribute, double number) {
    text_add_number_grouped(out, number);
    if (attribute->unit != NULL) {
        buf_add_format(out, " %s", attribute->unit);
    }
}

static void add_list(struct buf *out, const struct index_attribute *attribute, const json_t *list) {
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(list, i, member) {
        buf_add_text(out, i == 0 ? "" : ", ");
        add_label(out, attribute, json_string_value(member));
    }
    if (json_array_size(list) == 0) {
        buf_add_text(out, "none");
    }
}

static void add_money_map(struct buf *out, const json_t *map) {
    const char *name = NULL;
    const char *separator = "";
    json_t *amount = NULL;
    json_object_foreach((json_t *)map, name, amount) {
        buf_add_format(out, "%s%s $", separator, name);
        text_add_number_grouped(out, json_number_value(amount));
        separator = ", ";
    }
    if (json_object_size(map) == 0) {
        buf_add_text(out, "none");
    }
}

void fact_add_text(struct buf *out, const struct index_attribute *attribute, const json_t *value) {
    if (json_is_boolean(value)) {
        buf_add_text(out, json_is_true(value) ? "yes" : "no");
    } else if (json_is_string(value)) {
        add_label(out, attribute, json_string_value(value));
    } else if (json_is_array(value)) {
        add_list(out, attribute, value);
    } else if (json_is_object(value)) {
        add_money_map(out, value);
    } else if (attribute->type == TYPE_MONEY) {
        buf_add_char(out, '$');
        text_add_number_grouped(out, json_number_value(value));
    } else if (attribute->type == TYPE_DURATION) {
        text_add_duration(out, json_number_value(value));
    } else {
        add_number(out, attribute, json_number_value(value));
    }
}

/* What an overlay put there says so in its words too. */
static json_t *state_text(const char *state, const struct index_attribute *attribute,
                          const json_t *value, bool is_private) {
    if (strcmp(state, "not_documented") == 0) {
        return json_string("not documented");
    }
    if (strcmp(state, "not_applicable") == 0) {
        return json_string("does not apply");
    }
    enum { TEXT_BYTES = 64 * 1024 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    fact_add_text(&text, attribute, value);
    buf_add_text(&text, is_private ? " (private)" : "");
    json_t *result =
        text.failed ? NULL : json_stringn(text.data == NULL ? "" : text.data, text.length);
    buf_free(&text);
    return result;
}

json_t *facts_source(const json_t *row) {
    if (!json_is_string(json_object_get(row, "source_id"))) {
        return json_null();
    }
    return json_pack(
        "{s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:O}", "id", json_object_get(row, "source_id"), "url",
        json_object_get(row, "source_url"), "title", json_object_get(row, "source_title"),
        "publisher", json_object_get(row, "source_publisher"), "kind",
        json_object_get(row, "source_kind"), "copy_date", json_object_get(row, "source_copy_date"),
        "accessed_on", json_object_get(row, "source_accessed_on"), "verified_on",
        json_object_get(row, "source_verified_on"));
}

static json_t *id_of(const json_t *row) {
    const char *offering = string_of(row, "offering");
    return json_sprintf("%s%s%s:%s", string_of(row, "provider"), offering == NULL ? "" : "/",
                        offering == NULL ? "" : offering, string_of(row, "attribute"));
}

/* One row as the object that facts.h describes; NULL: out of memory or a row that is not one. */
static json_t *fact_from_row(const struct generation *generation, const json_t *row) {
    const struct index_attribute *attribute =
        index_attribute(generation_index(generation), string_of(row, "attribute"));
    int64_t checked = 0;
    if (attribute == NULL || !text_day(string_of(row, "checked_on"), &checked)) {
        return NULL;
    }
    json_t *value = json_object_get(row, "value");
    bool unlimited = attribute->type == TYPE_DURATION && json_is_string(value);
    int64_t review_by = checked + attribute->review_days;
    char review_by_text[TEXT_DATE_BYTES];
    const char *basis = string_of(row, "basis");
    const bool is_private = basis != NULL && strcmp(basis, "private") == 0;
    text_iso_date(review_by, review_by_text);
    json_t *fact =
        json_pack("{s:s, s:o, s:O, s:O, s:o, s:O, s:O, s:O, s:o, s:O, s:s, s:b, s:O}", "attribute",
                  attribute->key, "id", id_of(row), "state", json_object_get(row, "state"), "value",
                  unlimited ? json_null() : value, "text",
                  state_text(string_of(row, "state"), attribute, value, is_private), "detail",
                  json_object_get(row, "detail"), "note", json_object_get(row, "note"), "basis",
                  json_object_get(row, "basis"), "source", facts_source(row), "checked_on",
                  json_object_get(row, "checked_on"), "review_by", review_by_text, "stale",
                  (int)(review_by < generation_today(generation)), "valid_from",
                  json_object_get(row, "valid_from"));
    if (attribute->type == TYPE_DURATION &&
        json_object_set_new(fact, "unlimited", json_boolean(unlimited)) != 0) {
        json_decref(fact);
        return NULL;
    }
    return fact;
}

json_t *facts_from_rows(const struct generation *generation, json_t *rows, struct error *error) {
    json_t *facts = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (json_array_append_new(facts, fact_from_row(generation, row)) != 0) {
            json_decref(facts);
            facts = NULL;
            (void)error_set(error, ERROR_CORRUPT, "the fact %s of %s cannot be shown",
                            string_of(row, "attribute"), string_of(row, "provider"));
            break;
        }
    }
    json_decref(rows);
    return facts;
}

/* The rowids as a JSON array in text, for json_each. */
static char *rowids_text(const int64_t *rowids, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        if (rowids[i] != 0 && json_array_append_new(array, json_integer(rowids[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    char *text = array == NULL ? NULL : json_dumps(array, JSON_COMPACT);
    json_decref(array);
    return text;
}

static json_t *key_by_rowid(const struct generation *generation, const json_t *rows) {
    json_t *facts = json_object();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        char key[24];
        (void)snprintf(key, sizeof(key), "%lld",
                       (long long)json_integer_value(json_object_get(row, "rowid")));
        if (json_object_set_new(facts, key, fact_from_row(generation, row)) != 0) {
            json_decref(facts);
            return NULL;
        }
    }
    return facts;
}

json_t *facts_by_rowid(struct catalogue *catalogue, const int64_t *rowids, size_t count,
                       struct error *error) {
    char *text = rowids_text(rowids, count);
    if (text == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACTS_BY_ROWID, error, BIND_TEXT(text));
    free(text);
    if (rows == NULL) {
        return NULL;
    }
    json_t *facts = key_by_rowid(catalogue_generation(catalogue), rows);
    json_decref(rows);
    if (facts == NULL) {
        (void)error_set(error, ERROR_CORRUPT, "the facts cannot be shown");
    }
    return facts;
}

json_t *facts_by_collected(struct catalogue *catalogue, const struct buf *rowids,
                           struct error *error) {
    size_t count = rowids->length / sizeof(int64_t);
    int64_t *copy = malloc(rowids->length + sizeof(int64_t));
    if (copy == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    if (count > 0) {
        memcpy(copy, rowids->data, count * sizeof(int64_t));
    }
    json_t *facts = facts_by_rowid(catalogue, copy, count, error);
    free(copy);
    return facts;
}

json_t *fact_missing(const struct index_attribute *attribute) {
    json_t *fact = json_pack("{s:s, s:n, s:s, s:n, s:s, s:n, s:n, s:n, s:n, s:n, s:n, s:b, s:n}",
                             "attribute", attribute->key, "id", "state", "not_documented", "value",
                             "text", "not documented", "detail", "note", "basis", "source",
                             "checked_on", "review_by", "stale", 0, "valid_from");
    if (attribute->type == TYPE_DURATION &&
        json_object_set_new(fact, "unlimited", json_false()) != 0) {
        json_decref(fact);
        return NULL;
    }
    return fact;
}

json_t *fact_of_slot(const json_t *facts, const struct index_attribute *attribute, size_t slot) {
    char key[24];
    (void)snprintf(key, sizeof(key), "%lld", (long long)attribute->facts[slot]);
    json_t *fact = json_object_get(facts, key);
    return fact == NULL ? fact_missing(attribute) : json_incref(fact);
}
