/* Memory that is freed all at once. */
#ifndef AGENT_SANDBOXES_ARENA_H
#define AGENT_SANDBOXES_ARENA_H

#include "base.h"
#include <stddef.h>

struct arena_block;

/* A zeroed arena is empty and ready for use by one thread at a time. */
struct arena {
    struct arena_block *blocks;
    size_t used; /* of the newest block */
};

/* Zeroed memory for count elements of size bytes, aligned for any type; NULL: out of memory or
 * overflow. */
void *arena_alloc(struct arena *arena, size_t count, size_t size) MUST_USE;

/* A copy of a text. NULL gives NULL, and out of memory too. */
char *arena_text(struct arena *arena, const char *text) MUST_USE;

/* Frees everything that the arena gave out. */
void arena_free(struct arena *arena);

#endif
