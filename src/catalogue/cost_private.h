/* What the engine's own files share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_COST_PRIVATE_H
#define AGENT_SANDBOXES_COST_PRIVATE_H

#include "catalogue_index.h"
#include "cost.h"
#include "cost_exact.h"

enum { COST_FACTS = 11, COST_METERS = 6, COST_HOUR_SECONDS = 3600 };

/* Everything that a question is answered from. */
struct cost_context {
    const struct catalogue_index *index;
    int64_t today;
    const struct cost_question *question;
    const json_t *gpu; /* row of the model asked for, or NULL */
    json_t *gpus;
    json_t *rates;
    json_t *sizes;
    json_t *rules;
    json_t *plans;
    json_t *facts; /* fact objects by rowid */
};

bool cost_context_load(struct catalogue *catalogue, const struct cost_question *question,
                       struct cost_context *out_context, struct error *error) MUST_USE;
void cost_context_free(struct cost_context *context);

/* The fact that answers an attribute for a slot. Borrowed; NULL: none. */
const json_t *cost_fact(const struct cost_context *context, size_t slot, const char *attribute);

/* The slot's own rule, else its provider's. Borrowed; NULL: none. */
const json_t *cost_rule(const struct cost_context *context, size_t slot);

/* The published rate of a resource ("vcpu"), or NULL. Borrowed. */
const json_t *cost_rate(const struct cost_context *context, size_t slot, const char *resource);

/* A row with a source as an object of the form of a fact, said to be about attribute of the slot.
 * New reference. */
json_t *cost_receipt(const struct cost_context *context, const json_t *row, size_t slot,
                     const char *attribute, const char *text);

/* A text of a row, or NULL. */
const char *cost_text(const json_t *row, const char *key);

/* " (private)" for a row or a receipt that an overlay put there, else "". */
const char *cost_mark(const json_t *row);

/* How long all sandboxes together are in each state in a month, in units of COST_SECOND. */
struct cost_time {
    cost_exact active;
    cost_exact idle; /* what steps and minimum charges add counts here */
    cost_exact paused;
    cost_exact gpu;
    cost_exact added;   /* of idle, by steps and minimum charges */
    cost_exact per_run; /* as charged */
};

/* The times of a question under a rule (NULL: nothing is rounded). */
bool cost_time_make(const struct cost_question *question, const json_t *rule,
                    struct cost_time *out_time, struct error *error) MUST_USE;

enum cost_meter_kind { METER_CPU, METER_MEMORY, METER_SIZE, METER_STORAGE, METER_GPU, METER_RUNS };

/* One thing that is metered: time x amount x rate. */
struct cost_meter {
    enum cost_meter_kind kind;
    cost_exact time;  /* units of COST_SECOND */
    int64_t amount;   /* COST_SIZE_UNITS */
    int64_t rate;     /* 10^-10 dollars */
    int64_t seconds;  /* that the rate buys */
    int64_t mills;    /* the charge before allowances */
    int64_t free;     /* of it, what the plan includes */
    cost_exact spare; /* what the plan includes, as time x amount */
    json_t *receipt;  /* owned */
    const char *name; /* of the size or the GPU */
};

enum cost_outcome {
    OUTCOME_TOTAL,
    OUTCOME_FREE,
    OUTCOME_DOES_NOT_FIT,
    OUTCOME_NO_RATE,
    OUTCOME_NOT_ON_SALE,
    OUTCOME__COUNT
};

/* What one slot costs. */
struct cost_quote {
    size_t slot;
    enum cost_outcome outcome;
    json_t *reason; /* text or NULL */
    json_t *fact;   /* or NULL */
    const json_t *rule;
    struct cost_time time;
    struct cost_meter meters[COST_METERS];
    size_t meter_count;
    json_t *open;       /* array of texts */
    const json_t *plan; /* row, or NULL */
    json_t *plan_open;  /* why the plan makes it a lower bound, or NULL */
    int64_t fee;        /* mills */
    int64_t credit;     /* mills, taken off */
    int64_t total;      /* mills */
};

void cost_quote_free(struct cost_quote *quote);

/* Adds a text to open; formats as printf. */
bool cost_quote_open(struct cost_quote *quote, const char *format, ...) PRINTF_LIKE(2, 3);

/* Fills the meters of a slot that is charged by rates or sizes, or turns the quote to another
 * outcome. */
bool cost_meters_make(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) MUST_USE;

/* Chooses the plan with the smallest total, and fills plan, fee, credit and total. */
bool cost_plan_choose(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) MUST_USE;

/* The quote as an entry (without "others"). New reference. */
json_t *cost_entry(const struct cost_context *context, const struct cost_quote *quote);

#endif
