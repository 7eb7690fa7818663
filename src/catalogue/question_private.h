/* What the files that read a question share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_QUESTION_PRIVATE_H
#define AGENT_SANDBOXES_QUESTION_PRIVATE_H

#include "question.h"

/* The parameters that are no attribute. */
enum parameter {
    PARAMETER_TEXT,
    PARAMETER_PROVIDERS,
    PARAMETER_KIND,
    PARAMETER_STATUS,
    PARAMETER_STAGE,
    PARAMETER_USE_CASE,
    PARAMETER_SORT,
    PARAMETER_COLUMNS,
    PARAMETER_LIMIT,
    PARAMETER_OFFSET,
    PARAMETER__COUNT
};

/* Their names, in canonical order. */
extern const char *const question_parameter_names[PARAMETER__COUNT];

/* The fixed vocabularies, as in sql/schema.sql. */
enum { STATUS_NAMES = 3, STAGE_NAMES = 6, KIND_NAMES = 4 };
extern const char *const question_status_names[STATUS_NAMES]; /* by enum provider_status */
extern const char *const question_stage_names[STAGE_NAMES];
extern const char *const question_kind_names[KIND_NAMES];

/* The suffix of a condition's key ("__all"), "" for ANY and UNKNOWN. */
const char *condition_suffix(enum condition_kind kind);

/* A condition in the making. */
struct draft {
    const struct index_attribute *attribute;
    enum condition_kind kind;
    bool *chosen; /* per value of the attribute; NULL for numbers and bounds */
    double *numbers;
    size_t number_count;
    size_t number_capacity;
    bool or_unknown;
    bool has_bound;
    double bound;
};

struct parser {
    const struct catalogue_index *index;
    const struct question_form *form; /* NULL: the whole grammar */
    const char *prefix;               /* of conditions; "" for none */
    const json_t *use_cases;
    struct question *question;
    struct question_fault *fault;
    enum question_result result; /* why parsing stopped */
    struct draft *drafts;
    size_t draft_count;
    bool *providers; /* per provider: named. NULL: none is */
    bool *columns;   /* per attribute: named. NULL: none is */
    unsigned stages; /* bits, by the vocabulary */
    unsigned kinds;
    bool seen[PARAMETER__COUNT];
};

/* Stops with a fault. allowed (may be NULL) is taken over. Always returns false. */
bool parser_fault(struct parser *parser, const char *parameter, const char *nearest,
                  json_t *allowed, const char *format, ...) PRINTF_LIKE(5, 6);

/* Stops because memory ran out. Always returns false. */
bool parser_no_memory(struct parser *parser);

/* Faults that need a list of names. Each returns false. */
bool parser_fault_key(struct parser *parser, const char *key);
/* A key that has none of the form's prefixes and is no parameter. */
bool parser_fault_bare_key(struct parser *parser, const char *key);
bool parser_fault_name(struct parser *parser, const char *parameter, const char *text,
                       const char *const *names, size_t count);
bool parser_fault_provider(struct parser *parser, const char *text);
bool parser_fault_use_case(struct parser *parser, const char *text);
bool parser_fault_attribute(struct parser *parser, const char *parameter, const char *text,
                            bool or_name);
bool parser_fault_value(struct parser *parser, const char *parameter,
                        const struct index_attribute *attribute, bool or_unknown, const char *text);
bool parser_fault_number(struct parser *parser, const char *parameter,
                         const struct index_attribute *attribute, const char *text);

/* A copy in lower case (ASCII) in the question's arena; NULL: out of memory. */
char *parser_lower(struct parser *parser, const char *text);

/* Takes one member of a comma-separated list, without blanks around it. */
typedef bool member_function(struct parser *parser, const char *parameter, char *member,
                             void *context);

/* Calls function for each member of a list; empty ones are passed over. */
bool parser_each_member(struct parser *parser, const char *parameter, const char *list,
                        member_function *function, void *context);

/* Takes "attribute", "attribute__all" and so on, after the parser's prefix; a key that is neither
 * is a fault. */
bool parser_take_condition(struct parser *parser, const char *key, const char *value);

/* Takes a parameter of the list above. */
bool parser_take_parameter(struct parser *parser, enum parameter parameter, const char *value);

/* Turns the drafts and lists into the question's arrays, and refuses what contradicts itself. */
bool parser_finish(struct parser *parser);

#endif
