/* The response cache of one generation: finished answers, ready to queue, under one byte budget.
 *
 * It holds what http/respond.c makes; nobody else looks inside. Safe for many threads. */
#ifndef AGENT_SANDBOXES_CACHE_H
#define AGENT_SANDBOXES_CACHE_H

#include "error.h"
#include "negotiate.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;
struct answer; /* one finished answer with its codings; reference counted (see http/respond.h) */

/* A cache of at most budget bytes. NULL: out of memory. */
struct cache *cache_create(size_t budget);

/* Drops all entries; answers in use by a connection live on. NULL is fine. */
void cache_free(struct cache *cache);

/* The answer kept for a key, with a reference for the caller, or NULL. */
struct answer *cache_get(struct cache *cache, const char *key, size_t length);

/* Keeps an answer (taking its own reference) and returns the one to use, with a reference for the
 * caller: the first in wins, so that may be another thread's; then the caller's reference to its
 * own is given back. An answer larger than half of the budget is not kept. Never fails: at worst
 * nothing is kept. */
struct answer *cache_put(struct cache *cache, const char *key, size_t length,
                         struct answer *answer);

/* One answer with its key; both are the list's. */
struct cache_entry {
    char *key; /* not terminated */
    size_t key_length;
    struct answer *answer;
};

/* What is kept now, what was asked for lately first. False: out of memory. Freed by
 * cache_list_free. */
bool cache_list(struct cache *cache, struct cache_entry **out_list, size_t *out_count) MUST_USE;
void cache_list_free(struct cache_entry *list, size_t count);

#endif
