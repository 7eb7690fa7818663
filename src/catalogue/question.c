/* Reading a question: each pair goes to a condition or to a parameter, and what they left behind is
 * put in canonical order at the end. */
#include "question.h"
#include "limit.h"
#include "question_private.h"
#include "text.h"
#include <string.h>

const char *const question_parameter_names[PARAMETER__COUNT] = {
    [PARAMETER_TEXT] = "q",      [PARAMETER_PROVIDERS] = "providers",
    [PARAMETER_KIND] = "kind",   [PARAMETER_STATUS] = "status",
    [PARAMETER_STAGE] = "stage", [PARAMETER_USE_CASE] = "use_case",
    [PARAMETER_SORT] = "sort",   [PARAMETER_COLUMNS] = "columns",
    [PARAMETER_LIMIT] = "limit", [PARAMETER_OFFSET] = "offset",
};

const char *const question_status_names[STATUS_NAMES] = {
    [STATUS_ACTIVE] = "active",
    [STATUS_WINDING_DOWN] = "winding-down",
    [STATUS_DISCONTINUED] = "discontinued",
};

const char *const question_stage_names[STAGE_NAMES] = {"ga",    "beta",         "preview",
                                                       "alpha", "experimental", "deprecated"};

const char *const question_kind_names[KIND_NAMES] = {"hosted", "cloud-service", "local-tool",
                                                     "self-hostable"};

char *parser_lower(struct parser *parser, const char *text) {
    char *copy = arena_text(&parser->question->arena, text);
    for (char *at = copy; at != NULL && *at != '\0'; at++) {
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + ('a' - 'A') : *at);
    }
    if (copy == NULL) {
        (void)parser_no_memory(parser);
    }
    return copy;
}

bool parser_each_member(struct parser *parser, const char *parameter, const char *list,
                        member_function *function, void *context) {
    char *member = arena_text(&parser->question->arena, list);
    if (member == NULL) {
        return parser_no_memory(parser);
    }
    for (bool last = false; !last;) {
        char *end = member + strcspn(member, ",");
        char *next = end + 1;
        last = *end == '\0';
        member += strspn(member, " ");
        while (end > member && end[-1] == ' ') {
            end--;
        }
        *end = '\0';
        if (*member != '\0' && !function(parser, parameter, member, context)) {
            return false;
        }
        member = next;
    }
    return true;
}

/* "format" belongs to the negotiation; the others only say where a reader came from. */
static bool is_passed_over(const char *key) {
    static const char *const names[] = {"format", "ref", "gclid", "fbclid"};
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        if (strcmp(key, names[i]) == 0) {
            return true;
        }
    }
    return text_starts(key, "utm_");
}

/* Whether this part of a longer question reads a parameter of that name. */
static bool is_allowed(const struct question_form *form, const char *name) {
    bool allowed = form == NULL;
    for (size_t i = 0; form != NULL && i < form->parameter_count; i++) {
        allowed = allowed || strcmp(name, form->parameters[i]) == 0;
    }
    return allowed;
}

/* Whether another part of the longer question reads this key. */
static bool is_of_others(const struct question_form *form, const char *key) {
    bool others = form->parameters == NULL;
    for (size_t i = 0; i < form->prefix_count; i++) {
        others = others || text_starts(key, form->prefixes[i]);
    }
    return others;
}

static bool take_pair(struct parser *parser, const struct pair *pair) {
    const char *key = parser_lower(parser, pair->key);
    const struct question_form *form = parser->form;
    if (key == NULL) {
        return false;
    }
    if (is_passed_over(key)) {
        return true;
    }
    if (form != NULL && text_starts(key, parser->prefix)) {
        return parser_take_condition(parser, key, pair->value);
    }
    if (form != NULL && is_of_others(form, key)) {
        return true;
    }
    for (int i = 0; i < PARAMETER__COUNT; i++) {
        const char *name = question_parameter_names[i];
        if (strcmp(key, name) == 0 && is_allowed(form, name)) {
            return parser_take_parameter(parser, (enum parameter)i, pair->value);
        }
    }
    /* The default of stage=, in words: what answers call the condition. */
    if (strcmp(key, "stage__not") == 0 && strcmp(pair->value, "deprecated") == 0) {
        return true;
    }
    return form == NULL ? parser_take_condition(parser, key, pair->value)
                        : parser_fault_bare_key(parser, key);
}

enum question_result question_parse(const struct catalogue_index *index, const json_t *use_cases,
                                    const struct pair *pairs, size_t pair_count,
                                    struct question *out_question, struct question_fault *fault,
                                    struct error *error) {
    return question_parse_part(index, use_cases, NULL, pairs, pair_count, out_question, fault,
                               error);
}

enum question_result question_parse_part(const struct catalogue_index *index,
                                         const json_t *use_cases, const struct question_form *form,
                                         const struct pair *pairs, size_t pair_count,
                                         struct question *out_question,
                                         struct question_fault *fault, struct error *error) {
    const char *prefix = form == NULL ? "" : form->prefixes[form->own];
    *out_question = (struct question){.prefix = prefix, .statuses = 0, .limit = LIMIT_PAGE_ROWS};
    *fault = (struct question_fault){0};
    struct parser parser = {.index = index,
                            .form = form,
                            .prefix = prefix,
                            .use_cases = use_cases,
                            .question = out_question,
                            .fault = fault};
    parser.drafts = arena_alloc(&out_question->arena, pair_count + 1, sizeof(struct draft));
    bool good = parser.drafts != NULL || parser_no_memory(&parser);
    for (size_t i = 0; good && i < pair_count; i++) {
        good = take_pair(&parser, &pairs[i]);
    }
    good = good && parser_finish(&parser);
    if (!good && parser.result == QUESTION_FAILED) {
        (void)error_no_memory(error);
    }
    return good ? QUESTION_GOOD : parser.result;
}

void question_free(struct question *question) {
    arena_free(&question->arena);
    *question = (struct question){0};
}

size_t question_columns(const struct question *question, const struct catalogue_index *index,
                        const struct index_attribute **out) {
    size_t count = 0;
    for (size_t i = 0; i < question->column_count; i++) {
        out[count++] = question->columns[i];
    }
    if (count > 0) {
        return count;
    }
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool asked = question->condition_count == 0 ? attribute->headline : false;
        for (size_t j = 0; j < question->condition_count; j++) {
            asked = asked || question->conditions[j].attribute == attribute;
        }
        if (asked || question->sort == attribute) {
            out[count++] = attribute;
        }
    }
    return count;
}
