/* What one address may have at once, and how often it may ask. Thread-safe. Private to src/http. */
#ifndef AGENT_SANDBOXES_PEERS_H
#define AGENT_SANDBOXES_PEERS_H

#include "address.h"
#include <stdint.h>

struct peer;
struct peers;

/* rate 0: no limit of requests. The caller frees with peers_free. NULL: out of memory. */
struct peers *peers_create(unsigned rate_per_second, unsigned burst) MUST_USE;
void peers_free(struct peers *peers);

/* How many connections the address holds. */
unsigned peers_connections(struct peers *peers, const struct address *address);

/* Counts a connection in; what comes back is for counting it out. */
struct peer *peers_enter(struct peers *peers, const struct address *address) MUST_USE;
void peers_leave(struct peers *peers, struct peer *peer);

/* Takes one request out of the address's bucket. 0: it may ask; otherwise the seconds to wait. */
unsigned peers_ask(struct peers *peers, const struct address *address, int64_t now_ns);

/* Forgets addresses of which there is nothing to remember. */
void peers_tidy(struct peers *peers, int64_t now_ns);

/* How many addresses are remembered. */
unsigned peers_count(struct peers *peers);

#endif
