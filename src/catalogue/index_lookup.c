/* Finding things in the index by name. */
#include "catalogue_index.h"
#include "index_private.h"
#include <string.h>

/* The number that a name has in a map, or SIZE_MAX. */
static size_t number_of(const json_t *numbers, const char *name) {
    const json_t *number = name == NULL ? NULL : json_object_get(numbers, name);
    return number == NULL ? SIZE_MAX : (size_t)json_integer_value(number);
}

struct index_attribute *index_attribute_mutable(struct catalogue_index *index, const char *key) {
    size_t number = number_of(index->attribute_numbers, key);
    return number == SIZE_MAX ? NULL : &index->attributes[number];
}

const struct index_attribute *index_attribute(const struct catalogue_index *index,
                                              const char *key) {
    size_t number = number_of(index->attribute_numbers, key);
    return number == SIZE_MAX ? NULL : &index->attributes[number];
}

const struct index_provider *index_provider(const struct catalogue_index *index, const char *slug) {
    size_t number = number_of(index->provider_numbers, slug);
    return number == SIZE_MAX ? NULL : &index->providers[number];
}

const struct index_slot *index_slot(const struct catalogue_index *index,
                                    const struct index_provider *provider, const char *offering) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        const struct index_slot *slot = &index->slots[provider->first_slot + i];
        if (slot->offering != NULL && strcmp(slot->offering, offering) == 0) {
            return slot;
        }
    }
    return NULL;
}

const struct index_value *index_value(const struct index_attribute *attribute, const char *value) {
    size_t number = number_of(attribute->value_numbers, value);
    return number == SIZE_MAX ? NULL : &attribute->values[number];
}
