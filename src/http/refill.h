/* Filling the cache of a new edition before it is current, so that nobody waits for a page that was
 * ready a moment ago. Private to src/http. */
#ifndef AGENT_SANDBOXES_REFILL_H
#define AGENT_SANDBOXES_REFILL_H

#include "edition.h"
#include "site.h"

/* Makes what the cache of the edition before holds, in the codings that were asked for, and the
 * same beneath an overlay, until LIMIT_REFILL_MS are over. What cannot be made is left to its next
 * request. */
void refill(struct edition *edition, const struct edition *before, const struct site *site);

#endif
