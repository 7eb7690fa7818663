/* A question judged: which slots hold every condition, which cannot be decided, and why the others
 * fail. Only bit operations on sets of slots. Private to src/catalogue.
 *
 * Three values: a condition holds for a slot, fails, or is not known because the fact is not
 * documented. What does not apply fails. A slot matches where all hold, and is undecided where none
 * fails but some are not known. */
#ifndef AGENT_SANDBOXES_VERDICT_H
#define AGENT_SANDBOXES_VERDICT_H

#include "question.h"

/* The slots for which a condition holds, and those of which it is not known. */
struct truth {
    slot_set holds;
    slot_set unknown;
};

enum outcome {
    OUTCOME_NOT_CONSIDERED, /* the status filter does not let it in */
    OUTCOME_MATCHES,
    OUTCOME_UNDECIDED,
    OUTCOME_EXCLUDED,
    OUTCOME__COUNT
};

/* What keeps a whole provider out, before any offering is looked at. */
enum barrier { BARRIER_NONE, BARRIER_PROVIDERS, BARRIER_KIND, BARRIER_TEXT };

struct verdict {
    const struct catalogue_index *index;
    const struct question *question;
    struct truth *conditions; /* one each of the question's */
    struct truth stage;       /* the stage filter as one more condition */
    slot_set named;           /* slots of the providers named; NULL: all are meant */
    slot_set found;      /* slots of the providers with the words of q=; NULL: none are asked */
    slot_set considered; /* slots of providers that no filter of providers keeps out */
    slot_set matching;
    slot_set undecided;
    slot_set outcomes[OUTCOME__COUNT]; /* the last slot of each provider with this outcome */
    size_t counts[OUTCOME__COUNT];     /* providers, by outcome */
    struct arena arena;
};

/* Judges all slots. The caller frees with verdict_free, whatever the result. */
bool verdict_create(struct catalogue *catalogue, const struct question *question,
                    struct verdict *out_verdict, struct error *error) MUST_USE;
void verdict_free(struct verdict *verdict);

/* How a provider fares, and what keeps it out. */
enum outcome verdict_outcome(const struct verdict *verdict, const struct index_provider *provider);
enum barrier verdict_barrier(const struct verdict *verdict, const struct index_provider *provider);

/* The slots of considered that hold the stage and every condition but those of kind ANY or UNKNOWN
 * on this attribute (NULL: every condition). Writes to out. */
void verdict_holding(const struct verdict *verdict, const struct index_attribute *without,
                     uint64_t *out);

/* How many providers have a slot in the set; last marks the last slot of each provider. out (may be
 * NULL) becomes the last slots of those. */
size_t slot_set_providers(const uint64_t *set, const uint64_t *last, size_t words, uint64_t *out);

/* {attribute: [{value, label, count}]} as comparison.h says. NULL: out of memory. */
json_t *facets_create(struct verdict *verdict) MUST_USE;

/* {attribute: how many values it has} of the attributes whose facets are cut. NULL: out of memory.
 */
json_t *facets_cut(const struct catalogue_index *index) MUST_USE;

#endif
