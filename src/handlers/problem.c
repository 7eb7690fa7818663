/* A problem as a page. */
#include "addresses.h"
#include "buf.h"
#include "folder.h"
#include "limit.h"
#include "view.h"
#include <string.h>

/* What is allowed, as one line of text; JSON null where nothing is listed. */
static json_t *allowed_text(const json_t *allowed) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(allowed, i, entry) {
        const char *word = json_string_value(entry);
        buf_add_format(&text, "%s%s", i == 0 ? "" : ", ", word == NULL ? "" : word);
    }
    json_t *result = text.failed        ? NULL
                     : text.length == 0 ? json_null()
                                        : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *text_or_null(const json_t *model, const char *key) {
    json_t *value = json_object_get(model, key);
    return json_is_string(value) ? json_incref(value) : json_null();
}

/* The near addresses of a 404. New reference. */
static json_t *addresses_of(const json_t *model) {
    json_t *addresses = json_object_get(model, "addresses");
    return json_is_array(addresses) ? json_incref(addresses) : json_array();
}

bool problem_page(const struct call *call, struct reply *reply, struct error *error) {
    const json_t *model = reply->model;
    const char *title = json_string_value(json_object_get(model, "title"));
    const char *detail = json_string_value(json_object_get(model, "detail"));
    const char *type = json_string_value(json_object_get(model, "type"));
    const char *nearest = json_string_value(json_object_get(model, "nearest"));
    bool is_address = nearest != NULL && nearest[0] == '/';
    struct view view;
    view_start(&view, call, type == NULL ? "/problems/" : type, title == NULL ? "Problem" : title,
               detail == NULL ? "" : detail);
    view_set(&view, "page_twin", json_null());
    view_set(&view, "problem_status", json_incref(json_object_get(model, "status")));
    view_set(&view, "problem_detail", text_or_null(model, "detail"));
    view_set(&view, "problem_parameter", text_or_null(model, "parameter"));
    view_set(&view, "problem_allowed", allowed_text(json_object_get(model, "allowed")));
    view_set(&view, "problem_addresses", addresses_of(model));
    view_set(&view, "problem_nearest", is_address ? json_null() : text_or_null(model, "nearest"));
    reply->template_name = "html/page_problem.html";
    return view_finish(&view, reply, error);
}

bool reply_not_found(const struct call *call, struct reply *reply, struct error *error) {
    json_t *all = addresses_all(call->catalogue, error);
    json_t *near = all == NULL ? NULL : addresses_near(all, call->target->path, error);
    json_decref(all);
    if (near == NULL) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(near); i++) {
        const char *inside = json_string_value(json_array_get(near, i));
        if (json_array_set_new(near, i, folder_text(call, inside)) != 0) {
            json_decref(near);
            return error_no_memory(error);
        }
    }
    json_t *extra = json_pack("{s:s, s:s?, s:o}", "instance", call->target->path, "nearest",
                              json_string_value(json_array_get(near, 0)), "addresses", near);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 404, "not-found", "Not found",
                                         "Nothing is published at this address.", extra, error);
}
