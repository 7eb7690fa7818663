/* Builds the index of a generation: shapes first (attributes, values, providers, slots), then the
 * facts (index_facts.c). */
#include "arena.h"
#include "catalogue_index.h"
#include "index_private.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const type_names[TYPE__COUNT] = {
    [TYPE_BOOL] = "bool",         [TYPE_NUMBER] = "number",       [TYPE_MONEY] = "money",
    [TYPE_DURATION] = "duration", [TYPE_ENUM] = "enum",           [TYPE_SET] = "set",
    [TYPE_TEXT] = "text",         [TYPE_MONEY_MAP] = "money-map",
};

const char *attribute_type_name(enum attribute_type type) {
    return type_names[type];
}

static enum attribute_type type_from_name(const char *name) {
    for (int i = 0; i < TYPE__COUNT; i++) {
        if (strcmp(type_names[i], name) == 0) {
            return (enum attribute_type)i;
        }
    }
    return TYPE__COUNT;
}

bool attribute_is_numeric(const struct index_attribute *attribute) {
    return attribute->type == TYPE_NUMBER || attribute->type == TYPE_MONEY ||
           attribute->type == TYPE_DURATION;
}

slot_set index_new_set(struct catalogue_index *index) {
    return arena_alloc(&index->arena, index->set_words, sizeof(uint64_t));
}

/* --- shapes --- */

static const char *keep(struct catalogue_index *index, const json_t *row, const char *key) {
    return arena_text(&index->arena, json_string_value(json_object_get(row, key)));
}

static bool load_attributes(struct catalogue_index *index, struct catalogue *catalogue,
                            struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_ATTRIBUTES, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    index->attribute_count = json_array_size(rows);
    index->attributes =
        arena_alloc(&index->arena, index->attribute_count, sizeof(struct index_attribute));
    bool good = index->attributes != NULL || index->attribute_count == 0;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const json_t *row = json_array_get(rows, i);
        struct index_attribute *attribute = &index->attributes[i];
        const char *better = json_string_value(json_object_get(row, "better"));
        attribute->key = keep(index, row, "key");
        attribute->label = keep(index, row, "label");
        attribute->group_key = keep(index, row, "group_key");
        attribute->unit = keep(index, row, "unit");
        attribute->glossary = keep(index, row, "glossary");
        attribute->description = keep(index, row, "description");
        attribute->type = type_from_name(json_string_value(json_object_get(row, "type")));
        attribute->better = better == NULL     ? BETTER_NEITHER
                            : better[0] == 'h' ? BETTER_HIGHER
                                               : BETTER_LOWER;
        attribute->headline = json_is_true(json_object_get(row, "headline"));
        attribute->filterable = json_is_true(json_object_get(row, "filterable"));
        attribute->review_days = (int)json_integer_value(json_object_get(row, "review_days"));
        good = attribute->key != NULL && attribute->description != NULL &&
               json_object_set_new(index->attribute_numbers, attribute->key,
                                   json_integer((json_int_t)i)) == 0;
    }
    json_decref(rows);
    return good || error_no_memory(error);
}

static enum provider_status status_from_name(const char *name) {
    return strcmp(name, "active") == 0         ? STATUS_ACTIVE
           : strcmp(name, "winding-down") == 0 ? STATUS_WINDING_DOWN
                                               : STATUS_DISCONTINUED;
}

static bool load_providers(struct catalogue_index *index, struct catalogue *catalogue,
                           struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_INDEX_PROVIDERS, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    index->provider_count = json_array_size(rows);
    index->providers =
        arena_alloc(&index->arena, index->provider_count, sizeof(struct index_provider));
    bool good = index->providers != NULL || index->provider_count == 0;
    for (size_t i = 0; good && i < index->provider_count; i++) {
        const json_t *row = json_array_get(rows, i);
        struct index_provider *provider = &index->providers[i];
        provider->slug = keep(index, row, "slug");
        provider->name = keep(index, row, "name");
        provider->kind = keep(index, row, "kind");
        provider->status = status_from_name(json_string_value(json_object_get(row, "status")));
        good = provider->slug != NULL && provider->name != NULL && provider->kind != NULL &&
               json_object_set_new(index->provider_numbers, provider->slug,
                                   json_integer((json_int_t)i)) == 0;
    }
    json_decref(rows);
    return good || error_no_memory(error);
}

/* Counts the slots of each provider, so that they can be laid out in one array. */
static void lay_out_slots(struct catalogue_index *index, const json_t *rows) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *slug = json_string_value(json_object_get(row, "provider"));
        size_t number = (size_t)json_integer_value(json_object_get(index->provider_numbers, slug));
        index->providers[number].slot_count++;
        index->providers[number].has_offerings = true;
    }
    for (i = 0; i < index->provider_count; i++) {
        struct index_provider *provider = &index->providers[i];
        provider->first_slot = index->slot_count;
        provider->slot_count = provider->has_offerings ? provider->slot_count : 1;
        index->slot_count += provider->slot_count;
    }
    index->set_words = index->slot_count / 64 + 1;
}

static bool fill_slots(struct catalogue_index *index, const json_t *rows) {
    size_t row_number = 0;
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        for (size_t j = 0; j < provider->slot_count; j++) {
            struct index_slot *slot = &index->slots[provider->first_slot + j];
            slot->provider = i;
            if (!provider->has_offerings) {
                slot->name = provider->name;
                slot->is_default = true;
                continue;
            }
            const json_t *row = json_array_get(rows, row_number++);
            slot->offering = keep(index, row, "slug");
            slot->name = keep(index, row, "name");
            slot->stage = keep(index, row, "release_stage");
            slot->is_default = json_is_true(json_object_get(row, "is_default"));
            if (slot->offering == NULL || slot->name == NULL) {
                return false;
            }
        }
    }
    return true;
}

static bool load_slots(struct catalogue_index *index, struct catalogue *catalogue,
                       struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_INDEX_OFFERINGS, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    lay_out_slots(index, rows);
    index->slots = arena_alloc(&index->arena, index->slot_count + 1, sizeof(struct index_slot));
    bool good = index->slots != NULL && fill_slots(index, rows);
    json_decref(rows);
    return good || error_no_memory(error);
}

/* --- values --- */

bool index_add_value(struct index_attribute *attribute, const char *value, size_t length,
                     uint32_t *out_number) {
    const json_t *known = json_object_getn(attribute->value_numbers, value, length);
    if (known != NULL) {
        *out_number = (uint32_t)json_integer_value(known);
        return true;
    }
    *out_number = (uint32_t)attribute->value_count++;
    return json_object_setn_new(attribute->value_numbers, value, length,
                                json_integer((json_int_t)*out_number)) == 0;
}

static bool add_value(struct index_attribute *attribute, const char *value) {
    uint32_t number = 0;
    return value != NULL && index_add_value(attribute, value, strlen(value), &number);
}

static bool add_known(struct catalogue_index *index, const struct catalogue_index *known) {
    for (size_t i = 0; known != NULL && i < index->attribute_count; i++) {
        const char *value = NULL;
        json_t *number = NULL;
        json_object_foreach(known->attributes[i].value_numbers, value, number) {
            if (!add_value(&index->attributes[i], value)) {
                return false;
            }
        }
    }
    return true;
}

static bool start_values(struct catalogue_index *index, struct catalogue *catalogue,
                         const struct catalogue_index *known, json_t **out_labels,
                         struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_ATTRIBUTE_VALUES, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        struct index_attribute *attribute = &index->attributes[i];
        attribute->value_numbers = json_object();
        good = attribute->value_numbers != NULL;
        if (good && attribute->type == TYPE_BOOL) {
            attribute->closed = true;
            good = add_value(attribute, "true") && add_value(attribute, "false");
        }
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        struct index_attribute *attribute =
            index_attribute_mutable(index, json_string_value(json_object_get(row, "attribute")));
        if (attribute != NULL) {
            attribute->closed = true;
            good = good && add_value(attribute, json_string_value(json_object_get(row, "value")));
        }
    }
    *out_labels = rows;
    return (good && add_known(index, known)) || error_no_memory(error);
}

bool index_allocate_values(struct catalogue_index *index, const json_t *labels) {
    for (size_t i = 0; i < index->attribute_count; i++) {
        struct index_attribute *attribute = &index->attributes[i];
        attribute->values =
            arena_alloc(&index->arena, attribute->value_count + 1, sizeof(struct index_value));
        if (attribute->values == NULL) {
            return false;
        }
        size_t number = 0;
        const char *value = NULL;
        json_t *position = NULL;
        json_object_foreach(attribute->value_numbers, value, position) {
            struct index_value *entry = &attribute->values[number++];
            entry->value = arena_text(&index->arena, value);
            entry->label = entry->value;
            entry->slots = attribute->type == TYPE_TEXT ? NULL : index_new_set(index);
            bool is_map = attribute->type == TYPE_MONEY_MAP;
            entry->amounts =
                is_map ? arena_alloc(&index->arena, index->slot_count, sizeof(double)) : NULL;
            if (entry->value == NULL || (entry->slots == NULL && attribute->type != TYPE_TEXT) ||
                (is_map && entry->amounts == NULL)) {
                return false;
            }
        }
        if (attribute->type == TYPE_BOOL) {
            attribute->values[0].label = "yes";
            attribute->values[1].label = "no";
        }
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(labels, i, row) {
        const struct index_attribute *attribute =
            index_attribute(index, json_string_value(json_object_get(row, "attribute")));
        struct index_value *value =
            attribute == NULL ? NULL
                              : (struct index_value *)index_value(
                                    attribute, json_string_value(json_object_get(row, "value")));
        if (value != NULL && (value->label = keep(index, row, "label")) == NULL) {
            return false;
        }
    }
    return true;
}

static bool allocate_answers(struct catalogue_index *index) {
    for (size_t i = 0; i < index->attribute_count; i++) {
        struct index_attribute *attribute = &index->attributes[i];
        attribute->documented = index_new_set(index);
        attribute->not_documented = index_new_set(index);
        attribute->facts = arena_alloc(&index->arena, index->slot_count, sizeof(int64_t));
        attribute->review_by = arena_alloc(&index->arena, index->slot_count, sizeof(int64_t));
        if (attribute->documented == NULL || attribute->not_documented == NULL ||
            attribute->facts == NULL || attribute->review_by == NULL) {
            return false;
        }
        if (attribute->type == TYPE_TEXT) {
            attribute->texts = arena_alloc(&index->arena, index->slot_count, sizeof(uint32_t));
        } else if (attribute_is_numeric(attribute) || attribute->type == TYPE_MONEY_MAP) {
            attribute->numbers = arena_alloc(&index->arena, index->slot_count, sizeof(double));
        }
        for (size_t slot = 0; slot < index->slot_count; slot++) {
            slot_set_add(attribute->not_documented, slot);
            attribute->review_by[slot] = INT64_MAX;
            if (attribute->numbers != NULL) {
                attribute->numbers[slot] = NAN;
            }
        }
    }
    return true;
}

static bool load(struct catalogue_index *index, struct catalogue *catalogue,
                 const struct catalogue_index *known, struct error *error) {
    json_t *labels = NULL;
    if (!load_attributes(index, catalogue, error) || !load_providers(index, catalogue, error) ||
        !load_slots(index, catalogue, error) ||
        !start_values(index, catalogue, known, &labels, error)) {
        json_decref(labels);
        return false;
    }
    bool good = allocate_answers(index) || error_no_memory(error);
    good = good && (index_make_groups(index) || error_no_memory(error));
    good = good && index_load_facts(index, catalogue, labels, error);
    good = good && index_ban_regions(index, catalogue, error);
    json_decref(labels);
    return good;
}

struct catalogue_index *index_create(struct catalogue *catalogue,
                                     const struct catalogue_index *known, struct error *error) {
    struct catalogue_index *index = calloc(1, sizeof(struct catalogue_index));
    if (index == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    index->attribute_numbers = json_object();
    index->provider_numbers = json_object();
    bool good = index->attribute_numbers != NULL && index->provider_numbers != NULL;
    if (!good) {
        (void)error_no_memory(error);
    }
    if (!good || !load(index, catalogue, known, error)) {
        index_free(index);
        return NULL;
    }
    return index;
}

void index_free(struct catalogue_index *index) {
    if (index == NULL) {
        return;
    }
    for (size_t i = 0; i < index->attribute_count && index->attributes != NULL; i++) {
        json_decref(index->attributes[i].value_numbers);
    }
    json_decref(index->attribute_numbers);
    json_decref(index->provider_numbers);
    arena_free(&index->arena);
    free(index);
}
