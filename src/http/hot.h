/* What one worker answered from the cache lately, found by the request as it was sent: such a
 * request needs neither decoding nor routing nor negotiation, and no lock. Private to src/http. */
#ifndef AGENT_SANDBOXES_HOT_H
#define AGENT_SANDBOXES_HOT_H

#include "negotiate.h"
#include <stddef.h>

struct answer;
struct hot;

/* All that an answer of the cache depends on. Texts are borrowed during the call; NULL: absent. */
struct hot_request {
    const char *method;
    const char *target; /* as sent */
    const char *accept;
    const char *accept_encoding;
};

/* An empty table, for one thread. NULL: out of memory. */
struct hot *hot_create(void);

/* Gives back its references. NULL is fine. */
void hot_free(struct hot *hot);

/* The answer to a request and its coding, with a reference for the caller, or NULL. */
struct answer *hot_get(struct hot *hot, const struct hot_request *request, enum coding *out_coding);

/* Remembers an answer of the cache, with a reference of its own, until another takes the place or
 * the cache drops it. Never fails: at worst nothing is remembered. */
void hot_put(struct hot *hot, const struct hot_request *request, struct answer *answer,
             enum coding coding);

#endif
