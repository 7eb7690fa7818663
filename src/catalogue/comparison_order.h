/* The order of an answer's lists. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_COMPARISON_ORDER_H
#define AGENT_SANDBOXES_COMPARISON_ORDER_H

#include "verdict.h"

/* Of the providers (their numbers) with this outcome, in the order that comparison.h says, limit at
 * most from offset on: as many places are sorted, however many providers there are. places (may be
 * NULL) is what score_places gave. Memory of the verdict's arena; *out_count is how many. NULL: out
 * of memory. */
size_t *comparison_order(struct verdict *verdict, enum outcome outcome, const json_t *places,
                         size_t offset, size_t limit, size_t *out_count) MUST_USE;

#endif
