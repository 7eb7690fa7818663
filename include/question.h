/* The filter grammar: what a query string asks of the catalogue.
 *
 *   - key=value: any of several, by comma or repetition; key=unknown: the fact is not documented
 *     (beside values: or one of them)
 *   - key__all=a,b: every one of them
 *   - key__not=x: documented, and none of them
 *   - key__gte= key__lte=: numbers, money, durations (24h, 90m, 7d, seconds, unlimited). Of a money
 *     map they judge its cheapest entry
 *   - q= status= stage= kind= use_case= sort= columns= providers= limit= offset=
 *
 * Names and values are found whatever their case. A parameter without a value is passed over: forms
 * send those. Two questions that mean the same have the same canonical text, and with it one
 * address and one cache entry. */
#ifndef AGENT_SANDBOXES_QUESTION_H
#define AGENT_SANDBOXES_QUESTION_H

#include "buf.h"
#include "catalogue.h"
#include "catalogue_index.h"
#include "target.h"

enum condition_kind {
    CONDITION_ANY, /* one of the values */
    CONDITION_ALL, /* every value */
    CONDITION_NOT, /* documented, and none of the values */
    CONDITION_AT_LEAST,
    CONDITION_AT_MOST,
    CONDITION_UNKNOWN /* not documented */
};

struct condition {
    const struct index_attribute *attribute;
    enum condition_kind kind;
    const char **values; /* as in the attribute's values; NULL for numbers, bounds and unknown */
    double *numbers;     /* instead of values, for attributes of one number; ascending */
    size_t value_count;  /* of values or numbers */
    bool or_unknown;     /* of ANY: not documented is one of the alternatives */
    double bound;        /* of AT_LEAST and AT_MOST; INFINITY is unlimited */
};

enum {
    STATUS_BIT_ACTIVE = 1 << STATUS_ACTIVE,
    STATUS_BIT_WINDING_DOWN = 1 << STATUS_WINDING_DOWN,
    STATUS_BIT_DISCONTINUED = 1 << STATUS_DISCONTINUED,
    STATUS_BIT_ANY = STATUS_BIT_ACTIVE | STATUS_BIT_WINDING_DOWN | STATUS_BIT_DISCONTINUED
};

/* A part of a longer question, whose conditions stand under prefixes ("must.gpu=true"). */
struct question_form {
    const char *const *prefixes;
    size_t prefix_count;
    size_t own; /* the prefix whose conditions are read; those of the others are passed over */
    const char *const *parameters; /* the only ones allowed; NULL: whatever has no prefix is passed
                                      over */
    size_t parameter_count;
};

/* A parsed question. Its texts live in its arena or in the index. */
struct question {
    const char *prefix;           /* of its conditions' names; "" for none */
    struct condition *conditions; /* by attribute position, then kind */
    size_t condition_count;
    unsigned statuses;   /* STATUS_BIT_*; active unless asked otherwise */
    const char **stages; /* release stages wanted; NULL: every stage but deprecated. With a list, an
                            offering of undocumented stage is undecided */
    size_t stage_count;  /* "any" is no list and any_stage */
    bool any_stage;
    const char **kinds; /* provider kinds wanted; NULL: every kind */
    size_t kind_count;
    const char **providers; /* slugs, sorted: their order has no meaning; NULL: all */
    size_t provider_count;
    const char *text;                   /* q= as sorted words in lower case; NULL: none */
    const char *use_case;               /* slug; NULL: none */
    const struct index_attribute *sort; /* NULL: by name, or by rank where there is a use case */
    bool sort_descending;
    bool sort_by_name;
    const struct index_attribute **columns; /* by position; NULL: the attributes asked about or
                                               sorted by, else the headline ones */
    size_t column_count;
    size_t limit;
    size_t offset;
    struct arena arena;
};

/* Why a query string is no question: everything a client needs to mend it. Texts live in the
 * question's arena or are static. */
struct question_fault {
    const char *parameter;
    char detail[ERROR_MESSAGE_BYTES];
    const char *nearest; /* the nearest known name, or NULL */
    json_t *allowed;     /* an array of what is allowed, or NULL. Owned by the caller */
};

enum question_result {
    QUESTION_GOOD,
    QUESTION_FAULTY, /* *fault is set */
    QUESTION_FAILED  /* *error is set */
};

/* Parses pairs. "format" and tracking parameters (utm_*, ref, gclid, fbclid) are passed over.
 * use_cases is the array of STATEMENT_USE_CASES. Whatever the result, the caller frees with
 * question_free, once it is done with the fault's texts. */
enum question_result question_parse(const struct catalogue_index *index, const json_t *use_cases,
                                    const struct pair *pairs, size_t pair_count,
                                    struct question *out_question, struct question_fault *fault,
                                    struct error *error) MUST_USE;

/* The same for one part: a fault names parameters with their prefix. */
enum question_result question_parse_part(const struct catalogue_index *index,
                                         const json_t *use_cases, const struct question_form *form,
                                         const struct pair *pairs, size_t pair_count,
                                         struct question *out_question,
                                         struct question_fault *fault,
                                         struct error *error) MUST_USE;

/* Frees what question_parse made; a zeroed question is fine. */
void question_free(struct question *question);

/* Appends the canonical query string, percent-encoded, without "?": parameters in fixed order,
 * values in fixed order, defaults left out. */
void question_add_canonical(const struct question *question, struct buf *out);

/* The two halves of that: begin is the length of out before the query. */
void question_add_conditions(const struct question *question, struct buf *out, size_t begin);
void question_add_parameters(const struct question *question, struct buf *out, size_t begin);

/* Appends one condition as it is written in a question, not encoded ("isolation=microvm,gvisor").
 */
void condition_add_text(const struct condition *condition, struct buf *out);

/* Appends what a condition asks of its attribute in words: "microVM or gVisor", "at most $0.05",
 * "not none". */
void condition_add_words(const struct condition *condition, struct buf *out);

/* The attributes that an answer shows: columns, or what stands for them. Writes at most
 * index->attribute_count of them to out and returns how many. */
size_t question_columns(const struct question *question, const struct catalogue_index *index,
                        const struct index_attribute **out);

#endif
