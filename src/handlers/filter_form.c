#include "filter_form.h"
#include "card.h"
#include "compare_data.h"
#include "compare_view.h"
#include "limit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The attributes that have a fieldset. */
static const char *const fieldsets[] = {"isolation",   "deployment",     "gpu",
                                        "persistence", "egress_control", "open_source"};

struct choice {
    const char *value;
    const char *label;
};

static const struct choice sorts[] = {{"price_vcpu_hour_usd", "Price per vCPU hour"},
                                      {"measured_tti_ms", "Measured start"},
                                      {"-max_session_seconds", "Longest session"}};
static const struct choice statuses[] = {{"", "On offer"},
                                         {"any", "All, also those that end"},
                                         {"winding-down", "Winding down"},
                                         {"discontinued", "Discontinued"}};
static const char *const kinds[] = {"hosted", "cloud-service", "local-tool", "self-hostable"};

static const char price[] = "price_vcpu_hour_usd";
static const char price_least[] = "price_vcpu_hour_usd__gte";
static const char price_most[] = "price_vcpu_hour_usd__lte";

bool filter_question(const struct call *call, struct question *question, struct reply *reply,
                     bool *out_refused, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *use_cases = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        return false;
    }
    struct question_fault fault;
    enum question_result result = question_parse(index, use_cases, call->target->pairs,
                                                 call->target->pair_count, question, &fault, error);
    json_decref(use_cases);
    if (result != QUESTION_FAULTY) {
        return result == QUESTION_GOOD;
    }
    *out_refused = true;
    return compare_refuse(&fault, reply, error);
}

/* --- fields --- */

const char *filter_given(const struct call *call, const char *name) {
    for (size_t i = 0; i < call->target->pair_count; i++) {
        const struct pair *pair = &call->target->pairs[i];
        if (strcasecmp(pair->key, name) == 0 && pair->value[0] != '\0') {
            return pair->value;
        }
    }
    return NULL;
}

static json_t *option(const char *value, const char *label, const char *chosen) {
    bool selected = chosen == NULL ? value[0] == '\0' : strcasecmp(chosen, value) == 0;
    return json_pack("{s:s, s:s, s:b}", "value", value, "label", label, "selected", (int)selected);
}

/* Fails by NULL: json_pack of the form then fails too. */
static json_t *choices(const struct choice *list, size_t count, const char *chosen) {
    json_t *options = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(options, option(list[i].value, list[i].label, chosen)) != 0) {
            json_decref(options);
            return NULL;
        }
    }
    return options;
}

static bool add_sort(json_t *options, const char *value, const char *label, const char *chosen) {
    return json_array_append_new(options, option(value, label, chosen)) == 0;
}

/* The orders of the table that the catalogue has, else by each number of the first tables. */
static json_t *sort_choices(const struct catalogue_index *index, const char *chosen) {
    json_t *options = json_array();
    bool good =
        add_sort(options, "", "Overall score", chosen) && add_sort(options, "name", "Name", chosen);
    for (size_t i = 0; good && i < ARRAY_LENGTH(sorts); i++) {
        const char *key = sorts[i].value + (sorts[i].value[0] == '-' ? 1 : 0);
        good = index_attribute(index, key) == NULL ||
               add_sort(options, sorts[i].value, sorts[i].label, chosen);
    }
    bool any = json_array_size(options) > 2;
    for (size_t i = 0; good && !any && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        char value[LIMIT_TARGET_BYTES];
        (void)snprintf(value, sizeof(value), "%s%s", attribute->better == BETTER_HIGHER ? "-" : "",
                       attribute->key);
        good = !attribute->headline || !attribute_is_numeric(attribute) ||
               add_sort(options, value, attribute->label, chosen);
    }
    if (!good) {
        json_decref(options);
        return NULL;
    }
    return options;
}

static json_t *kind_choices(const char *chosen) {
    struct choice list[ARRAY_LENGTH(kinds) + 1] = {{"", "Any kind"}};
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        list[i + 1] = (struct choice){kinds[i], card_kind_label(kinds[i])};
    }
    return choices(list, ARRAY_LENGTH(list), chosen);
}

static bool is_asked(const struct question *question, const struct index_attribute *attribute,
                     const char *value) {
    for (size_t i = 0; i < question->condition_count; i++) {
        const struct condition *condition = &question->conditions[i];
        if (condition->attribute != attribute || condition->kind != CONDITION_ANY) {
            continue;
        }
        for (size_t j = 0; condition->values != NULL && j < condition->value_count; j++) {
            if (strcmp(condition->values[j], value) == 0) {
                return true;
            }
        }
    }
    return false;
}

static json_t *fieldset(const struct question *question, const struct index_attribute *attribute,
                        const json_t *facet) {
    json_t *options = json_array();
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(facet, i, entry) {
        const char *value = json_string_value(json_object_get(entry, "value"));
        bool checked = is_asked(question, attribute, value);
        json_t *count = json_object_get(entry, "count");
        json_t *label = view_capitalised(json_string_value(json_object_get(entry, "label")));
        json_t *shown = json_pack("{s:s, s:s, s:o, s:O, s:b, s:b}", "key", attribute->key, "value",
                                  value, "label", label, "count", count, "checked", (int)checked,
                                  "disabled", (int)(!checked && json_integer_value(count) == 0));
        if (json_array_append_new(options, shown) != 0) {
            json_decref(options);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:o}", "key", attribute->key, "label", attribute->label, "options",
                     options);
}

static json_t *all_fieldsets(const struct catalogue_index *index, const struct question *question,
                             const json_t *facets) {
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(fieldsets); i++) {
        const struct index_attribute *attribute = index_attribute(index, fieldsets[i]);
        if (attribute != NULL &&
            json_array_append_new(list, fieldset(question, attribute,
                                                 json_object_get(facets, attribute->key))) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool has_field(const char *name) {
    static const char *const others[] = {"q", "sort", "status", "kind", "offset", "format"};
    bool found = strcasecmp(name, price_least) == 0 || strcasecmp(name, price_most) == 0;
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        found = found || strcasecmp(name, others[i]) == 0;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(fieldsets); i++) {
        found = found || strcasecmp(name, fieldsets[i]) == 0;
    }
    return found;
}

static json_t *hidden_fields(const struct call *call) {
    json_t *list = json_array();
    for (size_t i = 0; i < call->target->pair_count; i++) {
        const struct pair *pair = &call->target->pairs[i];
        if (pair->value[0] != '\0' && !has_field(pair->key) &&
            json_array_append_new(
                list, json_pack("{s:s, s:s}", "name", pair->key, "value", pair->value)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *filter_form(const struct call *call, const struct question *question, const json_t *facets,
                    const char *path) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    return json_pack(
        "{s:s, s:s?, s:o, s:o, s:o, s:o, s:b, s:s?, s:s?, s:o}", "path", path, "text",
        filter_given(call, "q"), "sorts", sort_choices(index, filter_given(call, "sort")),
        "statuses", choices(statuses, ARRAY_LENGTH(statuses), filter_given(call, "status")),
        "kinds", kind_choices(filter_given(call, "kind")), "fieldsets",
        all_fieldsets(index, question, facets), "has_price", index_attribute(index, price) != NULL,
        "price_least", filter_given(call, price_least), "price_most",
        filter_given(call, price_most), "hidden", hidden_fields(call));
}

/* --- what is set --- */

static json_t *chip(const struct question *question, size_t place, struct condition *others,
                    const char *path) {
    struct question without = *question;
    size_t count = 0;
    for (size_t i = 0; i < question->condition_count; i++) {
        if (i != place) {
            others[count++] = question->conditions[i];
        }
    }
    without.conditions = others;
    without.condition_count = count;
    without.offset = 0;
    struct buf words;
    buf_init(&words, LIMIT_ANSWER_BYTES);
    buf_add_format(&words, "%s: ", question->conditions[place].attribute->label);
    condition_add_words(&question->conditions[place], &words);
    json_t *label = words.failed ? NULL : json_stringn(words.data, words.length);
    buf_free(&words);
    return json_pack("{s:o, s:o}", "label", label, "href", compare_address(&without, path, NULL));
}

json_t *filter_chips(const struct question *question, const char *path) {
    struct condition *others = calloc(question->condition_count + 1, sizeof(*others));
    json_t *chips = others == NULL ? NULL : json_array();
    for (size_t i = 0; chips != NULL && i < question->condition_count; i++) {
        if (json_array_append_new(chips, chip(question, i, others, path)) != 0) {
            json_decref(chips);
            chips = NULL;
        }
    }
    free(others);
    return chips;
}
