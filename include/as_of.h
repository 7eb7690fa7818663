/* Time travel: the catalogue as it was known at the end of a day.
 *
 * First the journal is undone: every row that a command changed after that day is again what it was
 * before. What was changed without a journal (a seed edited by hand) is judged by its dates: facts
 * that hold that day, and of everything else what is not of a later day. A row that was last
 * checked later and has no earlier form on record is left out, because its words may be newer;
 * prose alone stays. The day of the new generation is that day, so that stale marks, ages, scores
 * and costs are of it too.
 *
 * generation_at (catalogue.h) is the quick way where only the values of facts matter: it looks at
 * nothing but their dates, and shares the image of the present. */
#ifndef AGENT_SANDBOXES_AS_OF_H
#define AGENT_SANDBOXES_AS_OF_H

#include "catalogue.h"

/* The days on which the catalogue changed, ascending: the first one is the first of which it knows
 * anything. Between two of them every day is like the one before. Never empty. The caller frees. */
bool as_of_days(struct catalogue *catalogue, int64_t **out_days, size_t *out_count,
                struct error *error) MUST_USE;

/* The last of those days that is not after day; the first one where all are. */
int64_t as_of_last(const int64_t *days, size_t count, int64_t day);

/* The image of a day, in the form that build makes, sealed, from one that passed every check. It
 * takes some tenths of a second and the memory of a catalogue. */
bool as_of_image(const struct image *present, int64_t day, struct image *out_image,
                 struct error *error) MUST_USE;

/* The generation of a day, on which the catalogue changed last on another (as_of_last). Returns one
 * reference, or NULL. A day with the same last change is made of it by generation_share. */
struct generation *as_of_create(const struct generation *present, int64_t last, int64_t day,
                                struct error *error) MUST_USE;

#endif
