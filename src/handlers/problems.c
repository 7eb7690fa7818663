/* /problems/ and /problems/<type>: what each type of problem means and how to mend it. */
#include "handlers.h"
#include "view.h"
#include <string.h>

static const struct {
    const char *type;
    int status;
    const char *title;
    const char *meaning;
    const char *remedy;
} problems[] = {
    {"not-found", 404, "Not found", "Nothing is published at the address that was asked for.",
     "Look at the member addresses: it names the nearest ones that exist. Slugs are in lower case, "
     "and the address of a page ends in a slash."},
    {"method-not-allowed", 405, "Method not allowed",
     "The address exists, but does not take the method of the request.",
     "Use one of the methods that the Allow header names. Everything here can be read with GET and "
     "HEAD."},
    {"not-acceptable", 406, "Not acceptable",
     "The Accept header refuses every form that the address has.",
     "Leave the header out, add */* to it, or ask for one form with the parameter format."},
    {"range-not-satisfiable", 416, "Range not satisfiable",
     "The Range header asks for bytes beyond the end of the answer.",
     "The Content-Range header has the length. Ask for a range below it, or leave Range out."},
    {"not-implemented", 501, "Not implemented",
     "The address does not give its answer in the form that was asked for.",
     "Ask for one of the forms that the member allowed lists."},
    {"too-large", 404, "Too large for one file",
     "The catalogue has grown past what this one file can hold, so the file is not made.",
     "Take the SQLite file, which has the same rows, or ask /compare for those that you need."},
    {"invalid-parameter", 400, "Invalid parameter",
     "A parameter of the query has a name or a value that this address does not know.",
     "The member parameter names it, detail says what is wrong, nearest gives the nearest known "
     "name where there is one, and allowed lists what is taken where that is a short list."},
};

static const char *const index_description = "The types of problem that this site answers with, as "
                                             "RFC 9457 problem details: what each means "
                                             "and how a client can mend it.";

/* Every type as {type, status, title, meaning, remedy}. New reference. */
static json_t *problem_list(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(problems); i++) {
        json_t *entry = json_pack("{s:s, s:i, s:s, s:s, s:s}", "type", problems[i].type, "status",
                                  problems[i].status, "title", problems[i].title, "meaning",
                                  problems[i].meaning, "remedy", problems[i].remedy);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

bool handle_problems(const struct call *call, struct reply *reply, struct error *error) {
    json_t *list = problem_list();
    reply->model = list == NULL ? NULL : json_pack("{s:o}", "problems", list);
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    struct view view;
    view_start(&view, call, "/problems/", "Problems that programs meet", index_description);
    view_crumb(&view, "Data", "/data/");
    return view_finish(&view, reply, error);
}

bool handle_problem_type(const struct call *call, struct reply *reply, struct error *error) {
    const char *type = call->captures[0];
    for (size_t i = 0; i < ARRAY_LENGTH(problems); i++) {
        if (strcmp(problems[i].type, type) != 0) {
            continue;
        }
        json_t *list = problem_list();
        reply->model = json_incref(json_array_get(list, i));
        json_decref(list);
        json_t *path = json_sprintf("/problems/%s", type);
        json_t *title = json_sprintf("Problem: %s", problems[i].title);
        json_t *description = json_sprintf(
            "%s What a client should do about a problem of this type.", problems[i].meaning);
        bool good = reply->model != NULL && path != NULL && title != NULL && description != NULL;
        if (good) {
            struct view view;
            view_start(&view, call, json_string_value(path), json_string_value(title),
                       json_string_value(description));
            view_crumb(&view, "Data", "/data/");
            view_crumb(&view, "Problems", "/problems/");
            good = view_finish(&view, reply, error);
        } else {
            (void)error_no_memory(error);
        }
        json_decref(path);
        json_decref(title);
        json_decref(description);
        return good;
    }
    return error_set(error, ERROR_NOT_FOUND, "there is no such type of problem");
}
