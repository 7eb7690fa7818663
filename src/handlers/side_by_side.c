/* What is the same and what is not. */
#include "side_by_side.h"
#include "provider_record.h"
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

const char *side_relation_name(enum side_relation relation) {
    static const char *const names[SIDE__COUNT] = {"different", "partly", "same", "neither"};
    return names[relation];
}

const char *sides_name(const struct sides *sides, size_t side) {
    return string_of(sides->records[side], "name");
}

const char *sides_slug(const struct sides *sides, size_t side) {
    return string_of(sides->records[side], "slug");
}

const json_t *sides_fact(const struct sides *sides, size_t side, const char *attribute) {
    return provider_record_fact(sides->records[side], NULL, attribute);
}

static bool is_text(const char *one, const char *other) {
    return one != NULL && strcmp(one, other) == 0;
}

bool sides_in_order(const json_t *pairs, const char *a, const char *b) {
    size_t i = 0;
    json_t *pair = NULL;
    json_array_foreach(pairs, i, pair) {
        if (is_text(string_of(pair, "a"), a) && is_text(string_of(pair, "b"), b)) {
            return true;
        }
        if (is_text(string_of(pair, "a"), b) && is_text(string_of(pair, "b"), a)) {
            return false;
        }
    }
    return strcmp(a, b) < 0;
}

static bool value_equal(const json_t *one, const json_t *other);

static bool has_member(const json_t *list, const json_t *value) {
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(list, i, member) {
        if (value_equal(member, value)) {
            return true;
        }
    }
    return false;
}

/* Whether two lists have the same members: their order has no meaning. */
static bool members_equal(const json_t *one, const json_t *other) {
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(one, i, member) {
        if (!has_member(other, member)) {
            return false;
        }
    }
    return json_array_size(one) == json_array_size(other);
}

static bool amounts_equal(const json_t *one, const json_t *other) {
    const char *name = NULL;
    json_t *amount = NULL;
    json_object_foreach((json_t *)one, name, amount) {
        if (!value_equal(amount, json_object_get(other, name))) {
            return false;
        }
    }
    return json_object_size(one) == json_object_size(other);
}

/* Values of one attribute have one type; 1 and 1.0 are the same number. */
static bool value_equal(const json_t *one, const json_t *other) {
    if (json_is_number(one) && json_is_number(other)) {
        double difference = json_number_value(one) - json_number_value(other);
        return !(difference < 0) && !(difference > 0);
    }
    if (json_is_array(one) && json_is_array(other)) {
        return members_equal(one, other);
    }
    return json_is_object(one) && json_is_object(other) ? amounts_equal(one, other)
                                                        : json_equal(one, other);
}

static bool is_documented(const json_t *fact) {
    const char *state = string_of(fact, "state");
    return state != NULL && strcmp(state, "not_documented") != 0;
}

/* Whether two facts, neither of them undocumented, say the same. */
static bool fact_equal(const json_t *one, const json_t *other) {
    return json_equal(json_object_get(one, "state"), json_object_get(other, "state")) &&
           json_is_true(json_object_get(one, "unlimited")) ==
               json_is_true(json_object_get(other, "unlimited")) &&
           value_equal(json_object_get(one, "value"), json_object_get(other, "value"));
}

static enum side_relation relate(const struct sides *sides, const char *attribute) {
    const json_t *first = NULL;
    size_t documented = 0;
    for (size_t i = 0; i < sides->count; i++) {
        const json_t *fact = sides_fact(sides, i, attribute);
        if (!is_documented(fact)) {
            continue;
        }
        if (first != NULL && !fact_equal(first, fact)) {
            return SIDE_DIFFERENT;
        }
        first = first == NULL ? fact : first;
        documented++;
    }
    return documented == 0 ? SIDE_NEITHER : documented == sides->count ? SIDE_SAME : SIDE_PARTLY;
}

bool sides_open(struct sides *sides, struct catalogue *catalogue, const char *const *slugs,
                size_t count, struct error *error) {
    *sides = (struct sides){.index = generation_index(catalogue_generation(catalogue))};
    for (size_t i = 0; i < count && i < LIMIT_COMPARED; i++) {
        sides->records[i] = provider_record(catalogue, slugs[i], error);
        if (sides->records[i] == NULL) {
            return false;
        }
        sides->count++;
    }
    sides->relations = calloc(sides->index->attribute_count, sizeof(*sides->relations));
    if (sides->relations == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < sides->index->attribute_count; i++) {
        sides->relations[i] = relate(sides, sides->index->attributes[i].key);
        sides->counts[sides->relations[i]]++;
    }
    return true;
}

void sides_free(struct sides *sides) {
    for (size_t i = 0; i < sides->count; i++) {
        json_decref(sides->records[i]);
    }
    free(sides->relations);
    *sides = (struct sides){0};
}

static json_t *keys_of(const struct sides *sides, enum side_relation relation) {
    json_t *keys = json_array();
    for (size_t i = 0; i < sides->index->attribute_count; i++) {
        if (sides->relations[i] == relation &&
            json_array_append_new(keys, json_string(sides->index->attributes[i].key)) != 0) {
            json_decref(keys);
            return NULL;
        }
    }
    return keys;
}

json_t *sides_model(const struct sides *sides) {
    json_t *providers = json_array();
    json_t *counts = json_object();
    json_t *model = json_pack("{s:o, s:o}", "providers", providers, "counts", counts);
    bool good = model != NULL;
    for (size_t i = 0; good && i < sides->count; i++) {
        const json_t *record = sides->records[i];
        good = json_array_append_new(
                   providers,
                   json_pack("{s:O, s:O, s:O, s:o}", "slug", json_object_get(record, "slug"),
                             "name", json_object_get(record, "name"), "status",
                             json_object_get(record, "status"), "path",
                             json_sprintf("/sandboxes/%s/", sides_slug(sides, i)))) == 0;
    }
    for (int i = 0; good && i < SIDE__COUNT; i++) {
        const char *name = side_relation_name((enum side_relation)i);
        good = json_object_set_new(counts, name, json_integer((json_int_t)sides->counts[i])) == 0 &&
               json_object_set_new(model, name, keys_of(sides, (enum side_relation)i)) == 0;
    }
    if (!good) {
        json_decref(model);
        return NULL;
    }
    return model;
}
