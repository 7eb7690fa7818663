/* The answer to a question: who matches, who cannot be decided, who is excluded and why. */
#ifndef AGENT_SANDBOXES_COMPARISON_H
#define AGENT_SANDBOXES_COMPARISON_H

#include "catalogue.h"
#include "question.h"

/* The public model of /compare. The caller owns it. Keys, in order:
 *   query       the canonical query                     generation, last_reviewed
 *   counts      {considered, matches, undecided, excluded}
 *   columns     [{key, label, type, unit}]: the attributes shown
 *   matches     [{slug, name, status, kind, score (with a use case: {low, high, offering}),
 * offerings: [{slug (null: the provider is its only offering), name, stage, default, facts:
 * {attribute: fact}}]}]: the offerings that hold every condition, with the facts of the columns
 *   undecided   [{slug, name, status, offerings: [{slug, name, not_documented: [attribute]}]}]:
 * nothing excludes it, but these facts are not documented excluded    [{slug, name, status,
 * offerings: [{slug, name}], because: [{attribute, condition ("isolation=microvm"), offering,
 * fact}]}]: per offering the first condition that it fails facets      {attribute: [{value, label,
 * count}]}: how many providers would match if the value were added limit, offset: of matches; the
 * other two lists are cut at LIMIT_PAGE_ROWS_MAX and counts say how many there are */
json_t *comparison_answer(struct catalogue *catalogue, const struct question *question,
                          struct error *error) MUST_USE;

#endif
