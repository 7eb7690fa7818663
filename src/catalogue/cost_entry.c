/* A quote in words: the object that JSON, CSV and the page show. */
#include "cost_private.h"
#include "limit.h"
#include <stdio.h>
#include <string.h>

static const char *const outcome_names[OUTCOME__COUNT] = {
    [OUTCOME_TOTAL] = "total",
    [OUTCOME_FREE] = "free_software",
    [OUTCOME_DOES_NOT_FIT] = "does_not_fit",
    [OUTCOME_NO_RATE] = "no_published_rate",
    [OUTCOME_NOT_ON_SALE] = "not_on_sale",
};

static const struct {
    const char *part;
    const char *label;
    const char *unit; /* of the amount */
} meters[] = {
    [METER_CPU] = {"cpu", "CPU", "vCPU"},  [METER_MEMORY] = {"memory", "Memory", "GiB"},
    [METER_SIZE] = {"size", "Size", NULL}, [METER_STORAGE] = {"storage", "Storage", "GiB"},
    [METER_GPU] = {"gpu", "GPU", NULL},    [METER_RUNS] = {"runs", "Starts", NULL},
};

/* Takes what a buffer holds as JSON. */
static json_t *text_of(struct buf *buf) {
    json_t *text =
        buf->failed ? NULL : json_stringn(buf->data == NULL ? "" : buf->data, buf->length);
    buf_free(buf);
    return text;
}

static json_t *money_text(int64_t mills) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    cost_add_money(&text, mills);
    return text_of(&text);
}

static json_t *mills_number(int64_t mills) {
    return json_real((double)mills / COST_MILLS);
}

/* --- formulas --- */

/* A time in hours where four digits after the point hold it, else in seconds. */
static void add_time(struct buf *out, cost_exact time, int64_t seconds) {
    enum { MINUTE = 60, SECOND_DIGITS = 8 };
    cost_exact hour = COST_SECOND * COST_HOUR_SECONDS;
    if (seconds != COST_HOUR_SECONDS && seconds != (int64_t)COST_MONTH_HOURS * COST_HOUR_SECONDS) {
        bool minutes = seconds % MINUTE == 0 && time % (COST_SECOND * MINUTE) == 0;
        cost_add_grouped(out, minutes ? time / MINUTE : time, SECOND_DIGITS);
        buf_add_text(out, minutes ? " min" : " s");
        if (seconds != 1) {
            buf_add_format(out, " ÷ %lld", (long long)(minutes ? seconds / MINUTE : seconds));
        }
        return;
    }
    bool even = time * COST_HOUR_UNITS % hour == 0;
    if (even) {
        cost_add_grouped(out, time * COST_HOUR_UNITS / hour, COST_HOUR_DIGITS);
        buf_add_text(out, " h");
    } else {
        cost_add_grouped(out, time, SECOND_DIGITS);
        buf_add_format(out, " s ÷ %d", COST_HOUR_SECONDS);
    }
    if (seconds != COST_HOUR_SECONDS) {
        buf_add_format(out, " ÷ %d h a month", COST_MONTH_HOURS);
    }
}

static json_t *meter_formula(const struct cost_meter *meter) {
    struct buf out;
    buf_init(&out, LIMIT_TARGET_BYTES);
    if (meter->kind == METER_RUNS) {
        cost_add_grouped(&out, meter->time / COST_SECOND, 0);
        buf_add_text(&out, " starts ÷ 1,000,000");
    } else {
        add_time(&out, meter->time, meter->seconds);
    }
    if (meters[meter->kind].unit != NULL) {
        buf_add_text(&out, " × ");
        cost_add_grouped(&out, meter->amount, COST_SIZE_DIGITS);
        buf_add_format(&out, " %s", meters[meter->kind].unit);
    }
    buf_add_text(&out, " × $");
    cost_add_grouped(&out, meter->rate, COST_RATE_DIGITS);
    return text_of(&out);
}

static json_t *allowance_formula(const struct cost_meter *meter) {
    enum { HOUR_DIGITS = 3 };
    struct buf out;
    buf_init(&out, LIMIT_TARGET_BYTES);
    if (meter->kind == METER_RUNS) {
        buf_add_text(&out, "starts within the plan");
        return text_of(&out);
    }
    cost_exact quantity = meter->time * meter->amount;
    bool all = quantity <= meter->spare;
    buf_add_text(&out, all ? "all of it is within the " : "");
    cost_add_grouped(&out, meter->spare / (COST_SECOND * COST_HOUR_SECONDS), HOUR_DIGITS);
    buf_add_format(&out, " %s-hours that the plan includes", meters[meter->kind].unit);
    return text_of(&out);
}

/* --- parts --- */

static bool add_part(json_t *parts, const char *part, const char *label, json_t *formula,
                     int64_t mills, json_t *receipt) {
    json_t *marked = json_sprintf("%s%s", label, cost_mark(receipt));
    return json_array_append_new(parts,
                                 json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "part", part, "label",
                                           marked, "formula", formula, "usd", mills_number(mills),
                                           "text", money_text(mills), "receipt", receipt)) == 0;
}

static json_t *plan_receipt(const struct cost_context *context, const struct cost_quote *quote) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    buf_add_format(&text, "%s: $%s a month", cost_text(quote->plan, "name"),
                   cost_text(quote->plan, "fee_usd"));
    json_t *receipt = text.failed ? NULL
                                  : cost_receipt(context, quote->plan, quote->slot,
                                                 "base_plan_usd_month", text.data);
    buf_free(&text);
    return receipt;
}

static bool add_plan_parts(json_t *parts, const struct cost_context *context,
                           const struct cost_quote *quote) {
    if (quote->plan == NULL) {
        return true;
    }
    const char *name = cost_text(quote->plan, "name");
    bool good = add_part(parts, "plan", "Plan fee", json_sprintf("plan %s", name), quote->fee,
                         plan_receipt(context, quote));
    if (good && quote->credit > 0) {
        const char *credit = cost_text(quote->plan, "credit_usd");
        good = add_part(parts, "credit", "Monthly credit",
                        credit == NULL
                            ? json_string("at most the fee, as the amount is not documented")
                            : json_sprintf("at most $%s a month", credit),
                        -quote->credit, plan_receipt(context, quote));
    }
    return good;
}

static json_t *parts_of(const struct cost_context *context, const struct cost_quote *quote) {
    json_t *parts = json_array();
    bool good = parts != NULL;
    for (size_t i = 0; good && i < quote->meter_count; i++) {
        const struct cost_meter *meter = &quote->meters[i];
        char label[96];
        (void)snprintf(label, sizeof(label), "%s%s%s", meters[meter->kind].label,
                       meter->name == NULL ? "" : " ", meter->name == NULL ? "" : meter->name);
        good = add_part(parts, meters[meter->kind].part, label, meter_formula(meter), meter->mills,
                        json_incref(meter->receipt));
        if (good && meter->free > 0) {
            (void)snprintf(label, sizeof(label), "Free %s", meters[meter->kind].part);
            good = add_part(parts, "allowance", label, allowance_formula(meter), -meter->free,
                            plan_receipt(context, quote));
        }
    }
    if (!good || !add_plan_parts(parts, context, quote)) {
        json_decref(parts);
        return NULL;
    }
    return parts;
}

/* "CPU $12.34 + memory $5.00 - monthly credit $3.00 = $14.34". */
static json_t *sum_formula(const json_t *parts, int64_t total, bool at_least) {
    struct buf out;
    buf_init(&out, LIMIT_TARGET_BYTES);
    size_t i = 0;
    json_t *part = NULL;
    json_array_foreach(parts, i, part) {
        const char *money = cost_text(part, "text");
        bool minus = json_number_value(json_object_get(part, "usd")) < 0;
        buf_add_format(&out, "%s%s %s",
                       i == 0  ? ""
                       : minus ? " − "
                               : " + ",
                       cost_text(part, "label"), money[0] == '-' ? money + 1 : money);
    }
    buf_add_text(&out, at_least ? " = at least " : " = ");
    cost_add_money(&out, total);
    return text_of(&out);
}

/* --- the rule --- */

static json_t *rule_of(const struct cost_context *context, const struct cost_quote *quote) {
    static const char *const keys[] = {
        "charge",       "cpu_active",      "cpu_idle",        "cpu_paused",   "memory_active",
        "memory_idle",  "memory_paused",   "storage_active",  "storage_idle", "storage_paused",
        "step_seconds", "minimum_seconds", "memory_floor_gib"};
    if (quote->rule == NULL) {
        return json_null();
    }
    json_t *rule = json_object();
    bool good = rule != NULL;
    for (size_t i = 0; good && i < sizeof(keys) / sizeof(keys[0]); i++) {
        good = json_object_set(rule, keys[i], json_object_get(quote->rule, keys[i])) == 0;
    }
    json_t *receipt = cost_receipt(context, quote->rule, quote->slot, "billing_basis",
                                   cost_text(quote->rule, "charge"));
    if (json_object_set_new(rule, "receipt", receipt) != 0 || !good) {
        json_decref(rule);
        return NULL;
    }
    return rule;
}

static json_t *plan_of(const struct cost_context *context, const struct cost_quote *quote) {
    if (quote->plan == NULL) {
        return json_null();
    }
    return json_pack("{s:o, s:o, s:O, s:o}", "name",
                     json_sprintf("%s%s", cost_text(quote->plan, "name"), cost_mark(quote->plan)),
                     "fee_usd", mills_number(quote->fee), "note",
                     json_object_get(quote->plan, "note"), "receipt", plan_receipt(context, quote));
}

static json_t *fact_or_null(const json_t *fact) {
    return fact == NULL ? json_null() : json_incref((json_t *)fact);
}

/* What opens the total: of the meters, then of the plan. */
static json_t *open_of(const struct cost_quote *quote) {
    json_t *open = json_copy(quote->open);
    if (quote->plan_open != NULL && json_array_append(open, quote->plan_open) != 0) {
        json_decref(open);
        return NULL;
    }
    return open;
}

/* The keys that only a sum has. */
static bool add_sum(json_t *entry, const struct cost_context *context,
                    const struct cost_quote *quote) {
    json_t *open = open_of(quote);
    bool priced = quote->outcome == OUTCOME_TOTAL;
    bool at_least = priced && json_array_size(open) > 0;
    json_t *parts = priced ? parts_of(context, quote) : json_array();
    json_t *total = priced ? json_pack("{s:o, s:o}", "usd", mills_number(quote->total), "text",
                                       money_text(quote->total))
                           : json_null();
    json_t *formula = priced ? sum_formula(parts, quote->total, at_least) : json_null();
    json_t *sum = json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "total", total, "at_least",
                            (int)at_least, "open", priced ? open : json_array(), "plan",
                            priced ? plan_of(context, quote) : json_null(), "parts", parts,
                            "formula", formula);
    if (!priced) {
        json_decref(open);
    }
    bool good = sum != NULL && json_object_update(entry, sum) == 0;
    json_decref(sum);
    return good;
}

json_t *cost_entry(const struct cost_context *context, const struct cost_quote *quote) {
    const struct index_slot *slot = &context->index->slots[quote->slot];
    const struct index_provider *provider = &context->index->providers[slot->provider];
    json_t *assumptions = json_object_get(quote->rule, "assumptions");
    json_t *entry =
        json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "slug",
                  provider->slug, "name", provider->name, "offering", slot->offering,
                  "offering_name", slot->offering == NULL ? NULL : slot->name, "stage", slot->stage,
                  "outcome", outcome_names[quote->outcome], "reason",
                  quote->reason == NULL ? json_null() : json_incref(quote->reason), "fact",
                  fact_or_null(quote->fact), "assumptions",
                  assumptions == NULL ? json_array() : json_incref(assumptions), "basis",
                  fact_or_null(cost_fact(context, quote->slot, "billing_basis")), "one_time",
                  fact_or_null(cost_fact(context, quote->slot, "free_tier")), "rule",
                  rule_of(context, quote));
    if (entry == NULL || !add_sum(entry, context, quote)) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}
