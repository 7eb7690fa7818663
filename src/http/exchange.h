/* One request on one connection, from its request line to its log line. Private to src/http. */
#ifndef AGENT_SANDBOXES_EXCHANGE_H
#define AGENT_SANDBOXES_EXCHANGE_H

#include "address.h"
#include "buf.h"
#include "edition.h"
#include "fields.h"
#include "past.h"
#include "server.h"
#include "site.h"
#include "target.h"
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

enum { REQUEST_ID_BYTES = 65 };

struct exchange {
    char *raw;            /* the target as sent; in the same block */
    struct target target; /* the same, parsed; zeroed until admitted */
    struct buf body;      /* of a POST to the route that takes one */
    bool admitted;        /* the first call let it pass */
    struct past_waiter waiter;
    struct fields fields;    /* of its head; zeroed until it was seen */
    struct answer *repeated; /* the answer, where the worker knows it already; target is zeroed
                                then. Owned */
    enum coding coding;      /* of that answer */
    unsigned status;
    size_t length; /* of the body before coding */
    int64_t started_ns;
    const char *method; /* of a fixed list, for the log */
    const struct server_limits *limits;
    struct guarded *guarded; /* its connection; NULL: unknown */
    struct address client;
    unsigned retry_seconds;    /* of a refusal for asking too often */
    char id[REQUEST_ID_BYTES]; /* see exchange_id */
};

/* Answers an admitted request, or lets it wait for a past day: then the same call comes again. */
enum MHD_Result exchange_answer(struct exchange *exchange, struct MHD_Connection *connection,
                                const char *method, struct edition_slot *slot, struct past *past,
                                const struct site *site);

/* A request whose target is raw; NULL: out of memory. */
struct exchange *exchange_create(const char *raw);
void exchange_free(struct exchange *exchange);

/* Looks whether this worker has just answered the same request, and takes that answer. */
bool exchange_repeats(struct exchange *exchange, struct edition_slot *slot);

/* Takes the proxy's X-Request-Id for the request's name, which is to be believed. */
void exchange_name(struct exchange *exchange, struct MHD_Connection *connection);

/* What names the request in the log and in problems: as given by the proxy, or one of its own. */
const char *exchange_id(struct exchange *exchange);

/* The refusal for a request that must not be answered otherwise (see framing.c), or NULL where
 * there is nothing wrong. */
const char *framing_fault(const struct exchange *exchange, const char *method, const char *version,
                          unsigned *out_status);

/* Queues a problem made without catalogue or templates. */
enum MHD_Result exchange_refuse(struct exchange *exchange, struct MHD_Connection *connection,
                                unsigned status, const char *title, const char *detail,
                                const char *allow);

/* Queues the answer to a browser that asks whether a script of another site may ask (CORS). */
enum MHD_Result exchange_preflight(struct exchange *exchange, struct MHD_Connection *connection);

/* Refuses on the socket itself, with 414 or 431 and no body, and closes: for a request that has
 * left the library no memory to answer with. Whoever calls it queues nothing. */
void exchange_cut(struct MHD_Connection *connection, unsigned status);

#endif
