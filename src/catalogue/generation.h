/* Making generations of what is known to be good. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_GENERATION_H
#define AGENT_SANDBOXES_GENERATION_H

#include "catalogue.h"

/* generation_create for an image that this program made of one that passed every check: it is not
 * checked again. */
struct generation *generation_create_derived(struct image *image, int64_t today,
                                             struct error *error) MUST_USE;

/* A generation that differs from another in its day alone, and shares the rest with it. */
struct generation *generation_share(struct generation *same, int64_t today,
                                    struct error *error) MUST_USE;

#endif
