/* Published prices of an hour, as bars. */
#include "chart.h"
#include "facts.h"
#include "text.h"
#include <math.h>
#include <string.h>

enum {
    ROW_UNITS = 54,
    NAME_UNITS = 14,
    FIRST_BAR_UNITS = 20,
    SECOND_BAR_UNITS = 35,
    BAR_UNITS = 300, /* of the longest bar; its price stands at its end */
    COMMON_GIB = 2
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* The fact of a slot, as an object; JSON null where it is not documented. */
static json_t *fact_of(struct catalogue *catalogue, const char *key, size_t slot,
                       struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    const struct index_attribute *attribute = index_attribute(index, key);
    if (attribute == NULL || !slot_set_has(attribute->documented, slot)) {
        return json_null();
    }
    json_t *facts = facts_by_rowid(catalogue, &attribute->facts[slot], 1, error);
    json_t *fact =
        facts == NULL ? NULL : json_incref(json_object_iter_value(json_object_iter(facts)));
    json_decref(facts);
    return fact;
}

/* Rates are published with at most eight decimals; a sum of them has no more. */
static json_t *price_or_null(double price) {
    const double decimals = 1e8;
    return isnan(price) ? json_null() : json_real(round(price * decimals) / decimals);
}

static bool add_price(struct catalogue *catalogue, const struct index_provider *provider,
                      json_t *list, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    size_t slot = chart_default_slot(index, provider);
    json_t *vcpu = fact_of(catalogue, "price_vcpu_hour_usd", slot, error);
    json_t *memory =
        vcpu == NULL ? NULL : fact_of(catalogue, "price_memory_gib_hour_usd", slot, error);
    json_t *billing = memory == NULL ? NULL : fact_of(catalogue, "billing_model", slot, error);
    double vcpu_hour = number_of(vcpu, "value");
    if (billing == NULL || isnan(vcpu_hour)) {
        bool failed = billing == NULL;
        json_decref(vcpu);
        json_decref(memory);
        json_decref(billing);
        return !failed;
    }
    double common = vcpu_hour + COMMON_GIB * number_of(memory, "value");
    json_t *entry = json_pack("{s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o}", "slug", provider->slug,
                              "name", provider->name, "offering", index->slots[slot].offering,
                              "vcpu", vcpu, "memory", memory, "billing", billing, "vcpu_hour_usd",
                              price_or_null(vcpu_hour), "common_hour_usd", price_or_null(common));
    return json_array_append_new(list, entry) == 0 || error_no_memory(error);
}

static int compare_prices(const void *one, const void *other) {
    const json_t *left = *(json_t *const *)one;
    const json_t *right = *(json_t *const *)other;
    double left_price = number_of(left, "common_hour_usd");
    double right_price = number_of(right, "common_hour_usd");
    if (isnan(left_price) != isnan(right_price)) {
        return isnan(left_price) ? 1 : -1;
    }
    if (left_price < right_price || left_price > right_price) {
        return left_price < right_price ? -1 : 1;
    }
    return strcmp(string_of(left, "name"), string_of(right, "name"));
}

json_t *prices_read(struct catalogue *catalogue, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *list = json_array();
    bool good = list != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < index->provider_count; i++) {
        good = add_price(catalogue, &index->providers[i], list, error);
    }
    good = good && (chart_sort(list, compare_prices) || error_no_memory(error));
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* --- the drawing --- */

static json_t *price_text(double price) {
    enum { TEXT_BYTES = 64 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    buf_add_char(&text, '$');
    text_add_number(&text, price);
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *bar_of(double price, double most, double y) {
    if (isnan(price)) {
        return json_null();
    }
    double width = BAR_UNITS * price / most;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "y", chart_number(y), "width",
                     chart_number(width), "label_x", chart_number(width + 6), "label_y",
                     chart_number(y + 10), "price", price_text(price));
}

static json_t *price_row(struct view *view, const json_t *entry) {
    static const char *const keys[] = {"price_vcpu_hour_usd", "price_memory_gib_hour_usd",
                                       "billing_model"};
    static const char *const names[] = {"vcpu", "memory", "billing"};
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    double common = number_of(entry, "common_hour_usd");
    json_t *row = json_pack("{s:O, s:o, s:o}", "name", json_object_get(entry, "name"), "href",
                            json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "common",
                            isnan(common) ? json_null() : price_text(common));
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        const json_t *fact = json_object_get(entry, names[i]);
        const struct index_attribute *attribute = index_attribute(index, keys[i]);
        json_t *cell = attribute == NULL
                           ? json_null()
                           : view_cell_linked(view, attribute, json_is_object(fact) ? fact : NULL);
        if (json_object_set_new(row, names[i], cell) != 0) {
            view->failed = true;
        }
    }
    return row;
}

static double most_of(const json_t *prices) {
    double most = 0;
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(prices, i, entry) {
        most = fmax(most, number_of(entry, "vcpu_hour_usd"));
        most = fmax(most, number_of(entry, "common_hour_usd"));
    }
    return most;
}

json_t *chart_prices(struct view *view, const json_t *prices, struct chart_focus focus) {
    double most = most_of(prices);
    if (!(most > 0)) {
        return json_null();
    }
    json_t *bars = json_array();
    json_t *rows = json_array();
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(prices, i, entry) {
        double top = ROW_UNITS * (double)i;
        json_t *bar = json_pack(
            "{s:o, s:b, s:o, s:o, s:o}", "name", chart_name(string_of(entry, "name")), "strong",
            (int)chart_in_focus(focus, string_of(entry, "slug")), "name_y",
            chart_number(top + NAME_UNITS), "vcpu",
            bar_of(number_of(entry, "vcpu_hour_usd"), most, top + FIRST_BAR_UNITS), "common",
            bar_of(number_of(entry, "common_hour_usd"), most, top + SECOND_BAR_UNITS));
        if (json_array_append_new(bars, bar) != 0 ||
            json_array_append_new(rows, price_row(view, entry)) != 0) {
            view->failed = true;
        }
    }
    return view_new(view, json_pack("{s:s, s:o, s:o, s:o}", "chart_id", "prices", "height",
                                    chart_number(ROW_UNITS * (double)json_array_size(prices)),
                                    "bars", bars, "rows", rows));
}
