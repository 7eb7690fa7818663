/* How long sandboxes run, by a rule's steps and minimum charges. */
#include "cost_private.h"

/* Seconds of a rule in units of COST_SECOND; 0 where it states none. */
static bool rule_seconds(const json_t *rule, const char *key, cost_exact *out_time,
                         struct error *error) {
    enum { SECOND_DIGITS = 8 };
    const json_t *value = json_object_get(rule, key);
    int64_t seconds = 0;
    if (value != NULL && !json_is_null(value) && !cost_exact_json(value, SECOND_DIGITS, &seconds)) {
        return error_set(error, ERROR_CORRUPT, "%s of a billing rule is no plain decimal", key);
    }
    *out_time = seconds;
    return true;
}

bool cost_time_make(const struct cost_question *question, const json_t *rule,
                    struct cost_time *out_time, struct error *error) {
    cost_exact step = 0;
    cost_exact least = 0;
    if (!rule_seconds(rule, "step_seconds", &step, error) ||
        !rule_seconds(rule, "minimum_seconds", &least, error)) {
        return false;
    }
    /* Hours and shares have four digits each: their product is in hundred-millionths. */
    cost_exact hours = (cost_exact)question->sandboxes * question->hours * COST_HOUR_SECONDS;
    cost_exact running = hours * (COST_HOUR_UNITS - question->paused);
    struct cost_time time = {.active = hours * question->active,
                             .paused = hours * question->paused,
                             .gpu = (cost_exact)question->sandboxes * question->gpu_hours *
                                    COST_HOUR_SECONDS * COST_HOUR_UNITS};
    cost_exact charged = running;
    if (running > 0 && (step > 0 || least > 0)) {
        cost_exact unit = step > 0 ? step : 1;
        cost_exact steps = cost_exact_ceiling(running, unit * question->runs);
        cost_exact fewest = cost_exact_ceiling(least, unit);
        time.per_run = (steps > fewest ? steps : fewest) * unit;
        charged = time.per_run * question->runs;
    }
    time.added = charged - running;
    time.idle = running - time.active + time.added;
    *out_time = time;
    return true;
}
