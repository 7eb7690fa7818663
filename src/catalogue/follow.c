/* From one day to the next: what entered the answer, left it, or changed in it. */
#include "follow.h"
#include "facts.h"
#include "follow_private.h"
#include "limit.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

/* --- what changed, as rowids --- */

static bool is_in(const json_t *provider) {
    return provider != NULL &&
           strcmp(json_string_value(json_object_get(provider, "outcome")), "matches") == 0;
}

static bool add_change(json_t *cells, const char *cell, const json_t *after, const json_t *before) {
    return json_array_append_new(cells, json_pack("{s:s, s:O?, s:O?}", "cell", cell, "after", after,
                                                  "before", before)) == 0;
}

/* Whether an offering has a cell among these. */
static bool has_offering(const json_t *cells, const char *cell) {
    size_t length = strcspn(cell, "/") + 1;
    const char *key = NULL;
    json_t *rowid = NULL;
    json_object_foreach((json_t *)cells, key, rowid) {
        if (strncmp(key, cell, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The cells of what is in the answer on both days that differ; offerings that left it go to gone.
 */
static bool differ(const json_t *after, const json_t *before, json_t *cells, json_t *gone) {
    bool good = true;
    const char *cell = NULL;
    json_t *rowid = NULL;
    json_object_foreach((json_t *)after, cell, rowid) {
        json_t *old = json_object_get(before, cell);
        good = good &&
               ((old != NULL && json_equal(old, rowid)) || add_change(cells, cell, rowid, old));
    }
    json_object_foreach((json_t *)before, cell, rowid) {
        if (good && !has_offering(after, cell)) {
            json_t *offering = json_stringn(cell, strcspn(cell, "/"));
            size_t last = json_array_size(gone);
            bool is_known = last > 0 && json_equal(json_array_get(gone, last - 1), offering);
            good = is_known ? offering != NULL : json_array_append(gone, offering) == 0;
            json_decref(offering);
        }
    }
    return good;
}

static bool list_all(const json_t *shown, json_t *cells) {
    bool good = true;
    const char *cell = NULL;
    json_t *rowid = NULL;
    json_object_foreach((json_t *)shown, cell, rowid) {
        good = good && add_change(cells, cell, rowid, NULL);
    }
    return good;
}

/* What was asked about, in the offerings that were in the answer before, and changed. */
static bool list_reasons(const json_t *after, const json_t *before, json_t *cells) {
    bool good = true;
    const json_t *shown = json_object_get(before, "shown");
    const json_t *asked = json_object_get(after, "asked");
    const char *cell = NULL;
    json_t *rowid = NULL;
    json_object_foreach(json_object_get(before, "asked"), cell, rowid) {
        json_t *now = json_object_get(asked, cell);
        bool is_reason = has_offering(shown, cell) && now != NULL && !json_equal(now, rowid);
        good = good && (!is_reason || add_change(cells, cell, now, rowid));
    }
    return good;
}

/* Appends an entry where the provider's place or what is shown of it changed. */
static bool compare_provider(const char *day, const char *slug, const json_t *after,
                             const json_t *before, json_t *entries) {
    const bool was = is_in(before);
    const bool is = is_in(after);
    if (!was && !is) {
        return true;
    }
    const json_t *shown = json_object_get(after, "shown");
    json_t *cells = json_array();
    json_t *gone = json_array();
    bool good = cells != NULL && gone != NULL &&
                (!was  ? list_all(shown, cells)
                 : !is ? list_reasons(after, before, cells)
                       : differ(shown, json_object_get(before, "shown"), cells, gone));
    if (good && was && is && json_array_size(cells) + json_array_size(gone) == 0) {
        json_decref(cells);
        json_decref(gone);
        return true;
    }
    const json_t *named = after == NULL ? before : after;
    json_t *outcome = json_object_get(after, "outcome");
    json_t *entry = json_pack("{s:s, s:s, s:s, s:O, s:O?, s:o, s:o}", "day", day, "change",
                              !was ? "entered"
                              : is ? "changed"
                                   : "left",
                              "provider", slug, "name", json_object_get(named, "name"), "outcome",
                              outcome, "offerings_left", gone, "values", cells);
    return json_array_append_new(entries, entry) == 0 && good;
}

static bool compare_days(const struct catalogue_index *index, const char *day, const json_t *after,
                         const json_t *before, json_t *entries, struct error *error) {
    bool good = true;
    for (size_t i = 0; good && i < index->provider_count; i++) {
        const char *slug = index->providers[i].slug;
        good = compare_provider(day, slug, json_object_get(after, slug),
                                json_object_get(before, slug), entries);
    }
    return good || error_no_memory(error);
}

/* --- from rowids to facts --- */

static bool collect(struct buf *rowids, const json_t *rowid) {
    int64_t number = json_integer_value(rowid);
    return !json_is_integer(rowid) || buf_add(rowids, &number, sizeof(number));
}

static json_t *read_facts(struct catalogue *catalogue, const json_t *entries, struct error *error) {
    struct buf rowids;
    buf_init(&rowids, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(entries, i, entry) {
        size_t j = 0;
        json_t *value = NULL;
        json_array_foreach(json_object_get(entry, "values"), j, value) {
            (void)(collect(&rowids, json_object_get(value, "after")) &&
                   collect(&rowids, json_object_get(value, "before")));
        }
    }
    json_t *facts = NULL;
    if (rowids.failed) {
        (void)error_no_memory(error);
    } else {
        facts = facts_by_collected(catalogue, &rowids, error);
    }
    buf_free(&rowids);
    return facts;
}

/* The fact of a rowid, or null where there is none. New reference. */
static json_t *fact_at(const json_t *facts, const struct index_attribute *attribute,
                       const json_t *rowid) {
    if (!json_is_integer(rowid)) {
        return json_null();
    }
    json_t *text = json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(rowid));
    json_t *fact = json_object_get(facts, json_string_value(text));
    json_decref(text);
    return fact == NULL ? fact_missing(attribute) : json_incref(fact);
}

/* The name of an offering of today or of the index of the day, else its slug. New reference. */
static json_t *offering_name(const struct catalogue_index *index, const char *provider,
                             const char *slug) {
    const struct index_provider *entry = index_provider(index, provider);
    const struct index_slot *slot =
        entry == NULL || slug[0] == '\0' ? NULL : index_slot(index, entry, slug);
    return slug[0] == '\0' ? json_null() : json_string(slot == NULL ? slug : slot->name);
}

static bool same_words(const json_t *one, const json_t *other) {
    return json_equal(json_object_get(one, "text"), json_object_get(other, "text")) &&
           json_equal(json_object_get(one, "value"), json_object_get(other, "value"));
}

/* The value of a cell as follow.h describes it; json_null where nothing that is shown changed. */
static json_t *value_of(const struct catalogue_index *index, const json_t *facts,
                        const char *provider, const json_t *cell) {
    const char *key = json_string_value(json_object_get(cell, "cell"));
    const char *slash = strchr(key, '/');
    const struct index_attribute *attribute = index_attribute(index, slash + 1);
    char *offering = strndup(key, (size_t)(slash - key));
    json_t *fact = fact_at(facts, attribute, json_object_get(cell, "after"));
    json_t *before = fact_at(facts, attribute, json_object_get(cell, "before"));
    json_t *value = NULL;
    if (offering != NULL && json_is_object(before) && same_words(fact, before)) {
        value = json_null();
    } else if (offering != NULL) {
        value = json_pack("{s:o, s:s, s:s, s:O, s:O}", "offering",
                          offering_name(index, provider, offering), "attribute", attribute->key,
                          "label", attribute->label, "fact", fact, "before", before);
    }
    json_decref(fact);
    json_decref(before);
    free(offering);
    return value;
}

/* Puts facts and names in the place of rowids and slugs. */
static bool name_entry(const struct catalogue_index *index, const json_t *facts, json_t *entry) {
    const char *provider = json_string_value(json_object_get(entry, "provider"));
    json_t *values = json_array();
    json_t *gone = json_array();
    bool good = values != NULL && gone != NULL;
    size_t i = 0;
    json_t *cell = NULL;
    json_array_foreach(json_object_get(entry, "values"), i, cell) {
        json_t *value = good ? value_of(index, facts, provider, cell) : NULL;
        good = value != NULL && (json_is_null(value) || json_array_append(values, value) == 0);
        json_decref(value);
    }
    json_array_foreach(json_object_get(entry, "offerings_left"), i, cell) {
        good = good && json_array_append_new(
                           gone, offering_name(index, provider, json_string_value(cell))) == 0;
    }
    good = json_object_set_new(entry, "values", values) == 0 && good;
    return json_object_set_new(entry, "offerings_left", gone) == 0 && good;
}

/* Entries with facts, without those that changed in nothing that is shown. */
static json_t *name_entries(struct catalogue *catalogue, const json_t *raw, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *facts = read_facts(catalogue, raw, error);
    if (facts == NULL) {
        return NULL;
    }
    json_t *entries = json_array();
    bool good = entries != NULL;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(raw, i, entry) {
        good = good && name_entry(index, facts, entry);
        bool is_change =
            strcmp(json_string_value(json_object_get(entry, "change")), "changed") == 0;
        bool is_empty = json_array_size(json_object_get(entry, "values")) +
                            json_array_size(json_object_get(entry, "offerings_left")) ==
                        0;
        good = good && ((is_change && is_empty) || json_array_append(entries, entry) == 0);
    }
    json_decref(facts);
    if (!good) {
        json_decref(entries);
        (void)error_no_memory(error);
        return NULL;
    }
    return entries;
}

/* --- the days --- */

/* The answer of the i-th day of rows, the newest first. */
static json_t *snapshot_at(const struct follower *follower, const json_t *days, size_t i,
                           struct error *error) {
    int64_t day = 0;
    if (!text_day(json_string_value(json_object_get(json_array_get(days, i), "day")), &day)) {
        (void)error_set(error, ERROR_CORRUPT, "a fact has no day");
        return NULL;
    }
    struct catalogue *past = catalogue_at(follower->now, day, error);
    json_t *snapshot = past == NULL ? NULL : follow_snapshot(follower, past, error);
    catalogue_close(past);
    return snapshot;
}

/* Goes back day by day until there are enough entries. */
static json_t *walk(const struct follower *follower, const json_t *days, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(follower->now));
    const size_t count = json_array_size(days);
    json_t *entries = json_array();
    json_t *after = count == 0 ? NULL : snapshot_at(follower, days, 0, error);
    bool good = entries != NULL && (count == 0 || after != NULL);
    for (size_t i = 0; good && i < count && json_array_size(entries) < LIMIT_FEED_ENTRIES; i++) {
        /* The day before the oldest one that is looked at shows nothing, unless there are more. */
        json_t *before = i + 1 < count ? snapshot_at(follower, days, i + 1, error) : json_object();
        const char *day = json_string_value(json_object_get(json_array_get(days, i), "day"));
        bool is_base = i + 1 == count && count > LIMIT_PAST_DAYS;
        good =
            before != NULL && (is_base || compare_days(index, day, after, before, entries, error));
        json_decref(after);
        after = before;
    }
    json_decref(after);
    while (json_array_size(entries) > LIMIT_FEED_ENTRIES) {
        (void)json_array_remove(entries, json_array_size(entries) - 1);
    }
    if (!good) {
        json_decref(entries);
        return NULL;
    }
    return entries;
}

static json_t *days_of(const struct follower *follower, struct error *error) {
    json_t *keys = follow_attributes(follower, error);
    char *text = keys == NULL ? NULL : json_dumps(keys, JSON_COMPACT);
    json_t *days = NULL;
    if (text != NULL) {
        const int64_t limit = LIMIT_PAST_DAYS + 1;
        days = CATALOGUE_ROWS(follower->now, STATEMENT_CHANGE_DAYS, error, BIND_TEXT(text),
                              BIND_INTEGER(limit));
    } else if (keys != NULL) {
        (void)error_no_memory(error);
    }
    free(text);
    json_decref(keys);
    return days;
}

json_t *follow_answer(struct catalogue *catalogue, enum follow_door door, const struct pair *pairs,
                      size_t pair_count, struct error *error) {
    struct follower follower = {
        .now = catalogue, .door = door, .pairs = pairs, .pair_count = pair_count};
    follower.use_cases = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    json_t *days = follower.use_cases == NULL ? NULL : days_of(&follower, error);
    json_t *raw = days == NULL ? NULL : walk(&follower, days, error);
    json_t *entries = raw == NULL ? NULL : name_entries(catalogue, raw, error);
    json_t *last = json_object_get(json_array_get(days, 0), "day");
    json_t *result =
        entries == NULL ? NULL : json_pack("{s:O?, s:o}", "last_day", last, "entries", entries);
    if (entries != NULL && result == NULL) {
        (void)error_no_memory(error);
    }
    json_decref(raw);
    json_decref(days);
    json_decref(follower.use_cases);
    return result;
}
