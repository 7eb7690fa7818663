/* How each offering stands to the requirements, and which one a provider stands for. */
#include "match_private.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool fails(const struct truth *truth, size_t slot) {
    return !slot_set_has(truth->holds, slot) && !slot_set_has(truth->unknown, slot);
}

static long count_holding(const struct verdict *verdict, size_t slot) {
    long count = 0;
    for (size_t i = 0; i < verdict->question->condition_count; i++) {
        count += slot_set_has(verdict->conditions[i].holds, slot) ? 1 : 0;
    }
    return count;
}

static int compare_slot(const void *key, const void *element) {
    const size_t *slot = key;
    const struct score_card *card = element;
    return *slot < card->slot ? -1 : *slot > card->slot ? 1 : 0;
}

static const struct score_card *card_of(const struct score_board *board, size_t slot) {
    return board->card_count == 0 ? NULL
                                  : bsearch(&slot, board->cards, board->card_count,
                                            sizeof(struct score_card), compare_slot);
}

static struct standing judge_slot(const struct match *match, size_t slot) {
    const struct verdict *must = &match->must;
    const size_t conditions = must->question->condition_count;
    size_t unmet = 0;
    size_t unknown = slot_set_has(must->stage.unknown, slot) ? 1 : 0;
    for (size_t i = 0; i < conditions; i++) {
        unmet += fails(&must->conditions[i], slot) ? 1 : 0;
        unknown += slot_set_has(must->conditions[i].unknown, slot) ? 1 : 0;
    }
    struct standing standing = {
        .provider = match->index->slots[slot].provider,
        .slot = slot,
        .points = count_holding(&match->prefer, slot) - count_holding(&match->avoid, slot),
        .card = card_of(&match->board, slot),
    };
    if (fails(&must->stage, slot) || index_is_banned(match->index, slot)) {
        standing.result = MATCH_EXCLUDED;
        standing.gap = unmet + unknown + conditions + 1;
        return standing;
    }
    standing.gap = unmet + unknown;
    standing.result = standing.gap == 0            ? MATCH_FIT
                      : unmet == 0                 ? MATCH_UNDECIDED
                      : unmet == 1 && unknown == 0 ? MATCH_NEAR_MISS
                                                   : MATCH_EXCLUDED;
    return standing;
}

/* Zero where either is not ranked or both earn the same. */
static int compare_cards(const struct score_card *one, const struct score_card *other) {
    if (one == NULL || other == NULL) {
        return one == other ? 0 : one == NULL ? 1 : -1;
    }
    return score_card_compare_scores(one, other);
}

static int compare_results(const struct standing *one, const struct standing *other) {
    if (one->result != other->result) {
        return one->result < other->result ? -1 : 1;
    }
    if (one->gap != other->gap) {
        return one->gap < other->gap ? -1 : 1;
    }
    if (one->result == MATCH_EXCLUDED) {
        return 0;
    }
    if (one->points != other->points) {
        return one->points > other->points ? -1 : 1;
    }
    return compare_cards(one->card, other->card);
}

/* A standing with what decides between equals. */
struct contender {
    struct standing standing;
    const struct index_slot *slot;
    const struct index_provider *provider;
};

static int compare_offerings(const void *left, const void *right) {
    const struct contender *one = left;
    const struct contender *other = right;
    int order = compare_results(&one->standing, &other->standing);
    if (order != 0) {
        return order;
    }
    if (one->slot->is_default != other->slot->is_default) {
        return one->slot->is_default ? -1 : 1;
    }
    return one->standing.slot < other->standing.slot ? -1 : 1;
}

static int compare_providers(const void *left, const void *right) {
    const struct contender *one = left;
    const struct contender *other = right;
    int order = compare_results(&one->standing, &other->standing);
    order = order != 0 ? order : strcasecmp(one->provider->name, other->provider->name);
    return order != 0 ? order : strcmp(one->provider->slug, other->provider->slug);
}

/* Sorts standings. False: out of memory. */
static bool sort(struct match *match, struct standing *standings, size_t count,
                 int (*compare)(const void *, const void *)) {
    struct contender *contenders = calloc(count + 1, sizeof(*contenders));
    if (contenders == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        contenders[i] =
            (struct contender){.standing = standings[i],
                               .slot = &match->index->slots[standings[i].slot],
                               .provider = &match->index->providers[standings[i].provider]};
    }
    qsort(contenders, count, sizeof(*contenders), compare);
    for (size_t i = 0; i < count; i++) {
        standings[i] = contenders[i].standing;
    }
    free(contenders);
    return true;
}

struct standing *match_offerings(struct match *match, size_t provider) {
    const struct index_provider *entry = &match->index->providers[provider];
    struct standing *standings =
        arena_alloc(&match->arena, entry->slot_count, sizeof(struct standing));
    if (standings == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < entry->slot_count; i++) {
        standings[i] = judge_slot(match, entry->first_slot + i);
    }
    return sort(match, standings, entry->slot_count, compare_offerings) ? standings : NULL;
}

bool match_considers(const struct match *match, size_t provider) {
    const struct index_provider *entry = &match->index->providers[provider];
    return verdict_outcome(&match->must, entry) != OUTCOME_NOT_CONSIDERED &&
           verdict_barrier(&match->must, entry) == BARRIER_NONE;
}

static bool fill_lists(struct match *match) {
    const size_t providers = match->index->provider_count;
    for (int i = 0; i < MATCH__COUNT; i++) {
        match->lists[i] = arena_alloc(&match->arena, providers + 1, sizeof(struct standing));
        if (match->lists[i] == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < providers; i++) {
        struct standing *offerings = match_considers(match, i) ? match_offerings(match, i) : NULL;
        if (offerings != NULL) {
            enum match_result result = offerings[0].result;
            match->lists[result][match->counts[result]++] = offerings[0];
        } else if (match_considers(match, i)) {
            return false;
        }
    }
    bool good = true;
    for (int i = 0; good && i < MATCH__COUNT; i++) {
        good = sort(match, match->lists[i], match->counts[i], compare_providers);
    }
    return good;
}

bool match_make(struct catalogue *catalogue, const struct requirements *requirements,
                struct match *out_match, struct error *error) {
    struct match *match = out_match;
    *match = (struct match){.index = generation_index(catalogue_generation(catalogue)),
                            .requirements = requirements};
    const char *use_case = requirements->must.use_case;
    return verdict_create(catalogue, &requirements->must, &match->must, error) &&
           verdict_create(catalogue, &requirements->prefer, &match->prefer, error) &&
           verdict_create(catalogue, &requirements->avoid, &match->avoid, error) &&
           (use_case == NULL ||
            score_board_make(catalogue, use_case, NULL, &match->board, error)) &&
           (fill_lists(match) || error_no_memory(error));
}

void match_free(struct match *match) {
    verdict_free(&match->must);
    verdict_free(&match->prefer);
    verdict_free(&match->avoid);
    score_board_free(&match->board);
    arena_free(&match->arena);
}
