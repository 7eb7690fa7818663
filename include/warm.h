/* What a generation answers from memory, made before anybody has to wait for it. */
#ifndef AGENT_SANDBOXES_WARM_H
#define AGENT_SANDBOXES_WARM_H

#include "catalogue.h"
#include "site.h"

/* Hashes the files below /data/ (of the public catalogue, where an overlay is laid over it), for
 * their package and sums: some tenths of a second of work. Call it where no request waits. On
 * failure nothing is lost: the first request makes them. */
bool warm_generation(struct generation *generation, const struct site *site,
                     struct error *error) MUST_USE;

#endif
