/* What the catalogue says of charging: rows, and which of them answer for a slot. */
#include "cost_private.h"
#include "facts.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fact_keys[COST_FACTS] = {
    "price_vcpu_hour_usd",
    "price_memory_gib_hour_usd",
    "price_storage_gib_month_usd",
    "price_gpu_hour_usd",
    "billing_basis",
    "free_tier",
    "max_vcpu",
    "max_memory_gib",
    "max_disk_gib",
    "gpu",
    "region_groups",
};

const char *cost_text(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

const char *cost_mark(const json_t *row) {
    const char *basis = cost_text(row, "basis");
    return basis != NULL && strcmp(basis, "private") == 0 ? " (private)" : "";
}

static bool load_facts(struct catalogue *catalogue, struct cost_context *context,
                       struct error *error) {
    const struct catalogue_index *index = context->index;
    int64_t *rowids = calloc(index->slot_count * COST_FACTS + 1, sizeof(int64_t));
    if (rowids == NULL) {
        return error_no_memory(error);
    }
    size_t count = 0;
    for (size_t i = 0; i < COST_FACTS; i++) {
        const struct index_attribute *attribute = index_attribute(index, fact_keys[i]);
        for (size_t slot = 0; attribute != NULL && slot < index->slot_count; slot++) {
            int64_t rowid = attribute->facts[slot];
            bool repeated = count > 0 && rowids[count - 1] == rowid;
            if (rowid != 0 && !repeated) {
                rowids[count++] = rowid;
            }
        }
    }
    context->facts = facts_by_rowid(catalogue, rowids, count, error);
    free(rowids);
    return context->facts != NULL;
}

bool cost_context_load(struct catalogue *catalogue, const struct cost_question *question,
                       struct cost_context *out_context, struct error *error) {
    const struct generation *generation = catalogue_generation(catalogue);
    struct cost_context context = {.index = generation_index(generation),
                                   .today = generation_today(generation),
                                   .question = question};
    const struct {
        enum statement statement;
        json_t **rows;
    } lists[] = {{STATEMENT_COST_GPUS, &context.gpus},
                 {STATEMENT_COST_RATES, &context.rates},
                 {STATEMENT_COST_SIZES, &context.sizes},
                 {STATEMENT_COST_RULES, &context.rules},
                 {STATEMENT_COST_PLANS, &context.plans}};
    bool good = true;
    for (size_t i = 0; good && i < ARRAY_LENGTH(lists); i++) {
        *lists[i].rows = catalogue_rows(catalogue, lists[i].statement, NULL, 0, error);
        good = *lists[i].rows != NULL;
    }
    if (!good || !load_facts(catalogue, &context, error)) {
        cost_context_free(&context);
        return false;
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(context.gpus, i, row) {
        if (strcmp(cost_text(row, "slug"), question->gpu) == 0) {
            context.gpu = row;
        }
    }
    *out_context = context;
    return true;
}

void cost_context_free(struct cost_context *context) {
    json_decref(context->gpus);
    json_decref(context->rates);
    json_decref(context->sizes);
    json_decref(context->rules);
    json_decref(context->plans);
    json_decref(context->facts);
    *context = (struct cost_context){0};
}

const json_t *cost_fact(const struct cost_context *context, size_t slot, const char *attribute) {
    const struct index_attribute *asked = index_attribute(context->index, attribute);
    char key[32];
    if (asked == NULL || asked->facts[slot] == 0) {
        return NULL;
    }
    (void)snprintf(key, sizeof(key), "%lld", (long long)asked->facts[slot]);
    return json_object_get(context->facts, key);
}

const json_t *cost_rule(const struct cost_context *context, size_t slot) {
    const struct index_slot *asked = &context->index->slots[slot];
    const char *provider = context->index->providers[asked->provider].slug;
    const json_t *found = NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(context->rules, i, row) {
        const char *offering = cost_text(row, "offering");
        if (strcmp(cost_text(row, "provider"), provider) != 0) {
            continue;
        }
        if (offering == NULL) {
            found = found == NULL ? row : found;
        } else if (asked->offering != NULL && strcmp(offering, asked->offering) == 0) {
            found = row;
        }
    }
    return found;
}

const json_t *cost_rate(const struct cost_context *context, size_t slot, const char *resource) {
    const char *provider = context->index->providers[context->index->slots[slot].provider].slug;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(context->rates, i, row) {
        if (strcmp(cost_text(row, "provider"), provider) == 0 &&
            strcmp(cost_text(row, "resource"), resource) == 0) {
            return row;
        }
    }
    return NULL;
}

enum { PRICE_REVIEW_DAYS = 30 };

json_t *cost_receipt(const struct cost_context *context, const json_t *row, size_t slot,
                     const char *attribute, const char *text) {
    const struct index_attribute *about = index_attribute(context->index, attribute);
    const struct index_slot *asked = &context->index->slots[slot];
    int64_t checked = 0;
    if (!text_day(cost_text(row, "checked_on"), &checked)) {
        return NULL;
    }
    /* A catalogue of something else may not have the attribute: then the row ages as prices do. */
    int64_t review_by = checked + (about == NULL ? PRICE_REVIEW_DAYS : about->review_days);
    char review_text[TEXT_DATE_BYTES];
    text_iso_date(review_by, review_text);
    return json_pack(
        "{s:s, s:o, s:s, s:n, s:o, s:n, s:O, s:O, s:o, s:O, s:s, s:b, s:O}", "attribute", attribute,
        "id", json_sprintf("%s:%s", context->index->providers[asked->provider].slug, attribute),
        "state", "documented", "value", "text", json_sprintf("%s%s", text, cost_mark(row)),
        "detail", "note", json_object_get(row, "note"), "basis", json_object_get(row, "basis"),
        "source", facts_source(row), "checked_on", json_object_get(row, "checked_on"), "review_by",
        review_text, "stale", (int)(review_by < context->today), "valid_from",
        json_object_get(row, "checked_on"));
}
