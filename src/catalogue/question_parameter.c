/* The parameters that are no attribute: q, providers, kind, status, stage, use_case, sort, columns,
 * limit and offset. */
#include "limit.h"
#include "question_private.h"
#include "text.h"
#include <limits.h>
#include <string.h>
#include <strings.h>

/* The place of a name, whatever its case, or count. */
static size_t place_of(const char *text, const char *const *names, size_t count) {
    size_t place = 0;
    while (place < count && strcasecmp(text, names[place]) != 0) {
        place++;
    }
    return place;
}

static bool take_status(struct parser *parser, const char *parameter, char *member, void *context) {
    (void)context;
    static const char *const allowed[] = {"active", "winding-down", "discontinued", "any"};
    size_t place = place_of(member, allowed, ARRAY_LENGTH(allowed));
    if (place == ARRAY_LENGTH(allowed)) {
        return parser_fault_name(parser, parameter, member, allowed, ARRAY_LENGTH(allowed));
    }
    parser->question->statuses |= place == STATUS_NAMES ? STATUS_BIT_ANY : 1u << place;
    return true;
}

static bool take_stage(struct parser *parser, const char *parameter, char *member, void *context) {
    (void)context;
    static const char *const allowed[] = {"ga",           "beta",       "preview", "alpha",
                                          "experimental", "deprecated", "any"};
    size_t place = place_of(member, allowed, ARRAY_LENGTH(allowed));
    if (place == ARRAY_LENGTH(allowed)) {
        return parser_fault_name(parser, parameter, member, allowed, ARRAY_LENGTH(allowed));
    }
    if (place == STAGE_NAMES) {
        parser->question->any_stage = true;
    } else {
        parser->stages |= 1u << place;
    }
    return true;
}

static bool take_kind(struct parser *parser, const char *parameter, char *member, void *context) {
    (void)context;
    size_t place = place_of(member, question_kind_names, KIND_NAMES);
    if (place == KIND_NAMES) {
        return parser_fault_name(parser, parameter, member, question_kind_names, KIND_NAMES);
    }
    parser->kinds |= 1u << place;
    return true;
}

static bool take_provider(struct parser *parser, const char *parameter, char *member,
                          void *context) {
    (void)parameter;
    (void)context;
    const char *slug = parser_lower(parser, member);
    if (slug == NULL) {
        return false;
    }
    const struct index_provider *provider = index_provider(parser->index, slug);
    if (provider == NULL) {
        return parser_fault_provider(parser, member);
    }
    if (parser->providers == NULL) {
        parser->providers =
            arena_alloc(&parser->question->arena, parser->index->provider_count, sizeof(bool));
    }
    if (parser->providers == NULL) {
        return parser_no_memory(parser);
    }
    parser->providers[provider - parser->index->providers] = true;
    return true;
}

static bool take_column(struct parser *parser, const char *parameter, char *member, void *context) {
    (void)context;
    const char *key = parser_lower(parser, member);
    if (key == NULL) {
        return false;
    }
    const struct index_attribute *attribute = index_attribute(parser->index, key);
    if (attribute == NULL) {
        return parser_fault_attribute(parser, parameter, member, false);
    }
    if (parser->columns == NULL) {
        parser->columns =
            arena_alloc(&parser->question->arena, parser->index->attribute_count, sizeof(bool));
    }
    if (parser->columns == NULL) {
        return parser_no_memory(parser);
    }
    parser->columns[attribute - parser->index->attributes] = true;
    return true;
}

static bool take_sort(struct parser *parser, const char *value) {
    struct question *question = parser->question;
    question->sort_descending = value[0] == '-';
    const char *key = parser_lower(parser, question->sort_descending ? value + 1 : value);
    if (key == NULL) {
        return false;
    }
    if (strcmp(key, "name") == 0) {
        question->sort_by_name = true;
        return true;
    }
    question->sort = index_attribute(parser->index, key);
    return question->sort != NULL || parser_fault_attribute(parser, "sort", key, true);
}

static bool take_use_case(struct parser *parser, const char *value) {
    const char *slug = parser_lower(parser, value);
    if (slug == NULL) {
        return false;
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(parser->use_cases, i, row) {
        if (strcmp(json_string_value(json_object_get(row, "slug")), slug) == 0) {
            parser->question->use_case = slug;
            return true;
        }
    }
    return parser_fault_use_case(parser, value);
}

static bool take_count(struct parser *parser, const char *parameter, const char *value,
                       long long low, long long high, size_t *out_count) {
    long long count = 0;
    if (!text_integer(value, low, high, &count)) {
        return parser_fault(parser, parameter, NULL,
                            json_pack("[I, I]", (json_int_t)low, (json_int_t)high),
                            "\"%s\" is no whole number from %lld to %lld.", value, low, high);
    }
    *out_count = (size_t)count;
    return true;
}

/* A byte of a word: letters and digits, and whatever is beyond ASCII. */
static bool is_word_byte(char byte) {
    unsigned char value = (unsigned char)byte;
    return value >= 0x80 || (value >= '0' && value <= '9') || (value >= 'a' && value <= 'z');
}

/* Puts a word in its place among sorted, distinct words; false: there are too many. */
static bool add_word(char **words, size_t *count, char *word) {
    size_t place = 0;
    while (place < *count && strcmp(words[place], word) < 0) {
        place++;
    }
    if (place < *count && strcmp(words[place], word) == 0) {
        return true;
    }
    if (*count == LIMIT_SEARCH_WORDS) {
        return false;
    }
    memmove(&words[place + 1], &words[place], (*count - place) * sizeof(char *));
    words[place] = word;
    (*count)++;
    return true;
}

/* Text is words and nothing else: no character of it means anything to the search. */
static bool take_text(struct parser *parser, const char *value) {
    char *words[LIMIT_SEARCH_WORDS + 1];
    size_t count = 0;
    char *at = parser_lower(parser, value);
    char *text = at == NULL ? NULL : arena_text(&parser->question->arena, at);
    if (text == NULL) {
        return parser_no_memory(parser);
    }
    while (*at != '\0') {
        char *word = at;
        while (is_word_byte(*at)) {
            at++;
        }
        bool ended = *at == '\0';
        *at = '\0';
        if (at > word && !add_word(words, &count, word)) {
            return parser_fault(parser, "q", NULL, NULL, "q takes at most %d words.",
                                LIMIT_SEARCH_WORDS);
        }
        at += ended ? 0 : 1;
    }
    if (count == 0) {
        return parser_fault(parser, "q", NULL, NULL, "There is no word in \"%s\".", value);
    }
    /* Each word and one blank take no more room than they did. */
    char *end = text;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(words[i]);
        memcpy(end, words[i], length);
        end[length] = ' ';
        end += length + (i + 1 < count ? 1 : 0);
    }
    *end = '\0';
    parser->question->text = text;
    return true;
}

bool parser_take_parameter(struct parser *parser, enum parameter parameter, const char *value) {
    const char *name = question_parameter_names[parameter];
    if (value[strspn(value, " ,")] == '\0') {
        return true;
    }
    switch (parameter) {
    case PARAMETER_PROVIDERS:
        return parser_each_member(parser, name, value, take_provider, NULL);
    case PARAMETER_KIND:
        return parser_each_member(parser, name, value, take_kind, NULL);
    case PARAMETER_STATUS:
        return parser_each_member(parser, name, value, take_status, NULL);
    case PARAMETER_STAGE:
        return parser_each_member(parser, name, value, take_stage, NULL);
    case PARAMETER_COLUMNS:
        return parser_each_member(parser, name, value, take_column, NULL);
    default:
        break;
    }
    if (parser->seen[parameter]) {
        return parser_fault(parser, name, NULL, NULL, "%s can be given only once.", name);
    }
    parser->seen[parameter] = true;
    switch (parameter) {
    case PARAMETER_TEXT:
        return take_text(parser, value);
    case PARAMETER_USE_CASE:
        return take_use_case(parser, value);
    case PARAMETER_SORT:
        return take_sort(parser, value);
    case PARAMETER_LIMIT:
        return take_count(parser, name, value, 1, LIMIT_PAGE_ROWS_MAX, &parser->question->limit);
    default:
        return take_count(parser, name, value, 0, INT_MAX, &parser->question->offset);
    }
}
