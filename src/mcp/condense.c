/* Makes answers short. */
#include "limit.h"
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

static bool is_fact(const json_t *object) {
    return json_object_get(object, "state") != NULL && json_object_get(object, "text") != NULL &&
           json_object_get(object, "attribute") != NULL;
}

/* What a receipt needs: what is known, how, since when, from where. */
static json_t *brief_fact(const json_t *fact) {
    static const char *const keys[] = {"attribute", "state", "text", "basis", "checked_on"};
    json_t *brief = json_object();
    bool good = brief != NULL;
    bool is_sourced = json_is_object(json_object_get(fact, "source"));
    for (size_t i = 0; good && i < ARRAY_LENGTH(keys); i++) {
        json_t *value = json_object_get(fact, keys[i]);
        if (i < 3 || (is_sourced && !json_is_null(value))) {
            good = json_object_set(brief, keys[i], value) == 0;
        }
    }
    if (good && is_sourced) {
        good = json_object_set_new(
                   brief, "source",
                   json_pack("{s:O}", "url",
                             json_object_get(json_object_get(fact, "source"), "url"))) == 0;
    }
    if (good && json_is_true(json_object_get(fact, "stale"))) {
        good = json_object_set_new(brief, "stale", json_true()) == 0;
    }
    if (!good) {
        json_decref(brief);
        return NULL;
    }
    return brief;
}

static bool is_dropped(const char *key, const char *const *drop) {
    for (; *drop != NULL; drop++) {
        if (strcmp(*drop, key) == 0) {
            return true;
        }
    }
    return false;
}

static bool says_nothing(const json_t *value) {
    return json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0) ||
           (json_is_string(value) && json_string_length(value) == 0);
}

/* Lists at the top of an answer stay, even when empty: they are its shape. */
static json_t *condense(const json_t *value, const char *const *drop, size_t depth) {
    bool good = true;
    json_t *result = NULL;
    if (json_is_array(value)) {
        size_t i = 0;
        json_t *entry = NULL;
        result = json_array();
        json_array_foreach((json_t *)value, i, entry) {
            good = good && json_array_append_new(result, condense(entry, drop, depth + 1)) == 0;
        }
    } else if (json_is_object(value) && is_fact(value)) {
        return brief_fact(value);
    } else if (json_is_object(value)) {
        const char *key = NULL;
        json_t *member = NULL;
        result = json_object();
        json_object_foreach((json_t *)value, key, member) {
            json_t *brief = is_dropped(key, drop) ? NULL : condense(member, drop, depth + 1);
            if (brief == NULL && !is_dropped(key, drop)) {
                good = false;
            } else if (brief != NULL && (depth > 0 || json_is_null(brief)) && says_nothing(brief)) {
                json_decref(brief);
            } else if (brief != NULL) {
                good = json_object_set_new(result, key, brief) == 0 && good;
            }
        }
    } else {
        return json_deep_copy(value);
    }
    if (!good) {
        json_decref(result);
        return NULL;
    }
    return result;
}

json_t *mcp_condense(const json_t *model, const char *const *drop) {
    return condense(model, drop, 0);
}

/* --- the budget --- */

static size_t length_of(const json_t *value) {
    return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* Removes the last entry of a list, or of an object the last member. Says how many bytes of text
 * went with it: entry and comma, and the name of a member with its colon. */
static bool cut_end(json_t *list, size_t *out_bytes) {
    if (json_is_array(list)) {
        size_t last = json_array_size(list) - 1;
        *out_bytes = length_of(json_array_get(list, last)) + (last > 0);
        return json_array_remove(list, last) == 0;
    }
    const char *last = NULL;
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach(list, key, member) {
        last = key;
    }
    json_t *name = json_string(last);
    *out_bytes =
        length_of(name) + 1 + length_of(json_object_get(list, last)) + (json_object_size(list) > 1);
    json_decref(name);
    return name != NULL && json_object_del(list, last) == 0;
}

static size_t size_of(const json_t *list) {
    return json_is_array(list) ? json_array_size(list) : json_object_size(list);
}

bool mcp_fit(json_t *answer, const char *const *lists, struct error *error) {
    json_t *left_out = json_object();
    bool good = left_out != NULL;
    size_t length = length_of(answer);
    for (; good && *lists != NULL; lists++) {
        /* "provider.facts" is a member of a member */
        const char *dot = strchr(*lists, '.');
        const char *name = dot == NULL ? *lists : dot + 1;
        json_t *list = dot == NULL ? json_object_get(answer, name)
                                   : json_object_get(json_object_get(answer, "provider"), name);
        json_int_t cut = 0;
        while (good && size_of(list) > 0 && length > LIMIT_MCP_BRIEF_BYTES) {
            size_t bytes = 0;
            good = cut_end(list, &bytes);
            length -= bytes;
            cut++;
        }
        good = good && (cut == 0 || json_object_set_new(left_out, name, json_integer(cut)) == 0);
    }
    good = good &&
           (json_object_size(left_out) == 0 || json_object_set(answer, "left_out", left_out) == 0);
    json_decref(left_out);
    return good || error_no_memory(error);
}
