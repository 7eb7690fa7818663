/* Getting many pages politely: robots.txt is obeyed, a host answers one request at a time with a
 * rest between two, and what fails is tried again later. */
#ifndef AGENT_SANDBOXES_CRAWL_H
#define AGENT_SANDBOXES_CRAWL_H

#include "base.h"
#include "buf.h"
#include "error.h"
#include <stdbool.h>
#include <stddef.h>

struct crawl_options {
    const char *user_agent;
    const char *product;    /* its token in robots.txt */
    bool allow_private;     /* of hosts that a page itself names; never of where a redirect leads */
    double delay_seconds;   /* between two requests to a host */
    double timeout_seconds; /* of one request */
    size_t max_bytes;       /* of one page */
};

enum crawl_outcome {
    CRAWL_WAITING,
    CRAWL_READ,
    CRAWL_NOT_MODIFIED,
    CRAWL_GONE,       /* 404, 410 */
    CRAWL_BLOCKED,    /* refused to us: 401, 403, 429 and the like, or robots.txt */
    CRAWL_UNREACHABLE /* anything else */
};

/* One page, asked for and answered. The first three are the caller's. */
struct crawl_page {
    const char *url;
    const char *etag;          /* remembered from the last time, or NULL */
    const char *last_modified; /* the same */

    enum crawl_outcome outcome;
    long status;      /* of the last answer, or 0 */
    char reason[300]; /* in words, where it was neither read nor unmodified */
    unsigned redirects;
    char *final_url; /* where the last answer came from; owned */
    char *moved_to;  /* where permanent redirects lead for good, or NULL; owned */
    char *content_type, *new_etag, *new_last_modified; /* owned */
    struct buf body;
};

/* Called once for each page as it is done; false stops the crawl. */
typedef bool crawl_done_function(void *context, struct crawl_page *page, struct error *error);

/* Gets all pages. False: the crawl could not go on. What a page holds is freed after its call. */
bool crawl_run(const struct crawl_options *options, struct crawl_page *pages, size_t count,
               crawl_done_function *done, void *context, struct error *error) MUST_USE;

#endif
