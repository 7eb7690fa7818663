/* Start-up times: what is claimed against what was measured. */
#ifndef AGENT_SANDBOXES_START_TIMES_H
#define AGENT_SANDBOXES_START_TIMES_H

#include "catalogue.h"

/* Every provider whose start time is claimed or measured. The caller owns the array. Each entry:
 * slug, name, status, offering (the class that a new user gets; null: none), claimed (fact object
 * of that class, or null where nothing is documented), claimed_ms (number or null), measured
 * {sequential, staggered, burst} (newest day of each mode: {day, runs, median_ms, p95_ms, p99_ms,
 * success_rate, source}, or null), ratio (sequential median to claim, or null). The measured ones
 * come first, fastest sequential median first; then the others by their claim, then by name. */
json_t *start_times_read(struct catalogue *catalogue, struct error *error) MUST_USE;

#endif
