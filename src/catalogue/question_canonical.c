/* The one text of a question. */
#include "limit.h"
#include "question_private.h"
#include "text.h"
#include <math.h>
#include <string.h>

typedef void text_function(struct buf *out, const char *text);

static void add_plain(struct buf *out, const char *text) {
    buf_add_text(out, text);
}

static void add_number(struct buf *out, double number) {
    if (isinf(number)) {
        buf_add_text(out, "unlimited");
    } else {
        text_add_number(out, number);
    }
}

/* The values of a condition, with separator between them. */
static void add_values(const struct condition *condition, struct buf *out, const char *separator,
                       text_function *add_text) {
    const char *between = "";
    if (condition->kind == CONDITION_AT_LEAST || condition->kind == CONDITION_AT_MOST) {
        add_number(out, condition->bound);
        return;
    }
    for (size_t i = 0; i < condition->value_count; i++) {
        buf_add_text(out, between);
        if (condition->values != NULL) {
            add_text(out, condition->values[i]);
        } else {
            add_number(out, condition->numbers[i]);
        }
        between = separator;
    }
    if (condition->kind == CONDITION_UNKNOWN || condition->or_unknown) {
        buf_add_text(out, between);
        buf_add_text(out, "unknown");
    }
}

void condition_add_text(const struct condition *condition, struct buf *out) {
    buf_add_format(out, "%s%s=", condition->attribute->key, condition_suffix(condition->kind));
    add_values(condition, out, ",", add_plain);
}

/* Whether a list of this attribute's values could be read as one value that has a comma. */
static bool has_comma(const struct condition *condition) {
    for (size_t i = 0; condition->values != NULL && i < condition->attribute->value_count; i++) {
        if (strchr(condition->attribute->values[i].value, ',') != NULL) {
            return true;
        }
    }
    return false;
}

static void start(struct buf *out, size_t begin) {
    if (out->length > begin) {
        buf_add_char(out, '&');
    }
}

static void add_condition(const struct condition *condition, const char *prefix, struct buf *out) {
    struct buf key;
    buf_init(&key, ERROR_MESSAGE_BYTES);
    buf_add_format(&key, "&%s%s%s=", prefix, condition->attribute->key,
                   condition_suffix(condition->kind));
    if (key.failed) {
        out->failed = true;
        return;
    }
    buf_add_text(out, key.data + 1);
    add_values(condition, out, has_comma(condition) ? key.data : ",", text_add_encoded);
    buf_free(&key);
}

static void add_names(struct buf *out, size_t begin, enum parameter parameter,
                      const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i == 0) {
            start(out, begin);
            buf_add_format(out, "%s=", question_parameter_names[parameter]);
        }
        buf_add_text(out, i == 0 ? "" : ",");
        text_add_encoded(out, names[i]);
    }
}

static void add_statuses(const struct question *question, struct buf *out, size_t begin) {
    const char *names[STATUS_NAMES];
    size_t count = 0;
    if (question->statuses == STATUS_BIT_ANY) {
        names[count++] = "any";
    } else if (question->statuses != STATUS_BIT_ACTIVE) {
        for (size_t i = 0; i < STATUS_NAMES; i++) {
            if ((question->statuses >> i & 1u) != 0) {
                names[count++] = question_status_names[i];
            }
        }
    }
    add_names(out, begin, PARAMETER_STATUS, names, count);
}

static void add_sort(const struct question *question, struct buf *out, size_t begin) {
    if (question->sort == NULL && !question->sort_by_name) {
        return;
    }
    start(out, begin);
    buf_add_format(out, "sort=%s%s", question->sort_descending ? "-" : "",
                   question->sort == NULL ? "name" : question->sort->key);
}

void question_add_conditions(const struct question *question, struct buf *out, size_t begin) {
    for (size_t i = 0; i < question->condition_count; i++) {
        start(out, begin);
        add_condition(&question->conditions[i], question->prefix, out);
    }
}

void question_add_parameters(const struct question *question, struct buf *out, size_t begin) {
    const char *const any = "any";
    add_names(out, begin, PARAMETER_TEXT, &question->text, question->text == NULL ? 0 : 1);
    add_names(out, begin, PARAMETER_PROVIDERS, question->providers, question->provider_count);
    add_names(out, begin, PARAMETER_KIND, question->kinds, question->kind_count);
    add_statuses(question, out, begin);
    add_names(out, begin, PARAMETER_STAGE, question->any_stage ? &any : question->stages,
              question->any_stage ? 1 : question->stage_count);
    add_names(out, begin, PARAMETER_USE_CASE, &question->use_case,
              question->use_case == NULL ? 0 : 1);
    add_sort(question, out, begin);
    for (size_t i = 0; i < question->column_count; i++) {
        start(out, i == 0 ? begin : out->length);
        buf_add_format(out, "%s%s", i == 0 ? "columns=" : ",", question->columns[i]->key);
    }
    if (question->limit != LIMIT_PAGE_ROWS) {
        start(out, begin);
        buf_add_format(out, "limit=%zu", question->limit);
    }
    if (question->offset != 0) {
        start(out, begin);
        buf_add_format(out, "offset=%zu", question->offset);
    }
}

void question_add_canonical(const struct question *question, struct buf *out) {
    const size_t begin = out->length;
    question_add_conditions(question, out, begin);
    question_add_parameters(question, out, begin);
}
