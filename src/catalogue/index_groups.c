/* What the index knows of whole providers and slots, so that questions need not look at each: sets
 * by status, kind and stage, and the order of names. */
#include "index_private.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The group with this name, made where there is none; NULL: out of memory. */
static struct index_value *group_of(struct catalogue_index *index, struct index_value *groups,
                                    size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(groups[i].value, name) == 0) {
            return &groups[i];
        }
    }
    struct index_value *group = &groups[(*count)++];
    group->value = name;
    group->label = name;
    group->slots = index_new_set(index);
    return group->slots == NULL ? NULL : group;
}

/* Adds count slots from first on. */
static void add_slots(uint64_t *set, size_t first, size_t count) {
    for (size_t slot = first; slot < first + count; slot++) {
        slot_set_add(set, slot);
    }
}

/* Names as people look for them: upper and lower case alike. */
static int compare_names(const void *left, const void *right) {
    const struct index_provider *one = *(const struct index_provider *const *)left;
    const struct index_provider *other = *(const struct index_provider *const *)right;
    int order = strcasecmp(one->name, other->name);
    order = order != 0 ? order : strcmp(one->name, other->name);
    return order != 0 ? order : strcmp(one->slug, other->slug);
}

static bool order_names(struct catalogue_index *index) {
    index->by_name =
        arena_alloc(&index->arena, index->provider_count + 1, sizeof(struct index_provider *));
    if (index->by_name == NULL) {
        return false;
    }
    for (size_t i = 0; i < index->provider_count; i++) {
        index->by_name[i] = &index->providers[i];
    }
    qsort(index->by_name, index->provider_count, sizeof(index->by_name[0]), compare_names);
    for (size_t i = 0; i < index->provider_count; i++) {
        index->providers[index->by_name[i] - index->providers].name_place = i;
    }
    return true;
}

/* The kinds and stages there can be: as many as the schema's lists at the most, or as the catalogue
 * has. */
static bool allocate(struct catalogue_index *index) {
    index->last = index_new_set(index);
    index->stage_unknown = index_new_set(index);
    index->kinds =
        arena_alloc(&index->arena, index->provider_count + 1, sizeof(struct index_value));
    index->stages = arena_alloc(&index->arena, index->slot_count + 1, sizeof(struct index_value));
    bool good = index->last != NULL && index->stage_unknown != NULL && index->kinds != NULL &&
                index->stages != NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(index->statuses); i++) {
        index->statuses[i] = index_new_set(index);
        good = good && index->statuses[i] != NULL;
    }
    return good;
}

bool index_make_groups(struct catalogue_index *index) {
    if (!allocate(index) || !order_names(index)) {
        return false;
    }
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        struct index_value *kind =
            group_of(index, index->kinds, &index->kind_count, provider->kind);
        if (kind == NULL) {
            return false;
        }
        slot_set_add(index->last, provider->first_slot + provider->slot_count - 1);
        add_slots(index->statuses[provider->status], provider->first_slot, provider->slot_count);
        add_slots(kind->slots, provider->first_slot, provider->slot_count);
    }
    for (size_t slot = 0; slot < index->slot_count; slot++) {
        const char *name = index->slots[slot].stage;
        struct index_value *stage =
            name == NULL ? NULL : group_of(index, index->stages, &index->stage_count, name);
        if (name != NULL && stage == NULL) {
            return false;
        }
        slot_set_add(name == NULL ? index->stage_unknown : stage->slots, slot);
    }
    return true;
}
