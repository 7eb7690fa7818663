/* What is metered at a provider: which resource, for how long, at which published rate. */
#include "cost_private.h"
#include <stdio.h>
#include <string.h>

/* The sizes that are charged: a size asked for, raised to what is sold. */
struct charged_size {
    int64_t vcpu;
    int64_t memory_gib;
};

static int64_t rule_size(const json_t *rule, const char *key) {
    int64_t size = 0;
    return cost_exact_json(json_object_get(rule, key), COST_SIZE_DIGITS, &size) ? size : 0;
}

static int64_t ceiling(int64_t value, int64_t step) {
    return (int64_t)cost_exact_ceiling(value, step);
}

static struct charged_size size_of(const json_t *rule, const struct cost_question *question) {
    struct charged_size size = {.vcpu = question->vcpu, .memory_gib = question->memory_gib};
    int64_t least = rule_size(rule, "memory_gib_vcpu_least");
    int64_t most = rule_size(rule, "memory_gib_vcpu_most");
    int64_t multiple = json_integer_value(json_object_get(rule, "vcpu_multiple"));
    int64_t floor = rule_size(rule, "memory_floor_gib");
    if (most > 0 && size.vcpu * most < size.memory_gib * COST_SIZE_UNITS) {
        size.vcpu = ceiling(size.memory_gib * COST_SIZE_UNITS, most);
    }
    if (multiple > 0) {
        size.vcpu = size.vcpu <= COST_SIZE_UNITS ? COST_SIZE_UNITS
                                                 : ceiling(size.vcpu, multiple * COST_SIZE_UNITS) *
                                                       multiple * COST_SIZE_UNITS;
    }
    int64_t with_cpu = ceiling(size.vcpu * least, COST_SIZE_UNITS);
    size.memory_gib = with_cpu > size.memory_gib ? with_cpu : size.memory_gib;
    size.memory_gib = floor > size.memory_gib ? floor : size.memory_gib;
    return size;
}

/* --- time --- */

static const struct {
    const char *name;
    const char *words;
} states[] = {{"active", "active"}, {"idle", "idle"}, {"paused", "paused"}};

/* The time for which a resource is charged. What is not documented opens the total. */
static bool charged_time(struct cost_quote *quote, const struct cost_time *time,
                         const char *resource, const char *label, cost_exact *out_time) {
    const cost_exact times[ARRAY_LENGTH(states)] = {time->active, time->idle, time->paused};
    bool good = true;
    *out_time = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(states); i++) {
        char key[48];
        (void)snprintf(key, sizeof(key), "%s_%s", resource, states[i].name);
        const char *charge = cost_text(quote->rule, key);
        if (charge == NULL && times[i] > 0) {
            good = good && cost_quote_open(quote,
                                           "Whether %s is charged while a sandbox is %s is not "
                                           "documented; nothing is counted for it.",
                                           label, states[i].words);
        } else if (charge != NULL && strcmp(charge, "none") != 0) {
            *out_time += times[i];
        }
    }
    return good;
}

/* --- rates --- */

/* A published rate: from its row where there is one, else from the price fact. Receipt NULL: there
 * is none. */
struct charged_rate {
    int64_t rate;
    int64_t seconds;
    json_t *receipt;
};

static int64_t seconds_of(const char *per) {
    return strcmp(per, "second") == 0 ? 1
           : strcmp(per, "hour") == 0 ? COST_HOUR_SECONDS
                                      : COST_MONTH_HOURS * COST_HOUR_SECONDS;
}

static bool find_rate(const struct cost_context *context, size_t slot, const char *resource,
                      const char *attribute, int64_t seconds, struct charged_rate *out_rate,
                      struct error *error) {
    const json_t *row = cost_rate(context, slot, resource);
    const json_t *fact = cost_fact(context, slot, attribute);
    const json_t *value = json_object_get(row == NULL ? fact : row, row == NULL ? "value" : "usd");
    *out_rate = (struct charged_rate){.seconds = seconds};
    if (value == NULL || json_is_null(value)) {
        return true;
    }
    if (!cost_exact_json(value, COST_RATE_DIGITS, &out_rate->rate)) {
        return error_set(error, ERROR_CORRUPT, "a rate of %s is no plain decimal",
                         context->index->providers[context->index->slots[slot].provider].slug);
    }
    if (row == NULL) {
        out_rate->receipt = json_incref((json_t *)fact);
        return true;
    }
    char text[64];
    const char *per = cost_text(row, "per");
    (void)snprintf(text, sizeof(text), "$%s per %s", cost_text(row, "usd"), per);
    out_rate->seconds = seconds_of(per);
    out_rate->receipt = cost_receipt(context, row, slot, attribute, text);
    return out_rate->receipt != NULL || error_no_memory(error);
}

/* Takes over the receipt. */
static bool add_meter(struct cost_quote *quote, struct cost_meter meter, struct error *error) {
    if (meter.time * meter.amount == 0 || quote->meter_count == COST_METERS) {
        json_decref(meter.receipt);
        return true;
    }
    if (!cost_exact_money(meter.time * meter.amount, meter.rate, meter.seconds, &meter.mills)) {
        json_decref(meter.receipt);
        return error_set(error, ERROR_INTERNAL, "a cost is too large to be counted");
    }
    quote->meters[quote->meter_count++] = meter;
    return true;
}

/* Meters one resource; *out_known says whether its rate is published, or not needed. */
static bool meter_resource(const struct cost_context *context, struct cost_quote *quote,
                           enum cost_meter_kind kind, const struct cost_time *time, int64_t amount,
                           bool *out_known, struct error *error) {
    static const struct {
        const char *resource;
        const char *rule;
        const char *label;
        const char *attribute;
        int64_t seconds;
    } kinds[] = {
        [METER_CPU] = {"vcpu", "cpu", "CPU", "price_vcpu_hour_usd", COST_HOUR_SECONDS},
        [METER_MEMORY] = {"memory", "memory", "memory", "price_memory_gib_hour_usd",
                          COST_HOUR_SECONDS},
        [METER_STORAGE] = {"storage", "storage", "storage", "price_storage_gib_month_usd",
                           (int64_t)COST_MONTH_HOURS * COST_HOUR_SECONDS},
    };
    struct charged_rate rate;
    cost_exact charged = 0;
    *out_known = true;
    if (amount == 0 || time->active + time->idle + time->paused == 0) {
        return true;
    }
    if (!find_rate(context, quote->slot, kinds[kind].resource, kinds[kind].attribute,
                   kinds[kind].seconds, &rate, error)) {
        return false;
    }
    size_t opened = json_array_size(quote->open);
    bool good = charged_time(quote, time, kinds[kind].rule, kinds[kind].label, &charged);
    bool needed = charged > 0 || json_array_size(quote->open) > opened;
    if (good && needed && rate.receipt == NULL) {
        *out_known = false;
        while (json_array_size(quote->open) > opened) { /* one reason is enough */
            (void)json_array_remove(quote->open, opened);
        }
        good = cost_quote_open(quote,
                               "The price of %s is not documented; nothing is counted for "
                               "it.",
                               kinds[kind].label);
    }
    if (!good) {
        json_decref(rate.receipt);
        return error_no_memory(error);
    }
    if (rate.receipt == NULL) {
        return true;
    }
    return add_meter(quote,
                     (struct cost_meter){.kind = kind,
                                         .time = charged,
                                         .amount = amount,
                                         .rate = rate.rate,
                                         .seconds = rate.seconds,
                                         .receipt = rate.receipt},
                     error);
}

/* --- GPUs --- */

static bool no_rate(struct cost_quote *quote, json_t *reason, const json_t *fact,
                    struct error *error) {
    quote->outcome = OUTCOME_NO_RATE;
    json_decref(quote->reason);
    quote->reason = reason;
    quote->fact = json_incref((json_t *)fact);
    return reason != NULL || error_no_memory(error);
}

/* The name under which a price list sells the model, or NULL. */
static const char *sold_name(const struct cost_context *context, const json_t *prices) {
    size_t i = 0;
    json_t *also = NULL;
    json_array_foreach(json_object_get(context->gpu, "also"), i, also) {
        if (json_object_get(prices, json_string_value(also)) != NULL) {
            return json_string_value(also);
        }
    }
    return NULL;
}

static bool meter_gpu(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) {
    const json_t *fact = cost_fact(context, quote->slot, "price_gpu_hour_usd");
    const json_t *prices = json_object_get(fact, "value");
    const char *name = sold_name(context, prices);
    if (name == NULL) {
        return no_rate(quote,
                       json_sprintf("No price of the GPU %s is published in the pages read.",
                                    cost_text(context->gpu, "name")),
                       fact, error);
    }
    int64_t rate = 0;
    if (!cost_exact_json(json_object_get(prices, name), COST_RATE_DIGITS, &rate)) {
        return error_set(error, ERROR_CORRUPT, "the price of a GPU is no plain decimal");
    }
    const json_t *includes = json_object_get(quote->rule, "gpu_includes_cpu");
    if (!json_is_boolean(includes) &&
        !cost_quote_open(quote, "Whether the price of a GPU includes CPU and memory is not "
                                "documented; neither is counted while the GPU is held.")) {
        return error_no_memory(error);
    }
    const struct cost_time *time = &quote->time;
    bool whole = time->gpu == time->active + time->idle - time->added;
    return add_meter(quote,
                     (struct cost_meter){.kind = METER_GPU,
                                         .time = time->gpu + (whole ? time->added : 0),
                                         .amount = COST_SIZE_UNITS,
                                         .rate = rate,
                                         .seconds = COST_HOUR_SECONDS,
                                         .receipt = json_incref((json_t *)fact),
                                         .name = cost_text(context->gpu, "name")},
                     error);
}

/* The time in which CPU and memory have a price of their own. */
static struct cost_time time_without_gpu(const struct cost_quote *quote) {
    struct cost_time time = quote->time;
    if (json_is_false(json_object_get(quote->rule, "gpu_includes_cpu")) || time.gpu == 0) {
        return time;
    }
    bool whole = time.gpu == time.active + time.idle - time.added;
    cost_exact left = time.gpu + (whole ? time.added : 0);
    cost_exact taken = left < time.active ? left : time.active;
    time.active -= taken;
    time.idle -= left - taken;
    return time;
}

/* --- whole sizes --- */

static bool size_is_of(const struct cost_context *context, const json_t *row, size_t slot) {
    const struct index_slot *asked = &context->index->slots[slot];
    const char *offering = cost_text(row, "offering");
    return strcmp(cost_text(row, "provider"), context->index->providers[asked->provider].slug) ==
               0 &&
           (offering == NULL ||
            (asked->offering != NULL && strcmp(offering, asked->offering) == 0));
}

static bool size_holds(const json_t *row, const char *key, int64_t wanted) {
    int64_t size = 0;
    return !cost_exact_json(json_object_get(row, key), COST_SIZE_DIGITS, &size) || size >= wanted;
}

static bool meter_size(const struct cost_context *context, struct cost_quote *quote,
                       struct error *error) {
    const struct cost_question *question = context->question;
    const json_t *chosen = NULL;
    size_t passed = 0;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(context->sizes, i, row) {
        if (chosen != NULL || !size_is_of(context, row, quote->slot)) {
            continue;
        }
        if (size_holds(row, "vcpu", question->vcpu) &&
            size_holds(row, "memory_gib", question->memory_gib)) {
            chosen = row;
        } else {
            passed++;
        }
    }
    const json_t *fact = cost_fact(context, quote->slot, "price_vcpu_hour_usd");
    bool complete = json_is_true(json_object_get(quote->rule, "sizes_complete"));
    if (chosen == NULL || (passed > 0 && !complete)) {
        return no_rate(quote,
                       json_string(complete ? "No size that is sold is large enough."
                                            : "Sold in fixed sizes; only the prices of the "
                                              "smallest and the largest are in the catalogue."),
                       fact, error);
    }
    int64_t rate = 0;
    cost_exact charged = 0;
    if (!cost_exact_json(json_object_get(chosen, "usd"), COST_RATE_DIGITS, &rate)) {
        return error_set(error, ERROR_CORRUPT, "the price of a size is no plain decimal");
    }
    char text[96];
    int64_t seconds = json_integer_value(json_object_get(chosen, "seconds"));
    (void)snprintf(text, sizeof(text), "%s: $%s for %lld seconds", cost_text(chosen, "name"),
                   cost_text(chosen, "usd"), (long long)seconds);
    json_t *receipt = cost_receipt(context, chosen, quote->slot, "price_vcpu_hour_usd", text);
    if (receipt == NULL || !charged_time(quote, &quote->time, "memory", "the size", &charged)) {
        json_decref(receipt);
        return error_no_memory(error);
    }
    return add_meter(quote,
                     (struct cost_meter){.kind = METER_SIZE,
                                         .time = charged,
                                         .amount = COST_SIZE_UNITS,
                                         .rate = rate,
                                         .seconds = seconds,
                                         .receipt = receipt,
                                         .name = cost_text(chosen, "name")},
                     error);
}

/* --- all of it --- */

static bool meter_runs(const struct cost_context *context, struct cost_quote *quote,
                       struct error *error) {
    enum { MILLION = 1000000 };
    const json_t *price = json_object_get(quote->rule, "usd_million_runs");
    int64_t rate = 0;
    if (json_is_null(price) || context->question->hours == 0) {
        return true;
    }
    if (!cost_exact_json(price, COST_RATE_DIGITS, &rate)) {
        return error_set(error, ERROR_CORRUPT, "the price of a run is no plain decimal");
    }
    char text[64];
    (void)snprintf(text, sizeof(text), "$%s per million", json_string_value(price));
    json_t *receipt = cost_receipt(context, quote->rule, quote->slot, "billing_granularity", text);
    return receipt == NULL
               ? error_no_memory(error)
               : add_meter(quote,
                           (struct cost_meter){.kind = METER_RUNS,
                                               .time = context->question->runs * COST_SECOND,
                                               .amount = COST_SIZE_UNITS,
                                               .rate = rate,
                                               .seconds = MILLION,
                                               .receipt = receipt},
                           error);
}

static bool meter_rates(const struct cost_context *context, struct cost_quote *quote,
                        struct error *error) {
    const struct cost_question *question = context->question;
    struct charged_size size = size_of(quote->rule, question);
    struct cost_time time = time_without_gpu(quote);
    bool by_use = cost_text(quote->rule, "cpu_active") != NULL &&
                  strcmp(cost_text(quote->rule, "cpu_active"), "used") == 0;
    bool cpu_known = true;
    bool memory_known = true;
    bool in_memory = json_is_true(json_object_get(quote->rule, "cpu_in_memory"));
    if (!in_memory && !meter_resource(context, quote, METER_CPU, &time,
                                      by_use ? question->vcpu : size.vcpu, &cpu_known, error)) {
        return false;
    }
    if (!meter_resource(context, quote, METER_MEMORY, &time, size.memory_gib, &memory_known,
                        error)) {
        return false;
    }
    if (!memory_known && (in_memory || !cpu_known)) {
        return no_rate(quote,
                       json_string("No price of CPU or memory is published in the pages "
                                   "read."),
                       cost_fact(context, quote->slot, "price_vcpu_hour_usd"), error);
    }
    return true;
}

bool cost_meters_make(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) {
    bool known = true;
    bool by_size = strcmp(cost_text(quote->rule, "charge"), "sizes") == 0;
    const char *lower = cost_text(quote->rule, "lower_bound");
    return cost_time_make(context->question, quote->rule, &quote->time, error) &&
           (by_size ? meter_size(context, quote, error) : meter_rates(context, quote, error)) &&
           meter_resource(context, quote, METER_STORAGE, &quote->time,
                          context->question->storage_gib, &known, error) &&
           (context->gpu == NULL || quote->outcome != OUTCOME_TOTAL ||
            meter_gpu(context, quote, error)) &&
           meter_runs(context, quote, error) &&
           (lower == NULL || quote->time.active + quote->time.idle == 0 ||
            cost_quote_open(quote, "%s%s", lower, cost_mark(quote->rule)) ||
            error_no_memory(error));
}
