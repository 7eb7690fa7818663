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
    CACHE_NEVER,    /* no-store: liveness */
    CACHE_CATALOGUE /* follows the catalogue: revalidate after a few minutes */
};

/* What a question means for the cache: appends the canonical query (without "?") to out. On a bad
 * parameter sets reply to a problem and returns true with *out_refused = true. NULL in the table:
 * the route takes no parameters, and ignores any. */
typedef bool canonical_function(const struct call *call, struct buf *out, struct reply *reply,
                                bool *out_refused, struct error *error);

/* What a parameter's value is: a text, a number, or names of a list (one of them, or several
 * separated by commas). */
enum parameter_type {
    PARAMETER_TEXT,
    PARAMETER_DAY, /* 2026-06-01 */
    PARAMETER_INTEGER,
    PARAMETER_NUMBER,
    PARAMETER_NAME,
    PARAMETER_NAMES
};

/* Where the names come from. */
enum parameter_source {
    FROM_LIST,
    FROM_PROVIDERS,
    FROM_USE_CASES,
    FROM_ATTRIBUTES,
    FROM_SORTS, /* name and the filterable attributes, each with or without a minus in front */
    FROM_GPUS
};

/* A parameter of a query. Its limits are what the documentation says; the handler judges. */
struct route_parameter {
    const char *name;
    const char *description;
    enum parameter_type type;
    enum parameter_source source; /* of names */
    const char *const *names;     /* of FROM_LIST; ended by NULL */
    double low;                   /* of numbers */
    double high;                  /* of numbers, and of a text the most bytes; 0: no limit */
};

/* The parameters that attributes give a route. */
enum route_conditions {
    CONDITIONS_NONE,
    CONDITIONS_PLAIN,    /* the filter grammar: question.h */
    CONDITIONS_PREFIXED, /* the same behind must., prefer. and avoid.: match.h */
    CONDITIONS_WEIGHTS   /* w.<attribute> of each criterion: score.h */
};

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
    bool takes_body;          /* POST: of up to LIMIT_BODY_BYTES */
    const char *summary;      /* one line for the documentation */
    const char *schema;       /* path of the JSON Schema of its JSON; NULL: none */
    const char *content_type; /* other than the medium's own; NULL: that */
    const char *example;      /* a target that it answers, to be filled with words_fill (words.h);
                                 NULL: the pattern itself */
    const char *section; /* lives from rows of this kind (generation_has): without them there is no
                            such address. NULL: always there */
    bool is_framed;      /* HTML that pages of others may frame */
    bool has_own_format; /* the handler judges format= */
    bool is_public;      /* answered from the public catalogue, whatever overlay lies over it:
                            exports, history, prose, and what is for the pages of others */
    const struct route_parameter *parameters; /* ended by a NULL name; NULL: none */
    enum route_conditions conditions;
};

extern const struct route_parameter parameters_badge[];
extern const struct route_parameter parameters_calendar[];
extern const struct route_parameter parameters_changes[];
extern const struct route_parameter parameters_changes_page[];
extern const struct route_parameter parameters_compare[];
extern const struct route_parameter parameters_corrections[];
extern const struct route_parameter parameters_cost[];
extern const struct route_parameter parameters_match[];
extern const struct route_parameter parameters_oembed[];
extern const struct route_parameter parameters_search[];
extern const struct route_parameter parameters_sources[];

extern const struct route route_table[];
extern const size_t route_count;

enum { ROUTE_STORAGE_BYTES = 8 };

enum route_result {
    ROUTE_FOUND,
    ROUTE_MOVED,        /* the same path with a slash at its end is a page */
    ROUTE_WRONG_METHOD, /* the path exists */
    ROUTE_UNKNOWN
};

/* Whether the catalogue has what the route lives from. */
bool route_has_data(const struct route *route, const struct generation *generation);

/* What a route can answer, its twin included. */
media_set route_media(const struct route *route);

/* Of those, what is answered only where it is named. */
media_set route_explicit_only(const struct route *route);

/* Appends the address of the Markdown twin of a page ("/about/": "/about.md"). */
void route_add_twin(const char *path, struct buf *out);

/* Whether a route has a past, and takes as_of: whatever follows the catalogue. */
bool route_has_past(const struct route *route);

/* The route with a pattern ("/sandboxes/{slug}/"), or NULL. */
const struct route *route_find(const char *pattern);

/* Whether the route at a decoded path takes a body. */
bool route_takes_body(const char *path);

/* Finds the route of a decoded path. A path that ends in ".md" and is no route's own is looked up
 * as the page that it is the twin of; call->is_twin says so. Captures and the page's path are
 * copied to storage (of at least 2 * strlen(path) + ROUTE_STORAGE_BYTES bytes) and pointed at by
 * call->captures and call->path. call->route is set for ROUTE_FOUND and
 * ROUTE_WRONG_METHOD. */
enum route_result route_match(const char *path, unsigned method, struct call *call,
                              char *storage) MUST_USE;

/* Reads ?format= for a route of several media: *out_chosen tells whether it names one, which is
 * then *out_media. One that the route does not have makes the reply a problem. */
bool route_choose_format(const struct call *call, enum media *out_media, bool *out_chosen,
                         struct reply *reply, struct error *error) MUST_USE;

/* Appends the methods of a route as an Allow field ("GET, HEAD"). */
void route_add_allow(const struct route *route, struct buf *out);

/* Appends the answer's Link field: other forms, description, licence. Nothing
 * where there is nothing to say. */
void route_add_links(const struct call *call, struct buf *out);

#endif
