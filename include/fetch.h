/* Getting pages over HTTP, one answer per request: no redirect is followed, no cookie kept, no
 * proxy asked. The only module that knows libcurl, and loads it at its first call. */
#ifndef AGENT_SANDBOXES_FETCH_H
#define AGENT_SANDBOXES_FETCH_H

#include "base.h"
#include "buf.h"
#include "error.h"
#include <stdbool.h>
#include <stddef.h>

/* The parts of an http or https address. */
struct fetch_address {
    char host[256];    /* in lower case */
    char origin[300];  /* "https://host:443" */
    char target[4096]; /* path and query, what robots.txt speaks of */
};

/* Splits an address. False: it is no address, has another scheme than http and https, names a user,
 * or is too long, or libcurl cannot be loaded; the message says which. */
bool fetch_split(const char *url, struct fetch_address *out, struct error *error) MUST_USE;

struct fetch_options {
    const char *user_agent;
    long timeout_ms;  /* of one request, from its start to the last byte */
    size_t max_bytes; /* of one body, decoded */
};

struct fetch_request {
    const char *url;
    const char *etag;          /* conditional where not NULL */
    const char *last_modified; /* the same */
    bool allow_private;        /* else only what network_address_is_public() is connected to */
    void *context;             /* comes back with the answer */
};

enum fetch_outcome {
    FETCH_ANSWERED,
    FETCH_FAILED,  /* no whole answer: another try may do better */
    FETCH_REFUSED, /* the address is not public */
    FETCH_TOO_LARGE,
    FETCH_UNREADABLE /* the body is not in the coding that it says, or TLS does not hold */
};

/* Texts are owned; NULL where the answer has no such field. */
struct fetch_answer {
    void *context;
    enum fetch_outcome outcome;
    char reason[256]; /* in words, unless FETCH_ANSWERED */
    long status;
    char *location; /* absolute */
    char *content_type;
    char *etag;
    char *last_modified;
    long long retry_after; /* seconds from now, or -1 */
    struct buf body;       /* with FETCH_TOO_LARGE, its beginning */
};

struct fetcher;

/* NULL: libcurl does not start. The options' texts must outlive the fetcher. */
struct fetcher *fetcher_create(const struct fetch_options *options, struct error *error) MUST_USE;

/* Begins a request; its answer comes from fetcher_wait. The request's texts may go at once. */
bool fetcher_start(struct fetcher *fetcher, const struct fetch_request *request,
                   struct error *error) MUST_USE;

/* Waits up to so long for one answer. *out_any says whether there was one; it is the caller's to
 * free. */
bool fetcher_wait(struct fetcher *fetcher, int timeout_ms, struct fetch_answer *out, bool *out_any,
                  struct error *error) MUST_USE;

/* Drops what is under way. NULL is fine. */
void fetcher_destroy(struct fetcher *fetcher);

/* Frees the texts and the body, and zeroes the answer. */
void fetch_answer_free(struct fetch_answer *answer);

#endif
