/* Builds the index of a generation: shapes first (attributes, values, providers, slots), then one
 * pass that says which fact answers for which slot, then one pass that files the values. */
#include "arena.h"
#include "catalogue_index.h"
#include "index_private.h"
#include "rows.h"
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

static slot_set new_set(struct catalogue_index *index) {
    return arena_alloc(&index->arena, index->set_words, sizeof(uint64_t));
}

/* --- shapes
 * -------------------------------------------------------------------------------------------------------
 */

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

/* --- values
 * -------------------------------------------------------------------------------------------------------
 */

/* Gives a value its number within its attribute. */
static bool add_value(struct index_attribute *attribute, const char *value) {
    if (json_object_get(attribute->value_numbers, value) != NULL) {
        return true;
    }
    json_int_t number = (json_int_t)attribute->value_count++;
    return json_object_set_new(attribute->value_numbers, value, json_integer(number)) == 0;
}

static bool start_values(struct catalogue_index *index, struct catalogue *catalogue,
                         json_t **out_labels, struct error *error) {
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
    return good || error_no_memory(error);
}

/* Calls function for each value that a documented fact has: of a set each member, of a money map
 * each name. */
typedef bool value_function(void *context, struct index_attribute *attribute, const char *value);

static bool each_value(struct index_attribute *attribute, const json_t *value,
                       value_function *function, void *context) {
    if (json_is_boolean(value)) {
        return function(context, attribute, json_is_true(value) ? "true" : "false");
    }
    if (json_is_string(value)) {
        return function(context, attribute, json_string_value(value));
    }
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(value, i, member) {
        if (!json_is_string(member) || !function(context, attribute, json_string_value(member))) {
            return false;
        }
    }
    const char *name = NULL;
    json_t *amount = NULL;
    json_object_foreach((json_t *)value, name, amount) {
        if (!function(context, attribute, name)) {
            return false;
        }
    }
    return true;
}

static bool count_value(void *context, struct index_attribute *attribute, const char *value) {
    (void)context;
    return add_value(attribute, value);
}

static bool allocate_values(struct catalogue_index *index, const json_t *labels) {
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
            entry->slots = attribute->type == TYPE_TEXT ? NULL : new_set(index);
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
        attribute->documented = new_set(index);
        attribute->not_documented = new_set(index);
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

/* --- facts
 * --------------------------------------------------------------------------------------------------------
 */

/* Columns of STATEMENT_INDEX_FACTS. */
enum {
    FACT_ROWID,
    FACT_PROVIDER,
    FACT_OFFERING,
    FACT_ATTRIBUTE,
    FACT_STATE,
    FACT_VALUE,
    FACT_CHECKED
};

struct fact_row {
    struct index_attribute *attribute;
    const struct index_provider *provider;
    const struct index_slot *slot; /* NULL: a fact of the whole provider */
    int64_t rowid;
    int64_t checked; /* day */
    json_t *value;   /* NULL unless documented; owned */
    bool not_applicable;
};

static bool read_fact(struct catalogue_index *index, sqlite3_stmt *row, struct fact_row *fact,
                      struct error *error) {
    const char *offering = row_text(row, FACT_OFFERING);
    const char *value = row_text(row, FACT_VALUE);
    fact->attribute = index_attribute_mutable(index, row_text(row, FACT_ATTRIBUTE));
    fact->provider = index_provider(index, row_text(row, FACT_PROVIDER));
    if (fact->attribute == NULL || fact->provider == NULL) {
        return error_set(error, ERROR_CORRUPT,
                         "a fact of the catalogue names a missing provider or attribute");
    }
    fact->slot = offering == NULL ? NULL : index_slot(index, fact->provider, offering);
    fact->rowid = sqlite3_column_int64(row, FACT_ROWID);
    const char *state = row_text(row, FACT_STATE);
    fact->not_applicable = state != NULL && strcmp(state, "not_applicable") == 0;
    fact->value = value == NULL ? NULL : json_loads(value, JSON_DECODE_ANY, NULL);
    if ((value != NULL && fact->value == NULL) || (offering != NULL && fact->slot == NULL) ||
        !text_day(row_text(row, FACT_CHECKED), &fact->checked)) {
        json_decref(fact->value);
        return error_set(error, ERROR_CORRUPT, "the fact %s of %s cannot be read",
                         fact->attribute->key, fact->provider->slug);
    }
    return true;
}

/* First pass: which fact answers for which slot, and which values there are. A slot's own fact is
 * marked by its negative rowid until the second pass, so that a provider's fact never replaces it.
 */
static bool place_fact(void *context, sqlite3_stmt *row, struct error *error) {
    struct catalogue_index *index = context;
    struct fact_row fact = {0};
    if (!read_fact(index, row, &fact, error)) {
        return false;
    }
    int64_t *facts = fact.attribute->facts;
    if (fact.slot != NULL) {
        facts[fact.slot - index->slots] = -fact.rowid;
    } else {
        for (size_t i = 0; i < fact.provider->slot_count; i++) {
            int64_t *answer = &facts[fact.provider->first_slot + i];
            *answer = *answer < 0 ? *answer : fact.rowid;
        }
    }
    bool good = fact.value == NULL || attribute_is_numeric(fact.attribute) ||
                each_value(fact.attribute, fact.value, count_value, NULL);
    json_decref(fact.value);
    return good ||
           error_set(error, ERROR_CORRUPT, "the fact %s of %s has a value of the wrong type",
                     fact.attribute->key, fact.provider->slug);
}

struct filing {
    struct catalogue_index *index;
    size_t slot;
};

static bool file_value(void *context, struct index_attribute *attribute, const char *value) {
    const struct filing *filing = context;
    const struct index_value *entry = index_value(attribute, value);
    if (entry == NULL) {
        return false;
    }
    if (attribute->type == TYPE_TEXT) {
        attribute->texts[filing->slot] = (uint32_t)(entry - attribute->values) + 1;
    } else {
        slot_set_add(entry->slots, filing->slot);
    }
    return true;
}

/* The cheapest entry of a money map, NAN where it has none. */
static double cheapest(const json_t *map) {
    double least = NAN;
    const char *name = NULL;
    json_t *amount = NULL;
    json_object_foreach((json_t *)map, name, amount) {
        least = fmin(least, json_number_value(amount));
    }
    return least;
}

static bool file_amounts(const struct index_attribute *attribute, const json_t *map, size_t slot) {
    const char *name = NULL;
    json_t *amount = NULL;
    json_object_foreach((json_t *)map, name, amount) {
        if (!json_is_number(amount)) {
            return false;
        }
        index_value(attribute, name)->amounts[slot] = json_number_value(amount);
    }
    return true;
}

static bool file_answer(struct catalogue_index *index, const struct fact_row *fact, size_t slot) {
    struct index_attribute *attribute = fact->attribute;
    attribute->facts[slot] = fact->rowid;
    attribute->review_by[slot] = fact->checked + attribute->review_days;
    if (fact->value == NULL) {
        if (fact->not_applicable) {
            slot_set_remove(attribute->not_documented, slot);
        }
        return true;
    }
    slot_set_remove(attribute->not_documented, slot);
    slot_set_add(attribute->documented, slot);
    if (attribute_is_numeric(attribute)) {
        bool unlimited = attribute->type == TYPE_DURATION && json_is_string(fact->value);
        attribute->numbers[slot] = unlimited ? INFINITY : json_number_value(fact->value);
        return unlimited || json_is_number(fact->value);
    }
    if (attribute->type == TYPE_MONEY_MAP) {
        attribute->numbers[slot] = cheapest(fact->value);
    }
    struct filing filing = {.index = index, .slot = slot};
    return each_value(attribute, fact->value, file_value, &filing) &&
           (attribute->type != TYPE_MONEY_MAP || file_amounts(attribute, fact->value, slot));
}

/* Second pass: files each fact under the slots that it answers for. */
static bool file_fact(void *context, sqlite3_stmt *row, struct error *error) {
    struct catalogue_index *index = context;
    struct fact_row fact = {0};
    if (!read_fact(index, row, &fact, error)) {
        return false;
    }
    bool good = true;
    if (fact.slot != NULL) {
        good = file_answer(index, &fact, (size_t)(fact.slot - index->slots));
    } else {
        for (size_t i = 0; good && i < fact.provider->slot_count; i++) {
            size_t slot = fact.provider->first_slot + i;
            good = fact.attribute->facts[slot] != fact.rowid || file_answer(index, &fact, slot);
        }
    }
    json_decref(fact.value);
    return good ||
           error_set(error, ERROR_CORRUPT, "the fact %s of %s has a value of the wrong type",
                     fact.attribute->key, fact.provider->slug);
}

static bool load(struct catalogue_index *index, struct catalogue *catalogue, struct error *error) {
    json_t *labels = NULL;
    if (!load_attributes(index, catalogue, error) || !load_providers(index, catalogue, error) ||
        !load_slots(index, catalogue, error) || !start_values(index, catalogue, &labels, error)) {
        json_decref(labels);
        return false;
    }
    bool good = allocate_answers(index) || error_no_memory(error);
    good = good && rows_each(catalogue, STATEMENT_INDEX_FACTS, NULL, 0, place_fact, index, error);
    good = good && (allocate_values(index, labels) || error_no_memory(error));
    good = good && rows_each(catalogue, STATEMENT_INDEX_FACTS, NULL, 0, file_fact, index, error);
    json_decref(labels);
    return good;
}

struct catalogue_index *index_create(struct catalogue *catalogue, struct error *error) {
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
    if (!good || !load(index, catalogue, error)) {
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
