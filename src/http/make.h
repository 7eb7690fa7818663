/* From a request's target to its answer: route, day, medium, canonical address, cache, handler.
 * Knows no connection but to hand it on. Private to src/http. */
#ifndef AGENT_SANDBOXES_MAKE_H
#define AGENT_SANDBOXES_MAKE_H

#include "edition.h"
#include "exchange.h"
#include "folder.h"
#include "handler.h"
#include "limit.h"
#include "past.h"
#include "text.h"

/* Everything that one answer needs. */
struct work {
    struct exchange *exchange;
    struct MHD_Connection *connection; /* of the exchange; NULL: nobody waits for the answer */
    struct edition_slot *slot;
    struct edition *edition;
    const struct edition_mark *mark; /* of the present edition, also of a past day's answer */
    struct past *past;
    unsigned method;
    struct call call;

    const char *raw; /* the target as sent, below the base path */
    char path[LIMIT_TARGET_BYTES + sizeof(FOLDER_INSIDE)]; /* the one inside, where it differs */
    char as_of[TEXT_DATE_BYTES];
    bool waits;    /* for a past day: there is no answer yet */
    bool was_kept; /* the answer was in the cache */
    bool negotiated;
    struct reply reply;
    struct buf key; /* of the response cache */
    char *captures;
};

/* Begins the work on an exchange whose target is parsed; the caller sets what it has of connection,
 * slot, edition, past, method, and of the call catalogue and post. */
void work_init(struct work *work, struct exchange *exchange, const struct site *site);
void work_free(struct work *work);

/* The answer, with a reference for the caller. NULL: the request waits for a past day, or there is
 * an error. */
struct answer *work_answer(struct work *work, struct error *error);

/* Makes the answer in a medium that another edition's cache had as an entry, and keeps it in the
 * work's edition. The target is the one of the entry's key, and below the base path. NULL: there is
 * no such answer any more, or there is an error. */
struct answer *work_answer_again(struct work *work, enum media media,
                                 const struct cache_entry *entry, struct error *error);

#endif
