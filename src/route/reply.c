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
