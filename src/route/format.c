/* ?format=: the form of an answer, by its short name. */
#include "error.h"
#include "route.h"
#include "text.h"
#include <string.h>

/* Refuses a format that the route does not have. */
static bool refuse(const struct route *route, const char *format, struct reply *reply,
                   struct error *error) {
    const char *names[MEDIA__COUNT];
    size_t count = 0;
    json_t *allowed = json_array();
    for (int i = 0; i < MEDIA__COUNT; i++) {
        const char *name = media_format_name((enum media)i);
        if (name != NULL && (route_media(route) & MEDIA_BIT(i)) != 0) {
            names[count++] = name;
            if (json_array_append_new(allowed, json_string(name)) != 0) {
                json_decref(allowed);
                return error_no_memory(error);
            }
        }
    }
    json_t *extra = json_pack("{s:s, s:o, s:s?}", "parameter", "format", "allowed", allowed,
                              "nearest", text_nearest(format, names, count));
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         "This address has no such format.", extra, error);
}

bool route_choose_format(const struct call *call, enum media *out_media, bool *out_chosen,
                         struct reply *reply, struct error *error) {
    const char *format = target_value(call->target, "format");
    *out_chosen = false;
    if (format == NULL || format[0] == '\0') {
        return true;
    }
    for (int i = 0; i < MEDIA__COUNT; i++) {
        const char *name = media_format_name((enum media)i);
        if ((route_media(call->route) & MEDIA_BIT(i)) != 0 && name != NULL &&
            strcmp(name, format) == 0) {
            *out_media = (enum media)i;
            *out_chosen = true;
            return true;
        }
    }
    return refuse(call->route, format, reply, error);
}
