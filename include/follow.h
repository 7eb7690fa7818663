/* How the answer to a question came to be what it is: what entered it, left it, or changed in it,
 * day by day, from the days between which each fact held. */
#ifndef AGENT_SANDBOXES_FOLLOW_H
#define AGENT_SANDBOXES_FOLLOW_H

#include "catalogue.h"
#include "target.h"

enum follow_door { FOLLOW_COMPARE, FOLLOW_MATCH };

/* The pairs are those of a question that question_parse (/compare) or requirements_parse (/match)
 * takes today; its pages (limit=, offset=) are passed over. Names, texts and statuses of providers
 * are those of today on every day.
 *
 * {last_day: the newest day on which something asked about or shown changed, or null, and
 *  entries: [{day, change ("entered", "changed", "left"), provider, name, outcome (of that day:
 *    "matches", "undecided", "near miss", "excluded"), offerings_left: [name of an offering that
 *    left while another stays], values: [{offering (its name, or null), attribute, label, fact,
 *    before (a fact, or null)}]}]}
 * Entries: the newest day first, then by provider, at most LIMIT_FEED_ENTRIES. Values of what
 * entered are those that the answer shows (of /match: those that the requirements name); of what
 * changed, those that did; of what left, those that were asked about and changed. On the oldest day
 * looked at everything that is in the answer entered it. The caller owns it. NULL on failure. */
json_t *follow_answer(struct catalogue *catalogue, enum follow_door door, const struct pair *pairs,
                      size_t pair_count, struct error *error) MUST_USE;

#endif
