#include "comparison_order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A provider and what it is sorted by. */
struct rank {
    size_t provider;
    const char *name;
    bool valued; /* false: last, whatever the direction */
    double number;
    const char *text; /* instead of the number; NULL: none */
    bool descending;
};

/* Names as people look for them: upper and lower case alike. */
static int compare_names(const struct rank *one, const struct rank *other) {
    int order = strcasecmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->name, other->name);
}

static int compare_values(const struct rank *one, const struct rank *other) {
    if (one->text != NULL && other->text != NULL) {
        return strcmp(one->text, other->text);
    }
    return one->number < other->number ? -1 : one->number > other->number ? 1 : 0;
}

static int compare_ranks(const void *left, const void *right) {
    const struct rank *one = left;
    const struct rank *other = right;
    if (one->valued != other->valued) {
        return one->valued ? -1 : 1;
    }
    int order = one->valued ? compare_values(one, other) : 0;
    if (order != 0) {
        return one->descending ? -order : order;
    }
    return compare_names(one, other);
}

static int compare_by_name(const void *left, const void *right) {
    const struct rank *one = left;
    int order = compare_names(one, right);
    return one->descending ? -order : order;
}

/* What a slot is sorted by, in rank; false: it has no value. */
static bool slot_value(const struct index_attribute *attribute, size_t slot, struct rank *rank) {
    if (!slot_set_has(attribute->documented, slot)) {
        return false;
    }
    if (attribute->type == TYPE_TEXT) {
        uint32_t text = attribute->texts[slot];
        rank->text = text == 0 ? NULL : attribute->values[text - 1].value;
        return text != 0;
    }
    if (attribute->numbers != NULL) {
        rank->number = attribute->numbers[slot];
        return !isnan(rank->number);
    }
    size_t members = 0;
    size_t place = 0;
    for (size_t i = 0; i < attribute->value_count; i++) {
        if (slot_set_has(attribute->values[i].slots, slot)) {
            members++;
            place = i;
        }
    }
    /* Of booleans "true" is the first value, but the higher one. */
    rank->number = attribute->type == TYPE_SET    ? (double)members
                   : attribute->type == TYPE_BOOL ? (place == 0 ? 1 : 0)
                                                  : (double)place;
    return true;
}

/* The best of a provider's matching slots, in the asked direction. */
static void rank_by_attribute(const struct verdict *verdict, const struct index_provider *provider,
                              struct rank *rank) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        size_t slot = provider->first_slot + i;
        struct rank candidate = *rank;
        if (!slot_set_has(verdict->matching, slot) ||
            !slot_value(verdict->question->sort, slot, &candidate)) {
            continue;
        }
        candidate.valued = true;
        if (!rank->valued || compare_ranks(&candidate, rank) < 0) {
            *rank = candidate;
        }
    }
}

static void rank_by_place(const json_t *places, const char *slug, struct rank *rank) {
    const json_t *place = json_object_get(json_object_get(places, slug), "place");
    rank->valued = json_is_integer(place);
    rank->number = json_number_value(place);
}

size_t *comparison_order(struct verdict *verdict, enum outcome outcome, const json_t *places,
                         size_t *out_count) {
    const struct question *question = verdict->question;
    const size_t expected = verdict->counts[outcome];
    struct rank *ranks = arena_alloc(&verdict->arena, expected + 1, sizeof(struct rank));
    size_t *order = arena_alloc(&verdict->arena, expected + 1, sizeof(size_t));
    const bool sorted = outcome == OUTCOME_MATCHES;
    const bool by_name =
        !sorted || (question->sort == NULL && (question->sort_by_name || places == NULL));
    size_t count = 0;
    for (size_t i = 0; ranks != NULL && i < verdict->index->provider_count; i++) {
        const struct index_provider *provider = &verdict->index->providers[i];
        if (verdict->outcomes[i] != outcome) {
            continue;
        }
        struct rank *rank = &ranks[count++];
        *rank = (struct rank){.provider = i,
                              .name = provider->name,
                              .descending = sorted && question->sort_descending};
        if (!by_name && question->sort != NULL) {
            rank_by_attribute(verdict, provider, rank);
        } else if (!by_name) {
            rank_by_place(places, provider->slug, rank);
        }
    }
    if (ranks == NULL || order == NULL) {
        return NULL;
    }
    qsort(ranks, count, sizeof(struct rank), by_name ? compare_by_name : compare_ranks);
    for (size_t i = 0; i < count; i++) {
        order[i] = ranks[i].provider;
    }
    *out_count = count;
    return order;
}
