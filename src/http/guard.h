/* Watches over connections: how many an address holds, and whether each gets on in time. Private to
 * src/http. */
#ifndef AGENT_SANDBOXES_GUARD_H
#define AGENT_SANDBOXES_GUARD_H

#include "address.h"
#include "peers.h"
#include "server.h"
#include <microhttpd.h>

struct guard;
struct guarded; /* one connection */

/* Starts its thread. The limits must outlive it. The caller frees with guard_free. */
struct guard *guard_create(const struct server_limits *limits, const struct proxies *proxies,
                           struct error *error) MUST_USE;
void guard_free(struct guard *guard);

/* Callbacks of libmicrohttpd with the guard as their context: whether to accept, and the life of a
 * connection. */
enum MHD_Result guard_accept(void *context, const struct sockaddr *address, socklen_t length);
void guard_notify(void *context, struct MHD_Connection *connection, void **socket_context,
                  enum MHD_ConnectionNotificationCode code);

/* The connection as the guard knows it; NULL: out of memory when it came. */
struct guarded *guard_of(struct MHD_Connection *connection);

/* Steps of a request: its request line is there, its head is, its answer of so many bytes is
 * queued, it is over. */
void guard_line(const struct guard *guard, struct guarded *guarded);
void guard_head(const struct guard *guard, struct guarded *guarded);
void guard_answer(struct guarded *guarded, size_t bytes);
void guard_end(const struct guard *guard, struct guarded *guarded);

/* Who asks: the peer, or where that is a trusted proxy, whom it names. */
struct address guard_client(const struct guard *guard, struct MHD_Connection *connection);

/* Whether the peer is a trusted proxy. */
bool guard_trusts(const struct guard *guard, const struct guarded *guarded);

/* 0: the client may ask; otherwise the seconds to wait. */
unsigned guard_ask(struct guard *guard, const struct address *client);

int64_t guard_now_ns(void);

#endif
