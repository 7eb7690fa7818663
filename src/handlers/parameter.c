#include "parameter.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

/* The nearest of an array of texts, or NULL. Borrowed. */
static const char *nearest_of(const json_t *allowed, const char *value) {
    size_t count = json_array_size(allowed);
    const char **names = calloc(count + 1, sizeof(names[0]));
    if (names == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = json_string_value(json_array_get(allowed, i));
    }
    const char *nearest = text_nearest(value, names, count);
    free(names);
    return nearest;
}

bool parameter_refuse(struct reply *reply, const char *parameter, const char *value,
                      const char *detail, json_t *allowed, struct error *error) {
    json_t *extra = json_pack("{s:s, s:s?, s:o?}", "parameter", parameter, "nearest",
                              nearest_of(allowed, value), "allowed", allowed);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         detail, extra, error);
}

const char *parameter_text(const struct call *call, const char *name) {
    const char *value = target_value(call->target, name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

bool parameter_refuse_provider(const struct call *call, struct reply *reply, const char *parameter,
                               const char *slug, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *allowed = json_array();
    for (size_t i = 0; i < index->provider_count; i++) {
        if (json_array_append_new(allowed, json_string(index->providers[i].slug)) != 0) {
            json_decref(allowed);
            return error_no_memory(error);
        }
    }
    return parameter_refuse(reply, parameter, slug, "There is no provider of that name.", allowed,
                            error);
}

bool parameter_provider(const struct call *call, const char **out_slug, struct reply *reply,
                        bool *out_refused, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const char *slug = parameter_text(call, "provider");
    *out_slug = NULL;
    if (slug == NULL) {
        return true;
    }
    if (index_provider(index, slug) != NULL) {
        *out_slug = slug;
        return true;
    }
    *out_refused = true;
    return parameter_refuse_provider(call, reply, "provider", slug, error);
}

void parameter_add(struct buf *out, size_t start, const char *name, const char *value) {
    if (value != NULL) {
        buf_add_format(out, "%s%s=", out->length == start ? "" : "&", name);
        text_add_encoded(out, value);
    }
}

json_t *parameter_provider_options(const struct call *call, const char *chosen) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *list = json_array();
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        bool is_chosen = chosen != NULL && strcmp(chosen, provider->slug) == 0;
        json_t *option = json_pack("{s:s, s:s, s:b}", "value", provider->slug, "label",
                                   provider->name, "chosen", (int)is_chosen);
        if (json_array_append_new(list, option) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
