/* How many providers would match if one more value were asked for. */
#include "verdict.h"
#include <string.h>

/* The slots of a provider stand side by side and end in a bit of last. Adding "all ones but last"
 * to the set's bits below last carries into the last bit of exactly those providers that have one,
 * never further: one addition asks all providers of a word. */
size_t slot_set_count_providers(const uint64_t *set, const uint64_t *last, size_t words) {
    size_t count = 0;
    bool carry = false;
    for (size_t i = 0; i < words; i++) {
        uint64_t below = ~last[i];
        uint64_t sum = 0;
        bool first = __builtin_add_overflow(set[i] & below, below, &sum);
        bool second = __builtin_add_overflow(sum, (uint64_t)carry, &sum);
        carry = first || second;
        count += (size_t)__builtin_popcountll((sum | set[i]) & last[i]);
    }
    return count;
}

/* The sets that the facets of one attribute are counted from. */
struct base {
    slot_set holding; /* everything else holds */
    slot_set given;   /* and one of the values that are asked for already; empty: none are */
};

static bool is_alternative(const struct condition *condition,
                           const struct index_attribute *attribute) {
    return condition->attribute == attribute &&
           (condition->kind == CONDITION_ANY || condition->kind == CONDITION_UNKNOWN);
}

static void base_fill(const struct verdict *verdict, const struct index_attribute *attribute,
                      struct base *base) {
    const size_t words = verdict->index->set_words;
    memcpy(base->holding, verdict->matching, words * sizeof(uint64_t));
    memset(base->given, 0, words * sizeof(uint64_t));
    for (size_t i = 0; i < verdict->question->condition_count; i++) {
        if (is_alternative(&verdict->question->conditions[i], attribute)) {
            verdict_holding(verdict, attribute, base->holding);
            memcpy(base->given, verdict->matching, words * sizeof(uint64_t));
        }
    }
}

static bool add_facet(json_t *list, const struct index_value *value, size_t count) {
    return json_array_append_new(list, json_pack("{s:s, s:s, s:I}", "value", value->value, "label",
                                                 value->label, "count", (json_int_t)count)) == 0;
}

static bool fill_sets(const struct verdict *verdict, const struct index_attribute *attribute,
                      const struct base *base, uint64_t *would, json_t *list) {
    const size_t words = verdict->index->set_words;
    bool good = true;
    for (size_t i = 0; good && i < attribute->value_count; i++) {
        const struct index_value *value = &attribute->values[i];
        for (size_t j = 0; j < words; j++) {
            would[j] = (base->holding[j] & value->slots[j]) | base->given[j];
        }
        good = add_facet(list, value, slot_set_count_providers(would, verdict->last, words));
    }
    return good;
}

/* Whether a provider has a slot in the set. */
static bool provider_in(const uint64_t *set, const struct index_provider *provider) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        if (slot_set_has(set, provider->first_slot + i)) {
            return true;
        }
    }
    return false;
}

/* Texts have no sets, there may be one for each slot: one pass counts them all. */
static bool fill_texts(struct verdict *verdict, const struct index_attribute *attribute,
                       const struct base *base, json_t *list) {
    const struct catalogue_index *index = verdict->index;
    size_t *counts = arena_alloc(&verdict->arena, attribute->value_count + 1, sizeof(size_t));
    size_t *counted = arena_alloc(&verdict->arena, attribute->value_count + 1, sizeof(size_t));
    if (counts == NULL || counted == NULL) {
        return false;
    }
    size_t given = 0;
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        if (provider_in(base->given, provider)) {
            given++;
            continue;
        }
        for (size_t j = 0; j < provider->slot_count; j++) {
            size_t slot = provider->first_slot + j;
            uint32_t number = attribute->texts[slot];
            if (number != 0 && slot_set_has(base->holding, slot) && counted[number - 1] != i + 1) {
                counted[number - 1] = i + 1;
                counts[number - 1]++;
            }
        }
    }
    bool good = true;
    for (size_t i = 0; good && i < attribute->value_count; i++) {
        good = add_facet(list, &attribute->values[i], given + counts[i]);
    }
    return good;
}

json_t *facets_create(struct verdict *verdict) {
    const size_t words = verdict->index->set_words;
    struct base base = {.holding = arena_alloc(&verdict->arena, words, sizeof(uint64_t)),
                        .given = arena_alloc(&verdict->arena, words, sizeof(uint64_t))};
    slot_set would = arena_alloc(&verdict->arena, words, sizeof(uint64_t));
    json_t *facets = json_object();
    bool good = base.holding != NULL && base.given != NULL && would != NULL && facets != NULL;
    for (size_t i = 0; good && i < verdict->index->attribute_count; i++) {
        const struct index_attribute *attribute = &verdict->index->attributes[i];
        if (!attribute->filterable || attribute_is_numeric(attribute)) {
            continue;
        }
        json_t *list = json_array();
        base_fill(verdict, attribute, &base);
        good = list != NULL &&
               (attribute->type == TYPE_TEXT ? fill_texts(verdict, attribute, &base, list)
                                             : fill_sets(verdict, attribute, &base, would, list));
        good = json_object_set_new(facets, attribute->key, list) == 0 && good;
    }
    if (!good) {
        json_decref(facets);
        return NULL;
    }
    return facets;
}
