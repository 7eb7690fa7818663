/* The models of a scored use case. */
#include "score.h"
#include "facts.h"
#include "score_private.h"
#include <string.h>

enum { PERCENT = 100 };

static json_t *use_case_model(const struct score_board *board) {
    return json_pack("{s:O, s:O, s:O, s:O}", "slug", json_object_get(board->use_case, "slug"),
                     "path", json_object_get(board->use_case, "path"), "title",
                     json_object_get(board->use_case, "title"), "require",
                     json_object_get(board->use_case, "require"));
}

static bool has_own_weights(const struct score_board *board) {
    for (size_t i = 0; i < board->criterion_count; i++) {
        if (board->criteria[i].weight != board->criteria[i].default_weight) {
            return true;
        }
    }
    return false;
}

static json_t *criteria_model(const struct score_board *board) {
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < board->criterion_count; i++) {
        const struct score_criterion *criterion = &board->criteria[i];
        json_t *entry = json_pack(
            "{s:s, s:s, s:f, s:f, s:O, s:O}", "attribute", criterion->attribute->key, "label",
            criterion->attribute->label, "weight", criterion->weight, "default_weight",
            criterion->default_weight, "rule", json_object_get(criterion->row, "rule"), "why",
            json_object_get(criterion->row, "why"));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The fact objects of every ranked card, keyed by rowid. */
static json_t *load_facts(struct catalogue *catalogue, struct score_board *board,
                          struct error *error) {
    size_t count = 0;
    int64_t *rowids = arena_alloc(&board->arena, board->ranked_count * board->criterion_count + 1,
                                  sizeof(int64_t));
    if (rowids == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < board->ranked_count; i++) {
        for (size_t j = 0; j < board->criterion_count; j++) {
            rowids[count++] = board->criteria[j].attribute->facts[board->ranked[i]->slot];
        }
    }
    return facts_by_rowid(catalogue, rowids, count, error);
}

static json_t *points_model(const struct score_board *board, const struct score_card *card,
                            const json_t *facts) {
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < board->criterion_count; i++) {
        const struct score_criterion *criterion = &board->criteria[i];
        const struct rule_share *share = &card->shares[i];
        double points = PERCENT * criterion->weight / board->weight_sum;
        json_t *entry =
            json_pack("{s:s, s:o, s:f, s:f, s:f, s:f, s:b}", "attribute", criterion->attribute->key,
                      "fact", fact_of_slot(facts, criterion->attribute, card->slot), "share_low",
                      share->low, "share_high", share->high, "points_low", points * share->low,
                      "points_high", points * share->high, "stale", (int)share->stale);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The place of a provider on a board, from 1; 0: not ranked. */
static size_t place_of(const struct score_board *board, const struct index_provider *provider) {
    return board->places[provider->name_place];
}

static json_t *ranked_model(const struct score_board *board, const struct score_board *usual,
                            const json_t *facts) {
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < board->ranked_count; i++) {
        const struct score_card *card = board->ranked[i];
        const struct index_slot *slot = &board->index->slots[card->slot];
        json_t *entry =
            json_pack("{s:I, s:I, s:s, s:s, s:s?, s:s, s:f, s:f, s:o}", "place", (json_int_t)i + 1,
                      "default_place", (json_int_t)place_of(usual, card->provider), "slug",
                      card->provider->slug, "name", card->provider->name, "offering",
                      slot->offering, "offering_name", slot->name, "low", card->low, "high",
                      card->high, "criteria", points_model(board, card, facts));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *unranked_model(const struct score_board *board) {
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < board->index->provider_count; i++) {
        const struct index_provider *provider = &board->index->providers[i];
        if (place_of(board, provider) != 0) {
            continue;
        }
        json_t *entry = json_pack("{s:s, s:s, s:o}", "slug", provider->slug, "name", provider->name,
                                  "reason", score_reason(board, provider));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *ranking_model(struct catalogue *catalogue, struct score_board *board,
                             const struct score_board *usual, struct error *error) {
    json_t *facts = load_facts(catalogue, board, error);
    if (facts == NULL) {
        return NULL;
    }
    json_t *model =
        json_pack("{s:o, s:b, s:o, s:f, s:o, s:o, s:o}", "use_case", use_case_model(board),
                  "own_weights", (int)has_own_weights(board), "criteria", criteria_model(board),
                  "weight_sum", board->weight_sum, "ranked", ranked_model(board, usual, facts),
                  "unranked", unranked_model(board), "sensitivity", score_sensitivity(board));
    json_decref(facts);
    if (model == NULL) {
        (void)error_no_memory(error);
    }
    return model;
}

json_t *score_ranking(struct catalogue *catalogue, const char *use_case, const json_t *weights,
                      struct error *error) {
    struct score_board board = {0};
    struct score_board usual = {0};
    json_t *model = NULL;
    const bool made = score_board_make(catalogue, use_case, weights, &board, error);
    const bool is_own = made && has_own_weights(&board);
    if (made && (!is_own || score_board_make(catalogue, use_case, NULL, &usual, error))) {
        model = ranking_model(catalogue, &board, is_own ? &usual : &board, error);
    }
    score_board_free(&board);
    score_board_free(&usual);
    return model;
}

json_t *score_places(struct catalogue *catalogue, const char *use_case, struct error *error) {
    struct score_board board = {0};
    json_t *places = NULL;
    if (score_board_make(catalogue, use_case, NULL, &board, error)) {
        places = json_object();
        bool good = places != NULL;
        for (size_t i = 0; good && i < board.ranked_count; i++) {
            const struct score_card *card = board.ranked[i];
            good = json_object_set_new(places, card->provider->slug,
                                       json_pack("{s:f, s:f, s:s?, s:I}", "low", card->low, "high",
                                                 card->high, "offering",
                                                 board.index->slots[card->slot].offering, "place",
                                                 (json_int_t)i + 1)) == 0;
        }
        if (!good) {
            json_decref(places);
            places = NULL;
            (void)error_no_memory(error);
        }
    }
    score_board_free(&board);
    return places;
}
