/* The parameters of the OpenAPI document: those of the route table, and those that the attributes
 * of the live catalogue give. */
#include "openapi.h"
#include "score.h"
#include "words.h"
#include <string.h>

static const char *const prefixes[] = {"must.", "prefer.", "avoid."};
static const char weight_prefix[] = "w.";

/* --- those of the table --- */

static bool add_name(json_t *list, const char *prefix, const char *name) {
    return json_array_append_new(list, json_sprintf("%s%s", prefix, name)) == 0;
}

/* A column of rows as names. */
static json_t *names_of_rows(struct catalogue *catalogue, enum statement statement,
                             struct error *error) {
    json_t *rows = catalogue_rows(catalogue, statement, NULL, 0, error);
    json_t *list = rows == NULL ? NULL : json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (json_array_append(list, json_object_get(row, "slug")) != 0) {
            json_decref(list);
            list = NULL;
            (void)error_no_memory(error);
            break;
        }
    }
    json_decref(rows);
    return list;
}

static json_t *names_of_attributes(const struct catalogue_index *index, bool sorts) {
    json_t *list = json_array();
    bool good =
        list != NULL && (!sorts || (add_name(list, "", "name") && add_name(list, "-", "name")));
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (!sorts || attribute->filterable) {
            good = add_name(list, "", attribute->key) &&
                   (!sorts || add_name(list, "-", attribute->key));
        }
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *names_of_list(const char *const *names) {
    json_t *list = json_array();
    for (; list != NULL && *names != NULL; names++) {
        if (!add_name(list, "", *names)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *names_of(const struct call *call, const struct route_parameter *parameter,
                        struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *list = NULL;
    switch (parameter->source) {
    case FROM_PROVIDERS:
        return names_of_rows(call->catalogue, STATEMENT_PROVIDERS, error);
    case FROM_USE_CASES:
        return names_of_rows(call->catalogue, STATEMENT_USE_CASES, error);
    case FROM_GPUS:
        return names_of_rows(call->catalogue, STATEMENT_COST_GPUS, error);
    case FROM_ATTRIBUTES:
    case FROM_SORTS:
        list = names_of_attributes(index, parameter->source == FROM_SORTS);
        break;
    case FROM_LIST:
        list = names_of_list(parameter->names);
        break;
    }
    if (list == NULL) {
        (void)error_no_memory(error);
    }
    return list;
}

/* A limit: whole where it is. */
static json_t *limit_of(double limit) {
    return limit == (double)(json_int_t)limit ? json_integer((json_int_t)limit) : json_real(limit);
}

static json_t *number_schema(const struct route_parameter *parameter) {
    json_t *schema =
        json_pack("{s:s}", "type", parameter->type == PARAMETER_INTEGER ? "integer" : "number");
    bool good = json_object_set_new(schema, "minimum", limit_of(parameter->low)) == 0 &&
                (parameter->high == 0 ||
                 json_object_set_new(schema, "maximum", limit_of(parameter->high)) == 0);
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static json_t *schema_of(const struct call *call, const struct route_parameter *parameter,
                         struct error *error) {
    json_t *schema = NULL;
    json_t *names = NULL;
    switch (parameter->type) {
    case PARAMETER_TEXT:
        schema = json_pack("{s:s}", "type", "string");
        if (schema != NULL && parameter->high > 0 &&
            json_object_set_new(schema, "maxLength", limit_of(parameter->high)) != 0) {
            json_decref(schema);
            schema = NULL;
        }
        break;
    case PARAMETER_DAY:
        schema = json_pack("{s:s, s:s}", "type", "string", "format", "date");
        break;
    case PARAMETER_INTEGER:
    case PARAMETER_NUMBER:
        schema = number_schema(parameter);
        break;
    case PARAMETER_NAME:
    case PARAMETER_NAMES:
        names = names_of(call, parameter, error);
        if (names == NULL) {
            return NULL;
        }
        schema = json_pack("{s:s, s:o}", "type", "string", "enum", names);
        if (schema != NULL && parameter->type == PARAMETER_NAMES) {
            schema = json_pack("{s:s, s:o}", "type", "array", "items", schema);
        }
        break;
    }
    if (schema == NULL) {
        (void)error_no_memory(error);
    }
    return schema;
}

/* A query parameter. Takes over schema. */
static json_t *query_parameter(const char *name, json_t *description, json_t *schema,
                               bool is_list) {
    json_t *parameter = json_pack("{s:s, s:s, s:o, s:o}", "name", name, "in", "query",
                                  "description", description, "schema", schema);
    if (parameter != NULL && is_list &&
        (json_object_set_new(parameter, "style", json_string("form")) != 0 ||
         json_object_set_new(parameter, "explode", json_false()) != 0)) {
        json_decref(parameter);
        return NULL;
    }
    return parameter;
}

json_t *openapi_parameter(const struct call *call, const struct route_parameter *parameter,
                          struct error *error) {
    json_t *schema = schema_of(call, parameter, error);
    if (schema == NULL) {
        return NULL;
    }
    char text[WORDS_BYTES];
    json_t *result = query_parameter(parameter->name,
                                     json_string(words_fill(call, parameter->description, text)),
                                     schema, parameter->type == PARAMETER_NAMES);
    if (result == NULL) {
        (void)error_no_memory(error);
    }
    return result;
}

/* --- those of attributes --- */

/* A kind of condition: what it appends to the attribute's key, and what it asks. */
static const struct form {
    const char *suffix;
    const char *words;
    bool of_numbers; /* of attributes whose values are numbers */
    bool of_values;  /* of the others */
    bool of_maps;    /* of money maps, which have both */
    bool takes_unknown;
    bool is_bound;
} forms[] = {
    {"", "any of these, or unknown for not documented", true, true, true, true, false},
    {"__all", "every one of these", false, true, true, false, false},
    {"__not", "documented, and none of these", true, true, true, false, false},
    {"__gte", "at least", true, false, true, false, true},
    {"__lte", "at most", true, false, true, false, true},
};

static bool has_form(const struct index_attribute *attribute, const struct form *form) {
    if (!attribute->filterable) {
        return false;
    }
    if (attribute->type == TYPE_MONEY_MAP) {
        return form->of_maps;
    }
    return attribute_is_numeric(attribute) ? form->of_numbers : form->of_values;
}

/* What a number of the attribute looks like in a query. */
static json_t *number_of(const struct index_attribute *attribute) {
    return attribute->type == TYPE_DURATION ? json_pack("{s:s, s:s}", "type", "string", "pattern",
                                                        "^(unlimited|[0-9]+(\\.[0-9]+)?[smhd]?)$")
                                            : json_pack("{s:s}", "type", "number");
}

/* The schema of one value, for components.schemas. */
static json_t *value_schema(const struct index_attribute *attribute) {
    if (attribute_is_numeric(attribute)) {
        return number_of(attribute);
    }
    json_t *values = json_array();
    for (size_t i = 0; i < attribute->value_count; i++) {
        if (!add_name(values, "", attribute->values[i].value)) {
            json_decref(values);
            return NULL;
        }
    }
    return json_pack("{s:s, s:o}", "type", "string", "enum", values);
}

/* The schema of a condition's value: a reference where it is one of the attribute's own. */
static json_t *condition_schema(const struct index_attribute *attribute, const struct form *form) {
    json_t *own =
        json_pack("{s:o}", "$ref", json_sprintf("#/components/schemas/value.%s", attribute->key));
    if (form->is_bound) {
        if (attribute->type == TYPE_MONEY_MAP) {
            json_decref(own);
            own = json_pack("{s:s}", "type", "number");
        }
        return own;
    }
    json_t *item =
        form->takes_unknown ? json_pack("{s:[o, {s:s}]}", "anyOf", own, "const", "unknown") : own;
    /* A text may hold a comma: one value at a time. */
    return attribute->type == TYPE_TEXT ? item
                                        : json_pack("{s:s, s:o}", "type", "array", "items", item);
}

static bool add_condition(json_t *parameters, const char *prefix,
                          const struct index_attribute *attribute, const struct form *form) {
    json_t *name = json_sprintf("%s%s%s", prefix, attribute->key, form->suffix);
    const char *text = json_string_value(name);
    bool is_list = !form->is_bound && attribute->type != TYPE_TEXT;
    bool good = text != NULL &&
                json_object_set_new(
                    parameters, text,
                    query_parameter(text,
                                    json_sprintf("%s: %s%s%s", attribute->label, form->words,
                                                 attribute->unit ? ", in " : "",
                                                 attribute->unit ? attribute->unit : ""),
                                    condition_schema(attribute, form), is_list)) == 0;
    json_decref(name);
    return good;
}

static bool add_weight(json_t *parameters, const struct index_attribute *attribute) {
    json_t *name = json_sprintf("%s%s", weight_prefix, attribute->key);
    const char *text = json_string_value(name);
    json_t *schema = json_pack("{s:s, s:i, s:i}", "type", "number", "minimum", 0, "maximum",
                               (int)SCORE_WEIGHT_MAXIMUM);
    bool good =
        text != NULL &&
        json_object_set_new(parameters, text,
                            query_parameter(text,
                                            json_sprintf("%s: its weight, where it is a criterion",
                                                         attribute->label),
                                            schema, false)) == 0;
    json_decref(name);
    return good;
}

bool openapi_add_conditions(const struct catalogue_index *index, json_t *parameters,
                            json_t *schemas) {
    bool good = true;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        json_t *name = json_sprintf("value.%s", attribute->key);
        good = name != NULL && add_weight(parameters, attribute) &&
               (!attribute->filterable || json_object_set_new(schemas, json_string_value(name),
                                                              value_schema(attribute)) == 0);
        json_decref(name);
        for (size_t j = 0; good && j < ARRAY_LENGTH(forms); j++) {
            if (!has_form(attribute, &forms[j])) {
                continue;
            }
            good = add_condition(parameters, "", attribute, &forms[j]);
            for (size_t k = 0; good && k < ARRAY_LENGTH(prefixes); k++) {
                good = add_condition(parameters, prefixes[k], attribute, &forms[j]);
            }
        }
    }
    return good;
}

static bool belongs(const char *name, enum route_conditions conditions) {
    bool prefixed = false;
    for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++) {
        prefixed = prefixed || strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
    }
    bool weight = strncmp(name, weight_prefix, strlen(weight_prefix)) == 0;
    return conditions == CONDITIONS_PREFIXED  ? prefixed
           : conditions == CONDITIONS_WEIGHTS ? weight
           : conditions == CONDITIONS_PLAIN   ? !prefixed && !weight
                                              : false;
}

bool openapi_refer(enum route_conditions conditions, const json_t *parameters, json_t *list) {
    const char *name = NULL;
    json_t *parameter = NULL;
    json_object_foreach((json_t *)parameters, name, parameter) {
        if (belongs(name, conditions) &&
            json_array_append_new(
                list, json_pack("{s:o}", "$ref",
                                json_sprintf("#/components/parameters/%s", name))) != 0) {
            return false;
        }
    }
    return true;
}
