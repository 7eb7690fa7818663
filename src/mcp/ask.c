/* Asks the site's own routes, so that an answer here can never differ from theirs. */
#include "limit.h"
#include "mcp.h"
#include "represent.h"
#include "route.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

void mcp_add_pair(struct buf *target, const char *key, const char *value) {
    bool is_first = target->data == NULL || strchr(target->data, '?') == NULL;
    buf_add_char(target, is_first ? '?' : '&');
    text_add_encoded(target, key);
    buf_add_char(target, '=');
    text_add_encoded(target, value);
}

void mcp_asked_free(struct mcp_asked *asked) {
    json_decref(asked->model);
    json_decref(asked->problem);
    free(asked->text);
    *asked = (struct mcp_asked){0};
}

static bool answer(struct call *inner, struct buf *query, struct reply *reply,
                   struct error *error) {
    bool refused = false;
    struct error fault = {0};
    if (inner->route->canonical != NULL &&
        !inner->route->canonical(inner, query, reply, &refused, error)) {
        return false;
    }
    inner->query = query->data == NULL ? "" : query->data;
    if (query->failed) {
        return error_no_memory(error);
    }
    if (refused || inner->route->handler(inner, reply, &fault)) {
        return true;
    }
    return fault.kind == ERROR_NOT_FOUND ? reply_not_found(inner, reply, error)
                                         : error_set(error, fault.kind, "%s", fault.message);
}

static bool take(const struct call *inner, struct reply *reply, struct mcp_asked *out,
                 struct error *error) {
    bool is_problem = reply->status >= 400;
    if (is_problem || inner->media == MEDIA_JSON) {
        json_t **place = is_problem ? &out->problem : &out->model;
        *place = json_incref(reply->model);
        return *place != NULL || error_set(error, ERROR_INTERNAL, "the route has no model");
    }
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    if (!represent(inner, reply, &text, error)) {
        buf_free(&text);
        return false;
    }
    out->text = buf_take(&text);
    return out->text != NULL || error_no_memory(error);
}

/* A target that cannot be read is the asker's fault. */
static bool refuse_target(const struct error *fault, struct mcp_asked *out, struct error *error) {
    if (fault->kind != ERROR_INVALID) {
        return error_set(error, fault->kind, "%s", fault->message);
    }
    out->problem = json_pack("{s:s, s:i, s:s}", "title", "Bad request", "status", 400, "detail",
                             fault->message);
    return out->problem != NULL || error_no_memory(error);
}

/* Whether a route is answered from the public catalogue, as it is over HTTP. Of the files below
 * /data/ only the model is asked for here: that is no export. */
static bool is_public(const struct route *route) {
    return route->is_public && !text_starts(route->pattern, "/data/");
}

/* Answers a route from the public catalogue, where the call's has an overlay over it. */
static bool answer_public(struct call *inner, struct buf *query, struct reply *reply,
                          struct mcp_asked *out, struct error *error) {
    struct catalogue *overlaid = inner->catalogue;
    inner->catalogue = catalogue_open(generation_beneath(catalogue_generation(overlaid)), error);
    bool good = inner->catalogue != NULL && answer(inner, query, reply, error) &&
                take(inner, reply, out, error);
    catalogue_close(inner->catalogue);
    inner->catalogue = overlaid;
    return good;
}

bool mcp_ask(const struct call *call, const char *target, enum media media, struct mcp_asked *out,
             struct error *error) {
    struct error fault = {0};
    struct target parsed = {0};
    *out = (struct mcp_asked){0};
    if (strlen(target) > LIMIT_TARGET_BYTES) {
        (void)error_set(&fault, ERROR_INVALID, "the question is too long");
        return refuse_target(&fault, out, error);
    }
    if (!target_parse(target, strlen(target), &parsed, &fault)) {
        return refuse_target(&fault, out, error);
    }
    struct call inner = {.target = &parsed,
                         .media = media,
                         .catalogue = call->catalogue,
                         .site = call->site,
                         .query = ""};
    struct reply reply = {0};
    struct buf query;
    buf_init(&query, LIMIT_TARGET_BYTES);
    char *storage = malloc(2 * strlen(parsed.path) + ROUTE_STORAGE_BYTES);
    bool good = storage != NULL || error_no_memory(error);
    if (good && (route_match(parsed.path, METHOD_GET, &inner, storage) != ROUTE_FOUND ||
                 !route_has_data(inner.route, catalogue_generation(call->catalogue)))) {
        (void)error_set(&fault, ERROR_INVALID, "nothing is published at this address");
        good = refuse_target(&fault, out, error);
    } else if (good && is_public(inner.route) &&
               generation_beneath(catalogue_generation(call->catalogue)) != NULL) {
        good = answer_public(&inner, &query, &reply, out, error);
    } else if (good) {
        good = answer(&inner, &query, &reply, error) && take(&inner, &reply, out, error);
    }
    free(storage);
    buf_free(&query);
    reply_free(&reply);
    target_free(&parsed);
    return good;
}
