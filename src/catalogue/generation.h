/* Generations made of others. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_GENERATION_H
#define AGENT_SANDBOXES_GENERATION_H

#include "catalogue.h"

/* A generation that differs from another in its day alone, and shares the rest with it. */
struct generation *generation_share(struct generation *same, int64_t today,
                                    struct error *error) MUST_USE;

#endif
