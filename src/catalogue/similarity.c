#include "similarity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double headline_weight = 2;
static const double other_weight = 1;

size_t similarity_slot(const struct catalogue_index *index, const struct index_provider *provider) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        if (index->slots[provider->first_slot + i].is_default) {
            return provider->first_slot + i;
        }
    }
    return provider->first_slot;
}

static bool is_compared(const struct index_attribute *attribute) {
    return (attribute->headline || attribute->filterable) && attribute->type != TYPE_TEXT &&
           strcmp(attribute->group_key, "adoption") != 0;
}

/* Members that both slots have, divided by members that either has. For bools and enums that is 1
 * or 0. */
static double shared_values(const struct index_attribute *attribute, size_t slot,
                            size_t candidate) {
    size_t both = 0;
    size_t either = 0;
    for (size_t i = 0; i < attribute->value_count; i++) {
        bool one = slot_set_has(attribute->values[i].slots, slot);
        bool other = slot_set_has(attribute->values[i].slots, candidate);
        both += one && other;
        either += one || other;
    }
    return either == 0 ? 1 : (double)both / (double)either;
}

/* 1 for equal numbers, 0 from ten times apart. NaN, no number, agrees only with itself. */
static double near_numbers(double one, double other) {
    if (isnan(one) || isnan(other)) {
        return isnan(one) && isnan(other) ? 1 : 0;
    }
    if (one == other) {
        return 1;
    }
    if (isinf(one) || isinf(other) || one <= 0 || other <= 0) {
        return 0;
    }
    return fmax(0, 1 - fabs(log10(one / other)));
}

struct agreement similarity_agreement(const struct index_attribute *attribute, size_t slot,
                                      size_t candidate) {
    struct agreement result = {0};
    if (!is_compared(attribute) || !slot_set_has(attribute->documented, slot)) {
        return result;
    }
    result.weight = attribute->headline ? headline_weight : other_weight;
    if (slot_set_has(attribute->not_documented, candidate)) {
        result.high = 1;
    } else if (slot_set_has(attribute->documented, candidate)) {
        result.low = attribute->numbers != NULL
                         ? near_numbers(attribute->numbers[slot], attribute->numbers[candidate])
                         : shared_values(attribute, slot, candidate);
        result.high = result.low;
    }
    return result;
}

static struct similarity compare_slots(const struct catalogue_index *index, size_t slot,
                                       size_t candidate) {
    double weights = 0;
    struct similarity sum = {.provider = &index->providers[index->slots[candidate].provider],
                             .slot = candidate};
    for (size_t i = 0; i < index->attribute_count; i++) {
        struct agreement agreement = similarity_agreement(&index->attributes[i], slot, candidate);
        weights += agreement.weight;
        sum.low += agreement.weight * agreement.low;
        sum.high += agreement.weight * agreement.high;
    }
    const double full = 100;
    sum.low = weights > 0 ? full * sum.low / weights : 0;
    sum.high = weights > 0 ? full * sum.high / weights : 0;
    return sum;
}

static int by_likeness(const void *one_entry, const void *other_entry) {
    const struct similarity *one = one_entry;
    const struct similarity *other = other_entry;
    if (one->low != other->low) {
        return one->low > other->low ? -1 : 1;
    }
    if (one->high != other->high) {
        return one->high > other->high ? -1 : 1;
    }
    return strcmp(one->provider->name, other->provider->name);
}

static bool is_on_offer(const struct index_slot *slot) {
    return slot->is_default || slot->stage == NULL ||
           (strcmp(slot->stage, "alpha") != 0 && strcmp(slot->stage, "experimental") != 0 &&
            strcmp(slot->stage, "deprecated") != 0);
}

size_t similarity_rank(const struct catalogue_index *index, const struct index_provider *provider,
                       struct similarity *out) {
    size_t slot = similarity_slot(index, provider);
    size_t count = 0;
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *other = &index->providers[i];
        bool found = false;
        if (other == provider || other->status != STATUS_ACTIVE) {
            continue;
        }
        for (size_t j = 0; j < other->slot_count; j++) {
            size_t candidate = other->first_slot + j;
            if (!is_on_offer(&index->slots[candidate])) {
                continue;
            }
            struct similarity likeness = compare_slots(index, slot, candidate);
            if (!found || by_likeness(&likeness, &out[count]) < 0) {
                out[count] = likeness;
            }
            found = true;
        }
        count += found;
    }
    qsort(out, count, sizeof(*out), by_likeness);
    return count;
}
