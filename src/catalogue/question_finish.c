/* From drafts to a question: everything in canonical order, what says nothing left out, what
 * contradicts itself refused. */
#include "question_private.h"
#include <string.h>

static void *room(struct parser *parser, size_t count, size_t size) {
    void *memory = arena_alloc(&parser->question->arena, count + 1, size);
    if (memory == NULL) {
        (void)parser_no_memory(parser);
    }
    return memory;
}

/* The names whose bits are set; NULL with *out_count 0: none, or out of memory (parser->result). */
static const char **named(struct parser *parser, unsigned bits, const char *const *names,
                          size_t count, size_t *out_count) {
    const char **list = bits == 0 ? NULL : room(parser, count, sizeof(const char *));
    for (size_t i = 0; list != NULL && i < count; i++) {
        if ((bits >> i & 1u) != 0) {
            list[(*out_count)++] = names[i];
        }
    }
    return list;
}

static bool finish_providers(struct parser *parser) {
    struct question *question = parser->question;
    if (parser->providers == NULL) {
        return true;
    }
    const size_t total = parser->index->provider_count;
    const char **slugs = room(parser, total, sizeof(const char *));
    if (slugs == NULL) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        if (parser->providers[i]) {
            slugs[question->provider_count++] = parser->index->providers[i].slug;
        }
    }
    if (question->provider_count == total) {
        question->provider_count = 0;
        return true;
    }
    question->providers = slugs;
    return true;
}

/* Columns that are those of the default say nothing. */
static bool finish_columns(struct parser *parser) {
    struct question *question = parser->question;
    const size_t total = parser->index->attribute_count;
    const struct index_attribute **columns = room(parser, total, sizeof(*columns));
    const struct index_attribute **usual = room(parser, total, sizeof(*usual));
    if (columns == NULL || usual == NULL) {
        return false;
    }
    if (parser->columns == NULL) {
        return true;
    }
    size_t usual_count = question_columns(question, parser->index, usual);
    size_t count = 0;
    for (size_t i = 0; i < total; i++) {
        if (parser->columns[i]) {
            columns[count++] = &parser->index->attributes[i];
        }
    }
    if (count == usual_count && memcmp(columns, usual, count * sizeof(*columns)) == 0) {
        return true;
    }
    question->columns = columns;
    question->column_count = count;
    return true;
}

static bool finish_condition(struct parser *parser, const struct draft *draft) {
    struct condition *condition = &parser->question->conditions[parser->question->condition_count];
    *condition = (struct condition){.attribute = draft->attribute,
                                    .kind = draft->kind,
                                    .numbers = draft->numbers,
                                    .value_count = draft->number_count,
                                    .or_unknown = draft->or_unknown,
                                    .bound = draft->bound};
    if (draft->chosen != NULL && !draft->has_bound) {
        condition->values = room(parser, draft->attribute->value_count, sizeof(const char *));
        if (condition->values == NULL) {
            return false;
        }
        for (size_t i = 0; i < draft->attribute->value_count; i++) {
            if (draft->chosen[i]) {
                condition->values[condition->value_count++] = draft->attribute->values[i].value;
            }
        }
    }
    if (condition->or_unknown && condition->value_count == 0) {
        condition->kind = CONDITION_UNKNOWN;
        condition->values = NULL;
        condition->or_unknown = false;
    }
    parser->question->condition_count++;
    return true;
}

static const struct draft *find_draft(const struct parser *parser,
                                      const struct index_attribute *attribute,
                                      enum condition_kind kind) {
    for (size_t i = 0; i < parser->draft_count; i++) {
        if (parser->drafts[i].attribute == attribute && parser->drafts[i].kind == kind) {
            return &parser->drafts[i];
        }
    }
    return NULL;
}

static bool check_range(struct parser *parser, const struct index_attribute *attribute) {
    const struct draft *least = find_draft(parser, attribute, CONDITION_AT_LEAST);
    const struct draft *most = find_draft(parser, attribute, CONDITION_AT_MOST);
    if (least == NULL || most == NULL || least->bound <= most->bound) {
        return true;
    }
    struct buf parameter;
    buf_init(&parameter, ERROR_MESSAGE_BYTES);
    buf_add_format(&parameter, "%s%s__gte", parser->prefix, attribute->key);
    if (parameter.failed) {
        return parser_no_memory(parser);
    }
    (void)parser_fault(parser, parameter.data, NULL, NULL,
                       "%s is above %s%s__lte: nothing can be both.", parameter.data,
                       parser->prefix, attribute->key);
    buf_free(&parameter);
    return false;
}

static bool finish_conditions(struct parser *parser) {
    struct question *question = parser->question;
    question->conditions = room(parser, parser->draft_count, sizeof(struct condition));
    bool good = question->conditions != NULL;
    for (size_t i = 0; good && i < parser->index->attribute_count; i++) {
        const struct index_attribute *attribute = &parser->index->attributes[i];
        good = check_range(parser, attribute);
        for (int kind = CONDITION_ANY; good && kind <= CONDITION_AT_MOST; kind++) {
            const struct draft *draft = find_draft(parser, attribute, (enum condition_kind)kind);
            good = draft == NULL || finish_condition(parser, draft);
        }
    }
    return good;
}

bool parser_finish(struct parser *parser) {
    struct question *question = parser->question;
    if (question->statuses == 0) {
        question->statuses = STATUS_BIT_ACTIVE;
    }
    if (!question->any_stage) {
        question->stages = named(parser, parser->stages, question_stage_names, STAGE_NAMES,
                                 &question->stage_count);
    }
    if (parser->kinds != (1u << KIND_NAMES) - 1) {
        question->kinds =
            named(parser, parser->kinds, question_kind_names, KIND_NAMES, &question->kind_count);
    }
    /* Without a use case names are the order anyway. */
    if (question->sort_by_name && question->use_case == NULL && !question->sort_descending) {
        question->sort_by_name = false;
    }
    return parser->result != QUESTION_FAILED && finish_conditions(parser) &&
           finish_providers(parser) && finish_columns(parser);
}
