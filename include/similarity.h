/* How alike two providers are, from documented values alone: what makes one an alternative to
 * another.
 *
 * The rule. A provider stands for what a new user gets: its default offering, else its first one.
 * Of a candidate the offering that is most alike counts, but alpha, experimental and deprecated
 * ones only where they are the default. Every attribute that is a headline or can be filtered is
 * compared where the provider's own value is documented; free text and adoption (stars) are left
 * out. Headline attributes weigh 2, others 1. They agree by type:
 *   - bool, enum: 1 if equal, else 0
 *   - set: members that both name, divided by members that either names; two empty sets agree
 *   - number, money, duration, and of a money map its cheapest entry: 1 if equal, falling with the
 *     logarithm of the ratio to 0 at ten times; unlimited agrees with unlimited only
 * What does not apply to the candidate agrees with nothing. What is not documented for it gives 0
 * in the low end and its whole weight in the high end. Similarity = 100 x sum / sum of weights.
 * Candidates are active providers, ranked by the low end, then the high one, then the name. */
#ifndef AGENT_SANDBOXES_SIMILARITY_H
#define AGENT_SANDBOXES_SIMILARITY_H

#include "catalogue_index.h"

struct similarity {
    const struct index_provider *provider;
    size_t slot; /* of the candidate */
    double low;
    double high;
};

/* How far two slots agree on one attribute. */
struct agreement {
    double weight; /* 0: not compared */
    double low;    /* 0 to 1 */
    double high;
};

/* The slot that stands for a provider. */
size_t similarity_slot(const struct catalogue_index *index, const struct index_provider *provider);

/* How far a candidate's slot agrees with the slot of a provider. */
struct agreement similarity_agreement(const struct index_attribute *attribute, size_t slot,
                                      size_t candidate);

/* Every other active provider, most alike first. Writes at most index->provider_count entries to
 * out, and returns how many. */
size_t similarity_rank(const struct catalogue_index *index, const struct index_provider *provider,
                       struct similarity *out);

#endif
