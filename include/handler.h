/* A handler turns a request into one model. It knows nothing of HTML, headers or sockets. */
#ifndef AGENT_SANDBOXES_HANDLER_H
#define AGENT_SANDBOXES_HANDLER_H

#include "catalogue.h"
#include "catalogue_index.h"
#include "error.h"
#include "negotiate.h"
#include "target.h"
#include <jansson.h>

struct route;
struct site;

enum { CALL_CAPTURES = 2 };

/* What a POST brings to the one route that takes a body. Everything is borrowed. */
struct post {
    const char *body; /* NULL where it is empty */
    size_t length;
    const char *(*header)(const struct post *post, const char *name); /* NULL: absent */
    void *connection;                                                 /* of src/http */
};

/* A matched request. Everything is borrowed. */
struct call {
    const struct route *route;
    const struct target *target;
    const char *captures[CALL_CAPTURES]; /* the path's {x}, in order */
    enum media media;
    const char *path;  /* of the page: the target's, or the one that a twin stands for */
    bool is_twin;      /* asked for by the address of the Markdown twin, "/about.md" */
    const char *query; /* canonical, without "?"; "" where there is none */
    struct catalogue *catalogue;
    const char *as_of; /* the past day that is asked for ("2026-12-24"), NULL: the present. The
                          catalogue is the one of that day, and the target has no such parameter */
    const struct site *site;
    const struct post *post; /* NULL: not a POST */
};

/* What a handler answers. Zeroed before the handler runs; freed by reply_free whatever happened. */
struct reply {
    int status;    /* 200 unless set otherwise */
    json_t *model; /* the public model: what JSON shows as it is. Owned */
    json_t *page;  /* what only a page needs (title, description, layout): joined to the model for
                      templates. Owned */
    const char *template_name; /* another template than the route's; NULL: the route's. Its twin in
                                  Markdown has the same name below md/ */
    char *location;            /* of a redirect. Owned, malloc'd */
    const void *bytes; /* finished bytes instead of a model; live as long as the site, or with
                          of_generation as long as the generation. Borrowed */
    size_t length;
    bool of_generation;
    const char *content_type; /* of those bytes */
    char *text; /* finished text instead of a model (CSV, XML, plain). Owned, malloc'd */
};

typedef bool handler_function(const struct call *call, struct reply *reply, struct error *error);

/* Whether the answer needs reply->page: a template shows it, as HTML or as Markdown. */
static inline bool call_wants_page(const struct call *call) {
    return call->media == MEDIA_HTML || call->media == MEDIA_MARKDOWN;
}

/* Frees what the reply owns, and zeroes it. */
void reply_free(struct reply *reply);

/* Makes the reply a redirect to a path of this site (301, or 308 to keep a method). */
bool reply_redirect(struct reply *reply, int status, const char *location,
                    struct error *error) MUST_USE;

/* Makes the reply a problem (RFC 9457). type is the last part of its address "/problems/<type>";
 * extra (may be NULL) is an object of further members; its reference is taken. */
bool reply_problem(struct reply *reply, int status, const char *type, const char *title,
                   const char *detail, json_t *extra, struct error *error) MUST_USE;

/* Gives a problem the names that its page needs, before it is shown as HTML. */
bool problem_page(const struct call *call, struct reply *reply, struct error *error) MUST_USE;

/* A 404 problem that names the nearest known addresses. */
bool reply_not_found(const struct call *call, struct reply *reply, struct error *error) MUST_USE;

#endif
