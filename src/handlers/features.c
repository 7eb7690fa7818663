/* Which features each provider has, and the heat map of it. */
#include "chart.h"
#include <string.h>

enum {
    ROW_UNITS = 42,
    TOP_UNITS = 128, /* above the first row: slanted names of the features */
    NAME_UNITS = 14,
    MARK_UNITS = 21,
    FIRST_UNITS = 6,
    WIDTH_UNITS = 384,
    HALF_MARK_UNITS = 7
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool is_no(const char *value) {
    return strcmp(value, "no") == 0 || strcmp(value, "none") == 0;
}

/* An enum can be a feature where the first or the last of its values is a no. */
static bool is_feature(const struct index_attribute *attribute) {
    if (attribute->type == TYPE_BOOL) {
        return true;
    }
    return attribute->type == TYPE_ENUM && attribute->headline && attribute->value_count > 1 &&
           (is_no(attribute->values[0].value) ||
            is_no(attribute->values[attribute->value_count - 1].value));
}

/* The place of the value that a slot has, or value_count. */
static size_t value_place(const struct index_attribute *attribute, size_t slot) {
    size_t place = 0;
    while (place < attribute->value_count && !slot_set_has(attribute->values[place].slots, slot)) {
        place++;
    }
    return place;
}

/* yes, no or part: of an enum, the value farthest from its no is a yes. */
static const char *mark_of(const struct index_attribute *attribute, size_t place) {
    const char *value = attribute->values[place].value;
    if (attribute->type == TYPE_BOOL) {
        return strcmp(value, "true") == 0 ? "yes" : "no";
    }
    if (is_no(value)) {
        return "no";
    }
    size_t best = is_no(attribute->values[0].value) ? attribute->value_count - 1 : 0;
    return place == best ? "yes" : "part";
}

static json_t *answer_of(const struct index_attribute *attribute, size_t slot) {
    size_t place = value_place(attribute, slot);
    if (slot_set_has(attribute->documented, slot) && place < attribute->value_count) {
        const struct index_value *value = &attribute->values[place];
        bool is_true = strcmp(value->value, "true") == 0;
        const char *text = attribute->type == TYPE_BOOL ? (is_true ? "yes" : "no") : value->label;
        return json_pack("{s:s, s:s, s:s}", "attribute", attribute->key, "mark",
                         mark_of(attribute, place), "text", text);
    }
    bool is_unknown = slot_set_has(attribute->not_documented, slot);
    return json_pack("{s:s, s:s, s:s}", "attribute", attribute->key, "mark",
                     is_unknown ? "nd" : "na", "text",
                     is_unknown ? "not documented" : "does not apply");
}

json_t *features_read(struct catalogue *catalogue, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *features = json_array();
    json_t *providers = json_array();
    bool good = features != NULL && providers != NULL;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (is_feature(attribute)) {
            good = json_array_append_new(
                       features, json_pack("{s:s, s:s, s:s?}", "key", attribute->key, "label",
                                           attribute->label, "glossary", attribute->glossary)) == 0;
        }
    }
    for (size_t i = 0; good && i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        if (provider->status != STATUS_ACTIVE) {
            continue;
        }
        size_t slot = chart_default_slot(index, provider);
        json_t *values = json_array();
        for (size_t j = 0; good && j < index->attribute_count; j++) {
            if (is_feature(&index->attributes[j])) {
                good = json_array_append_new(values, answer_of(&index->attributes[j], slot)) == 0;
            }
        }
        good = json_array_append_new(providers, json_pack("{s:s, s:s, s:s?, s:o}", "slug",
                                                          provider->slug, "name", provider->name,
                                                          "offering", index->slots[slot].offering,
                                                          "values", values)) == 0 &&
               good;
    }
    json_t *model =
        good ? json_pack("{s:O, s:O}", "features", features, "providers", providers) : NULL;
    json_decref(features);
    json_decref(providers);
    if (model == NULL) {
        (void)error_no_memory(error);
    }
    return model;
}

/* --- the drawing --- */

static double column_of(size_t place, size_t count) {
    return FIRST_UNITS + (double)WIDTH_UNITS * (double)place / (double)count;
}

static json_t *column_heads(const json_t *features) {
    json_t *heads = json_array();
    size_t i = 0;
    const json_t *feature = NULL;
    json_array_foreach(features, i, feature) {
        double x = column_of(i, json_array_size(features)) + HALF_MARK_UNITS;
        json_t *head =
            json_pack("{s:O, s:o, s:o, s:o}", "label", json_object_get(feature, "label"), "turn",
                      json_sprintf("translate(%.1f %d) rotate(-55)", x, TOP_UNITS - 8), "x",
                      chart_number(x), "top", json_integer(TOP_UNITS - 4));
        if (json_array_append_new(heads, head) != 0) {
            json_decref(heads);
            return NULL;
        }
    }
    return heads;
}

/* The marks of one provider, each with its place in the drawing and its words for the table. */
static json_t *marks_of(const json_t *features, const json_t *provider, double y) {
    const json_t *values = json_object_get(provider, "values");
    json_t *marks = json_array();
    size_t i = 0;
    const json_t *value = NULL;
    json_array_foreach(values, i, value) {
        const char *mark = string_of(value, "mark");
        json_t *entry = json_pack("{s:O, s:o, s:o, s:o, s:o, s:O, s:o}", "label",
                                  json_object_get(json_array_get(features, i), "label"), "shape",
                                  json_sprintf("heat-%s", mark), "x",
                                  chart_number(column_of(i, json_array_size(values))), "y",
                                  chart_number(y), "class", json_sprintf("v v-%s", mark), "text",
                                  json_object_get(value, "text"), "href",
                                  json_sprintf("/sandboxes/%s/#%s", string_of(provider, "slug"),
                                               string_of(value, "attribute")));
        if (json_array_append_new(marks, entry) != 0) {
            json_decref(marks);
            return NULL;
        }
    }
    return marks;
}

json_t *chart_heat(struct view *view, const json_t *features) {
    const json_t *providers = json_object_get(features, "providers");
    json_t *rows = json_array();
    size_t i = 0;
    const json_t *provider = NULL;
    json_array_foreach(providers, i, provider) {
        double top = TOP_UNITS + ROW_UNITS * (double)i;
        json_t *row =
            json_pack("{s:O, s:o, s:o, s:o, s:o, s:o}", "name", json_object_get(provider, "name"),
                      "short_name", chart_name(string_of(provider, "name")), "href",
                      json_sprintf("/sandboxes/%s/", string_of(provider, "slug")), "name_y",
                      chart_number(top + NAME_UNITS), "line_y", chart_number(top), "marks",
                      marks_of(json_object_get(features, "features"), provider, top + MARK_UNITS));
        if (json_array_append_new(rows, row) != 0) {
            view->failed = true;
        }
    }
    if (json_array_size(rows) == 0) {
        json_decref(rows);
        return json_null();
    }
    double height = TOP_UNITS + ROW_UNITS * (double)json_array_size(rows);
    return view_new(view,
                    json_pack("{s:s, s:o, s:o, s:o}", "chart_id", "heat", "height",
                              chart_number(height), "heads",
                              column_heads(json_object_get(features, "features")), "rows", rows));
}
