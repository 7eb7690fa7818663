#include "score_rules.h"
#include <math.h>
#include <string.h>
#include <strings.h>

bool rule_slot_has(const struct index_attribute *attribute, const struct index_value *value,
                   size_t slot) {
    if (value == NULL) {
        return false;
    }
    return attribute->type == TYPE_TEXT
               ? attribute->texts[slot] == (uint32_t)(value - attribute->values) + 1
               : slot_set_has(value->slots, slot);
}

static size_t count_members(const struct index_attribute *attribute, size_t slot) {
    size_t count = 0;
    for (size_t i = 0; i < attribute->value_count; i++) {
        count += rule_slot_has(attribute, &attribute->values[i], slot) ? 1u : 0u;
    }
    return count;
}

static size_t count_named(const struct rule *rule, size_t slot) {
    size_t count = 0;
    for (size_t i = 0; i < rule->value_count; i++) {
        count += rule_slot_has(rule->attribute, rule->values[i].value, slot) ? 1u : 0u;
    }
    return count;
}

static double log_share(const struct rule *rule, double value) {
    double share = (log(value) - rule->log_worst) / (rule->log_best - rule->log_worst);
    return fmin(1, fmax(0, share));
}

/* --- the rules --- */

static double share_of_is(const struct rule *rule, size_t slot) {
    for (size_t i = 0; i < rule->value_count; i++) {
        if (rule_slot_has(rule->attribute, rule->values[i].value, slot)) {
            return rule->values[i].score;
        }
    }
    return 0;
}

static double share_of_best_of(const struct rule *rule, size_t slot) {
    double best = 0;
    for (size_t i = 0; i < rule->value_count; i++) {
        if (rule_slot_has(rule->attribute, rule->values[i].value, slot)) {
            best = fmax(best, rule->values[i].score);
        }
    }
    return best;
}

static double share_of_each(const struct rule *rule, size_t slot) {
    return (double)count_named(rule, slot) / (double)rule->value_count;
}

static double share_of_any(const struct rule *rule, size_t slot) {
    return count_named(rule, slot) > 0 ? 1 : 0;
}

static double share_of_count(const struct rule *rule, size_t slot) {
    return fmin(1, (double)count_members(rule->attribute, slot) / rule->number);
}

static double share_of_documented(const struct rule *rule, size_t slot) {
    const struct index_attribute *attribute = rule->attribute;
    if (attribute->type == TYPE_TEXT) {
        return attribute->values[attribute->texts[slot] - 1].value[0] != '\0' ? 1 : 0;
    }
    return attribute_is_numeric(attribute) || count_members(attribute, slot) > 0 ? 1 : 0;
}

static double share_of_contains(const struct rule *rule, size_t slot) {
    return count_named(rule, slot) > 0 ? 1 : 0;
}

static double share_of_log(const struct rule *rule, size_t slot) {
    double value = rule->attribute->numbers[slot];
    return isinf(value) ? 1 : log_share(rule, value);
}

static double share_of_key_log(const struct rule *rule, size_t slot) {
    double cheapest = NAN;
    for (size_t i = 0; i < rule->value_count; i++) {
        const struct index_value *value = rule->values[i].value;
        if (slot_set_has(value->slots, slot)) {
            cheapest = fmin(cheapest, value->amounts[slot]);
        }
    }
    return isnan(cheapest) ? NAN : log_share(rule, cheapest);
}

/* --- reading them --- */

static bool read_scores(const json_t *argument, struct arena *arena, struct rule *rule) {
    rule->values = arena_alloc(arena, json_object_size(argument) + 1, sizeof(struct rule_value));
    bool good = json_is_object(argument) && rule->values != NULL;
    const char *name = NULL;
    json_t *score = NULL;
    json_object_foreach((json_t *)argument, name, score) {
        double number = json_number_value(score);
        if (!good || !json_is_number(score) || number < 0 || number > 1) {
            return false;
        }
        rule->values[rule->value_count++] =
            (struct rule_value){.value = index_value(rule->attribute, name), .score = number};
    }
    return good;
}

static bool read_members(const json_t *argument, struct arena *arena, struct rule *rule) {
    rule->values = arena_alloc(arena, json_array_size(argument) + 1, sizeof(struct rule_value));
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(argument, i, member) {
        if (!json_is_string(member) || rule->values == NULL) {
            return false;
        }
        rule->values[rule->value_count++] = (struct rule_value){
            .value = index_value(rule->attribute, json_string_value(member)), .score = 1};
    }
    return rule->value_count > 0;
}

static bool read_count(const json_t *argument, struct arena *arena, struct rule *rule) {
    (void)arena;
    rule->number = json_number_value(argument);
    return rule->number > 0;
}

static bool read_nothing(const json_t *argument, struct arena *arena, struct rule *rule) {
    (void)argument;
    (void)arena;
    (void)rule;
    return true;
}

/* Takes the values whose name contains a text, whatever the case of its letters. */
static bool read_containing(const json_t *argument, struct arena *arena, struct rule *rule) {
    const struct index_attribute *attribute = rule->attribute;
    const char *part = json_string_value(argument);
    rule->values = arena_alloc(arena, attribute->value_count + 1, sizeof(struct rule_value));
    if (part == NULL || part[0] == '\0' || rule->values == NULL) {
        return false;
    }
    for (size_t i = 0; i < attribute->value_count; i++) {
        if (strcasestr(attribute->values[i].value, part) != NULL) {
            rule->values[rule->value_count++] =
                (struct rule_value){.value = &attribute->values[i], .score = 1};
        }
    }
    return true;
}

static bool read_log(const json_t *argument, struct arena *arena, struct rule *rule) {
    (void)arena;
    double best = json_number_value(json_object_get(argument, "best"));
    double worst = json_number_value(json_object_get(argument, "worst"));
    if (!(best > 0) || !(worst > 0) || best == worst) {
        return false;
    }
    rule->log_best = log(best);
    rule->log_worst = log(worst);
    return true;
}

static bool read_key_log(const json_t *argument, struct arena *arena, struct rule *rule) {
    return read_containing(json_object_get(argument, "key"), arena, rule) &&
           read_log(argument, arena, rule);
}

#define TYPE_BIT(type) (1u << (type))

enum {
    TYPES_WITH_NUMBERS = TYPE_BIT(TYPE_NUMBER) | TYPE_BIT(TYPE_MONEY) | TYPE_BIT(TYPE_DURATION),
    TYPES_WITH_ONE_NAME = TYPE_BIT(TYPE_BOOL) | TYPE_BIT(TYPE_ENUM) | TYPE_BIT(TYPE_TEXT),
    TYPES_WITH_NAMES = TYPES_WITH_ONE_NAME | TYPE_BIT(TYPE_SET) | TYPE_BIT(TYPE_MONEY_MAP),
    TYPES_ALL = TYPES_WITH_NUMBERS | TYPES_WITH_NAMES
};

static const struct rule_kind {
    const char *name;
    rule_function *function;
    bool (*read)(const json_t *argument, struct arena *arena, struct rule *rule);
    unsigned types; /* of attributes that it fits */
} rule_kinds[] = {
    {"is", share_of_is, read_scores, TYPES_WITH_ONE_NAME},
    {"best_of", share_of_best_of, read_scores, TYPES_WITH_NAMES},
    {"each", share_of_each, read_members, TYPES_WITH_NAMES},
    {"any", share_of_any, read_members, TYPES_WITH_NAMES},
    {"count", share_of_count, read_count, TYPES_WITH_NAMES},
    {"documented", share_of_documented, read_nothing, TYPES_ALL},
    {"contains", share_of_contains, read_containing, TYPES_WITH_ONE_NAME},
    {"log", share_of_log, read_log, TYPES_WITH_NUMBERS},
    {"key_log", share_of_key_log, read_key_log, TYPE_BIT(TYPE_MONEY_MAP)},
};

bool rule_read(const json_t *text, const struct index_attribute *attribute, struct arena *arena,
               struct rule *out_rule, struct error *error) {
    for (size_t i = 0; i < ARRAY_LENGTH(rule_kinds) && json_object_size(text) == 1; i++) {
        const struct rule_kind *kind = &rule_kinds[i];
        const json_t *argument = json_object_get(text, kind->name);
        if (argument == NULL || (kind->types & TYPE_BIT(attribute->type)) == 0) {
            continue;
        }
        *out_rule = (struct rule){.attribute = attribute, .function = kind->function};
        if (kind->read(argument, arena, out_rule)) {
            return true;
        }
    }
    return error_set(error, ERROR_CORRUPT,
                     "the criterion on %s has a rule that is unknown, incomplete, or does not fit "
                     "values of type %s",
                     attribute->key, attribute_type_name(attribute->type));
}

struct rule_share rule_share(const struct rule *rule, size_t slot, int64_t today) {
    const struct index_attribute *attribute = rule->attribute;
    if (!slot_set_has(attribute->documented, slot)) {
        return (struct rule_share){.low = 0,
                                   .high = slot_set_has(attribute->not_documented, slot) ? 1 : 0,
                                   .stale = false};
    }
    double share = rule->function(rule, slot);
    if (isnan(share)) {
        return (struct rule_share){.low = 0, .high = 1, .stale = false};
    }
    bool stale = attribute->review_by[slot] < today;
    return (struct rule_share){.low = stale ? share / 2 : share, .high = share, .stale = stale};
}
