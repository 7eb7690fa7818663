/* One request on one connection, from its request line to its log line. Private to src/http. */
#ifndef AGENT_SANDBOXES_EXCHANGE_H
#define AGENT_SANDBOXES_EXCHANGE_H

#include "buf.h"
#include "edition.h"
#include "site.h"
#include "target.h"
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

struct exchange {
    char *raw;            /* the target as sent */
    struct target target; /* the same, parsed; zeroed until admitted */
    struct buf body;      /* of a POST to the route that takes one */
    bool admitted;        /* the first call let it pass */
    bool in_flight;       /* counted by the server */
    unsigned status;
    size_t length; /* of the body before coding */
    int64_t started_ns;
    const char *method; /* of a fixed list, for the log */
};

/* Answers an admitted request. */
enum MHD_Result exchange_answer(struct exchange *exchange, struct MHD_Connection *connection,
                                const char *method, struct edition_slot *slot,
                                const struct site *site);

/* The refusal for a request that must not be answered otherwise (see framing.c), or NULL where
 * there is nothing wrong. */
const char *framing_fault(struct MHD_Connection *connection, const char *method,
                          const char *version, unsigned *out_status);

/* Queues a problem made without catalogue or templates. */
enum MHD_Result exchange_refuse(struct exchange *exchange, struct MHD_Connection *connection,
                                unsigned status, const char *title, const char *detail,
                                const char *allow);

/* Refuses on the socket itself, with 414 or 431 and no body, and closes: for a request that has
 * left the library no memory to answer with. Whoever calls it queues nothing. */
void exchange_cut(struct MHD_Connection *connection, unsigned status);

#endif
