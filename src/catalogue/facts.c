#include "facts_private.h"
#include "rows.h"
#include "text.h"
#include <errno.h>
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

static void release(json_t **text) {
    json_decref(*text);
    *text = NULL;
}

void fact_texts_free(struct fact_texts *texts) {
    release(&texts->state);
    release(&texts->basis);
    release(&texts->checked_on);
    release(&texts->review_by);
    release(&texts->valid_from);
}

/* A text that is kept for the next fact. New reference; NULL: out of memory, or not UTF-8. */
static json_t *shared(json_t **kept, const char *text) {
    if (text == NULL) {
        return json_null();
    }
    if (*kept == NULL || strcmp(json_string_value(*kept), text) != 0) {
        json_decref(*kept);
        *kept = json_string(text);
    }
    return json_incref(*kept);
}

static json_t *text_or_null(const char *text) {
    return text == NULL ? json_null() : json_string(text);
}

static json_t *id_of(const struct fact_parts *parts) {
    enum { ID_BYTES = 1024 };
    struct buf id;
    buf_init(&id, ID_BYTES);
    buf_add_text(&id, parts->provider == NULL ? "" : parts->provider);
    if (parts->offering != NULL) {
        buf_add_char(&id, '/');
        buf_add_text(&id, parts->offering);
    }
    buf_add_char(&id, ':');
    buf_add_text(&id, parts->attribute);
    json_t *result = id.failed ? NULL : json_stringn(id.data, id.length);
    buf_free(&id);
    return result;
}

/* Takes over value; keys are words of this program. */
static bool put(json_t *object, const char *key, json_t *value) {
    return json_object_set_new_nocheck(object, key, value) == 0;
}

/* What is known. */
static bool put_answer(json_t *fact, const struct index_attribute *attribute,
                       const struct fact_parts *parts, struct fact_texts *texts) {
    const bool unlimited = attribute->type == TYPE_DURATION && json_is_string(parts->value);
    const bool is_private = parts->basis != NULL && strcmp(parts->basis, "private") == 0;
    bool good = put(fact, "attribute", json_string(attribute->key));
    good = put(fact, "id", id_of(parts)) && good;
    good = put(fact, "state", shared(&texts->state, parts->state)) && good;
    good = put(fact, "value", unlimited ? json_null() : json_incref(parts->value)) && good;
    return put(fact, "text", state_text(parts->state, attribute, parts->value, is_private)) && good;
}

/* How it is known, and until when it holds. */
static bool put_receipt(json_t *fact, const struct fact_parts *parts, const char *review_by,
                        bool stale, struct fact_texts *texts) {
    bool good = put(fact, "detail", text_or_null(parts->detail));
    good = put(fact, "note", text_or_null(parts->note)) && good;
    good = put(fact, "basis", shared(&texts->basis, parts->basis)) && good;
    good = put(fact, "source", json_incref(parts->source)) && good;
    good = put(fact, "checked_on", shared(&texts->checked_on, parts->checked_on)) && good;
    good = put(fact, "review_by", shared(&texts->review_by, review_by)) && good;
    good = put(fact, "stale", json_boolean(stale)) && good;
    return put(fact, "valid_from", shared(&texts->valid_from, parts->valid_from)) && good;
}

json_t *fact_of_parts(const struct generation *generation, const struct fact_parts *parts,
                      struct fact_texts *texts) {
    const struct index_attribute *attribute =
        index_attribute(generation_index(generation), parts->attribute);
    int64_t checked = 0;
    if (attribute == NULL || parts->state == NULL || !text_day(parts->checked_on, &checked)) {
        return NULL;
    }
    const int64_t review_by = checked + attribute->review_days;
    char review_by_text[TEXT_DATE_BYTES];
    text_iso_date(review_by, review_by_text);
    json_t *fact = json_object();
    bool good = put_answer(fact, attribute, parts, texts);
    good =
        put_receipt(fact, parts, review_by_text, review_by < generation_today(generation), texts) &&
        good;
    if (attribute->type == TYPE_DURATION) {
        good = put(fact, "unlimited", json_boolean(json_is_string(parts->value))) && good;
    }
    if (!good) {
        json_decref(fact);
        return NULL;
    }
    return fact;
}

static json_t *fact_from_row(const struct generation *generation, const json_t *row,
                             struct fact_texts *texts) {
    json_t *source = facts_source(row);
    const struct fact_parts parts = {.provider = string_of(row, "provider"),
                                     .offering = string_of(row, "offering"),
                                     .attribute = string_of(row, "attribute"),
                                     .state = string_of(row, "state"),
                                     .detail = string_of(row, "detail"),
                                     .note = string_of(row, "note"),
                                     .basis = string_of(row, "basis"),
                                     .checked_on = string_of(row, "checked_on"),
                                     .valid_from = string_of(row, "valid_from"),
                                     .value = json_object_get(row, "value"),
                                     .source = source};
    json_t *fact = source == NULL ? NULL : fact_of_parts(generation, &parts, texts);
    json_decref(source);
    return fact;
}

json_t *facts_from_rows(const struct generation *generation, json_t *rows, struct error *error) {
    errno = 0;
    json_t *facts = json_array();
    struct fact_texts texts = {0};
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (json_array_append_new(facts, fact_from_row(generation, row, &texts)) != 0) {
            json_decref(facts);
            facts = NULL;
            (void)row_fault(error, "a fact of the catalogue cannot be shown");
            break;
        }
    }
    fact_texts_free(&texts);
    json_decref(rows);
    return facts;
}

json_t *fact_missing(const struct index_attribute *attribute) {
    static const char *const nothing[] = {"detail", "note",       "basis",
                                          "source", "checked_on", "review_by"};
    json_t *fact = json_object();
    bool good = put(fact, "attribute", json_string(attribute->key));
    good = put(fact, "id", json_null()) && good;
    good = put(fact, "state", json_string("not_documented")) && good;
    good = put(fact, "value", json_null()) && good;
    good = put(fact, "text", json_string("not documented")) && good;
    for (size_t i = 0; i < ARRAY_LENGTH(nothing); i++) {
        good = put(fact, nothing[i], json_null()) && good;
    }
    good = put(fact, "stale", json_false()) && good;
    good = put(fact, "valid_from", json_null()) && good;
    if (attribute->type == TYPE_DURATION) {
        good = put(fact, "unlimited", json_false()) && good;
    }
    if (!good) {
        json_decref(fact);
        return NULL;
    }
    return fact;
}
