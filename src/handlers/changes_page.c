/* /changes/: what happened at the providers, what is announced, which values changed, and when
 * everything was reviewed. */
#include "changes_data.h"
#include "facts.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "text.h"
#include "view.h"
#include "words.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

bool canonical_changes(const struct call *call, struct buf *out, struct reply *reply,
                       bool *out_refused, struct error *error) {
    const char *provider = NULL;
    if (!parameter_provider(call, &provider, reply, out_refused, error)) {
        return false;
    }
    parameter_add(out, out->length, "provider", provider);
    return true;
}

/* The days between which something happened; NULL: no limit. */
struct span {
    const char *from;
    const char *to;
};

static bool take_day(const struct call *call, const char *name, const char **out_day,
                     struct reply *reply, bool *out_refused, struct error *error) {
    int64_t day = 0;
    *out_day = parameter_text(call, name);
    if (*out_day == NULL || text_day(*out_day, &day)) {
        return true;
    }
    *out_refused = true;
    return parameter_refuse(reply, name, *out_day, "It takes a day such as 2026-06-01.",
                            json_array(), error);
}

static bool take_span(const struct call *call, struct span *span, struct reply *reply,
                      bool *out_refused, struct error *error) {
    if (!take_day(call, "from", &span->from, reply, out_refused, error) || *out_refused ||
        !take_day(call, "to", &span->to, reply, out_refused, error) || *out_refused) {
        return *out_refused;
    }
    if (span->from != NULL && span->to != NULL && strcmp(span->from, span->to) > 0) {
        *out_refused = true;
        return parameter_refuse(reply, "to", span->to, "It is a day before from.", json_array(),
                                error);
    }
    return true;
}

bool canonical_changes_page(const struct call *call, struct buf *out, struct reply *reply,
                            bool *out_refused, struct error *error) {
    struct span span = {0};
    size_t start = out->length;
    if (!canonical_changes(call, out, reply, out_refused, error) || *out_refused ||
        !take_span(call, &span, reply, out_refused, error) || *out_refused) {
        return *out_refused;
    }
    parameter_add(out, start, "from", span.from);
    parameter_add(out, start, "to", span.to);
    return true;
}

/* Whether a day, a month or a year has a part in the span. */
static bool is_within(const char *date, const struct span *span) {
    size_t length = strlen(date);
    return (span->from == NULL || strncmp(date, span->from, length) >= 0) &&
           (span->to == NULL || strncmp(date, span->to, length) <= 0);
}

/* Leaves in each list of the model what happened within the span. */
static void keep_span(json_t *model, const struct span *span) {
    const char *name = NULL;
    json_t *list = NULL;
    json_object_foreach(model, name, list) {
        for (size_t i = json_array_size(list); i > 0; i--) {
            if (!is_within(string_of(json_array_get(list, i - 1), "date"), span)) {
                (void)json_array_remove(list, i - 1);
            }
        }
    }
}

static bool is_wanted(const json_t *row, const char *provider) {
    return provider == NULL || strcmp(string_of(row, "provider"), provider) == 0;
}

/* Folds the source_x columns of a row into one "source" object, or null. */
static bool fold_source(json_t *row) {
    static const char *const columns[] = {
        "source_id",   "source_url",       "source_title",       "source_publisher",
        "source_kind", "source_copy_date", "source_accessed_on", "source_verified_on"};
    bool has_source = json_is_string(json_object_get(row, columns[0]));
    json_t *source = has_source ? json_object() : json_null();
    bool good = source != NULL;
    for (size_t i = 0; good && i < ARRAY_LENGTH(columns); i++) {
        good = !has_source || json_object_set(source, columns[i] + strlen("source_"),
                                              json_object_get(row, columns[i])) == 0;
        good = good && json_object_del(row, columns[i]) == 0;
    }
    return json_object_set_new(row, "source", source) == 0 && good;
}

/* Splits the events into those that happened and those that are announced: the next one first. */
static bool add_events(json_t *model, json_t *rows, const char *provider, const char *today,
                       struct error *error) {
    json_t *past = json_array();
    json_t *ahead = json_array();
    bool good = rows != NULL && past != NULL && ahead != NULL;
    bool had_rows = rows != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (!good || !is_wanted(row, provider)) {
            continue;
        }
        bool is_ahead = strcmp(string_of(row, "date"), today) > 0;
        good = fold_source(row) &&
               (is_ahead ? json_array_insert(ahead, 0, row) : json_array_append(past, row)) == 0;
    }
    json_decref(rows);
    good = json_object_set_new(model, "announced", ahead) == 0 && good;
    good = json_object_set_new(model, "events", past) == 0 && good;
    return good || (had_rows ? error_no_memory(error) : false);
}

/* A value of a fact in words. New reference. */
static json_t *value_text(const struct index_attribute *attribute, const json_t *row,
                          const char *state_key, const char *value_key) {
    const char *state = string_of(row, state_key);
    if (state == NULL || attribute == NULL) {
        return json_string("no longer listed");
    }
    if (strcmp(state, "documented") != 0) {
        return json_string(strcmp(state, "not_applicable") == 0 ? "does not apply"
                                                                : "not documented");
    }
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    fact_add_text(&text, attribute, json_object_get(row, value_key));
    json_t *result =
        text.failed ? NULL : json_stringn(text.data == NULL ? "" : text.data, text.length);
    buf_free(&text);
    return result;
}

static bool add_values(json_t *model, json_t *rows, const struct catalogue_index *index,
                       const char *provider, struct error *error) {
    json_t *list = json_array();
    bool had_rows = rows != NULL;
    bool good = had_rows && list != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (!good || !is_wanted(row, provider)) {
            continue;
        }
        const struct index_attribute *attribute =
            index_attribute(index, string_of(row, "attribute"));
        good = fold_source(row) &&
               json_object_set_new(row, "old_text",
                                   value_text(attribute, row, "old_state", "old_value")) == 0 &&
               json_object_set_new(row, "new_text",
                                   value_text(attribute, row, "new_state", "new_value")) == 0 &&
               json_object_set_new(row, "label",
                                   json_string(attribute == NULL ? string_of(row, "attribute")
                                                                 : attribute->label)) == 0 &&
               json_array_append(list, row) == 0;
    }
    json_decref(rows);
    good = json_object_set_new(model, "values", list) == 0 && good;
    return good || (had_rows ? error_no_memory(error) : false);
}

/* One entry a day and scope, with the providers reviewed. */
static bool add_reviews(json_t *model, json_t *rows, const char *provider, struct error *error) {
    json_t *list = json_array();
    json_t *entry = NULL;
    bool had_rows = rows != NULL;
    bool good = had_rows && list != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (!good || !is_wanted(row, provider)) {
            continue;
        }
        bool is_same =
            entry != NULL &&
            json_equal(json_object_get(entry, "date"), json_object_get(row, "reviewed_on")) &&
            json_equal(json_object_get(entry, "scope"), json_object_get(row, "scope")) &&
            json_equal(json_object_get(entry, "note"), json_object_get(row, "note"));
        if (!is_same) {
            entry = json_pack("{s:O, s:O, s:O, s:[]}", "date", json_object_get(row, "reviewed_on"),
                              "scope", json_object_get(row, "scope"), "note",
                              json_object_get(row, "note"), "providers");
            good = json_array_append_new(list, entry) == 0;
        }
        good = good && json_array_append_new(json_object_get(entry, "providers"),
                                             json_pack("{s:O, s:O}", "slug",
                                                       json_object_get(row, "provider"), "name",
                                                       json_object_get(row, "provider_name"))) == 0;
    }
    json_decref(rows);
    good = json_object_set_new(model, "reviews", list) == 0 && good;
    return good || (had_rows ? error_no_memory(error) : false);
}

bool changes_fill(struct catalogue *catalogue, const char *provider, json_t *model,
                  struct error *error) {
    const struct generation *generation = catalogue_generation(catalogue);
    char today[TEXT_DATE_BYTES];
    text_iso_date(generation_today(generation), today);
    const int64_t all = -1;
    return add_events(model,
                      CATALOGUE_ROWS(catalogue, STATEMENT_EVENTS_RECENT, error, BIND_INTEGER(all)),
                      provider, today, error) &&
           add_values(model, catalogue_rows(catalogue, STATEMENT_FACT_CHANGES, NULL, 0, error),
                      generation_index(generation), provider, error) &&
           add_reviews(model, catalogue_rows(catalogue, STATEMENT_ALL_REVIEWS, NULL, 0, error),
                       provider, error);
}

/* --- the page --- */

/* Rows of a list of the model with their date and the number of their source. */
static json_t *lines(struct view *view, const json_t *rows, bool is_value) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        size_t number = view_source(view, json_object_get(row, "source"));
        json_t *line = json_pack(
            "{s:o, s:O, s:O, s:o}", "date", view_date(view, string_of(row, "date")), "slug",
            json_object_get(row, "provider"), "name", json_object_get(row, "provider_name"),
            "number", number == 0 ? json_null() : json_integer((json_int_t)number));
        bool good = line != NULL;
        static const char *const texts[] = {"text", "label", "attribute", "old_text", "new_text"};
        for (size_t j = is_value ? 1 : 0; good && j < (is_value ? ARRAY_LENGTH(texts) : 1); j++) {
            good = json_object_set_new(line, texts[j],
                                       view_words(view, json_object_get(row, texts[j]))) == 0;
        }
        if (json_array_append_new(list, line) != 0 || !good) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *review_lines(struct view *view, const json_t *reviews) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *review = NULL;
    json_array_foreach(reviews, i, review) {
        json_t *line =
            json_pack("{s:o, s:O, s:o, s:O}", "date", view_date(view, string_of(review, "date")),
                      "scope", json_object_get(review, "scope"), "note",
                      view_words(view, json_object_get(review, "note")), "providers",
                      json_object_get(review, "providers"));
        if (json_array_append_new(list, line) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *feed_address(const char *path, const char *slug) {
    return slug == NULL ? json_string(path) : json_sprintf("%s?provider=%s", path, slug);
}

static void show_feeds(struct view *view, const char *slug) {
    view_alternate(view, "application/atom+xml", "What changed, as Atom",
                   feed_address("/changes.atom", slug));
    view_alternate(view, "application/feed+json", "What changed, as JSON Feed",
                   feed_address("/changes.json", slug));
    view_set(view, "change_atom", feed_address("/changes.atom", slug));
    view_set(view, "change_feed_json", feed_address("/changes.json", slug));
}

static json_t *text_or_empty(const char *text) {
    return json_string(text == NULL ? "" : text);
}

static bool fill_page(const struct call *call, const char *slug, const struct span *span,
                      struct reply *reply, struct error *error) {
    const struct index_provider *provider =
        slug == NULL
            ? NULL
            : index_provider(generation_index(catalogue_generation(call->catalogue)), slug);
    const char *name = provider == NULL ? words_get(call, WORD_SUBJECT) : provider->name;
    json_t *path = provider == NULL ? json_string("/changes/")
                                    : json_sprintf("/changes/?provider=%s", provider->slug);
    json_t *title =
        provider == NULL ? json_string("What changed") : json_sprintf("What changed at %s", name);
    json_t *description = json_sprintf(
        "Releases, incidents, price changes and announcements of %s, newest first, each "
        "with its source; values that changed here, and reviews.",
        name);
    bool good = path != NULL && title != NULL && description != NULL;
    if (good) {
        struct view view;
        view_start(&view, call, json_string_value(path), json_string_value(title),
                   json_string_value(description));
        show_feeds(&view, slug);
        view_set(&view, "change_providers", parameter_provider_options(call, slug));
        view_set(&view, "change_filtered",
                 json_boolean(slug != NULL || span->from != NULL || span->to != NULL));
        view_set(&view, "change_spanned", json_boolean(span->from != NULL || span->to != NULL));
        view_set(&view, "change_from", text_or_empty(span->from));
        view_set(&view, "change_to", text_or_empty(span->to));
        view_set(&view, "change_announced",
                 lines(&view, json_object_get(reply->model, "announced"), false));
        view_set(&view, "change_events",
                 lines(&view, json_object_get(reply->model, "events"), false));
        view_set(&view, "change_values",
                 lines(&view, json_object_get(reply->model, "values"), true));
        view_set(&view, "change_reviews",
                 review_lines(&view, json_object_get(reply->model, "reviews")));
        good = view_finish(&view, reply, error);
    } else {
        (void)error_no_memory(error);
    }
    json_decref(path);
    json_decref(title);
    json_decref(description);
    return good;
}

bool handle_changes(const struct call *call, struct reply *reply, struct error *error) {
    const char *provider = NULL;
    struct span span = {0};
    bool refused = false;
    if (!parameter_provider(call, &provider, reply, &refused, error) || refused ||
        !take_span(call, &span, reply, &refused, error) || refused) {
        return refused;
    }
    reply->model = json_object();
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    if (!changes_fill(call->catalogue, provider, reply->model, error)) {
        return false;
    }
    keep_span(reply->model, &span);
    return !call_wants_page(call) || fill_page(call, provider, &span, reply, error);
}
