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
    bool
        has_twin; /* also in Markdown: by Accept, by ?format=md, and at its address without the last
                     slash plus ".md" ("/index.md" for "/"). html/x.html has its twin in md/x.md */
    bool takes_body;     /* POST: of up to LIMIT_BODY_BYTES */
    const char *summary; /* one line for the documentation */
    const char *schema;  /* path of the JSON Schema of its JSON; NULL: none */
};

extern const struct route route_table[];
extern const size_t route_count;

enum { ROUTE_STORAGE_BYTES = 8 };

enum route_result {
    ROUTE_FOUND,
    ROUTE_MOVED,        /* the same path with a slash at its end is a page */
    ROUTE_WRONG_METHOD, /* the path exists */
    ROUTE_UNKNOWN
};

/* What a route can answer, its twin included. */
media_set route_media(const struct route *route);

/* Of those, what is answered only where it is named. */
media_set route_explicit_only(const struct route *route);

/* Appends the address of the Markdown twin of a page ("/about/": "/about.md"). */
void route_add_twin(const char *path, struct buf *out);

/* Whether the route at a decoded path takes a body. */
bool route_takes_body(const char *path);

/* Finds the route of a decoded path. A path that ends in ".md" and is no route's own is looked up
 * as the page that it is the twin of; call->is_twin says so. Captures and the page's path are
 * copied to storage (of at least 2 * strlen(path) + ROUTE_STORAGE_BYTES bytes) and pointed at by
 * call->captures and call->path. call->route is set for ROUTE_FOUND and
 * ROUTE_WRONG_METHOD. */
enum route_result route_match(const char *path, unsigned method, struct call *call,
                              char *storage) MUST_USE;

/* Appends the methods of a route as an Allow field ("GET, HEAD"). */
void route_add_allow(const struct route *route, struct buf *out);

/* Appends the answer's Link field: other forms, description, licence. Nothing
 * where there is nothing to say. */
void route_add_links(const struct call *call, struct buf *out);

#endif
