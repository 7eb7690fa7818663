/* Conditions in words. */
#include "facts.h"
#include "question.h"
#include "text.h"
#include <math.h>

static void add_number(struct buf *out, const struct index_attribute *attribute, double number) {
    if (isinf(number)) {
        buf_add_text(out, "unlimited");
    } else if (attribute->type == TYPE_MONEY_MAP) {
        buf_add_char(out, '$');
        text_add_number(out, number);
    } else {
        json_t *value = json_real(number);
        if (value == NULL) {
            out->failed = true;
            return;
        }
        fact_add_text(out, attribute, value);
        json_decref(value);
    }
}

static void add_values(struct buf *out, const struct condition *condition, const char *between) {
    for (size_t i = 0; i < condition->value_count; i++) {
        buf_add_text(out, i == 0 ? "" : between);
        if (condition->values == NULL) {
            add_number(out, condition->attribute, condition->numbers[i]);
        } else {
            const struct index_value *value =
                index_value(condition->attribute, condition->values[i]);
            buf_add_text(out, value == NULL ? condition->values[i] : value->label);
        }
    }
}

void condition_add_words(const struct condition *condition, struct buf *out) {
    switch (condition->kind) {
    case CONDITION_ANY:
        add_values(out, condition, " or ");
        buf_add_text(out, condition->or_unknown ? " or not documented" : "");
        break;
    case CONDITION_ALL:
        add_values(out, condition, " and ");
        break;
    case CONDITION_NOT:
        buf_add_text(out, "not ");
        add_values(out, condition, " or ");
        break;
    case CONDITION_AT_LEAST:
        buf_add_text(out, "at least ");
        add_number(out, condition->attribute, condition->bound);
        break;
    case CONDITION_AT_MOST:
        buf_add_text(out, "at most ");
        add_number(out, condition->attribute, condition->bound);
        break;
    case CONDITION_UNKNOWN:
        buf_add_text(out, "not documented");
        break;
    }
}
