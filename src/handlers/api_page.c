/* /data/api/: the same as /openapi.json, for people. */
#include "folder.h"
#include "handlers.h"
#include "openapi.h"
#include "site.h"
#include "view.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* What a parameter takes, in words. New reference. */
static json_t *words_of(const json_t *schema) {
    const char *type = string_of(schema, "type");
    const json_t *items = json_object_get(schema, "items");
    const json_t *low = json_object_get(schema, "minimum");
    const json_t *high = json_object_get(schema, "maximum");
    if (items != NULL) {
        return json_sprintf("any of %zu names", json_array_size(json_object_get(items, "enum")));
    }
    const json_t *names = json_object_get(schema, "enum");
    if (names != NULL) {
        return json_sprintf("one of %zu names", json_array_size(names));
    }
    if (type == NULL || strcmp(type, "string") == 0) {
        return json_string("text");
    }
    const char *what = strcmp(type, "integer") == 0 ? "whole number" : "number";
    return high == NULL ? json_sprintf("%s from %g", what, json_number_value(low))
                        : json_sprintf("%s from %g to %g", what, json_number_value(low),
                                       json_number_value(high));
}

/* The first names that a parameter takes, in one line; null where it takes none. New reference. */
static json_t *names_of(const json_t *schema) {
    enum { SHOWN = 8, TEXT_BYTES = 2048 };
    const json_t *items = json_object_get(schema, "items");
    const json_t *names = json_object_get(items == NULL ? schema : items, "enum");
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach(names, i, name) {
        if (i < SHOWN) {
            buf_add_format(&text, "%s%s", i == 0 ? "" : ", ", json_string_value(name));
        }
    }
    buf_add_text(&text, i > SHOWN ? ", ..." : "");
    json_t *result = text.failed        ? NULL
                     : text.length == 0 ? json_null()
                                        : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *parameters_of(const json_t *operation) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *parameter = NULL;
    json_array_foreach(json_object_get(operation, "parameters"), i, parameter) {
        const json_t *schema = json_object_get(parameter, "schema");
        if (schema == NULL) {
            continue; /* of an attribute: those stand in a table of their own */
        }
        if (json_array_append_new(
                list, json_pack("{s:O, s:O, s:o, s:o}", "name", json_object_get(parameter, "name"),
                                "description", json_object_get(parameter, "description"), "takes",
                                words_of(schema), "names", names_of(schema))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The media types of an answer, in one line. New reference. */
static json_t *forms_of(const json_t *operation) {
    enum { TEXT_BYTES = 512 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    const json_t *good = json_object_get(json_object_get(operation, "responses"), "200");
    const char *type = NULL;
    json_t *entry = NULL;
    json_object_foreach(json_object_get(good, "content"), type, entry) {
        buf_add_format(&text, "%s%s", text.length == 0 ? "" : ", ", type);
    }
    json_t *result = text.failed || text.length == 0 ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *operation_of(const struct call *call, const char *path, const json_t *operation) {
    const struct route *route = route_find(path);
    enum route_conditions conditions = route == NULL ? CONDITIONS_NONE : route->conditions;
    json_t *parameters = parameters_of(operation);
    return json_pack(
        "{s:o, s:O, s:O, s:O, s:o, s:s?, s:b, s:b, s:b, s:b, s:o}", "path", folder_text(call, path),
        "id", json_object_get(operation, "operationId"), "summary",
        json_object_get(operation, "summary"), "example", json_object_get(operation, "x-example"),
        "forms", forms_of(operation), "schema", route == NULL ? NULL : route->schema, "filters",
        (int)(conditions == CONDITIONS_PLAIN), "requires", (int)(conditions == CONDITIONS_PREFIXED),
        "weighs", (int)(conditions == CONDITIONS_WEIGHTS), "has_parameters",
        (int)(json_array_size(parameters) > 0), "parameters", parameters);
}

/* The operations under a tag. */
static json_t *group_of(const struct call *call, const json_t *tag, const json_t *paths) {
    json_t *list = json_array();
    const char *path = NULL;
    json_t *entry = NULL;
    bool good = list != NULL;
    json_object_foreach((json_t *)paths, path, entry) {
        json_t *operation = json_object_get(entry, "get");
        const json_t *own = json_array_get(json_object_get(operation, "tags"), 0);
        if (good && operation != NULL && json_equal(own, json_object_get(tag, "name"))) {
            good = json_array_append_new(list, operation_of(call, path, operation)) == 0;
        }
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:O, s:O, s:o}", "name", json_object_get(tag, "name"), "description",
                     json_object_get(tag, "description"), "operations", list);
}

static json_t *groups_of(const struct call *call, const json_t *model) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *tag = NULL;
    json_array_foreach(json_object_get(model, "tags"), i, tag) {
        if (json_array_append_new(list, group_of(call, tag, json_object_get(model, "paths"))) !=
            0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The attributes that can be asked about. */
static json_t *attributes_of(const struct catalogue_index *index, const json_t *model) {
    const json_t *schemas = json_object_get(json_object_get(model, "components"), "schemas");
    json_t *list = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (!attribute->filterable) {
            continue;
        }
        json_t *name = json_sprintf("value.%s", attribute->key);
        bool is_map = attribute->type == TYPE_MONEY_MAP;
        bool is_numeric = attribute_is_numeric(attribute);
        json_t *entry =
            json_pack("{s:s, s:s, s:s, s:s, s:o}", "key", attribute->key, "label", attribute->label,
                      "type", attribute_type_name(attribute->type), "conditions",
                      is_map       ? "=, __all, __not, __gte, __lte"
                      : is_numeric ? "=, __not, __gte, __lte"
                                   : "=, __all, __not",
                      "names", names_of(json_object_get(schemas, json_string_value(name))));
        json_decref(name);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

bool handle_api(const struct call *call, struct reply *reply, struct error *error) {
    json_t *model = openapi_model(call, error);
    if (model == NULL) {
        return false;
    }
    reply->model = json_object();
    struct view view;
    view_start(&view, call, "/data/api/", "Asking from a program",
               "Every address that answers programs, with its parameters, forms, errors and an "
               "example, what is promised to stay, and what changed.");
    view_crumb(&view, "Data", "/data/");
    view_set(&view, "page_class", json_string("page-side"));
    view_set(&view, "api_version", json_string(OPENAPI_VERSION));
    view_set(&view, "api_groups", groups_of(call, model));
    view_set(&view, "api_attributes",
             attributes_of(generation_index(catalogue_generation(call->catalogue)), model));
    json_decref(model);
    return view_finish(&view, reply, error);
}
