/* The answer to a question about costs: a quote for each offering, and the best of each provider.
 */
#include "cost_private.h"
#include "score_private.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- one quote --- */

void cost_quote_free(struct cost_quote *quote) {
    json_decref(quote->reason);
    json_decref(quote->fact);
    json_decref(quote->open);
    json_decref(quote->plan_open);
    for (size_t i = 0; i < quote->meter_count; i++) {
        json_decref(quote->meters[i].receipt);
    }
    *quote = (struct cost_quote){0};
}

bool cost_quote_open(struct cost_quote *quote, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    json_t *text = json_vsprintf(format, arguments);
    va_end(arguments);
    return json_array_append_new(quote->open, text) == 0;
}

static bool end(struct cost_quote *quote, enum cost_outcome outcome, json_t *reason,
                const json_t *fact, struct error *error) {
    quote->outcome = outcome;
    quote->reason = reason;
    quote->fact = json_incref((json_t *)fact);
    return reason != NULL || error_no_memory(error);
}

static bool slot_is(const struct cost_context *context, size_t slot, const char *key,
                    const char *value) {
    const struct index_attribute *attribute = index_attribute(context->index, key);
    const struct index_value *found = attribute == NULL ? NULL : index_value(attribute, value);
    return found != NULL && slot_set_has(found->slots, slot);
}

/* Ends the quote where the slot runs only in regions that an overlay bans. */
static bool check_region(const struct cost_context *context, struct cost_quote *quote,
                         struct error *error) {
    return !index_is_banned(context->index, quote->slot) ||
           end(quote, OUTCOME_DOES_NOT_FIT,
               json_string("It runs in no region that the private overlay allows."),
               cost_fact(context, quote->slot, "region_groups"), error);
}

/* Ends the quote where the slot has no GPU, or is not documented to have one. */
static bool check_gpu(const struct cost_context *context, struct cost_quote *quote,
                      struct error *error) {
    const json_t *fact = cost_fact(context, quote->slot, "gpu");
    if (context->gpu == NULL || slot_is(context, quote->slot, "gpu", "true")) {
        return true;
    }
    if (slot_is(context, quote->slot, "gpu", "false")) {
        return end(quote, OUTCOME_DOES_NOT_FIT, json_string("It has no GPU."), fact, error);
    }
    return end(quote, OUTCOME_NO_RATE, json_string("Whether it can have a GPU is not documented."),
               fact, error);
}

/* Ends the quote where more is asked for than the largest size that is documented. */
static bool check_size(const struct cost_context *context, struct cost_quote *quote,
                       struct error *error) {
    const struct cost_question *question = context->question;
    const struct {
        const char *key;
        int64_t wanted;
        const char *words;
    } limits[] = {{"max_vcpu", question->vcpu, "vCPU"},
                  {"max_memory_gib", question->memory_gib, "GiB of memory"},
                  {"max_disk_gib", question->storage_gib, "GiB of disk"}};
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        const struct index_attribute *attribute = index_attribute(context->index, limits[i].key);
        double most = attribute == NULL ? 0 : attribute->numbers[quote->slot];
        if (attribute != NULL && (double)limits[i].wanted > most * COST_SIZE_UNITS) {
            return end(
                quote, OUTCOME_DOES_NOT_FIT,
                json_sprintf("The largest documented size has %g %s.", most, limits[i].words),
                cost_fact(context, quote->slot, limits[i].key), error);
        }
    }
    return true;
}

static json_t *rule_reason(const json_t *rule) {
    return json_sprintf("%s%s", cost_text(rule, "reason"), cost_mark(rule));
}

/* Ends the quote where the rule says that there is nothing to sum. */
static bool check_rule(const struct cost_context *context, struct cost_quote *quote,
                       struct error *error) {
    const char *charge = cost_text(quote->rule, "charge");
    const json_t *fact = cost_fact(context, quote->slot, "price_vcpu_hour_usd");
    if (charge == NULL) {
        return end(quote, OUTCOME_NO_RATE, json_string("How it charges is not in the catalogue."),
                   fact, error);
    }
    if (strcmp(charge, "unpublished") == 0) {
        return end(quote, OUTCOME_NO_RATE, rule_reason(quote->rule), fact, error);
    }
    if (strcmp(charge, "free") == 0) {
        return end(quote, OUTCOME_FREE, rule_reason(quote->rule),
                   cost_fact(context, quote->slot, "free_tier"), error);
    }
    return true;
}

static bool make_quote(const struct cost_context *context, size_t slot,
                       struct cost_quote *out_quote, struct error *error) {
    typedef bool check_function(const struct cost_context *, struct cost_quote *, struct error *);
    static check_function *const checks[] = {check_region, check_gpu,        check_size,
                                             check_rule,   cost_meters_make, cost_plan_choose};
    const struct index_provider *provider =
        &context->index->providers[context->index->slots[slot].provider];
    struct cost_quote quote = {
        .slot = slot, .rule = cost_rule(context, slot), .open = json_array()};
    bool good = quote.open != NULL || error_no_memory(error);
    if (good && provider->status != STATUS_ACTIVE) {
        good = end(&quote, OUTCOME_NOT_ON_SALE,
                   json_string(provider->status == STATUS_DISCONTINUED
                                   ? "The service has ended."
                                   : "The service is winding down."),
                   NULL, error);
    }
    for (size_t i = 0;
         good && quote.outcome == OUTCOME_TOTAL && i < sizeof(checks) / sizeof(checks[0]); i++) {
        good = checks[i](context, &quote, error);
    }
    if (!good) {
        cost_quote_free(&quote);
        return false;
    }
    *out_quote = quote;
    return true;
}

/* --- the quotes of a provider --- */

static bool quote_is_bound(const struct cost_quote *quote) {
    return json_array_size(quote->open) > 0 || quote->plan_open != NULL;
}

/* Below zero where one is the better offer. */
static int compare_quotes(const struct cost_quote *one, const struct cost_quote *other) {
    if (one->outcome != other->outcome) {
        return one->outcome < other->outcome ? -1 : 1;
    }
    bool bound = quote_is_bound(one);
    if (bound != quote_is_bound(other)) {
        return bound ? 1 : -1;
    }
    return (one->total > other->total) - (one->total < other->total);
}

static bool quote_before(const struct cost_context *context, const struct cost_quote *one,
                         const struct cost_quote *other) {
    int order = compare_quotes(one, other);
    if (order != 0) {
        return order < 0;
    }
    return context->index->slots[one->slot].is_default &&
           !context->index->slots[other->slot].is_default;
}

/* Whether a slot is asked at all: not where its stage keeps it out, nor a GPU class for a question
 * without a GPU where the provider has another class. */
static bool slot_counts(const struct cost_context *context, size_t slot) {
    const struct index_slot *asked = &context->index->slots[slot];
    bool active = context->index->providers[asked->provider].status == STATUS_ACTIVE;
    if (asked->is_default || !asked->offering) {
        return true;
    }
    return active && !score_stage_excludes(asked) &&
           (context->gpu != NULL || !slot_is(context, slot, "gpu", "true"));
}

/* The entry of a provider: its best quote, with the others. *out_total is the best one's. */
static json_t *provider_entry(const struct cost_context *context,
                              const struct index_provider *provider, struct cost_quote *out_best,
                              struct error *error) {
    struct cost_quote *quotes = calloc(provider->slot_count, sizeof(struct cost_quote));
    size_t count = 0;
    size_t best = 0;
    bool good = quotes != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < provider->slot_count; i++) {
        size_t slot = provider->first_slot + i;
        if (slot_counts(context, slot)) {
            good = make_quote(context, slot, &quotes[count], error);
            count += good ? 1u : 0u;
            best =
                good && quote_before(context, &quotes[count - 1], &quotes[best]) ? count - 1 : best;
        }
    }
    json_t *others = json_array();
    json_t *entry = good ? cost_entry(context, &quotes[best]) : NULL;
    for (size_t i = 0; good && i < count; i++) {
        good = i == best || json_array_append_new(others, cost_entry(context, &quotes[i])) == 0 ||
               error_no_memory(error);
    }
    if (good && (json_object_set_new(entry, "others", others) != 0)) {
        good = error_no_memory(error);
    } else if (!good) {
        json_decref(others);
    }
    if (good) {
        *out_best = quotes[best];
        quotes[best] = (struct cost_quote){0};
    } else {
        json_decref(entry);
        entry = NULL;
    }
    for (size_t i = 0; quotes != NULL && i < count; i++) {
        cost_quote_free(&quotes[i]);
    }
    free(quotes);
    return entry;
}

/* --- all providers --- */

struct ranked_entry {
    json_t *entry;
    struct cost_quote quote;
    size_t number;
};

static int compare_entries(const void *one, const void *other) {
    const struct ranked_entry *a = one;
    const struct ranked_entry *b = other;
    if (a->quote.outcome != b->quote.outcome) {
        return a->quote.outcome < b->quote.outcome ? -1 : 1;
    }
    int order = (a->quote.total > b->quote.total) - (a->quote.total < b->quote.total);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* Files the sorted entries into their lists. Takes the entries over. */
static json_t *file_entries(const struct cost_question *question, struct ranked_entry *entries,
                            size_t count, struct error *error) {
    static const char *const lists[OUTCOME__COUNT] = {
        [OUTCOME_TOTAL] = "results",
        [OUTCOME_FREE] = "free_software",
        [OUTCOME_DOES_NOT_FIT] = "does_not_fit",
        [OUTCOME_NO_RATE] = "no_published_rate",
        [OUTCOME_NOT_ON_SALE] = "not_on_sale",
    };
    json_t *answer = json_pack(
        "{s:o, s:s}", "question", cost_question_model(question), "rounding",
        "Each part is rounded once, half up, to a tenth of a cent; a total is the sum of its "
        "rounded parts, and its text is rounded half up to the cent.");
    bool good = answer != NULL;
    for (int i = 0; good && i < OUTCOME__COUNT; i++) {
        good = json_object_set_new(answer, lists[i], json_array()) == 0;
    }
    for (size_t i = 0; i < count; i++) {
        json_t *list = json_object_get(answer, lists[entries[i].quote.outcome]);
        good = json_array_append_new(list, entries[i].entry) == 0 && good;
        entries[i].entry = NULL;
    }
    if (!good) {
        json_decref(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    return answer;
}

json_t *cost_answer(struct catalogue *catalogue, const struct cost_question *question,
                    struct error *error) {
    struct cost_context context;
    if (!cost_context_load(catalogue, question, &context, error)) {
        return NULL;
    }
    size_t count = context.index->provider_count;
    struct ranked_entry *entries = calloc(count + 1, sizeof(struct ranked_entry));
    bool good = entries != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < count; i++) {
        entries[i].number = i;
        entries[i].entry =
            provider_entry(&context, &context.index->providers[i], &entries[i].quote, error);
        good = entries[i].entry != NULL;
    }
    json_t *answer = NULL;
    if (good) {
        qsort(entries, count, sizeof(struct ranked_entry), compare_entries);
        answer = file_entries(question, entries, count, error);
    }
    for (size_t i = 0; entries != NULL && i < count; i++) {
        json_decref(entries[i].entry);
        cost_quote_free(&entries[i].quote);
    }
    free(entries);
    cost_context_free(&context);
    return answer;
}
