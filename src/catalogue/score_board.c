/* Scores every slot by the criteria of a use case, and puts the providers in order. */
#include "buf.h"
#include "score.h"
#include "score_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

bool score_stage_excludes(const struct index_slot *slot) {
    static const char *const stages[] = {"alpha", "experimental", "deprecated"};
    for (size_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        if (slot->stage != NULL && !slot->is_default && strcmp(slot->stage, stages[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Scores are equal where they differ only by the rounding of their sums. */
static int compare_scores(double one, double other) {
    const double steps = 1e6;
    double difference = round(one * steps) - round(other * steps);
    return difference > 0 ? -1 : difference < 0 ? 1 : 0;
}

int score_card_compare_scores(const struct score_card *one, const struct score_card *other) {
    int order = compare_scores(one->low, other->low);
    return order != 0 ? order : compare_scores(one->high, other->high);
}

int score_card_compare(const struct score_card *one, const struct score_card *other) {
    int order = score_card_compare_scores(one, other);
    order = order != 0 ? order : strcmp(one->provider->name, other->provider->name);
    return order != 0 ? order : one->slot < other->slot ? -1 : one->slot > other->slot;
}

static int compare_ranked(const void *one, const void *other) {
    const struct score_card *const *first = one;
    const struct score_card *const *second = other;
    return score_card_compare(*first, *second);
}

/* --- reading the use case --- */

static bool load_use_case(struct score_board *board, struct catalogue *catalogue, const char *slug,
                          struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (strcmp(string_of(row, "slug"), slug) == 0) {
            board->use_case = json_incref(row);
        }
    }
    json_decref(rows);
    if (board->use_case == NULL) {
        return error_set(error, ERROR_NOT_FOUND, "there is no use case %s", slug);
    }
    board->rows = CATALOGUE_ROWS(catalogue, STATEMENT_CRITERIA, error, BIND_TEXT(slug));
    return board->rows != NULL;
}

static bool load_criteria(struct score_board *board, struct error *error) {
    size_t count = json_array_size(board->rows);
    board->criteria = arena_alloc(&board->arena, count + 1, sizeof(struct score_criterion));
    if (board->criteria == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        struct score_criterion *criterion = &board->criteria[i];
        criterion->row = json_array_get(board->rows, i);
        criterion->attribute =
            index_attribute(board->index, string_of(criterion->row, "attribute"));
        criterion->default_weight = json_number_value(json_object_get(criterion->row, "weight"));
        criterion->weight = criterion->default_weight;
        if (!rule_read(json_object_get(criterion->row, "rule"), criterion->attribute, &board->arena,
                       &criterion->rule, error)) {
            return false;
        }
    }
    board->criterion_count = count;
    return true;
}

static struct score_criterion *find_criterion(struct score_board *board, const char *attribute) {
    for (size_t i = 0; i < board->criterion_count; i++) {
        if (strcmp(board->criteria[i].attribute->key, attribute) == 0) {
            return &board->criteria[i];
        }
    }
    return NULL;
}

static bool apply_weights(struct score_board *board, const json_t *weights, struct error *error) {
    const char *last = NULL;
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)weights, name, value) {
        struct score_criterion *criterion = find_criterion(board, name);
        if (criterion == NULL) {
            return error_set(error, ERROR_INVALID, "%s is no criterion of %s", name,
                             string_of(board->use_case, "slug"));
        }
        double weight = json_number_value(value);
        if (!json_is_number(value) || !(weight >= 0) || weight > SCORE_WEIGHT_MAXIMUM) {
            return error_set(error, ERROR_INVALID, "the weight of %s must be a number from 0 to %d",
                             name, SCORE_WEIGHT_MAXIMUM);
        }
        criterion->weight = weight;
        last = name;
    }
    for (size_t i = 0; i < board->criterion_count; i++) {
        board->weight_sum += board->criteria[i].weight;
    }
    if (last != NULL && !(board->weight_sum > 0)) {
        return error_set(error, ERROR_INVALID,
                         "the weight of %s cannot be 0 too: at least one criterion must count",
                         last);
    }
    return true;
}

static const char *wanted_name(const json_t *wanted) {
    return json_is_boolean(wanted) ? (json_is_true(wanted) ? "true" : "false")
                                   : json_string_value(wanted);
}

static bool read_requirement(struct score_board *board, const char *key, const json_t *wanted,
                             struct error *error) {
    struct score_requirement *requirement = &board->requirements[board->requirement_count++];
    size_t count = json_is_array(wanted) ? json_array_size(wanted) : 1;
    requirement->attribute = index_attribute(board->index, key);
    requirement->values = arena_alloc(&board->arena, count + 1, sizeof(*requirement->values));
    if (requirement->values == NULL) {
        return error_no_memory(error);
    }
    bool good = requirement->attribute != NULL && !attribute_is_numeric(requirement->attribute);
    for (size_t i = 0; good && i < count; i++) {
        const char *name = wanted_name(json_is_array(wanted) ? json_array_get(wanted, i) : wanted);
        good = name != NULL;
        const struct index_value *value = good ? index_value(requirement->attribute, name) : NULL;
        if (value != NULL) {
            requirement->values[requirement->value_count++] = value;
        }
    }
    return good ||
           error_set(error, ERROR_CORRUPT, "the use case %s requires %s in a way that is unknown",
                     string_of(board->use_case, "slug"), key);
}

static bool load_requirements(struct score_board *board, struct error *error) {
    json_t *require = json_object_get(board->use_case, "require");
    board->requirements =
        arena_alloc(&board->arena, json_object_size(require) + 1, sizeof(struct score_requirement));
    if (board->requirements == NULL) {
        return error_no_memory(error);
    }
    const char *key = NULL;
    json_t *wanted = NULL;
    json_object_foreach(require, key, wanted) {
        if (!read_requirement(board, key, wanted, error)) {
            return false;
        }
    }
    return true;
}

/* --- scoring --- */

static bool meets(const struct score_requirement *requirement, size_t slot) {
    for (size_t i = 0; i < requirement->value_count; i++) {
        if (rule_slot_has(requirement->attribute, requirement->values[i], slot)) {
            return true;
        }
    }
    return false;
}

static bool may_be_ranked(const struct score_board *board, size_t slot) {
    const struct index_slot *entry = &board->index->slots[slot];
    if (board->index->providers[entry->provider].status != STATUS_ACTIVE ||
        score_stage_excludes(entry) || index_is_banned(board->index, slot)) {
        return false;
    }
    for (size_t i = 0; i < board->requirement_count; i++) {
        if (!meets(&board->requirements[i], slot)) {
            return false;
        }
    }
    return true;
}

static bool fill_card(struct score_board *board, struct score_card *card, size_t slot) {
    enum { PERCENT = 100 };
    card->slot = slot;
    card->provider = &board->index->providers[board->index->slots[slot].provider];
    card->shares =
        arena_alloc(&board->arena, board->criterion_count + 1, sizeof(struct rule_share));
    if (card->shares == NULL) {
        return false;
    }
    for (size_t i = 0; i < board->criterion_count; i++) {
        const struct score_criterion *criterion = &board->criteria[i];
        card->shares[i] = rule_share(&criterion->rule, slot, board->today);
        card->low += criterion->weight * card->shares[i].low;
        card->high += criterion->weight * card->shares[i].high;
    }
    if (board->weight_sum > 0) {
        card->low *= PERCENT / board->weight_sum;
        card->high *= PERCENT / board->weight_sum;
    }
    return true;
}

static bool fill_cards(struct score_board *board, struct error *error) {
    size_t slots = board->index->slot_count;
    board->cards = arena_alloc(&board->arena, slots + 1, sizeof(struct score_card));
    board->ranked =
        arena_alloc(&board->arena, board->index->provider_count + 1, sizeof(struct score_card *));
    board->places = arena_alloc(&board->arena, board->index->provider_count + 1, sizeof(size_t));
    if (board->cards == NULL || board->ranked == NULL || board->places == NULL) {
        return error_no_memory(error);
    }
    for (size_t slot = 0; slot < slots; slot++) {
        if (!may_be_ranked(board, slot)) {
            continue;
        }
        struct score_card *card = &board->cards[board->card_count++];
        if (!fill_card(board, card, slot)) {
            return error_no_memory(error);
        }
        struct score_card **best =
            board->ranked_count == 0 ? NULL : &board->ranked[board->ranked_count - 1];
        if (best == NULL || (*best)->provider != card->provider) {
            board->ranked[board->ranked_count++] = card;
        } else if (score_card_compare(card, *best) < 0) {
            *best = card;
        }
    }
    qsort(board->ranked, board->ranked_count, sizeof(struct score_card *), compare_ranked);
    for (size_t i = 0; i < board->ranked_count; i++) {
        board->places[board->ranked[i]->provider->name_place] = i + 1;
    }
    return true;
}

bool score_board_make(struct catalogue *catalogue, const char *use_case, const json_t *weights,
                      struct score_board *out_board, struct error *error) {
    const struct generation *generation = catalogue_generation(catalogue);
    *out_board = (struct score_board){.index = generation_index(generation),
                                      .today = generation_today(generation)};
    return load_use_case(out_board, catalogue, use_case, error) &&
           load_criteria(out_board, error) && apply_weights(out_board, weights, error) &&
           load_requirements(out_board, error) && fill_cards(out_board, error);
}

void score_board_free(struct score_board *board) {
    json_decref(board->use_case);
    json_decref(board->rows);
    arena_free(&board->arena);
    *board = (struct score_board){0};
}

/* --- reasons --- */

/* What a slot lacks: "Not documented: GPU" or "This list asks for GPU: yes". */
static json_t *lack_of(const struct score_board *board, size_t slot) {
    enum { REASON_BYTES = 16 * 1024 };
    struct buf missing;
    struct buf unmet;
    buf_init(&missing, REASON_BYTES);
    buf_init(&unmet, REASON_BYTES);
    for (size_t i = 0; i < board->requirement_count; i++) {
        const struct score_requirement *requirement = &board->requirements[i];
        const struct index_attribute *attribute = requirement->attribute;
        if (meets(requirement, slot)) {
            continue;
        }
        if (slot_set_has(attribute->not_documented, slot)) {
            buf_add_format(&missing, "%s%s", missing.length == 0 ? "Not documented: " : ", ",
                           attribute->label);
            continue;
        }
        buf_add_format(&unmet, "%s%s:", unmet.length == 0 ? "This list asks for " : "; ",
                       attribute->label);
        for (size_t j = 0; j < requirement->value_count; j++) {
            buf_add_format(&unmet, "%s%s", j == 0 ? " " : " or ", requirement->values[j]->label);
        }
    }
    const struct buf *reason = unmet.length > 0 ? &unmet : &missing;
    json_t *text = missing.failed || unmet.failed
                       ? NULL
                       : json_stringn(reason->data == NULL ? "" : reason->data, reason->length);
    buf_free(&missing);
    buf_free(&unmet);
    return text;
}

/* How far a slot is from being ranked: each unmet requirement counts, a documented one more. */
static size_t distance_of(const struct score_board *board, size_t slot) {
    size_t distance = 0;
    for (size_t i = 0; i < board->requirement_count; i++) {
        const struct score_requirement *requirement = &board->requirements[i];
        if (!meets(requirement, slot)) {
            bool unknown = slot_set_has(requirement->attribute->not_documented, slot);
            distance += unknown ? 1 : board->requirement_count + 1;
        }
    }
    return distance;
}

json_t *score_reason(const struct score_board *board, const struct index_provider *provider) {
    if (provider->status != STATUS_ACTIVE) {
        return json_string(provider->status == STATUS_DISCONTINUED ? "Discontinued"
                                                                   : "Winding down");
    }
    size_t nearest = SIZE_MAX;
    for (size_t i = 0; i < provider->slot_count; i++) {
        size_t slot = provider->first_slot + i;
        if (!score_stage_excludes(&board->index->slots[slot]) &&
            (nearest == SIZE_MAX || distance_of(board, slot) < distance_of(board, nearest))) {
            nearest = slot;
        }
    }
    return nearest == SIZE_MAX ? json_string("Has only alpha, experimental or deprecated offerings")
                               : lack_of(board, nearest);
}
