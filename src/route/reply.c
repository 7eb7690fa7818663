#include "error.h"
#include "handler.h"
#include "route.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

void reply_free(struct reply *reply) {
    json_decref(reply->model);
    json_decref(reply->page);
    free(reply->location);
    free(reply->text);
    *reply = (struct reply){0};
}

bool reply_redirect(struct reply *reply, int status, const char *location, struct error *error) {
    char *copy = strdup(location);
    if (copy == NULL) {
        return error_no_memory(error);
    }
    reply_free(reply);
    reply->status = status;
    reply->location = copy;
    return true;
}

bool reply_problem(struct reply *reply, int status, const char *type, const char *title,
                   const char *detail, json_t *extra, struct error *error) {
    json_t *problem = json_pack("{s:o, s:s, s:i, s:s}", "type", json_sprintf("/problems/%s", type),
                                "title", title, "status", status, "detail", detail);
    if (problem != NULL && extra != NULL && json_object_update(problem, extra) != 0) {
        json_decref(problem);
        problem = NULL;
    }
    json_decref(extra);
    if (problem == NULL) {
        return error_no_memory(error);
    }
    reply_free(reply);
    reply->status = status;
    reply->model = problem;
    return true;
}

/* The addresses of the table that can be named without a capture, for the nearest one. */
static const char *nearest_address(const char *path) {
    enum { ADDRESSES = 64 };
    const char *names[ADDRESSES];
    size_t count = 0;
    for (size_t i = 0; i < route_count && count < ADDRESSES; i++) {
        if (strchr(route_table[i].pattern, '{') == NULL) {
            names[count++] = route_table[i].pattern;
        }
    }
    return text_nearest(path, names, count);
}

bool reply_not_found(const struct call *call, struct reply *reply, struct error *error) {
    const char *nearest = nearest_address(call->target->path);
    json_t *extra = json_pack("{s:s, s:s?}", "instance", call->target->path, "nearest", nearest);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 404, "not-found", "Not found",
                                         "Nothing is published at this address.", extra, error);
}
