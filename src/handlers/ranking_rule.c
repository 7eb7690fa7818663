/* The rules of criteria in words. */
#include "facts.h"
#include "limit.h"
#include "ranking.h"
#include "text.h"
#include <string.h>

typedef void words_function(struct buf *out, const struct index_attribute *attribute,
                            const json_t *argument);

static const char *label_of(const struct index_attribute *attribute, const char *value) {
    const struct index_value *known = index_value(attribute, value);
    return known == NULL ? value : known->label;
}

static void add_scores(struct buf *out, const struct index_attribute *attribute,
                       const json_t *scores) {
    const char *name = NULL;
    const char *separator = "";
    json_t *score = NULL;
    json_object_foreach((json_t *)scores, name, score) {
        buf_add_format(out, "%s%s ", separator, label_of(attribute, name));
        text_add_number(out, json_number_value(score));
        separator = ", ";
    }
}

static void add_members(struct buf *out, const struct index_attribute *attribute,
                        const json_t *members) {
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(members, i, member) {
        buf_add_format(out, "%s%s", i == 0 ? "" : ", ",
                       label_of(attribute, json_string_value(member)));
    }
}

static void add_is(struct buf *out, const struct index_attribute *attribute,
                   const json_t *argument) {
    add_scores(out, attribute, argument);
    buf_add_text(out, ", anything else 0");
}

static void add_best_of(struct buf *out, const struct index_attribute *attribute,
                        const json_t *argument) {
    buf_add_text(out, "the best of ");
    add_scores(out, attribute, argument);
}

static void add_each(struct buf *out, const struct index_attribute *attribute,
                     const json_t *argument) {
    if (json_array_size(argument) == 1) {
        add_members(out, attribute, argument);
        buf_add_text(out, " 1, without it 0");
        return;
    }
    buf_add_format(out, "1/%zu for each of ", json_array_size(argument));
    add_members(out, attribute, argument);
}

static void add_any(struct buf *out, const struct index_attribute *attribute,
                    const json_t *argument) {
    buf_add_text(out, "1 with any of ");
    add_members(out, attribute, argument);
}

static void add_count(struct buf *out, const struct index_attribute *attribute,
                      const json_t *argument) {
    (void)attribute;
    buf_add_text(out, "number of entries / ");
    text_add_number(out, json_number_value(argument));
    buf_add_text(out, ", at most 1");
}

static void add_documented(struct buf *out, const struct index_attribute *attribute,
                           const json_t *argument) {
    (void)attribute;
    (void)argument;
    buf_add_text(out, "1 where something is documented");
}

static void add_contains(struct buf *out, const struct index_attribute *attribute,
                         const json_t *argument) {
    (void)attribute;
    buf_add_format(out, "1 where the text says \"%s\"", json_string_value(argument));
}

/* A bound in the attribute's own words ("100 ms"). */
static void add_bound(struct buf *out, const struct index_attribute *attribute,
                      const json_t *number) {
    if (attribute->type == TYPE_MONEY_MAP) {
        buf_add_char(out, '$');
        text_add_number_grouped(out, json_number_value(number));
    } else {
        fact_add_text(out, attribute, number);
    }
}

static void add_log(struct buf *out, const struct index_attribute *attribute,
                    const json_t *argument) {
    add_bound(out, attribute, json_object_get(argument, "best"));
    buf_add_text(out, " or better 1, ");
    add_bound(out, attribute, json_object_get(argument, "worst"));
    buf_add_text(out, " or worse 0, logarithmic between");
}

static void add_key_log(struct buf *out, const struct index_attribute *attribute,
                        const json_t *argument) {
    buf_add_format(out, "the cheapest %s: ", json_string_value(json_object_get(argument, "key")));
    add_log(out, attribute, argument);
}

json_t *ranking_rule(const json_t *rule, const struct index_attribute *attribute) {
    static const struct {
        const char *name;
        words_function *add;
    } rules[] = {{"is", add_is},
                 {"best_of", add_best_of},
                 {"each", add_each},
                 {"any", add_any},
                 {"count", add_count},
                 {"documented", add_documented},
                 {"contains", add_contains},
                 {"log", add_log},
                 {"key_log", add_key_log}};
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    for (size_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        const json_t *argument = json_object_get(rule, rules[i].name);
        if (argument != NULL) {
            rules[i].add(&text, attribute, argument);
        }
    }
    json_t *result = text.failed || text.data == NULL ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}
