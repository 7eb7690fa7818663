/* What the two halves of the crawl share. */
#ifndef AGENT_SANDBOXES_CRAWL_PRIVATE_H
#define AGENT_SANDBOXES_CRAWL_PRIVATE_H

#include "crawl.h"
#include "fetch.h"
#include "robots.h"
#include <stdint.h>

struct host {
    struct host *next;
    char name[256];
    bool busy;
    bool named;      /* by a page itself, not only by a redirect */
    int64_t free_at; /* milliseconds of the monotonic clock */
};

enum robots_state { ROBOTS_UNKNOWN, ROBOTS_ASKED, ROBOTS_KNOWN, ROBOTS_FORBIDDEN, ROBOTS_FAILED };

struct origin {
    struct origin *next;
    char name[300];
    struct host *host;
    enum robots_state state;
    struct robots *robots; /* NULL: everything is allowed */
    char reason[300];      /* of ROBOTS_FORBIDDEN and ROBOTS_FAILED */
};

/* One page, or one robots.txt, on its way through redirects and tries. */
struct errand {
    struct errand *next;
    struct crawl_page *page; /* NULL: the robots.txt of */
    struct origin *owner;
    char *url;
    struct origin *origin; /* of url */
    char target[4096];
    int64_t not_before;
    unsigned tries;
    unsigned redirects;
    bool permanent; /* every redirect up to here is for good */
    bool under_way;
    bool finished;
};

struct crawl {
    const struct crawl_options *options;
    struct fetcher *fetcher;
    struct host *hosts;
    struct origin *origins;
    struct errand *errands;
    size_t under_way;
    bool added; /* errands, in front of those that were looked at */
    crawl_done_function *done;
    void *context;
    bool stopped; /* with the error below */
    struct error *error;
};

/* Milliseconds of the monotonic clock. */
int64_t crawl_now(void);

/* Adds an errand, or lets an errand go on at another address. False: the address cannot be asked
 * (why), or memory is short. */
bool errand_aim(struct crawl *crawl, struct errand *errand, const char *url, struct error *error);
struct errand *errand_add(struct crawl *crawl, struct crawl_page *page, struct origin *owner);

/* Takes in what an errand's request brought. */
void errand_answered(struct crawl *crawl, struct errand *errand, struct fetch_answer *answer);

/* Ends the errand of a page with an outcome and a reason in words. */
void errand_end(struct crawl *crawl, struct errand *errand, enum crawl_outcome outcome,
                const char *format, ...) PRINTF_LIKE(4, 5);

#endif
