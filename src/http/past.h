/* Editions of past days, for as_of. A few are kept; one thread of low priority makes them, one at a
 * time, while the requests that want them are suspended; no worker waits. Private to src/http. */
#ifndef AGENT_SANDBOXES_PAST_H
#define AGENT_SANDBOXES_PAST_H

#include "edition.h"
#include <microhttpd.h>

struct past;

/* Keeps nothing yet, and has no thread. NULL: out of memory. */
struct past *past_create(void) MUST_USE;

/* Starts the thread. */
bool past_start(struct past *past, struct error *error) MUST_USE;

/* Lets go of every edition: there is a new present. */
void past_forget(struct past *past);

/* Ends the thread and resumes whoever still waits; nothing is made from then on. */
void past_stop(struct past *past);

/* Stops, and frees. NULL is fine. */
void past_free(struct past *past);

enum past_state {
    PAST_READY, /* *out_edition holds a reference of the caller */
    PAST_WAIT,  /* the connection is suspended, and resumed once it is worth to ask again */
    PAST_BUSY,  /* too many other days are asked for at once */
    PAST_FAILED /* it cannot be made; the error says why */
};

struct past_day {
    int64_t day;
    int64_t last; /* of the catalogue's last change until then: days with the same one share most */
};

/* Who waits. Zeroed before the first request; it must live until the connection is resumed. */
struct past_waiter {
    struct MHD_Connection *connection;
    int64_t last; /* change of the day that it waits for */
    bool has_waited;
    struct error error; /* kind ERROR_NONE: none */
};

/* The edition of a day, as seen from the present one. A request waits at most once, and not at all
 * where a day with the same last change is there. */
enum past_state past_get(struct past *past, struct edition *present, const struct past_day *day,
                         struct past_waiter *waiter, struct edition **out_edition) MUST_USE;

#endif
