/* The few keywords of JSON Schema that the tools' own schemas use. */
#include "mcp.h"
#include <stdio.h>
#include <string.h>

static const char *type_of(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "object";
    case JSON_ARRAY:
        return "array";
    case JSON_STRING:
        return "string";
    case JSON_INTEGER:
        return "integer";
    case JSON_REAL:
        return "number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "boolean";
    case JSON_NULL:
        break;
    }
    return "null";
}

static bool is_type(const json_t *value, const char *type) {
    return strcmp(type_of(value), type) == 0 ||
           (json_is_integer(value) && strcmp(type, "number") == 0);
}

static bool in_enum(const json_t *allowed, const json_t *value) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(allowed, i, entry) {
        if (json_equal(entry, value) != 0) {
            return true;
        }
    }
    return false;
}

static bool enum_fault(const json_t *allowed, const char *path, char *out, size_t out_bytes) {
    size_t used = (size_t)snprintf(out, out_bytes, "%s must be one of: ", path);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(allowed, i, entry) {
        if (used < out_bytes) {
            used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", i == 0 ? "" : ", ",
                                     json_string_value(entry));
        }
    }
    return true;
}

static bool bounds_fault(const json_t *schema, const json_t *value, const char *path, char *out,
                         size_t out_bytes) {
    static const struct {
        const char *keyword;
        const char *words;
        bool is_least;
    } bounds[] = {{"minimum", "at least", true},
                  {"maximum", "at most", false},
                  {"minItems", "at least", true},
                  {"maxItems", "at most", false},
                  {"maxLength", "at most", false}};
    double size = json_is_array(value)    ? (double)json_array_size(value)
                  : json_is_string(value) ? (double)json_string_length(value)
                                          : json_number_value(value);
    for (size_t i = 0; i < ARRAY_LENGTH(bounds); i++) {
        const json_t *bound = json_object_get(schema, bounds[i].keyword);
        double limit = json_number_value(bound);
        if (bound != NULL && (bounds[i].is_least ? size < limit : size > limit)) {
            (void)snprintf(out, out_bytes, "%s must be %s %g%s", path, bounds[i].words, limit,
                           json_is_array(value)    ? " entries"
                           : json_is_string(value) ? " bytes"
                                                   : "");
            return true;
        }
    }
    return false;
}

static bool members_fault(const json_t *schema, const json_t *value, const char *path, char *out,
                          size_t out_bytes) {
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach(required, i, name) {
        if (json_object_get(value, json_string_value(name)) == NULL) {
            (void)snprintf(out, out_bytes, "%s needs \"%s\"", path, json_string_value(name));
            return true;
        }
    }
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach((json_t *)value, key, member) {
        const json_t *inner = json_object_get(properties, key);
        char inner_path[96];
        (void)snprintf(inner_path, sizeof(inner_path), "%.80s", key);
        if (inner == NULL && json_is_false(json_object_get(schema, "additionalProperties"))) {
            (void)snprintf(out, out_bytes, "there is no argument \"%.80s\"", key);
            return true;
        }
        if (inner != NULL && mcp_schema_fault(inner, member, inner_path, out, out_bytes)) {
            return true;
        }
    }
    return false;
}

bool mcp_schema_fault(const json_t *schema, const json_t *value, const char *path, char *out,
                      size_t out_bytes) {
    const char *type = json_string_value(json_object_get(schema, "type"));
    const json_t *allowed = json_object_get(schema, "enum");
    const json_t *items = json_object_get(schema, "items");
    if (type != NULL && !is_type(value, type)) {
        (void)snprintf(out, out_bytes, "%s must be of type %s, not %s", path, type, type_of(value));
        return true;
    }
    if (allowed != NULL && !in_enum(allowed, value)) {
        return enum_fault(allowed, path, out, out_bytes);
    }
    if (bounds_fault(schema, value, path, out, out_bytes)) {
        return true;
    }
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach((json_t *)value, i, entry) {
        if (items != NULL && mcp_schema_fault(items, entry, path, out, out_bytes)) {
            return true;
        }
    }
    return json_is_object(value) && members_fault(schema, value, path, out, out_bytes);
}
