/* The HTTP server: libmicrohttpd with epoll and a pool of threads. The only place that knows it. */
#ifndef AGENT_SANDBOXES_SERVER_H
#define AGENT_SANDBOXES_SERVER_H

#include "catalogue.h"
#include "error.h"
#include "site.h"
#include <stdbool.h>

enum { SERVER_ADDRESS_BYTES = 80 };

/* What a client may use; the reasons are in limit.h. */
struct server_limits {
    unsigned connections;
    unsigned address_connections; /* 0: no limit */
    bool count_loopback;          /* connections from this machine count too */
    unsigned head_seconds;
    size_t head_bytes;
    size_t target_bytes;
    size_t body_bytes;
    unsigned rate;  /* requests a second of one address; 0: no limit */
    unsigned burst; /* of them at once */
};

struct server_options {
    const char *listen; /* "127.0.0.1:8080", "[::1]:8080"; port 0 takes a free one */
    const char *admin;  /* the same for metrics and health; NULL: nowhere */
    unsigned workers;   /* threads; 0: as many as there are processors */
    size_t cache_bytes; /* 0: no response cache */
    struct server_limits limits;
    const char *trusted_proxies;  /* "10.0.0.0/8,::1"; NULL: none */
    bool proxies_write_forwarded; /* the client in Forwarded, not in X-Forwarded-For */
    long long hsts_seconds;       /* of Strict-Transport-Security; 0: not sent */
    bool surrogate_keys;          /* tell caches in front which edition an answer is of */
    int64_t program_modified;     /* when the program was written, in seconds since 1970 */
    void (*bound)(void *context); /* called with all sockets bound, before any thread starts */
    void *bound_context;
};

/* The limits of limit.h. */
struct server_limits server_default_limits(void);

struct server;

/* Binds and starts serving the generation (taking over the caller's reference, also on failure).
 * The site must outlive the server. */
struct server *server_start(const struct server_options *options, const struct site *site,
                            struct generation *generation, struct error *error) MUST_USE;

/* Splits "host:port" or "[host]:port"; *out_port is borrowed from it. False: it is neither, the
 * port is no number up to 65535, or the host does not fit. */
bool server_split_address(const char *address, char *host, size_t host_bytes,
                          const char **out_port) MUST_USE;

/* The bound address, "127.0.0.1:8080". */
const char *server_address(const struct server *server);

/* The same of the listener for metrics and health; empty where there is none. */
const char *server_admin_address(const struct server *server);

/* Serves another generation from the next request on (taking over the caller's reference, also on
 * failure), after what is asked for most was made ready (LIMIT_REFILL_MS at the most). Requests in
 * progress end with the old one, which stays in memory until server_tidy. */
bool server_swap(struct server *server, struct generation *generation,
                 struct error *error) MUST_USE;

/* Lets go of the generation before, some time after a swap, once no worker is left with it: here,
 * so that no request has to wait for that. For the thread that swaps. */
void server_tidy(struct server *server);

/* Stops accepting, waits for requests in progress (LIMIT_DRAIN_SECONDS at the most), then frees.
 * Returns how many connections were cut. */
unsigned server_stop(struct server *server);

#endif
