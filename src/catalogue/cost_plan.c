/* Which plan a month of use fits, and what it takes off. */
#include "cost_private.h"
#include <string.h>

/* A plan's total, while plans are compared. */
struct plan_sum {
    bool fits;
    bool sells; /* more than its allowance can be bought */
    bool credit_known;
    int64_t fee;
    int64_t credit;
    int64_t total;
    int64_t free[COST_METERS];
    cost_exact spare[COST_METERS];
};

static bool corrupt(const json_t *plan, const char *key, struct error *error) {
    return error_set(error, ERROR_CORRUPT, "%s of the plan %s is no plain decimal", key,
                     cost_text(plan, "name"));
}

/* Whether value is within a limit of the plan; no limit allows everything. */
static bool within(const json_t *plan, const char *key, int digits, int64_t value) {
    int64_t most = 0;
    const json_t *limit = json_object_get(plan, key);
    return !cost_exact_json(limit, digits, &most) || value <= most;
}

static bool plan_fits(const json_t *plan, const struct cost_question *question) {
    bool has_gpu = question->gpu[0] != '\0' && question->gpu_hours > 0;
    int64_t most_hours = 0;
    bool short_enough = true;
    if (cost_exact_json(json_object_get(plan, "max_run_hours"), COST_HOUR_DIGITS, &most_hours)) {
        cost_exact running = (cost_exact)question->sandboxes * question->hours *
                             (COST_HOUR_UNITS - question->paused);
        short_enough = running <= (cost_exact)most_hours * COST_HOUR_UNITS * question->runs;
    }
    return short_enough && within(plan, "max_sandboxes", 0, question->sandboxes) &&
           within(plan, "max_gpus", 0, has_gpu ? question->sandboxes : 0) &&
           within(plan, "max_runs", 0, question->hours > 0 ? question->runs : 0) &&
           within(plan, "max_vcpu", COST_SIZE_DIGITS, question->vcpu) &&
           within(plan, "max_memory_gib", COST_SIZE_DIGITS, question->memory_gib) &&
           within(plan, "max_storage_gib", COST_SIZE_DIGITS, question->storage_gib) &&
           (question->paused == 0 || !json_is_false(json_object_get(plan, "pauses")));
}

/* The amount x time of a meter that the plan includes. */
static bool allowance(const json_t *plan, const struct cost_meter *meter, cost_exact *out_spare,
                      struct error *error) {
    const char *key = meter->kind == METER_CPU       ? "vcpu_hours"
                      : meter->kind == METER_MEMORY  ? "memory_gib_hours"
                      : meter->kind == METER_STORAGE ? "storage_gib_hours"
                                                     : NULL;
    int64_t hours = 0;
    *out_spare = 0;
    if (key != NULL && !cost_exact_json(json_object_get(plan, key), COST_SIZE_DIGITS, &hours)) {
        return corrupt(plan, key, error);
    }
    *out_spare = (cost_exact)hours * COST_HOUR_SECONDS * COST_SECOND;
    return true;
}

static bool add_meters(const json_t *plan, const struct cost_quote *quote, struct plan_sum *sum,
                       struct error *error) {
    int64_t usage = 0;
    for (size_t i = 0; i < quote->meter_count; i++) {
        const struct cost_meter *meter = &quote->meters[i];
        cost_exact quantity = meter->time * meter->amount;
        if (!allowance(plan, meter, &sum->spare[i], error)) {
            return false;
        }
        if (meter->kind == METER_RUNS && !sum->sells) {
            sum->spare[i] = quantity;
        }
        cost_exact taken = quantity < sum->spare[i] ? quantity : sum->spare[i];
        sum->fits = sum->fits && (sum->sells || quantity <= sum->spare[i]);
        if (!cost_exact_money(taken, meter->rate, meter->seconds, &sum->free[i])) {
            return error_set(error, ERROR_INTERNAL, "a cost is too large to be counted");
        }
        usage += meter->mills - sum->free[i];
    }
    int64_t most = sum->credit_known ? sum->credit : sum->fee;
    sum->credit = usage < most ? usage : most;
    sum->total = sum->fee + usage - sum->credit;
    return true;
}

static bool sum_plan(const json_t *plan, const struct cost_question *question,
                     const struct cost_quote *quote, struct plan_sum *out_sum,
                     struct error *error) {
    enum { MILL_DIGITS = 3 };
    const json_t *credit = json_object_get(plan, "credit_usd");
    struct plan_sum sum = {.fits = plan_fits(plan, question),
                           .sells = !json_is_true(json_object_get(plan, "stops")),
                           .credit_known = !json_is_null(credit)};
    if (!cost_exact_json(json_object_get(plan, "fee_usd"), MILL_DIGITS, &sum.fee)) {
        return corrupt(plan, "fee_usd", error);
    }
    if (sum.credit_known && !cost_exact_json(credit, MILL_DIGITS, &sum.credit)) {
        return corrupt(plan, "credit_usd", error);
    }
    if (!add_meters(plan, quote, &sum, error)) {
        return false;
    }
    *out_sum = sum;
    return true;
}

static void take_plan(struct cost_quote *quote, const json_t *plan, const struct plan_sum *sum) {
    quote->plan = plan;
    quote->fee = sum->fee;
    quote->credit = sum->credit;
    quote->total = sum->total;
    for (size_t i = 0; i < quote->meter_count; i++) {
        quote->meters[i].free = sum->free[i];
        quote->meters[i].spare = sum->spare[i];
    }
    const char *name = cost_text(plan, "name");
    const char *mark = cost_mark(plan);
    json_decref(quote->plan_open);
    quote->plan_open =
        !sum->fits ? json_sprintf("The plan %s%s does not allow this much; what a larger one or "
                                  "an add-on costs is not in the catalogue.",
                                  name, mark)
        : !sum->credit_known
            ? json_sprintf("The plan %s%s includes usage, and how much is not documented; the "
                           "sum takes it to be no more than the fee.",
                           name, mark)
            : NULL;
}

bool cost_plan_choose(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) {
    const char *provider =
        context->index->providers[context->index->slots[quote->slot].provider].slug;
    bool fitting = false;
    int64_t usage = 0;
    for (size_t i = 0; i < quote->meter_count; i++) {
        usage += quote->meters[i].mills;
    }
    quote->total = usage;
    size_t i = 0;
    json_t *plan = NULL;
    json_array_foreach(context->plans, i, plan) {
        struct plan_sum sum = {0};
        if (strcmp(cost_text(plan, "provider"), provider) != 0) {
            continue;
        }
        if (!sum_plan(plan, context->question, quote, &sum, error)) {
            return false;
        }
        bool better = sum.fits && (!fitting || sum.total < quote->total);
        bool best_unfit = !fitting && !sum.fits && sum.sells;
        if (better || best_unfit) {
            take_plan(quote, plan, &sum);
            fitting = sum.fits;
        }
    }
    if (quote->plan == NULL) {
        return cost_quote_open(quote, "No plan fee is in the catalogue; none is counted.") ||
               error_no_memory(error);
    }
    return true;
}
