/* Rankings: what each offering earns by the criteria of a use case. Scores are computed here and
 * nowhere else.
 *
 * A criterion gives a share of 0 to 1 times its weight by its rule (docs/scores.md). What is not
 * documented gives 0 in the low score and full weight in the high one. A documented fact that is
 * stale gives half its share in the low score and its whole share in the high one. What does not
 * apply gives 0 in both. Score = 100 x sum / sum of weights. A provider counts with its best
 * offering that meets the use case's requirements; an alpha, experimental or deprecated offering
 * only where it is the default. Only active providers are ranked. Scores that differ by less than
 * a millionth are equal. */
#ifndef AGENT_SANDBOXES_SCORE_H
#define AGENT_SANDBOXES_SCORE_H

#include "catalogue.h"

enum {
    SCORE_WEIGHT_MAXIMUM = 1000,
    SCORE_SENSITIVITY_FACTOR = 10 /* sensitivity looks at weights up to this many times their sum */
};

/* The ranking of a use case; ERROR_NOT_FOUND where there is none of that slug. weights (may be
 * NULL) maps attributes to other weights than the catalogue's, 0 to SCORE_WEIGHT_MAXIMUM and not
 * all of them 0; otherwise ERROR_INVALID, and the message names the criterion. The caller owns the
 * result. Keys, in order:
 *   use_case    {slug, path, title, require}
 *   own_weights whether a weight differs from the catalogue's
 *   criteria    [{attribute, label, weight, default_weight, rule, why}]
 *   weight_sum
 *   ranked      [{place, default_place (by the catalogue's weights), slug, name, offering (null:
 *               none), offering_name, low, high, criteria: [{attribute, fact, share_low,
 *               share_high, points_low, points_high, stale}]}]: by the low score, then the high
 *               one, then the name
 *   unranked    [{slug, name, reason}]: every other provider
 *   sensitivity [{attribute, weight, changes_at: [{weight, to}]}]: at which weights of this one
 *               criterion, the others as they are, the first place by the low score changes hands,
 *               ascending; to is the provider that leads on the side away from the present weight.
 *               changes_at is null where it never does between 0 and SCORE_SENSITIVITY_FACTOR times
 *               weight_sum. Numerators are linear in one weight and have the same denominator, so
 *               the weights are solved for, not searched. */
json_t *score_ranking(struct catalogue *catalogue, const char *use_case, const json_t *weights,
                      struct error *error) MUST_USE;

/* {slug: {low, high, offering, place}} of a use case with the catalogue's own weights, for lists
 * that show scores. The caller owns it. */
json_t *score_places(struct catalogue *catalogue, const char *use_case,
                     struct error *error) MUST_USE;

#endif
