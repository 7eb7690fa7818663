/* What the files that match requirements share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_MATCH_PRIVATE_H
#define AGENT_SANDBOXES_MATCH_PRIVATE_H

#include "match.h"
#include "score_private.h"
#include "verdict.h"

/* In the order of how near they are to what is asked for. */
enum match_result { MATCH_FIT, MATCH_UNDECIDED, MATCH_NEAR_MISS, MATCH_EXCLUDED, MATCH__COUNT };

/* How an offering stands, or the provider that it is the best of. */
struct standing {
    size_t provider;
    size_t slot;
    enum match_result result;
    size_t gap;  /* musts not met or not documented; of an offering that the stage leaves out more
                    than any other has */
    long points; /* prefers met minus avoids hit */
    const struct score_card *card; /* NULL: not ranked, or no use case */
};

/* Requirements judged for every offering. */
struct match {
    const struct catalogue_index *index;
    const struct requirements *requirements;
    struct verdict must;
    struct verdict prefer;
    struct verdict avoid;
    struct score_board board; /* zeroed without a use case */
    struct standing *lists[MATCH__COUNT];
    size_t counts[MATCH__COUNT];
    struct arena arena;
};

/* Judges. The caller frees with match_free, whatever the result. */
bool match_make(struct catalogue *catalogue, const struct requirements *requirements,
                struct match *out_match, struct error *error) MUST_USE;
void match_free(struct match *match);

/* Whether a provider is let in by status= and providers=. */
bool match_considers(const struct match *match, size_t provider);

/* The standings of a provider's offerings, the best first. NULL: out of memory. */
struct standing *match_offerings(struct match *match, size_t provider);

/* The question whose answer would document a condition of this slot: "Does GPU container of Daytona
 * have GPU?". */
void match_add_question(const struct catalogue_index *index, const struct condition *condition,
                        size_t slot, struct buf *out);

/* The same about its release stage. */
void match_add_stage_question(const struct catalogue_index *index, size_t slot, struct buf *out);

#endif
