/* What to ask a vendor, made of the labels of attributes and values. */
#include "match_private.h"
#include <string.h>

static void add_subject(const struct catalogue_index *index, size_t slot, struct buf *out) {
    const struct index_slot *entry = &index->slots[slot];
    const struct index_provider *provider = &index->providers[entry->provider];
    if (entry->offering != NULL) {
        buf_add_format(out, "%s of ", entry->name);
    }
    buf_add_text(out, provider->name);
}

static bool is_true(const struct condition *condition) {
    return condition->value_count == 1 && strcmp(condition->values[0], "true") == 0;
}

/* "Does X have GPU?" */
static void add_feature(const struct catalogue_index *index, const struct condition *condition,
                        size_t slot, struct buf *out) {
    bool wanted = is_true(condition) == (condition->kind != CONDITION_NOT);
    buf_add_text(out, "Does ");
    add_subject(index, slot, out);
    buf_add_format(out, " %s %s?", wanted ? "have" : "come without", condition->attribute->label);
}

/* "Does X have Python and Go (SDKs)?" */
static void add_members(const struct catalogue_index *index, const struct condition *condition,
                        size_t slot, struct buf *out) {
    struct condition plain = *condition;
    plain.kind = condition->kind == CONDITION_ALL ? CONDITION_ALL : CONDITION_ANY;
    buf_add_text(out, "Does ");
    add_subject(index, slot, out);
    buf_add_text(out, condition->kind == CONDITION_NOT ? " come without " : " have ");
    condition_add_words(&plain, out);
    buf_add_format(out, " (%s)?", condition->attribute->label);
}

/* "Longest session of X: is it at least 24 hours?" */
static void add_value(const struct catalogue_index *index, const struct condition *condition,
                      size_t slot, struct buf *out) {
    bool cheapest = condition->attribute->type == TYPE_MONEY_MAP;
    buf_add_format(out, "%s for ", condition->attribute->label);
    add_subject(index, slot, out);
    buf_add_format(out, ": is %s ", cheapest ? "the lowest" : "it");
    condition_add_words(condition, out);
    buf_add_char(out, '?');
}

void match_add_question(const struct catalogue_index *index, const struct condition *condition,
                        size_t slot, struct buf *out) {
    const enum attribute_type type = condition->attribute->type;
    bool bound = condition->kind == CONDITION_AT_LEAST || condition->kind == CONDITION_AT_MOST;
    if (type == TYPE_BOOL && condition->value_count == 1) {
        add_feature(index, condition, slot, out);
    } else if (!bound && (type == TYPE_SET || type == TYPE_MONEY_MAP)) {
        add_members(index, condition, slot, out);
    } else {
        add_value(index, condition, slot, out);
    }
}

void match_add_stage_question(const struct catalogue_index *index, size_t slot, struct buf *out) {
    buf_add_text(out, "At what release stage is ");
    add_subject(index, slot, out);
    buf_add_char(out, '?');
}
