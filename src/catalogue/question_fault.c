/* What a client is told of a parameter that cannot be used: what was wrong, what is allowed, and
 * the nearest known name. */
#include "question_private.h"
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool parser_no_memory(struct parser *parser) {
    parser->result = QUESTION_FAILED;
    return false;
}

bool parser_fault(struct parser *parser, const char *parameter, const char *nearest,
                  json_t *allowed, const char *format, ...) {
    struct arena *arena = &parser->question->arena;
    char *detail = parser->fault->detail;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(detail, sizeof(parser->fault->detail), format, arguments);
    va_end(arguments);
    /* What was cut may have been cut within a character. */
    for (size_t length = strlen(detail); !text_is_utf8(detail, length); length--) {
        detail[length - 1] = '\0';
    }
    parser->fault->allowed = allowed;
    parser->fault->parameter = arena_text(arena, parameter);
    parser->fault->nearest = nearest == NULL ? NULL : arena_text(arena, nearest);
    parser->result = QUESTION_FAULTY;
    if (parser->fault->parameter == NULL) {
        json_decref(allowed);
        parser->fault->allowed = NULL;
        return parser_no_memory(parser);
    }
    return false;
}

/* Names collected for one fault. */
struct name_list {
    const char **names;
    size_t count;
};

static bool list_start(struct parser *parser, struct name_list *list, size_t capacity) {
    list->count = 0;
    list->names = arena_alloc(&parser->question->arena, capacity + 1, sizeof(const char *));
    return list->names != NULL;
}

/* As many as can be read; a large catalogue has open vocabularies without end. */
static json_t *list_json(const struct name_list *list) {
    enum { NAMES_SHOWN = 200 };
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < list->count && i < NAMES_SHOWN; i++) {
        if (json_array_append_new(array, json_string(list->names[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static const char *list_nearest(const struct name_list *list, const char *text) {
    return text_nearest(text, list->names, list->count);
}

bool parser_fault_name(struct parser *parser, const char *parameter, const char *text,
                       const char *const *names, size_t count) {
    struct name_list list;
    if (!list_start(parser, &list, count)) {
        return parser_no_memory(parser);
    }
    for (size_t i = 0; i < count; i++) {
        list.names[list.count++] = names[i];
    }
    return parser_fault(parser, parameter, list_nearest(&list, text), list_json(&list),
                        "\"%s\" is not a value of %s.", text, parameter);
}

bool parser_fault_provider(struct parser *parser, const char *text) {
    struct name_list list;
    if (!list_start(parser, &list, parser->index->provider_count)) {
        return parser_no_memory(parser);
    }
    for (size_t i = 0; i < parser->index->provider_count; i++) {
        list.names[list.count++] = parser->index->providers[i].slug;
    }
    return parser_fault(parser, "providers", list_nearest(&list, text), list_json(&list),
                        "\"%s\" is no provider of this catalogue.", text);
}

bool parser_fault_use_case(struct parser *parser, const char *text) {
    struct name_list list;
    if (!list_start(parser, &list, json_array_size(parser->use_cases))) {
        return parser_no_memory(parser);
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(parser->use_cases, i, row) {
        list.names[list.count++] = json_string_value(json_object_get(row, "slug"));
    }
    return parser_fault(parser, "use_case", list_nearest(&list, text), list_json(&list),
                        "\"%s\" is no use case of this catalogue.", text);
}

bool parser_fault_attribute(struct parser *parser, const char *parameter, const char *text,
                            bool or_name) {
    struct name_list list;
    if (!list_start(parser, &list, parser->index->attribute_count + 1)) {
        return parser_no_memory(parser);
    }
    for (size_t i = 0; i < parser->index->attribute_count; i++) {
        list.names[list.count++] = parser->index->attributes[i].key;
    }
    if (or_name) {
        list.names[list.count++] = "name";
    }
    return parser_fault(parser, parameter, list_nearest(&list, text), list_json(&list),
                        "\"%s\" is no attribute of this catalogue.", text);
}

/* Adds a name made of three parts; false: out of memory. */
static bool list_add_joined(struct parser *parser, struct name_list *list, const char *prefix,
                            const char *key, const char *suffix) {
    size_t size = strlen(prefix) + strlen(key) + strlen(suffix) + 1;
    char *name = arena_alloc(&parser->question->arena, size, 1);
    if (name == NULL) {
        return false;
    }
    (void)snprintf(name, size, "%s%s%s", prefix, key, suffix);
    list->names[list->count++] = name;
    return true;
}

/* The forms that a condition on an attribute can take ("gpu", "gpu__all", "gpu__not"). */
static bool list_forms(struct parser *parser, const struct index_attribute *attribute,
                       struct name_list *list) {
    static const enum condition_kind kinds[] = {CONDITION_ANY, CONDITION_ALL, CONDITION_NOT,
                                                CONDITION_AT_LEAST, CONDITION_AT_MOST};
    bool good = list_start(parser, list, ARRAY_LENGTH(kinds));
    size_t count = attribute->numbers != NULL ? ARRAY_LENGTH(kinds) : 3;
    for (size_t i = 0; good && i < count; i++) {
        good = list_add_joined(parser, list, parser->prefix, attribute->key,
                               condition_suffix(kinds[i]));
    }
    return good;
}

/* The attribute is known, but not what is asked of it. */
static bool fault_form(struct parser *parser, const char *key,
                       const struct index_attribute *attribute) {
    struct name_list list;
    if (!list_forms(parser, attribute, &list)) {
        return parser_no_memory(parser);
    }
    const char *suffix = key + strlen(parser->prefix) + strlen(attribute->key);
    bool bound = strcmp(suffix, "__gte") == 0 || strcmp(suffix, "__lte") == 0;
    const char *nearest = bound ? list.names[0] : list_nearest(&list, key);
    return bound ? parser_fault(parser, key, nearest, list_json(&list),
                                "%s is of type %s and has no order: it takes no %s.",
                                attribute->key, attribute_type_name(attribute->type), suffix)
                 : parser_fault(parser, key, nearest, list_json(&list),
                                "%s cannot be asked with \"%s\".", attribute->key, suffix);
}

/* Adds the filterable attributes under a prefix. */
static bool list_add_attributes(struct parser *parser, struct name_list *list, const char *prefix) {
    bool good = true;
    for (size_t i = 0; good && i < parser->index->attribute_count; i++) {
        const struct index_attribute *attribute = &parser->index->attributes[i];
        good = !attribute->filterable || list_add_joined(parser, list, prefix, attribute->key, "");
    }
    return good;
}

/* The name in a key, without its suffix; NULL: out of memory. */
static char *base_of(struct parser *parser, const char *key) {
    char *base = arena_text(&parser->question->arena, key);
    char *suffix = base == NULL ? NULL : strstr(base, "__");
    if (suffix != NULL) {
        *suffix = '\0';
    }
    return base;
}

bool parser_fault_key(struct parser *parser, const char *key) {
    const struct catalogue_index *index = parser->index;
    const char *base = base_of(parser, key);
    struct name_list list;
    if (base == NULL || !list_start(parser, &list, index->attribute_count + PARAMETER__COUNT)) {
        return parser_no_memory(parser);
    }
    const char *name = base + strlen(parser->prefix);
    const struct index_attribute *attribute = index_attribute(index, name);
    if (attribute != NULL && attribute->filterable) {
        return fault_form(parser, key, attribute);
    }
    if (!list_add_attributes(parser, &list, parser->prefix)) {
        return parser_no_memory(parser);
    }
    for (int i = 0; parser->form == NULL && i < PARAMETER__COUNT; i++) {
        list.names[list.count++] = question_parameter_names[i];
    }
    json_t *allowed = list_json(&list);
    if (attribute != NULL) {
        return parser->form == NULL
                   ? parser_fault(parser, key, NULL, allowed,
                                  "%s cannot be filtered by; columns=%s shows it.", name, name)
                   : parser_fault(parser, key, NULL, allowed, "%s cannot be asked for.", name);
    }
    const char *nearest = list_nearest(&list, base);
    return parser_fault(parser, key, nearest, allowed, "There is no parameter \"%s\".", key);
}

bool parser_fault_bare_key(struct parser *parser, const char *key) {
    const struct question_form *form = parser->form;
    const char *base = base_of(parser, key);
    struct name_list list;
    size_t room = form->prefix_count * (parser->index->attribute_count + 1) + form->parameter_count;
    if (base == NULL || !list_start(parser, &list, room)) {
        return parser_no_memory(parser);
    }
    bool good = true;
    const struct index_attribute *attribute = index_attribute(parser->index, base);
    bool lacks_prefix = attribute != NULL && attribute->filterable;
    for (size_t i = 0; !lacks_prefix && i < form->parameter_count; i++) {
        list.names[list.count++] = form->parameters[i];
    }
    for (size_t i = 0; good && i < form->prefix_count; i++) {
        good = lacks_prefix ? list_add_joined(parser, &list, form->prefixes[i], key, "")
                            : list_add_attributes(parser, &list, form->prefixes[i]);
    }
    if (!good) {
        return parser_no_memory(parser);
    }
    return lacks_prefix ? parser_fault(parser, key, list.names[0], list_json(&list),
                                       "\"%s\" needs a prefix, as in %s.", key, list.names[0])
                        : parser_fault(parser, key, list_nearest(&list, base), list_json(&list),
                                       "There is no parameter \"%s\".", key);
}

bool parser_fault_value(struct parser *parser, const char *parameter,
                        const struct index_attribute *attribute, bool or_unknown,
                        const char *text) {
    struct name_list list;
    if (!list_start(parser, &list, attribute->value_count + 1)) {
        return parser_no_memory(parser);
    }
    const char *by_label = NULL;
    for (size_t i = 0; i < attribute->value_count; i++) {
        const struct index_value *value = &attribute->values[i];
        list.names[list.count++] = value->value;
        by_label = strcasecmp(value->label, text) == 0 ? value->value : by_label;
    }
    if (or_unknown) {
        list.names[list.count++] = "unknown";
    }
    const char *nearest = by_label == NULL ? list_nearest(&list, text) : by_label;
    json_t *allowed = list_json(&list);
    return attribute->closed
               ? parser_fault(parser, parameter, nearest, allowed, "\"%s\" is not a value of %s.",
                              text, attribute->key)
               : parser_fault(parser, parameter, nearest, allowed,
                              "Nothing in this catalogue has \"%s\" as a value of %s.", text,
                              attribute->key);
}

bool parser_fault_number(struct parser *parser, const char *parameter,
                         const struct index_attribute *attribute, const char *text) {
    bool duration = attribute->type == TYPE_DURATION;
    json_t *allowed = duration
                          ? json_pack("[s, s, s, s, s]", "86400", "24h", "90m", "7d", "unlimited")
                          : json_pack("[s, s]", "12", "0.05");
    return parser_fault(parser, parameter, NULL, allowed,
                        duration ? "\"%s\" is no duration: seconds, a number with s, m, h or d, or "
                                   "unlimited."
                                 : "\"%s\" is no decimal number.",
                        text);
}
