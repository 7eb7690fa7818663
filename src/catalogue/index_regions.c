/* Which slots an overlay leaves no region. */
#include "index_private.h"
#include "rows.h"

struct bans {
    struct catalogue_index *index;
    bool *is_banned; /* of each value of index->regions */
};

static bool take_ban(void *context, sqlite3_stmt *row, struct error *error) {
    struct bans *bans = context;
    struct catalogue_index *index = bans->index;
    const char *region = row_text(row, 0);
    const struct index_value *value =
        region == NULL || index->regions == NULL ? NULL : index_value(index->regions, region);
    if (value == NULL || value->slots == NULL) {
        return error_set(error, ERROR_CORRUPT, "the overlay bans a region that is not there");
    }
    if (bans->is_banned == NULL) {
        bans->is_banned =
            arena_alloc(&index->arena, index->regions->value_count, sizeof(*bans->is_banned));
    }
    if (bans->is_banned == NULL) {
        return error_no_memory(error);
    }
    bans->is_banned[value - index->regions->values] = true;
    return true;
}

static void join_values(const struct bans *bans, bool banned, uint64_t *set) {
    const struct index_attribute *regions = bans->index->regions;
    for (size_t i = 0; i < regions->value_count; i++) {
        for (size_t j = 0; bans->is_banned[i] == banned && j < bans->index->set_words; j++) {
            set[j] |= regions->values[i].slots[j];
        }
    }
}

bool index_ban_regions(struct catalogue_index *index, struct catalogue *catalogue,
                       struct error *error) {
    struct bans bans = {.index = index};
    index->regions = index_attribute(index, "region_groups");
    if (!rows_each(catalogue, STATEMENT_BANNED_REGIONS, NULL, 0, take_ban, &bans, error)) {
        return false;
    }
    if (bans.is_banned == NULL) {
        return true;
    }
    slot_set banned = index_new_set(index);
    slot_set left = index_new_set(index);
    if (banned == NULL || left == NULL) {
        return error_no_memory(error);
    }
    join_values(&bans, true, banned);
    join_values(&bans, false, left);
    for (size_t i = 0; i < index->set_words; i++) {
        banned[i] &= ~left[i];
    }
    index->banned = banned;
    return true;
}
