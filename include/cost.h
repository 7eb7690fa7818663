/* Costs: what a month of use would come to at each provider, by the rates, rules and plans of the
 * catalogue.
 *
 * A question (parameters of /cost and /pricing/; all may be left out):
 *   sandboxes    how many exist at once: a whole number, 1 to 100000. 1
 *   hours        hours a month for which each of them exists: 0 to 744. 100
 *   active       share of those hours in which it computes: 0 to 1. 1 less paused
 *   paused       share in which it is paused or stopped: 0 to 1, and no more than 1 with active. 0
 *                What is left is idle: running, but waiting.
 *   runs         starts a month, of all sandboxes: a whole number, sandboxes to 10000000. Steps and
 *                minimum charges count for each. As many as sandboxes
 *   vcpu         of each sandbox: 0.1 to 512. 2
 *   memory_gib   of each sandbox: 0.1 to 2048. 4
 *   storage_gib  of each sandbox, held for all of its hours: 0 to 16384. 0
 *   gpu          a model of the catalogue, one for each sandbox. None
 *   gpu_hours    hours a month for which each sandbox holds its GPU: 0 to its hours that are not
 *                paused. All of those where a gpu is named, else 0
 * Numbers are plain decimals: hours and shares with up to four digits after the point, sizes with
 * up to three. A month has 730 hours where a rate is by the month. GB counts as GiB.
 *
 * Money is exact: each part is computed as a whole number of units far below a cent and rounded
 * once, half up, to a tenth of a cent; a total is the sum of its rounded parts, and is printed to
 * the cent, half up. */
#ifndef AGENT_SANDBOXES_COST_H
#define AGENT_SANDBOXES_COST_H

#include "buf.h"
#include "catalogue.h"
#include "target.h"

enum {
    COST_SANDBOXES_MAXIMUM = 100000,
    COST_RUNS_MAXIMUM = 10000000,
    COST_HOURS_MAXIMUM = 744, /* of the longest month */
    COST_VCPU_MAXIMUM = 512,
    COST_MEMORY_MAXIMUM = 2048,
    COST_STORAGE_MAXIMUM = 16384, /* GiB: the largest drive in the catalogue */
    COST_MONTH_HOURS = 730,
    COST_HOUR_UNITS = 10000, /* hours and shares are counted in ten-thousandths */
    COST_SIZE_UNITS = 1000   /* sizes in thousandths */
};

struct cost_question {
    int64_t sandboxes;
    int64_t hours;  /* COST_HOUR_UNITS */
    int64_t active; /* COST_HOUR_UNITS */
    int64_t paused; /* COST_HOUR_UNITS */
    int64_t runs;
    int64_t vcpu;        /* COST_SIZE_UNITS */
    int64_t memory_gib;  /* COST_SIZE_UNITS */
    int64_t storage_gib; /* COST_SIZE_UNITS */
    char gpu[32];        /* a model's slug; "": none */
    int64_t gpu_hours;   /* COST_HOUR_UNITS */
};

/* What is wrong with a question. */
struct cost_fault {
    char parameter[64];
    char detail[256];
    json_t *allowed;  /* array of texts; owned by whoever receives the fault */
    char nearest[64]; /* "": none */
};

enum cost_result { COST_GOOD, COST_FAULTY, COST_FAILED };

/* Reads a question. Strict: an unknown or repeated parameter, a number that is none, negative, out
 * of range or too fine, and an unknown GPU are faults; an empty value is a parameter left out;
 * "format" is passed over. */
enum cost_result cost_question_parse(struct catalogue *catalogue, const struct pair *pairs,
                                     size_t pair_count, struct cost_question *out_question,
                                     struct cost_fault *out_fault, struct error *error) MUST_USE;

/* Appends the shortest query that asks the same, without "?". */
void cost_question_add_canonical(const struct cost_question *question, struct buf *out);

/* The question as an object of its parameters, numbers as they were meant, gpu null for none. New
 * reference. */
json_t *cost_question_model(const struct cost_question *question) MUST_USE;

/* Appends a parameter's value as a plain decimal. */
void cost_add_decimal(struct buf *out, int64_t value, int64_t units);

/* The answer. Every provider stands in exactly one of five lists, by its best offering (a total
 * before a lower bound, then the smaller, then the default); its other offerings are in "others".
 *   question, rounding (words)
 *   results            [entry], by total
 *   free_software      [entry]: nothing is charged, you bring the machine
 *   does_not_fit       [entry]: larger than what is documented, with the fact
 *   no_published_rate  [entry]: with the reason
 *   not_on_sale        [entry]: provider discontinued or winding down
 * An entry: slug, name, offering, offering_name, stage, outcome, reason (text or null), fact (that
 * the reason rests on, or null), total ({usd, text} or null), at_least, open ([text]: why the total
 * is a lower bound), assumptions ([text]), plan ({name, fee_usd, note, receipt} or null), parts
 * ([{part, label, formula, usd, text, receipt}]), formula (the sum in words), basis (fact
 * billing_basis), one_time (fact free_tier), rule (receipt of the billing rule), others ([entry]).
 * A receipt: {source, basis, checked_on, note, fact (id or null)}. ERROR_CORRUPT where the
 * catalogue's money is not decimal. The caller owns the answer. */
json_t *cost_answer(struct catalogue *catalogue, const struct cost_question *question,
                    struct error *error) MUST_USE;

#endif
