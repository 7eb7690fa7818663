/* The rules by which a criterion gives its share, one function each. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_SCORE_RULES_H
#define AGENT_SANDBOXES_SCORE_RULES_H

#include "arena.h"
#include "catalogue_index.h"

struct rule;

/* The share, 0 to 1, that a slot earns whose fact is documented; NAN where the fact does not answer
 * this question, which counts as not documented. */
typedef double rule_function(const struct rule *rule, size_t slot);

/* A value that a rule names; value is NULL where nothing has it. */
struct rule_value {
    const struct index_value *value;
    double score;
};

/* A rule of an attribute, read once for all slots. */
struct rule {
    const struct index_attribute *attribute;
    rule_function *function;
    struct rule_value *values;
    size_t value_count;
    double number;   /* of count */
    double log_best; /* of log and key_log */
    double log_worst;
};

struct rule_share {
    double low;
    double high;
    bool stale; /* the fact is documented and past its review-by day */
};

/* Reads a rule such as {"is":{"true":1}}. ERROR_CORRUPT: there is no such rule, or it does not fit
 * the attribute's type. Memory comes from the arena. */
bool rule_read(const json_t *text, const struct index_attribute *attribute, struct arena *arena,
               struct rule *out_rule, struct error *error) MUST_USE;

/* What a slot earns by a rule on a day. */
struct rule_share rule_share(const struct rule *rule, size_t slot, int64_t today);

/* Whether the fact of a slot is documented and has this value (NULL: one that nothing has). */
bool rule_slot_has(const struct index_attribute *attribute, const struct index_value *value,
                   size_t slot);

#endif
