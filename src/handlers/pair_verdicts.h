/* Who leads for which need, of two providers, and on which facts that rests. */
#ifndef AGENT_SANDBOXES_PAIR_VERDICTS_H
#define AGENT_SANDBOXES_PAIR_VERDICTS_H

#include "buf.h"
#include "side_by_side.h"

/* One verdict for each use case, the overall one first: [{use_case, title, path, leader (slug, or
 * null: too close), leader_name, scores [{slug, name, low, high, offering_name} of each that is
 * ranked], sentences [{text, facts [{id, label, key}]}]}]. The facts of a sentence are those that
 * it rests on. New reference. */
json_t *pair_verdicts(const struct call *call, const struct sides *sides,
                      struct error *error) MUST_USE;

/* Appends an object's low and high ("89.2 to 91.0"), as one number where they are the same. */
void pair_add_interval(struct buf *out, const json_t *score, int decimals);

/* The answer in a few sentences, each {text, facts} like those of the verdicts. New reference. */
json_t *pair_answer(const struct sides *sides, const json_t *verdicts,
                    struct error *error) MUST_USE;

#endif
