/* The route table: the only place where a path, its methods, media, parameters, cache policy and
 * description are declared. */
#ifndef AGENT_SANDBOXES_ROUTE_H
#define AGENT_SANDBOXES_ROUTE_H

#include "buf.h"
#include "handler.h"
#include "negotiate.h"
#include "target.h"

enum method { METHOD_GET = 1, METHOD_HEAD = 2, METHOD_POST = 4 };

/* How long others may keep an answer. */
enum cache_policy {
    CACHE_NEVER,     /* no-store: liveness */
    CACHE_CATALOGUE, /* follows the catalogue: revalidate after a few minutes */
    CACHE_FOREVER    /* the address changes with the content */
};

/* What a question means for the cache: appends the canonical query (without "?") to out. On a bad
 * parameter sets reply to a problem and returns true with *out_refused = true. NULL in the table:
 * the route takes no parameters, and ignores any. */
typedef bool canonical_function(const struct call *call, struct buf *out, struct reply *reply,
                                bool *out_refused, struct error *error);

struct route {
    const char *pattern; /* "/sandboxes/{slug}/"; {x} is one segment, {x...} is all that is left */
    unsigned methods;    /* of enum method */
    media_set media;     /* what it can answer */
    media_set explicit_only;
    enum media fallback;
    enum cache_policy cache;
    handler_function *handler;
    canonical_function *canonical;
    const char *template_name; /* of the HTML; NULL: none */
    const char *summary;       /* one line for the documentation */
    const char *schema;        /* path of the JSON Schema of its JSON; NULL: none */
};

extern const struct route route_table[];
extern const size_t route_count;

enum route_result {
    ROUTE_FOUND,
    ROUTE_MOVED,        /* the same path with a slash at its end is a page */
    ROUTE_WRONG_METHOD, /* the path exists */
    ROUTE_UNKNOWN
};

/* Finds the route of a decoded path. Captures are copied to storage (of at least strlen(path) + 1
 * bytes) and pointed at by call->captures. call->route is set for ROUTE_FOUND and
 * ROUTE_WRONG_METHOD. */
enum route_result route_match(const char *path, unsigned method, struct call *call,
                              char *storage) MUST_USE;

/* Appends the methods of a route as an Allow field ("GET, HEAD"). */
void route_add_allow(const struct route *route, struct buf *out);

/* Appends the answer's Link field: other forms, description, licence. query is the canonical one.
 * Nothing where there is nothing to say. */
void route_add_links(const struct call *call, const char *query, struct buf *out);

#endif
