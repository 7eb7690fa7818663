#include "comparison_order.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A provider and what it is sorted by. */
struct rank {
    size_t provider;
    size_t name_place;
    bool valued; /* false: last, whatever the direction */
    double number;
    const char *text; /* instead of the number; NULL: none */
    bool descending;
};

static int compare_names(const struct rank *one, const struct rank *other) {
    return one->name_place < other->name_place ? -1 : one->name_place > other->name_place;
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

/* --- the best of many --- */

/* The best ranks seen so far, the worst of them on top of a heap. */
struct chosen {
    struct rank *ranks;
    size_t count;
    size_t room;
    int (*compare)(const void *, const void *);
};

static void swap_ranks(struct rank *one, struct rank *other) {
    struct rank kept = *one;
    *one = *other;
    *other = kept;
}

static void sift_up(struct chosen *chosen, size_t place) {
    while (place > 0) {
        size_t above = (place - 1) / 2;
        if (chosen->compare(&chosen->ranks[place], &chosen->ranks[above]) <= 0) {
            return;
        }
        swap_ranks(&chosen->ranks[place], &chosen->ranks[above]);
        place = above;
    }
}

static void sift_down(struct chosen *chosen) {
    size_t place = 0;
    for (;;) {
        size_t worst = place;
        for (size_t below = 2 * place + 1; below <= 2 * place + 2 && below < chosen->count;
             below++) {
            if (chosen->compare(&chosen->ranks[below], &chosen->ranks[worst]) > 0) {
                worst = below;
            }
        }
        if (worst == place) {
            return;
        }
        swap_ranks(&chosen->ranks[place], &chosen->ranks[worst]);
        place = worst;
    }
}

static void choose(struct chosen *chosen, const struct rank *rank) {
    if (chosen->count < chosen->room) {
        chosen->ranks[chosen->count] = *rank;
        sift_up(chosen, chosen->count++);
    } else if (chosen->compare(rank, &chosen->ranks[0]) < 0) {
        chosen->ranks[0] = *rank;
        sift_down(chosen);
    }
}

/* --- all together --- */

struct order {
    const struct verdict *verdict;
    const json_t *places;
    bool by_name;
    bool descending;
};

static void rank_provider(const struct order *order, size_t number, struct rank *rank) {
    const struct index_provider *provider = &order->verdict->index->providers[number];
    *rank = (struct rank){
        .provider = number, .name_place = provider->name_place, .descending = order->descending};
    if (!order->by_name && order->verdict->question->sort != NULL) {
        rank_by_attribute(order->verdict, provider, rank);
    } else if (!order->by_name) {
        rank_by_place(order->places, provider->slug, rank);
    }
}

static void choose_all(const struct order *order, const uint64_t *last_slots,
                       struct chosen *chosen) {
    enum { WORD_BITS = 64 };
    const struct catalogue_index *index = order->verdict->index;
    for (size_t i = 0; i < index->set_words; i++) {
        for (uint64_t left = last_slots[i]; left != 0; left &= left - 1) {
            size_t slot = i * WORD_BITS + (size_t)__builtin_ctzll(left);
            struct rank rank;
            rank_provider(order, index->slots[slot].provider, &rank);
            choose(chosen, &rank);
        }
    }
}

size_t *comparison_order(struct verdict *verdict, enum outcome outcome, const json_t *places,
                         size_t offset, size_t limit, size_t *out_count) {
    const struct question *question = verdict->question;
    const size_t total = verdict->counts[outcome];
    const size_t skipped = offset < total ? offset : total;
    const size_t shown = total - skipped < limit ? total - skipped : limit;
    const bool sorted = outcome == OUTCOME_MATCHES;
    const struct order order = {.verdict = verdict,
                                .places = places,
                                .by_name = !sorted || (question->sort == NULL &&
                                                       (question->sort_by_name || places == NULL)),
                                .descending = sorted && question->sort_descending};
    struct chosen chosen = {
        .ranks = arena_alloc(&verdict->arena, skipped + shown + 1, sizeof(struct rank)),
        .room = skipped + shown,
        .compare = order.by_name ? compare_by_name : compare_ranks};
    size_t *providers = arena_alloc(&verdict->arena, shown + 1, sizeof(size_t));
    if (chosen.ranks == NULL || providers == NULL) {
        return NULL;
    }
    if (shown > 0) {
        choose_all(&order, verdict->outcomes[outcome], &chosen);
        qsort(chosen.ranks, chosen.count, sizeof(struct rank), chosen.compare);
    }
    for (size_t i = 0; i < shown; i++) {
        providers[i] = chosen.ranks[skipped + i].provider;
    }
    *out_count = shown;
    return providers;
}
