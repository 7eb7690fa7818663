#include "providers_parameter.h"
#include "parameter.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool providers_parameter_has(const json_t *slugs, const char *slug) {
    size_t i = 0;
    json_t *one = NULL;
    bool found = slugs == NULL;
    json_array_foreach(slugs, i, one) {
        found = found || strcmp(json_string_value(one), slug) == 0;
    }
    return found;
}

/* Marks the providers that a list names; *out_unknown is the first name that is none. */
static void mark(const struct catalogue_index *index, const char *list, bool *chosen,
                 const char **out_unknown, size_t *out_length) {
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        bool known = length == 0;
        for (size_t i = 0; i < index->provider_count; i++) {
            const char *slug = index->providers[i].slug;
            if (strlen(slug) == length && strncasecmp(slug, list, length) == 0) {
                chosen[i] = true;
                known = true;
            }
        }
        if (!known && *out_unknown == NULL) {
            *out_unknown = list;
            *out_length = length;
        }
        list += length + (list[length] == ',');
    }
}

static json_t *list_chosen(const struct catalogue_index *index, const bool *chosen) {
    json_t *slugs = json_array();
    for (size_t i = 0; i < index->provider_count; i++) {
        if (chosen[i] && json_array_append_new(slugs, json_string(index->providers[i].slug)) != 0) {
            json_decref(slugs);
            return NULL;
        }
    }
    return slugs;
}

bool providers_parameter(const struct call *call, json_t **out_slugs, struct reply *reply,
                         bool *out_refused, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    bool *chosen = calloc(index->provider_count + 1, sizeof(bool));
    const char *unknown = NULL;
    size_t length = 0;
    bool is_there = false;
    *out_slugs = NULL;
    if (chosen == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < call->target->pair_count; i++) {
        const struct pair *pair = &call->target->pairs[i];
        if (strcmp(pair->key, "providers") == 0 && pair->value[0] != '\0') {
            is_there = true;
            mark(index, pair->value, chosen, &unknown, &length);
        }
    }
    bool good = true;
    if (unknown != NULL) {
        char *name = strndup(unknown, length);
        *out_refused = name != NULL;
        good = name == NULL ? error_no_memory(error)
                            : parameter_refuse_provider(call, reply, "providers", name, error);
        free(name);
    } else if (is_there) {
        *out_slugs = list_chosen(index, chosen);
        good = *out_slugs != NULL || error_no_memory(error);
    }
    free(chosen);
    return good;
}

void providers_parameter_add(const json_t *slugs, struct buf *out) {
    size_t i = 0;
    json_t *slug = NULL;
    json_array_foreach(slugs, i, slug) {
        buf_add_format(out, "%s%s", i == 0 ? "providers=" : ",", json_string_value(slug));
    }
}
