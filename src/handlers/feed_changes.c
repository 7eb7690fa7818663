/* /changes.atom and /changes.json: events, announcements, changed values and new providers. */
#include "changes_data.h"
#include "feed.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "text.h"
#include "words.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A feed entry in the making, to be sorted among the others. */
static bool collect(json_t *list, const char *day, const char *kind, const json_t *row) {
    const char *what = string_of(row, "attribute");
    return json_array_append_new(
               list,
               json_pack("{s:s, s:s, s:O, s:o}", "day", day, "kind", kind, "row", row, "order",
                         json_sprintf("%s %s %s", kind, string_of(row, "provider"),
                                      what == NULL ? string_of(row, "text") : what))) == 0;
}

/* Whether an event lay ahead when its source was read: by the data, never by the clock. */
static bool is_ahead(const json_t *row) {
    const char *read = string_of(json_object_get(row, "source"), "accessed_on");
    return read != NULL && strcmp(string_of(row, "date"), read) > 0;
}

/* What was announced is news of the day on which its source was read, not of the day ahead. */
static bool collect_rows(json_t *list, const json_t *rows, const char *kind) {
    bool good = true;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        good =
            good && collect(list,
                            is_ahead(row) ? string_of(json_object_get(row, "source"), "accessed_on")
                                          : string_of(row, "date"),
                            kind, row);
    }
    return good;
}

/* --- entries --- */

static json_t *event_lines(const json_t *row) {
    const json_t *source = json_object_get(row, "source");
    return json_pack("[{s:O, s:O, s:n, s:O?, s:O?, s:O?}]", "label", json_object_get(row, "date"),
                     "text", json_object_get(row, "text"), "before", "source",
                     json_object_get(source, "title"), "url", feed_address(source), "checked",
                     json_object_get(source, "accessed_on"));
}

static json_t *value_lines(const json_t *row) {
    const json_t *source = json_object_get(row, "source");
    return json_pack("[{s:O, s:O, s:O, s:O?, s:O?, s:O?}]", "label", json_object_get(row, "label"),
                     "text", json_object_get(row, "new_text"), "before",
                     json_object_get(row, "old_text"), "source", json_object_get(source, "title"),
                     "url", feed_address(source), "checked",
                     json_object_get(source, "accessed_on"));
}

/* The texts of one entry. NULL members: out of memory. */
struct words {
    json_t *key;
    json_t *title;
    json_t *summary;
    json_t *path;
    json_t *lines;
};

static struct words words_of(const char *kind, const json_t *row) {
    const char *slug = string_of(row, "provider");
    const char *name = string_of(row, "provider_name");
    if (strcmp(kind, "provider") == 0) {
        return (struct words){.key = json_sprintf("provider/%s", slug),
                              .title = json_sprintf("%s was added", name),
                              .summary = json_string(string_of(row, "summary")),
                              .path = json_sprintf("/sandboxes/%s/", slug),
                              .lines = json_array()};
    }
    if (strcmp(kind, "value") == 0) {
        const char *offering = string_of(row, "offering");
        const char *label = string_of(row, "label");
        return (struct words){
            .key = json_sprintf("value/%s%s%s:%s", slug, offering == NULL ? "" : "/",
                                offering == NULL ? "" : offering, string_of(row, "attribute")),
            .title = json_sprintf("%s: %s is now %s", name, label, string_of(row, "new_text")),
            .summary = json_sprintf("%s of %s changed from %s to %s.", label, name,
                                    string_of(row, "old_text"), string_of(row, "new_text")),
            .path = json_sprintf("/sandboxes/%s/#%s", slug, string_of(row, "attribute")),
            .lines = value_lines(row)};
    }
    return (struct words){
        .key = json_sprintf("event/%s", slug),
        .title = is_ahead(row) ? json_sprintf("%s, announced for %s: %s", name,
                                              string_of(row, "date"), string_of(row, "text"))
                               : json_sprintf("%s: %s", name, string_of(row, "text")),
        .summary = is_ahead(row) ? json_sprintf("Announced by %s.", name)
                                 : json_sprintf("An event at %s.", name),
        .path = json_sprintf("/changes/?provider=%s", slug),
        .lines = event_lines(row)};
}

static bool add_entry(struct feed *feed, const json_t *collected) {
    const json_t *row = json_object_get(collected, "row");
    const char *kind = string_of(collected, "kind");
    struct words words = words_of(kind, row);
    const struct feed_entry entry = {
        .key = json_string_value(words.key),
        .title = json_string_value(words.title),
        .day = string_of(collected, "day"),
        .summary = json_string_value(words.summary),
        .path = json_string_value(words.path),
        .external = json_string_value(feed_address(json_object_get(row, "source"))),
        .tag = kind,
        .lines = words.lines};
    bool good = entry.key != NULL && entry.title != NULL && entry.summary != NULL &&
                entry.path != NULL && feed_add(feed, &entry);
    json_decref(words.key);
    json_decref(words.title);
    json_decref(words.summary);
    json_decref(words.path);
    return good;
}

/* Whether an entry comes before another: the newer one, of one day by their order. */
static bool comes_first(const json_t *one, const json_t *other) {
    int days = strcmp(string_of(one, "day"), string_of(other, "day"));
    return days > 0 ||
           (days == 0 && strcmp(string_of(one, "order"), string_of(other, "order")) < 0);
}

/* Adds the newest first. */
static bool add_sorted(struct feed *feed, json_t *list) {
    bool good = true;
    while (good && json_array_size(list) > 0 &&
           json_array_size(feed->entries) < LIMIT_FEED_ENTRIES) {
        size_t newest = 0;
        for (size_t i = 1; i < json_array_size(list); i++) {
            if (comes_first(json_array_get(list, i), json_array_get(list, newest))) {
                newest = i;
            }
        }
        good =
            add_entry(feed, json_array_get(list, newest)) && json_array_remove(list, newest) == 0;
    }
    return good;
}

/* --- the feed --- */

/* The rows of the providers' first days, like those of the other lists. NULL on failure. */
static json_t *new_providers(const struct call *call, const char *slug, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_PROVIDERS_ADDED, NULL, 0, error);
    for (size_t i = json_array_size(rows); slug != NULL && i > 0; i--) {
        if (strcmp(string_of(json_array_get(rows, i - 1), "provider"), slug) != 0) {
            (void)json_array_remove(rows, i - 1);
        }
    }
    return rows;
}

bool handle_changes_feed(const struct call *call, struct reply *reply, struct error *error) {
    const char *slug = NULL;
    bool refused = false;
    if (!parameter_provider(call, &slug, reply, &refused, error) || refused) {
        return refused;
    }
    const struct generation *generation = catalogue_generation(call->catalogue);
    const struct index_provider *provider =
        slug == NULL ? NULL : index_provider(generation_index(generation), slug);
    json_t *model = json_object();
    json_t *added = new_providers(call, slug, error);
    bool good = model != NULL && added != NULL && changes_fill(call->catalogue, slug, model, error);
    if (good) {
        json_t *list = json_array();
        json_t *title =
            json_sprintf("What changed at %s",
                         provider == NULL ? words_get(call, WORD_SUBJECT) : provider->name);
        char about[WORDS_BYTES];
        struct feed feed = {
            .call = call,
            .title = json_string_value(title),
            .description = words_fill(call,
                                      "Events and announcements with their sources, values that "
                                      "changed, and {nouns} that are new here.",
                                      about),
            .page = "/changes/",
            .atom = "/changes.atom",
            .json = "/changes.json",
            .entries = json_array()};
        good = title != NULL && collect_rows(list, json_object_get(model, "values"), "value") &&
               collect_rows(list, json_object_get(model, "announced"), "event") &&
               collect_rows(list, added, "provider") &&
               collect_rows(list, json_object_get(model, "events"), "event") &&
               add_sorted(&feed, list);
        const char *newest = string_of(json_array_get(feed.entries, 0), "updated");
        char day[TEXT_DATE_BYTES];
        (void)snprintf(day, sizeof(day), "%.10s",
                       newest == NULL ? generation_last_reviewed(generation) : newest);
        feed.updated = day;
        good = feed_finish(&feed, reply, error) && (good || error_no_memory(error));
        json_decref(title);
        json_decref(list);
    }
    json_decref(model);
    json_decref(added);
    return good;
}
