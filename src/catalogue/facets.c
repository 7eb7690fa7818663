/* How many providers would match if one more value were asked for. */
#include "limit.h"
#include "verdict.h"
#include <string.h>

/* The slots of a provider stand side by side and end in a bit of last. Adding "all ones but last"
 * to the set's bits below last carries into the last bit of exactly those providers that have one,
 * never further: one addition asks all providers of a word. */
size_t slot_set_providers(const uint64_t *set, const uint64_t *last, size_t words, uint64_t *out) {
    size_t count = 0;
    bool carry = false;
    for (size_t i = 0; i < words; i++) {
        uint64_t found = 0;
        if (carry || set[i] != 0) {
            uint64_t below = ~last[i];
            uint64_t sum = 0;
            bool first = __builtin_add_overflow(set[i] & below, below, &sum);
            bool second = __builtin_add_overflow(sum, (uint64_t)carry, &sum);
            carry = first || second;
            found = (sum | set[i]) & last[i];
            count += (size_t)__builtin_popcountll(found);
        }
        if (out != NULL) {
            out[i] = found;
        }
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

static void count_sets(const struct verdict *verdict, const struct index_attribute *attribute,
                       const struct base *base, uint64_t *would, size_t *counts) {
    const struct catalogue_index *index = verdict->index;
    for (size_t i = 0; i < attribute->value_count; i++) {
        const uint64_t *slots = attribute->values[i].slots;
        for (size_t j = 0; j < index->set_words; j++) {
            would[j] = (base->holding[j] & slots[j]) | base->given[j];
        }
        counts[i] = slot_set_providers(would, index->last, index->set_words, NULL);
    }
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

/* Texts have no sets, there may be one for each slot: one pass over what holds counts them all.
 * seen is the last provider that was counted for each. */
static void count_texts(const struct verdict *verdict, const struct index_attribute *attribute,
                        const struct base *base, size_t *seen, size_t *counts) {
    enum { WORD_BITS = 64 };
    const struct catalogue_index *index = verdict->index;
    const size_t given = slot_set_providers(base->given, index->last, index->set_words, NULL);
    for (size_t i = 0; i < attribute->value_count; i++) {
        counts[i] = given;
    }
    for (size_t i = 0; i < index->set_words; i++) {
        for (uint64_t left = base->holding[i]; left != 0; left &= left - 1) {
            size_t slot = i * WORD_BITS + (size_t)__builtin_ctzll(left);
            size_t provider = index->slots[slot].provider;
            uint32_t number = attribute->texts[slot];
            if (number != 0 && seen[number - 1] != provider + 1 &&
                (given == 0 || !provider_in(base->given, &index->providers[provider]))) {
                seen[number - 1] = provider + 1;
                counts[number - 1]++;
            }
        }
    }
}

/* --- which values are listed --- */

static bool is_whole(const struct index_attribute *attribute) {
    return attribute->closed || attribute->value_count <= LIMIT_FACET_VALUES;
}

/* Marks the values that the question names; answers how many. */
static size_t mark_named(const struct verdict *verdict, const struct index_attribute *attribute,
                         bool *shown) {
    size_t marked = 0;
    for (size_t i = 0; i < verdict->question->condition_count; i++) {
        const struct condition *condition = &verdict->question->conditions[i];
        bool named = condition->attribute == attribute && condition->values != NULL;
        for (size_t j = 0; named && j < condition->value_count; j++) {
            const struct index_value *value = index_value(attribute, condition->values[j]);
            marked += shown[value - attribute->values] ? 0 : 1;
            shown[value - attribute->values] = true;
        }
    }
    return marked;
}

/* Marks those that most providers would match by, until room is used up; among equals the first.
 * having is how many values have each count. */
static void mark_frequent(const size_t *counts, size_t value_count, size_t room, size_t *having,
                          size_t most, bool *shown) {
    for (size_t i = 0; i < value_count; i++) {
        having[counts[i]] += shown[i] ? 0 : 1;
    }
    size_t least = most;
    while (least > 0 && having[least] <= room) {
        room -= having[least--];
    }
    for (size_t i = 0; i < value_count; i++) {
        bool fits = counts[i] > least || (counts[i] == least && room > 0);
        room -= fits && !shown[i] && counts[i] == least ? 1 : 0;
        shown[i] = shown[i] || fits;
    }
}

/* One flag for each value: whether it is listed. NULL: out of memory. */
static bool *choose_shown(struct verdict *verdict, const struct index_attribute *attribute,
                          const size_t *counts) {
    const size_t count = attribute->value_count;
    bool *shown = arena_alloc(&verdict->arena, count + 1, sizeof(bool));
    if (shown != NULL && is_whole(attribute)) {
        memset(shown, true, count);
    } else if (shown != NULL) {
        const size_t most = verdict->index->provider_count;
        size_t *having = arena_alloc(&verdict->arena, most + 1, sizeof(size_t));
        size_t named = mark_named(verdict, attribute, shown);
        if (having == NULL) {
            return NULL;
        }
        mark_frequent(counts, count, named < LIMIT_FACET_VALUES ? LIMIT_FACET_VALUES - named : 0,
                      having, most, shown);
    }
    return shown;
}

/* --- the lists --- */

static bool add_facet(json_t *list, const struct index_value *value, size_t count) {
    json_t *facet = json_object();
    bool good = json_object_set_new_nocheck(facet, "value", json_string(value->value)) == 0;
    good = json_object_set_new_nocheck(facet, "label", json_string(value->label)) == 0 && good;
    good =
        json_object_set_new_nocheck(facet, "count", json_integer((json_int_t)count)) == 0 && good;
    return json_array_append_new(list, facet) == 0 && good;
}

static json_t *facet_list(struct verdict *verdict, const struct index_attribute *attribute,
                          const struct base *base, uint64_t *would) {
    const size_t count = attribute->value_count;
    size_t *counts = arena_alloc(&verdict->arena, count + 1, sizeof(size_t));
    size_t *seen = arena_alloc(&verdict->arena, count + 1, sizeof(size_t));
    json_t *list = json_array();
    bool good = counts != NULL && seen != NULL && list != NULL;
    if (good && attribute->type == TYPE_TEXT) {
        count_texts(verdict, attribute, base, seen, counts);
    } else if (good) {
        count_sets(verdict, attribute, base, would, counts);
    }
    const bool *shown = good ? choose_shown(verdict, attribute, counts) : NULL;
    good = good && shown != NULL;
    for (size_t i = 0; good && i < count; i++) {
        good = !shown[i] || add_facet(list, &attribute->values[i], counts[i]);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static bool has_facets(const struct index_attribute *attribute) {
    return attribute->filterable && !attribute_is_numeric(attribute);
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
        if (has_facets(attribute)) {
            base_fill(verdict, attribute, &base);
            good = json_object_set_new(facets, attribute->key,
                                       facet_list(verdict, attribute, &base, would)) == 0;
        }
    }
    if (!good) {
        json_decref(facets);
        return NULL;
    }
    return facets;
}

json_t *facets_cut(const struct catalogue_index *index) {
    json_t *cut = json_object();
    bool good = cut != NULL;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        good = !has_facets(attribute) || is_whole(attribute) ||
               json_object_set_new(cut, attribute->key,
                                   json_integer((json_int_t)attribute->value_count)) == 0;
    }
    if (!good) {
        json_decref(cut);
        return NULL;
    }
    return cut;
}
