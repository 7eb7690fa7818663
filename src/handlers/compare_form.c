/* The form that asks a question: every filterable attribute, with how many would match. */
#include "buf.h"
#include "card.h"
#include "compare_view.h"
#include "limit.h"
#include "text.h"
#include <math.h>
#include <string.h>

enum { FIELD_BYTES = 256, MANY_VALUES = 10 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const struct catalogue_index *index_of(const struct view *view) {
    return generation_index(catalogue_generation(view->call->catalogue));
}

static const struct condition *condition_on(const struct question *question,
                                            const struct index_attribute *attribute,
                                            enum condition_kind kind) {
    for (size_t i = 0; i < question->condition_count; i++) {
        const struct condition *condition = &question->conditions[i];
        if (condition->attribute == attribute && condition->kind == kind) {
            return condition;
        }
    }
    return NULL;
}

static bool has_value(const struct condition *condition, const char *value) {
    for (size_t i = 0; condition != NULL && condition->values != NULL && i < condition->value_count;
         i++) {
        if (strcmp(condition->values[i], value) == 0) {
            return true;
        }
    }
    return false;
}

static bool in_list(const char *const *list, size_t count, const char *value) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], value) == 0) {
            return true;
        }
    }
    return false;
}

/* --- one attribute --- */

static json_t *option(const char *name, const char *value, const char *label, json_t *count,
                      bool checked, bool disabled) {
    return json_pack("{s:s, s:s, s:s, s:b, s:o, s:b, s:b}", "name", name, "value", value, "label",
                     label, "has_count", json_is_integer(count), "count", count, "checked",
                     (int)checked, "disabled", (int)disabled);
}

/* The values of an attribute. Of a long list, those that would match nothing are left out. */
static json_t *options_of(struct view *view, const struct question *question,
                          const struct index_attribute *attribute, const json_t *facet) {
    const struct condition *any = condition_on(question, attribute, CONDITION_ANY);
    json_t *list = json_array();
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(facet, i, value) {
        json_t *count = json_object_get(value, "count");
        const char *name = string_of(value, "value");
        bool checked = has_value(any, name);
        bool empty = json_integer_value(count) == 0 && !checked;
        if (!empty || json_array_size(facet) <= MANY_VALUES) {
            compare_append(view, list,
                           option(attribute->key, name, string_of(value, "label"),
                                  json_incref(count), checked, empty));
        }
    }
    bool is_single = condition_on(question, attribute, CONDITION_UNKNOWN) != NULL;
    compare_append(view, list,
                   option(attribute->key, "unknown", "Not documented", json_null(),
                          is_single || (any != NULL && any->or_unknown), false));
    return list;
}

static json_t *bound_of(const struct question *question, const struct index_attribute *attribute,
                        enum condition_kind kind) {
    const struct condition *condition = condition_on(question, attribute, kind);
    struct buf text;
    buf_init(&text, FIELD_BYTES);
    if (condition != NULL && isinf(condition->bound)) {
        buf_add_text(&text, "unlimited");
    } else if (condition != NULL) {
        text_add_number(&text, condition->bound);
    }
    json_t *result =
        text.failed ? NULL : json_stringn(text.data == NULL ? "" : text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *range_of(const struct question *question, const struct index_attribute *attribute) {
    const char *unit = attribute->type == TYPE_DURATION ? "seconds, or like 90m, 24h, 7d"
                       : attribute->type == TYPE_MONEY || attribute->type == TYPE_MONEY_MAP
                           ? "in US dollars"
                       : attribute->unit == NULL ? ""
                                                 : attribute->unit;
    return json_pack("{s:s, s:s, s:o, s:o, s:s}", "name", attribute->key, "range_label",
                     attribute->label, "low", bound_of(question, attribute, CONDITION_AT_LEAST),
                     "high", bound_of(question, attribute, CONDITION_AT_MOST), "unit", unit);
}

static bool has_range(const struct index_attribute *attribute) {
    return attribute_is_numeric(attribute) || attribute->type == TYPE_MONEY_MAP;
}

static json_t *field_of(struct view *view, const struct question *question,
                        const struct index_attribute *attribute, const json_t *facets) {
    const json_t *facet = json_object_get(facets, attribute->key);
    bool ranged = has_range(attribute);
    return json_pack("{s:s, s:o, s:o}", "label", attribute->label, "options",
                     attribute_is_numeric(attribute) ? json_array()
                                                     : options_of(view, question, attribute, facet),
                     "range", ranged ? range_of(question, attribute) : json_null());
}

/* --- groups --- */

static bool group_is_asked(const struct question *question, const char *group) {
    for (size_t i = 0; i < question->condition_count; i++) {
        if (strcmp(question->conditions[i].attribute->group_key, group) == 0) {
            return true;
        }
    }
    return false;
}

static void add_groups(struct view *view, const struct question *question, const json_t *facets) {
    const struct catalogue_index *index = index_of(view);
    json_t *list = json_array();
    struct error error = {0};
    json_t *groups = catalogue_rows(view->call->catalogue, STATEMENT_GROUPS, NULL, 0, &error);
    view->failed = view->failed || groups == NULL;
    size_t i = 0;
    json_t *group = NULL;
    json_array_foreach(groups, i, group) {
        const char *key = string_of(group, "key");
        json_t *fields = json_array();
        for (size_t j = 0; j < index->attribute_count; j++) {
            const struct index_attribute *attribute = &index->attributes[j];
            if (attribute->filterable && strcmp(attribute->group_key, key) == 0) {
                compare_append(view, fields, field_of(view, question, attribute, facets));
            }
        }
        bool is_open = group_is_asked(question, key) || (i == 0 && question->condition_count == 0);
        compare_append(view, list,
                       json_pack("{s:O, s:b, s:o}", "label", json_object_get(group, "label"),
                                 "open", (int)is_open, "fields", fields));
    }
    json_decref(groups);
    view_set(view, "compare_groups", list);
}

/* --- what the fields cannot say --- */

static void add_hidden(struct view *view, json_t *list, const char *name, const char *value) {
    compare_append(view, list, json_pack("{s:s, s:s}", "name", name, "value", value));
}

static void add_hidden_list(struct view *view, json_t *list, const char *name,
                            const char *const *values, size_t count) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    for (size_t i = 0; i < count; i++) {
        buf_add_format(&text, "%s%s", i == 0 ? "" : ",", values[i]);
    }
    if (text.length > 0) {
        add_hidden(view, list, name, text.data);
    }
    view->failed = view->failed || text.failed;
    buf_free(&text);
}

/* Conditions that have no field of their own are kept as they are written. */
static json_t *hidden_of(struct view *view, const struct question *question) {
    json_t *list = json_array();
    for (size_t i = 0; i < question->condition_count; i++) {
        const struct condition *condition = &question->conditions[i];
        bool has_field =
            condition->kind == CONDITION_AT_LEAST || condition->kind == CONDITION_AT_MOST ||
            ((condition->kind == CONDITION_ANY || condition->kind == CONDITION_UNKNOWN) &&
             !attribute_is_numeric(condition->attribute));
        struct buf text;
        buf_init(&text, LIMIT_ANSWER_BYTES);
        condition_add_text(condition, &text);
        char *equals = text.data == NULL ? NULL : strchr(text.data, '=');
        if (!has_field && equals != NULL) {
            *equals = '\0';
            add_hidden(view, list, text.data, equals + 1);
        }
        buf_free(&text);
    }
    add_hidden_list(view, list, "providers", question->providers, question->provider_count);
    add_hidden_list(view, list, "stage", question->stages, question->stage_count);
    if (question->any_stage) {
        add_hidden(view, list, "stage", "any");
    }
    return list;
}

/* --- the fields at the top --- */

static void add_choice(struct view *view, json_t *list, const char *value, const char *label,
                       bool chosen) {
    compare_append(
        view, list,
        json_pack("{s:s, s:s, s:b}", "value", value, "label", label, "chosen", (int)chosen));
}

static json_t *sorts_of(struct view *view, const struct question *question) {
    const struct catalogue_index *index = index_of(view);
    json_t *list = json_array();
    add_choice(view, list, "", question->use_case == NULL ? "Name" : "Score", false);
    if (question->use_case != NULL) {
        add_choice(view, list, "name", "Name", question->sort_by_name);
    }
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool is_sorted = question->sort == attribute;
        if (!is_sorted && !(attribute->headline && attribute_is_numeric(attribute))) {
            continue;
        }
        bool descending =
            is_sorted ? question->sort_descending : attribute->better == BETTER_HIGHER;
        compare_append(view, list,
                       json_pack("{s:o, s:o, s:b}", "value",
                                 json_sprintf("%s%s", descending ? "-" : "", attribute->key),
                                 "label",
                                 json_sprintf("%s, %s first", attribute->label,
                                              descending ? "highest" : "lowest"),
                                 "chosen", (int)is_sorted));
    }
    return list;
}

static json_t *uses_of(struct view *view, const struct question *question) {
    struct error error = {0};
    json_t *rows = catalogue_rows(view->call->catalogue, STATEMENT_USE_CASES, NULL, 0, &error);
    json_t *list = json_array();
    view->failed = view->failed || rows == NULL;
    size_t i = 0;
    json_t *row = NULL;
    add_choice(view, list, "", "No ranking", false);
    json_array_foreach(rows, i, row) {
        const char *slug = string_of(row, "slug");
        add_choice(view, list, slug, string_of(row, "title"),
                   question->use_case != NULL && strcmp(slug, question->use_case) == 0);
    }
    json_decref(rows);
    return list;
}

static json_t *statuses_of(struct view *view, const struct question *question) {
    json_t *list = json_array();
    add_choice(view, list, "", "On offer", false);
    add_choice(view, list, "winding-down", "Winding down",
               question->statuses == STATUS_BIT_WINDING_DOWN);
    add_choice(view, list, "discontinued", "Discontinued",
               question->statuses == STATUS_BIT_DISCONTINUED);
    add_choice(view, list, "any", "Any", question->statuses == STATUS_BIT_ANY);
    return list;
}

static json_t *kinds_of(struct view *view, const struct question *question) {
    static const char *const kinds[] = {"hosted", "cloud-service", "local-tool", "self-hostable"};
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        compare_append(view, list,
                       option("kind", kinds[i], card_kind_label(kinds[i]), json_null(),
                              in_list(question->kinds, question->kind_count, kinds[i]), false));
    }
    return list;
}

static json_t *columns_of(struct view *view, const struct question *question) {
    const struct catalogue_index *index = index_of(view);
    json_t *list = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool checked = false;
        for (size_t j = 0; j < question->column_count; j++) {
            checked = checked || question->columns[j] == attribute;
        }
        compare_append(
            view, list,
            option("columns", attribute->key, attribute->label, json_null(), checked, false));
    }
    return list;
}

void compare_show_form(struct view *view, const struct question *question, const json_t *facets) {
    view_set(view, "compare_words", json_string(question->text == NULL ? "" : question->text));
    view_set(view, "compare_sorts", sorts_of(view, question));
    view_set(view, "compare_uses", uses_of(view, question));
    view_set(view, "compare_statuses", statuses_of(view, question));
    view_set(view, "compare_kinds", kinds_of(view, question));
    view_set(view, "compare_columns", columns_of(view, question));
    view_set(view, "compare_columns_chosen", json_boolean(question->column_count > 0));
    view_set(view, "compare_hidden", hidden_of(view, question));
    add_groups(view, question, facets);
}
