/* The form of /match/: of every filterable attribute what must be, is preferred, is avoided. */
#include "buf.h"
#include "compare_view.h"
#include "limit.h"
#include "match_view.h"
#include "text.h"
#include <math.h>
#include <string.h>

enum { TEXT_BYTES = 2 * LIMIT_TARGET_BYTES };

static const struct {
    const char *prefix;
    const char *label;
} lists[] = {{"must.", "Must"}, {"prefer.", "Prefer"}, {"avoid.", "Avoid"}};

static const struct question *question_of(const struct requirements *requirements, size_t list) {
    const struct question *questions[] = {&requirements->must, &requirements->prefer,
                                          &requirements->avoid};
    return questions[list];
}

static const struct condition *find(const struct question *question,
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

static bool is_ordered(const struct index_attribute *attribute) {
    return attribute_is_numeric(attribute) || attribute->type == TYPE_MONEY_MAP;
}

enum { LIST_AVOID = 2 };

/* The bound that has a field: the good side to ask for, the bad side to avoid. */
static enum condition_kind bound_kind(const struct index_attribute *attribute, size_t list) {
    bool high = attribute->better == BETTER_HIGHER;
    return high == (list != LIST_AVOID) ? CONDITION_AT_LEAST : CONDITION_AT_MOST;
}

/* A browser sends every select and text, empty ones too, and an address has room for about a
 * hundred pairs. So attributes that are not headline ones have checkboxes, and bounds only of what
 * must be.
 */
static bool has_bound(const struct index_attribute *attribute, size_t list) {
    return is_ordered(attribute) && (attribute->headline || list == 0);
}

/* Whether a field shows this condition, so that no hidden one has to keep it. */
static bool has_field(const struct condition *condition, size_t list) {
    return is_ordered(condition->attribute)
               ? has_bound(condition->attribute, list) &&
                     condition->kind == bound_kind(condition->attribute, list)
               : condition->kind == CONDITION_ANY || condition->kind == CONDITION_UNKNOWN;
}

/* A condition as written, split at its equals sign. */
static bool split(const struct condition *condition, struct buf *text, const char **out_value) {
    buf_init(text, TEXT_BYTES);
    condition_add_text(condition, text);
    char *equals = text->failed ? NULL : strchr(text->data, '=');
    if (equals == NULL) {
        return false;
    }
    *equals = '\0';
    *out_value = equals + 1;
    return true;
}

/* --- fields --- */

static void add_option(struct view *view, json_t *options, const char *value, json_t *label,
                       bool chosen) {
    compare_append(
        view, options,
        json_pack("{s:s, s:o, s:b}", "value", value, "label", label, "chosen", (int)chosen));
}

/* The values of an attribute; several chosen ones together are one more option. */
static json_t *options_of(struct view *view, const struct index_attribute *attribute,
                          const struct condition *any, bool unknown) {
    json_t *options = json_array();
    add_option(view, options, "", json_string("Any"), false);
    bool several = any != NULL && (any->value_count > 1 || any->or_unknown);
    struct buf text = {0};
    const char *value = NULL;
    if (several && split(any, &text, &value)) {
        add_option(view, options, value, compare_condition_words(any), true);
    }
    buf_free(&text);
    for (size_t i = 0; i < attribute->value_count; i++) {
        const char *name = attribute->values[i].value;
        bool chosen = any != NULL && !several && strcmp(any->values[0], name) == 0;
        add_option(view, options, name, view_capitalised(attribute->values[i].label), chosen);
    }
    add_option(view, options, "unknown", json_string("Not documented"), unknown);
    return options;
}

static json_t *choice(struct view *view, const struct question *question, size_t list,
                      const struct index_attribute *attribute) {
    const struct condition *any = find(question, attribute, CONDITION_ANY);
    bool unknown = find(question, attribute, CONDITION_UNKNOWN) != NULL;
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:b}", "about", attribute->label, "name",
                     json_sprintf("%s%s", lists[list].prefix, attribute->key), "id",
                     json_sprintf("f-%zu-%s", list, attribute->key), "label", lists[list].label,
                     "options", options_of(view, attribute, any, unknown), "number", 0);
}

static void add_check(struct view *view, json_t *checks, json_t *name, const char *value,
                      json_t *label, bool chosen) {
    compare_append(view, checks,
                   json_pack("{s:o, s:s, s:o, s:b}", "name", name, "value", value, "label", label,
                             "chosen", (int)chosen));
}

/* The values of an attribute as checkboxes. */
static json_t *checks(struct view *view, const struct question *question, size_t list,
                      const struct index_attribute *attribute) {
    const struct condition *any = find(question, attribute, CONDITION_ANY);
    bool unknown = find(question, attribute, CONDITION_UNKNOWN) != NULL;
    json_t *boxes = json_array();
    for (size_t i = 0; i < attribute->value_count; i++) {
        const char *value = attribute->values[i].value;
        bool chosen = false;
        for (size_t j = 0; any != NULL && j < any->value_count; j++) {
            chosen = chosen || strcmp(any->values[j], value) == 0;
        }
        add_check(view, boxes, json_sprintf("%s%s", lists[list].prefix, attribute->key), value,
                  view_capitalised(attribute->values[i].label), chosen);
    }
    add_check(view, boxes, json_sprintf("%s%s", lists[list].prefix, attribute->key), "unknown",
              json_string("Not documented"), unknown || (any != NULL && any->or_unknown));
    return json_pack("{s:s, s:s, s:o}", "label", lists[list].label, "about", attribute->label,
                     "boxes", boxes);
}

static const char *unit_of(const struct index_attribute *attribute) {
    return !is_ordered(attribute)              ? NULL
           : attribute->type == TYPE_DURATION  ? "Such as 90m, 24h or 7d"
           : attribute->type == TYPE_MONEY     ? "In US dollars"
           : attribute->type == TYPE_MONEY_MAP ? "In US dollars, the cheapest entry"
                                               : attribute->unit;
}

static json_t *bound(const struct question *question, size_t list,
                     const struct index_attribute *attribute) {
    enum condition_kind kind = bound_kind(attribute, list);
    const struct condition *condition = find(question, attribute, kind);
    bool least = kind == CONDITION_AT_LEAST;
    struct buf value;
    buf_init(&value, TEXT_BYTES);
    if (condition != NULL && isinf(condition->bound)) {
        buf_add_text(&value, "unlimited");
    } else if (condition != NULL) {
        text_add_number(&value, condition->bound);
    }
    json_t *result = json_pack(
        "{s:s, s:o, s:o, s:o, s:[], s:b, s:s}", "about", attribute->label, "name",
        json_sprintf("%s%s__%s", lists[list].prefix, attribute->key, least ? "gte" : "lte"), "id",
        json_sprintf("f-%zu-%s", list, attribute->key), "label",
        json_sprintf("%s at %s", lists[list].label, least ? "least" : "most"), "options", "number",
        1, "value", value.data == NULL ? "" : value.data);
    buf_free(&value);
    return result;
}

static bool is_asked(const struct requirements *requirements,
                     const struct index_attribute *attribute) {
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        const struct question *question = question_of(requirements, i);
        for (size_t j = 0; j < question->condition_count; j++) {
            if (question->conditions[j].attribute == attribute) {
                return true;
            }
        }
    }
    return false;
}

static json_t *field_of(struct view *view, const struct requirements *requirements,
                        const struct index_attribute *attribute) {
    json_t *inputs = json_array();
    json_t *groups = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        const struct question *question = question_of(requirements, i);
        if (has_bound(attribute, i)) {
            compare_append(view, inputs, bound(question, i, attribute));
        } else if (!is_ordered(attribute) && attribute->headline) {
            compare_append(view, inputs, choice(view, question, i, attribute));
        } else if (!is_ordered(attribute)) {
            compare_append(view, groups, checks(view, question, i, attribute));
        }
    }
    return json_pack("{s:s, s:s?, s:b, s:o, s:o}", "label", attribute->label, "unit",
                     unit_of(attribute), "open", (int)is_asked(requirements, attribute), "inputs",
                     inputs, "checks", groups);
}

static json_t *hidden_of(struct view *view, const struct requirements *requirements) {
    json_t *hidden = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        const struct question *question = question_of(requirements, i);
        for (size_t j = 0; j < question->condition_count; j++) {
            struct buf text = {0};
            const char *value = NULL;
            if (!has_field(&question->conditions[j], i) &&
                split(&question->conditions[j], &text, &value)) {
                compare_append(view, hidden,
                               json_pack("{s:o, s:s}", "name",
                                         json_sprintf("%s%s", lists[i].prefix, text.data), "value",
                                         value));
            }
            buf_free(&text);
        }
    }
    for (size_t i = 0; i < requirements->must.provider_count; i++) {
        compare_append(
            view, hidden,
            json_pack("{s:s, s:s}", "name", "providers", "value", requirements->must.providers[i]));
    }
    return hidden;
}

/* --- the other parameters --- */

static json_t *uses_of(struct view *view, const struct question *must) {
    struct error error = {0};
    json_t *rows = catalogue_rows(view->call->catalogue, STATEMENT_USE_CASES, NULL, 0, &error);
    json_t *options = json_array();
    view->failed = view->failed || rows == NULL;
    add_option(view, options, "", json_string("No use case"), false);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *slug = json_string_value(json_object_get(row, "slug"));
        add_option(view, options, slug, json_incref(json_object_get(row, "title")),
                   must->use_case != NULL && strcmp(slug, must->use_case) == 0);
    }
    json_decref(rows);
    return options;
}

static json_t *statuses_of(struct view *view, const struct question *must) {
    json_t *options = json_array();
    add_option(view, options, "", json_string("On offer"), false);
    add_option(view, options, "active,winding-down", json_string("On offer or winding down"),
               must->statuses == (STATUS_BIT_ACTIVE | STATUS_BIT_WINDING_DOWN));
    add_option(view, options, "any", json_string("Any"), must->statuses == STATUS_BIT_ANY);
    return options;
}

static json_t *stages_of(struct view *view, const struct question *must) {
    json_t *options = json_array();
    bool ga = must->stage_count == 1 && strcmp(must->stages[0], "ga") == 0;
    struct buf value;
    buf_init(&value, TEXT_BYTES);
    for (size_t i = 0; i < must->stage_count; i++) {
        buf_add_format(&value, "%s%s", i == 0 ? "" : ",", must->stages[i]);
    }
    add_option(view, options, "", json_string("All but deprecated"), false);
    add_option(view, options, "ga", json_string("General availability"), ga);
    add_option(view, options, "any", json_string("Any"), must->any_stage);
    if (must->stage_count > 0 && !ga && !value.failed) {
        add_option(view, options, value.data, json_string(value.data), true);
    }
    buf_free(&value);
    return options;
}

void match_show_form(struct view *view, const struct requirements *requirements) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *fields = json_array();
    json_t *more = json_array();
    bool more_asked = false;
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (attribute->filterable) {
            compare_append(view, attribute->headline ? fields : more,
                           field_of(view, requirements, attribute));
            more_asked = more_asked || (!attribute->headline && is_asked(requirements, attribute));
        }
    }
    view_set(view, "match_fields", fields);
    view_set(view, "match_more", more);
    view_set(view, "match_more_open", json_boolean(more_asked));
    view_set(view, "match_hidden", hidden_of(view, requirements));
    view_set(view, "match_uses", uses_of(view, &requirements->must));
    view_set(view, "match_statuses", statuses_of(view, &requirements->must));
    view_set(view, "match_stages", stages_of(view, &requirements->must));
}
