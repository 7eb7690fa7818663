/* Rankings: what each offering earns by the criteria of a use case. Scores are computed here and
 * nowhere else.
 *
 * A criterion gives 0 to 1 times its weight by its rule (docs/scores.md). What is not documented
 * gives 0 in the low score and full weight in the high one. A stale fact counts half in the low
 * score. Score = 100 x sum / sum of weights. A provider counts with its best offering that meets
 * the use case's requirements. */
#ifndef AGENT_SANDBOXES_SCORE_H
#define AGENT_SANDBOXES_SCORE_H

#include "catalogue.h"

/* The ranking of a use case; ERROR_NOT_FOUND where there is none of that slug. weights (may be
 * NULL) maps attributes to other weights than the catalogue's. The caller owns the result. Keys, in
 * order: use_case {slug, path, title, require}    own_weights (boolean) criteria [{attribute,
 * label, weight, default_weight, rule, why}]     weight_sum ranked   [{place, slug, name, offering
 * (null: none), offering_name, low, high, criteria: [{attribute, fact, share_low, share_high,
 * points_low, points_high, stale}]}]: by the low score, then the high one, then the name unranked
 * [{slug, name, reason}]: every other provider */
json_t *score_ranking(struct catalogue *catalogue, const char *use_case, const json_t *weights,
                      struct error *error) MUST_USE;

/* {slug: {low, high, offering, place}} of a use case with the catalogue's own weights, for lists
 * that show scores. The caller owns it. */
json_t *score_places(struct catalogue *catalogue, const char *use_case,
                     struct error *error) MUST_USE;

#endif
