/* Conditions on attributes: "gpu=true", "isolation__all=microvm,gvisor", "max_vcpu__gte=8". */
#include "question_private.h"
#include "text.h"
#include <math.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *suffix;
    enum condition_kind kind;
} suffixes[] = {{"", CONDITION_ANY},
                {"__all", CONDITION_ALL},
                {"__not", CONDITION_NOT},
                {"__gte", CONDITION_AT_LEAST},
                {"__lte", CONDITION_AT_MOST}};

const char *condition_suffix(enum condition_kind kind) {
    for (size_t i = 0; i < ARRAY_LENGTH(suffixes); i++) {
        if (suffixes[i].kind == kind) {
            return suffixes[i].suffix;
        }
    }
    return "";
}

/* The draft for this attribute and kind, new where there is none; NULL: out of memory. */
static struct draft *draft_for(struct parser *parser, const struct index_attribute *attribute,
                               enum condition_kind kind) {
    for (size_t i = 0; i < parser->draft_count; i++) {
        struct draft *draft = &parser->drafts[i];
        if (draft->attribute == attribute && draft->kind == kind) {
            return draft;
        }
    }
    struct draft *draft = &parser->drafts[parser->draft_count];
    *draft = (struct draft){.attribute = attribute, .kind = kind};
    if (!attribute_is_numeric(attribute)) {
        draft->chosen =
            arena_alloc(&parser->question->arena, attribute->value_count + 1, sizeof(bool));
        if (draft->chosen == NULL) {
            (void)parser_no_memory(parser);
            return NULL;
        }
    }
    parser->draft_count++;
    return draft;
}

/* A number as the attribute's type writes it. */
static bool read_number(struct parser *parser, const char *parameter,
                        const struct index_attribute *attribute, const char *text,
                        double *out_number) {
    const char *lower = parser_lower(parser, text);
    if (lower == NULL) {
        return false;
    }
    if (attribute->type == TYPE_DURATION && strcmp(lower, "unlimited") == 0) {
        *out_number = INFINITY;
        return true;
    }
    bool good = attribute->type == TYPE_DURATION ? text_duration(lower, out_number)
                                                 : text_number(lower, out_number);
    if (!good) {
        return parser_fault_number(parser, parameter, attribute, text);
    }
    *out_number += 0.0; /* no minus zero */
    return true;
}

/* Keeps the draft's numbers sorted, each once. */
static bool add_number(struct parser *parser, struct draft *draft, double number) {
    size_t place = 0;
    while (place < draft->number_count && draft->numbers[place] < number) {
        place++;
    }
    if (place < draft->number_count && draft->numbers[place] == number) {
        return true;
    }
    if (draft->number_count == draft->number_capacity) {
        size_t capacity = draft->number_capacity == 0 ? 8 : 2 * draft->number_capacity;
        double *numbers = arena_alloc(&parser->question->arena, capacity, sizeof(double));
        if (numbers == NULL) {
            return parser_no_memory(parser);
        }
        if (draft->number_count > 0) {
            memcpy(numbers, draft->numbers, draft->number_count * sizeof(double));
        }
        draft->numbers = numbers;
        draft->number_capacity = capacity;
    }
    memmove(&draft->numbers[place + 1], &draft->numbers[place],
            (draft->number_count - place) * sizeof(double));
    draft->numbers[place] = number;
    draft->number_count++;
    return true;
}

/* The value with this name: exactly, else whatever its case. */
static const struct index_value *find_value(const struct index_attribute *attribute,
                                            const char *text) {
    const struct index_value *exact = index_value(attribute, text);
    for (size_t i = 0; exact == NULL && i < attribute->value_count; i++) {
        if (strcasecmp(attribute->values[i].value, text) == 0) {
            exact = &attribute->values[i];
        }
    }
    return exact;
}

static bool take_member(struct parser *parser, const char *parameter, char *member, void *context) {
    struct draft *draft = context;
    const struct index_attribute *attribute = draft->attribute;
    if (draft->kind == CONDITION_ANY && strcasecmp(member, "unknown") == 0) {
        draft->or_unknown = true;
        return true;
    }
    if (attribute_is_numeric(attribute)) {
        double number = 0;
        return read_number(parser, parameter, attribute, member, &number) &&
               add_number(parser, draft, number);
    }
    const struct index_value *value = find_value(attribute, member);
    if (value == NULL) {
        return parser_fault_value(parser, parameter, attribute, draft->kind == CONDITION_ANY,
                                  member);
    }
    draft->chosen[value - attribute->values] = true;
    return true;
}

static bool take_bound(struct parser *parser, const char *parameter, struct draft *draft,
                       const char *value) {
    if (draft->has_bound) {
        return parser_fault(parser, parameter, NULL, NULL, "%s can be given only once.", parameter);
    }
    draft->has_bound = true;
    return read_number(parser, parameter, draft->attribute, value, &draft->bound);
}

/* A value in use may hold a comma; then the whole text is that value. */
static bool is_whole_value(const struct index_attribute *attribute, const char *text) {
    return !attribute_is_numeric(attribute) && strchr(text, ',') != NULL &&
           find_value(attribute, text) != NULL;
}

bool parser_take_condition(struct parser *parser, const char *key, const char *value) {
    const char *name = key + strlen(parser->prefix);
    const char *suffix = strstr(name, "__");
    char *base = arena_text(&parser->question->arena, name);
    if (base == NULL) {
        return parser_no_memory(parser);
    }
    if (suffix != NULL) {
        base[suffix - name] = '\0';
    }
    const struct index_attribute *attribute = index_attribute(parser->index, base);
    size_t form = 0;
    while (form < ARRAY_LENGTH(suffixes) &&
           strcmp(suffix == NULL ? "" : suffix, suffixes[form].suffix) != 0) {
        form++;
    }
    bool known = attribute != NULL && attribute->filterable && form < ARRAY_LENGTH(suffixes) &&
                 (suffix == NULL || suffix[0] != '\0');
    bool bound = known && (suffixes[form].kind == CONDITION_AT_LEAST ||
                           suffixes[form].kind == CONDITION_AT_MOST);
    if (!known || (bound && attribute->numbers == NULL)) {
        return parser_fault_key(parser, key);
    }
    if (value[strspn(value, " ,")] == '\0') {
        return true;
    }
    struct draft *draft = draft_for(parser, attribute, suffixes[form].kind);
    if (draft == NULL) {
        return false;
    }
    if (bound) {
        return take_bound(parser, key, draft, value);
    }
    if (draft->chosen != NULL && is_whole_value(attribute, value)) {
        draft->chosen[find_value(attribute, value) - attribute->values] = true;
        return true;
    }
    return parser_each_member(parser, key, value, take_member, draft);
}
