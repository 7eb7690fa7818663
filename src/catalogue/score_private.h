/* What the score's own files share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_SCORE_PRIVATE_H
#define AGENT_SANDBOXES_SCORE_PRIVATE_H

#include "score_rules.h"

struct score_criterion {
    const json_t *row; /* of STATEMENT_CRITERIA */
    const struct index_attribute *attribute;
    struct rule rule;
    double weight;
    double default_weight;
};

/* What a slot must have to be ranked: one of the values. */
struct score_requirement {
    const struct index_attribute *attribute;
    const struct index_value **values;
    size_t value_count;
};

/* What one slot earns. */
struct score_card {
    const struct index_provider *provider;
    size_t slot;
    struct rule_share *shares; /* per criterion */
    double low;
    double high;
};

/* A use case, scored for every slot that may be ranked. */
struct score_board {
    const struct catalogue_index *index;
    int64_t today;
    json_t *use_case; /* row of STATEMENT_USE_CASES */
    json_t *rows;     /* of STATEMENT_CRITERIA */
    struct score_criterion *criteria;
    size_t criterion_count;
    double weight_sum;
    struct score_requirement *requirements;
    size_t requirement_count;
    struct score_card *cards; /* every slot that counts, in the order of slots */
    size_t card_count;
    struct score_card **ranked; /* the best card of each provider, by place */
    size_t ranked_count;
    size_t *places; /* by a provider's name_place, from 1; 0: not ranked */
    struct arena arena;
};

/* Scores a use case; weights as in score_ranking. The caller frees with score_board_free, also on
 * failure. */
bool score_board_make(struct catalogue *catalogue, const char *use_case, const json_t *weights,
                      struct score_board *out_board, struct error *error) MUST_USE;
void score_board_free(struct score_board *board);

/* Below zero where one is ranked before the other. */
int score_card_compare(const struct score_card *one, const struct score_card *other);

/* The same by the scores alone: zero where they are equal. */
int score_card_compare_scores(const struct score_card *one, const struct score_card *other);

/* Whether a slot's release stage keeps it out of rankings. */
bool score_stage_excludes(const struct index_slot *slot);

/* Why a provider without a card is not ranked, in words. New reference; NULL: out of memory. */
json_t *score_reason(const struct score_board *board, const struct index_provider *provider);

/* The key "sensitivity" of score_ranking. New reference; NULL: out of memory. */
json_t *score_sensitivity(const struct score_board *board);

#endif
