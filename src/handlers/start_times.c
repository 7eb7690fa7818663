#include "start_times.h"
#include "chart.h"
#include "facts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The newest day of each mode, keyed by mode; null where a mode was not measured. */
static json_t *measured_of(struct catalogue *catalogue, const char *slug, struct error *error) {
    static const char *const names[] = {"day",    "runs",   "median_ms",
                                        "p95_ms", "p99_ms", "success_rate"};
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_MEASUREMENTS_NEWEST, error, BIND_TEXT(slug));
    if (rows == NULL) {
        return NULL;
    }
    json_t *measured = json_pack("{s:n, s:n, s:n}", "sequential", "staggered", "burst");
    bool good = measured != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *entry = json_object();
        for (size_t j = 0; j < ARRAY_LENGTH(names); j++) {
            good = good && json_object_set(entry, names[j], json_object_get(row, names[j])) == 0;
        }
        json_t *source = json_pack(
            "{s:O, s:O, s:O, s:O, s:O, s:O, s:O}", "id", json_object_get(row, "source_id"), "url",
            json_object_get(row, "source_url"), "title", json_object_get(row, "source_title"),
            "publisher", json_object_get(row, "source_publisher"), "kind",
            json_object_get(row, "source_kind"), "copy_date",
            json_object_get(row, "source_copy_date"), "accessed_on",
            json_object_get(row, "source_accessed_on"));
        good = json_object_set_new(entry, "source", source) == 0 && good;
        good = json_object_set_new(measured, string_of(row, "mode"), entry) == 0 && good;
    }
    json_decref(rows);
    if (!good) {
        json_decref(measured);
        (void)error_no_memory(error);
        return NULL;
    }
    return measured;
}

/* The claim of the class that a new user gets, as a fact object; JSON null where none is
 * documented. */
static json_t *claim_of(struct catalogue *catalogue, size_t slot, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    const struct index_attribute *attribute = index_attribute(index, "cold_start_ms");
    if (attribute == NULL || !slot_set_has(attribute->documented, slot)) {
        return json_null();
    }
    json_t *facts = facts_by_rowid(catalogue, &attribute->facts[slot], 1, error);
    json_t *fact =
        facts == NULL ? NULL : json_incref(json_object_iter_value(json_object_iter(facts)));
    json_decref(facts);
    return fact;
}

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static json_t *number_or_null(double number) {
    return isnan(number) ? json_null() : json_real(number);
}

/* Adds a provider to the list, unless nothing is claimed and nothing measured. */
static bool add_provider(struct catalogue *catalogue, const struct index_provider *provider,
                         json_t *list, struct error *error) {
    static const char *const statuses[] = {"active", "winding-down", "discontinued"};
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    size_t slot = chart_default_slot(index, provider);
    json_t *claim = claim_of(catalogue, slot, error);
    json_t *measured = claim == NULL ? NULL : measured_of(catalogue, provider->slug, error);
    if (measured == NULL) {
        json_decref(claim);
        return false;
    }
    double claimed = number_of(claim, "value");
    double median = number_of(json_object_get(measured, "sequential"), "median_ms");
    bool is_measured = json_is_object(json_object_get(measured, "sequential")) ||
                       json_is_object(json_object_get(measured, "staggered")) ||
                       json_is_object(json_object_get(measured, "burst"));
    if (isnan(claimed) && !is_measured) {
        json_decref(claim);
        json_decref(measured);
        return true;
    }
    json_t *entry = json_pack("{s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o}", "slug", provider->slug,
                              "name", provider->name, "status", statuses[provider->status],
                              "offering", index->slots[slot].offering, "claimed", claim,
                              "claimed_ms", number_or_null(claimed), "measured", measured, "ratio",
                              number_or_null(claimed > 0 ? median / claimed : NAN));
    return json_array_append_new(list, entry) == 0 || error_no_memory(error);
}

/* What has no number comes last. */
static int compare_numbers(double one, double other) {
    if (isnan(one) || isnan(other)) {
        return (int)isnan(one) - (int)isnan(other);
    }
    return (one > other) - (one < other);
}

static int compare_entries(const void *one, const void *other) {
    const json_t *left = *(json_t *const *)one;
    const json_t *right = *(json_t *const *)other;
    const json_t *left_run = json_object_get(json_object_get(left, "measured"), "sequential");
    const json_t *right_run = json_object_get(json_object_get(right, "measured"), "sequential");
    int order =
        compare_numbers(number_of(left_run, "median_ms"), number_of(right_run, "median_ms"));
    if (order == 0) {
        order = compare_numbers(number_of(left, "claimed_ms"), number_of(right, "claimed_ms"));
    }
    return order != 0 ? order : strcmp(string_of(left, "name"), string_of(right, "name"));
}

json_t *start_times_read(struct catalogue *catalogue, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *list = json_array();
    bool good = list != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < index->provider_count; i++) {
        good = add_provider(catalogue, &index->providers[i], list, error);
    }
    if (good) {
        good = chart_sort(list, compare_entries) || error_no_memory(error);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}
