/* The home page: the overall ranking, and what it rests on. */
#include "home.h"
#include "chart.h"
#include "facts.h"
#include "handlers.h"
#include "limit.h"
#include "provider_record.h"
#include "ranking.h"
#include "score.h"
#include "site.h"
#include "start_times.h"
#include "text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PICKS = 5, EVENTS = 7, EVENTS_READ = 30 };

static const char USE_CASE[] = "overall";
static const char WHOLE[] = "/best/overall/"; /* the same ranking with its arithmetic */

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* --- the public model --- */

/* The newest events that are not ahead of the catalogue's day, each with its source as an object.
 */
static json_t *read_events(struct catalogue *catalogue, struct error *error) {
    static const char *const names[] = {"id",   "url",       "title",      "publisher",
                                        "kind", "copy_date", "accessed_on"};
    json_t *rows =
        CATALOGUE_ROWS(catalogue, STATEMENT_EVENTS_RECENT, error, BIND_INTEGER(EVENTS_READ));
    if (rows == NULL) {
        return NULL;
    }
    const char *today = generation_last_reviewed(catalogue_generation(catalogue));
    json_t *events = json_array();
    bool good = events != NULL;
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (!good || json_array_size(events) == EVENTS ||
            strcmp(string_of(row, "date"), today) > 0) {
            continue;
        }
        json_t *source = json_object();
        for (size_t j = 0; j < ARRAY_LENGTH(names); j++) {
            char column[32];
            (void)snprintf(column, sizeof(column), "source_%s", names[j]);
            good = json_object_set(source, names[j], json_object_get(row, column)) == 0 && good;
        }
        json_t *event = json_pack("{s:O, s:O, s:O, s:O, s:o}", "date", json_object_get(row, "date"),
                                  "slug", json_object_get(row, "provider"), "name",
                                  json_object_get(row, "provider_name"), "text",
                                  json_object_get(row, "text"), "source", source);
        good = json_array_append_new(events, event) == 0 && good;
    }
    json_decref(rows);
    if (!good) {
        json_decref(events);
        (void)error_no_memory(error);
        return NULL;
    }
    return events;
}

/* The slug that is first in a use case, or NULL. */
static const char *first_of(const json_t *places) {
    const char *slug = NULL;
    json_t *place = NULL;
    json_object_foreach((json_t *)places, slug, place) {
        if (json_integer_value(json_object_get(place, "place")) == 1) {
            return slug;
        }
    }
    return NULL;
}

/* The labels of the criteria that weigh most, heaviest first. */
static json_t *heaviest_labels(const struct catalogue_index *index, const json_t *criteria) {
    enum { LABELS = 3 };
    json_t *labels = json_array();
    double below = INFINITY;
    while (labels != NULL && json_array_size(labels) < LABELS && below > 0) {
        double weight = 0;
        size_t i = 0;
        const json_t *criterion = NULL;
        json_array_foreach(criteria, i, criterion) {
            double own = number_of(criterion, "weight");
            weight = own < below && own > weight ? own : weight;
        }
        json_array_foreach(criteria, i, criterion) {
            const struct index_attribute *attribute =
                index_attribute(index, string_of(criterion, "attribute"));
            if (attribute != NULL && number_of(criterion, "weight") >= weight &&
                number_of(criterion, "weight") < below && json_array_size(labels) < LABELS &&
                json_array_append_new(labels, json_string(attribute->label)) != 0) {
                json_decref(labels);
                return NULL;
            }
        }
        below = weight;
    }
    return labels;
}

/* {slug, title, path, ranked (how many), heaviest (labels), first {slug, name} or null}. */
static json_t *use_case_card(struct catalogue *catalogue, const json_t *use_case,
                             struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    const char *slug = string_of(use_case, "slug");
    json_t *places = score_places(catalogue, slug, error);
    json_t *criteria = places == NULL
                           ? NULL
                           : CATALOGUE_ROWS(catalogue, STATEMENT_CRITERIA, error, BIND_TEXT(slug));
    json_t *card = NULL;
    if (criteria != NULL) {
        const char *first = first_of(places);
        const struct index_provider *provider = first == NULL ? NULL : index_provider(index, first);
        card = json_pack(
            "{s:O, s:O, s:O, s:I, s:o, s:o}", "slug", json_object_get(use_case, "slug"), "title",
            json_object_get(use_case, "title"), "path", json_object_get(use_case, "path"), "ranked",
            (json_int_t)json_object_size(places), "heaviest", heaviest_labels(index, criteria),
            "first",
            provider == NULL
                ? json_null()
                : json_pack("{s:s, s:s}", "slug", provider->slug, "name", provider->name));
        if (card == NULL) {
            (void)error_no_memory(error);
        }
    }
    json_decref(places);
    json_decref(criteria);
    return card;
}

/* Every other use case. */
static json_t *read_use_cases(struct catalogue *catalogue, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    json_t *cards = rows == NULL ? NULL : json_array();
    bool good = cards != NULL;
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (good && strcmp(string_of(row, "slug"), USE_CASE) != 0) {
            json_t *card = use_case_card(catalogue, row, error);
            good =
                card != NULL && (json_array_append_new(cards, card) == 0 || error_no_memory(error));
        }
    }
    json_decref(rows);
    if (!good) {
        json_decref(cards);
        return NULL;
    }
    return cards;
}

/* Adds what only the home page has to the model of the ranking. */
static bool fill_model(struct catalogue *catalogue, json_t *model, struct error *error) {
    json_t *counts = catalogue_row(catalogue, STATEMENT_COUNTS, NULL, 0, error);
    json_t *events = counts == NULL ? NULL : read_events(catalogue, error);
    json_t *use_cases = events == NULL ? NULL : read_use_cases(catalogue, error);
    bool good = use_cases != NULL && ((json_object_set(model, "counts", counts) == 0 &&
                                       json_object_set(model, "events", events) == 0 &&
                                       json_object_set(model, "use_cases", use_cases) == 0) ||
                                      error_no_memory(error));
    json_decref(counts);
    json_decref(events);
    json_decref(use_cases);
    return good;
}

/* --- the page --- */

/* The fact that a claim names ("attribute" or "offering/attribute"), or NULL. Borrowed. */
static const json_t *fact_named(const json_t *record, const char *name) {
    const char *slash = strchr(name, '/');
    if (slash == NULL) {
        return provider_record_fact(record, NULL, name);
    }
    char offering[128];
    size_t length = (size_t)(slash - name);
    if (length >= sizeof(offering)) {
        return NULL;
    }
    memcpy(offering, name, length);
    offering[length] = '\0';
    return provider_record_fact(record, offering, slash + 1);
}

/* The numbers of the sources that a claim's facts rest on, each once. */
static json_t *marks_of(struct view *view, const json_t *record, const json_t *claim) {
    json_t *marks = json_array();
    size_t i = 0;
    const json_t *name = NULL;
    json_array_foreach(json_object_get(claim, "facts"), i, name) {
        const json_t *fact = fact_named(record, json_string_value(name));
        size_t number = view_source(view, json_object_get(fact, "source"));
        bool is_new = number > 0;
        size_t j = 0;
        const json_t *mark = NULL;
        json_array_foreach(marks, j, mark) {
            is_new =
                is_new && json_integer_value(json_object_get(mark, "mark")) != (json_int_t)number;
        }
        if (is_new &&
            json_array_append_new(marks, json_pack("{s:I}", "mark", (json_int_t)number)) != 0) {
            json_decref(marks);
            return NULL;
        }
    }
    return marks;
}

/* The best placed: name, reason, score. The reason is the provider's first strength. */
static json_t *picks_of(struct view *view, const json_t *ranked, const json_t *records) {
    json_t *picks = json_array();
    for (size_t i = 0; i < PICKS && i < json_array_size(ranked); i++) {
        const json_t *entry = json_array_get(ranked, i);
        const json_t *record = json_array_get(records, i);
        const json_t *claim = json_array_get(json_object_get(record, "strengths"), 0);
        json_t *pick =
            json_pack("{s:O, s:O, s:o, s:o, s:o, s:o}", "place", json_object_get(entry, "place"),
                      "name", json_object_get(entry, "name"), "href",
                      json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "reason",
                      view_words(view, json_object_get(claim, "text")), "marks",
                      marks_of(view, record, claim), "score",
                      ranking_score(number_of(entry, "low"), number_of(entry, "high")));
        if (json_array_append_new(picks, pick) != 0) {
            json_decref(picks);
            return view_new(view, NULL);
        }
    }
    return picks;
}

/* A column of the first comparison: a headline question that weighs more than half the mean
 * criterion. A list takes room, so it must weigh more than the mean. The comparison page has the
 * others. */
static bool is_column(const struct index_attribute *attribute, const json_t *criteria) {
    double own = 0;
    double sum = 0;
    size_t i = 0;
    const json_t *criterion = NULL;
    json_array_foreach(criteria, i, criterion) {
        double weight = number_of(criterion, "default_weight");
        sum += weight;
        own = strcmp(string_of(criterion, "attribute"), attribute->key) == 0 ? weight : own;
    }
    double mean = sum / (double)json_array_size(criteria);
    return attribute->headline && own > (attribute->type == TYPE_SET ? mean : mean / 2);
}

/* One row of the first comparison: the ranked class and its answers. */
static json_t *compared_row(struct view *view, const json_t *entry, const json_t *record,
                            const json_t *criteria) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    const char *offering = string_of(entry, "offering");
    json_t *cells = json_array();
    bool good = cells != NULL;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (is_column(attribute, criteria)) {
            const json_t *fact = provider_record_fact(record, offering, attribute->key);
            good = json_array_append_new(cells, view_cell_linked(view, attribute, fact)) == 0;
        }
    }
    return view_new(view, json_pack("{s:o, s:O, s:o, s:o}", "href",
                                    json_sprintf("/sandboxes/%s/", string_of(entry, "slug")),
                                    "name", json_object_get(entry, "name"), "sub",
                                    offering == NULL
                                        ? json_null()
                                        : json_incref(json_object_get(entry, "offering_name")),
                                    "cells", cells));
}

/* The address of the comparison page for the same providers. */
static json_t *compare_href(const json_t *ranked, size_t count) {
    struct buf address;
    buf_init(&address, LIMIT_TARGET_BYTES);
    buf_add_text(&address, "/compare/?providers=");
    for (size_t i = 0; i < count; i++) {
        buf_add_format(&address, "%s%s", i == 0 ? "" : ",",
                       string_of(json_array_get(ranked, i), "slug"));
    }
    json_t *href = address.failed ? NULL : json_stringn(address.data, address.length);
    buf_free(&address);
    return href;
}

static json_t *comparison_of(struct view *view, const json_t *model, const json_t *records) {
    const json_t *ranked = json_object_get(model, "ranked");
    const json_t *criteria = json_object_get(model, "criteria");
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *columns = json_array();
    json_t *rows = json_array();
    bool good = columns != NULL && rows != NULL;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (is_column(attribute, criteria)) {
            good = json_array_append_new(
                       columns,
                       json_pack("{s:s, s:o, s:b, s:n}", "label", attribute->label, "href",
                                 attribute->glossary == NULL
                                     ? json_null()
                                     : json_sprintf("/glossary/%s/", attribute->glossary),
                                 "numeric", (int)attribute_is_numeric(attribute), "sorted")) == 0;
        }
    }
    for (size_t i = 0; good && i < json_array_size(records); i++) {
        good = json_array_append_new(rows, compared_row(view, json_array_get(ranked, i),
                                                        json_array_get(records, i), criteria)) == 0;
    }
    return view_new(view, json_pack("{s:s, s:s, s:s, s:o, s:o}", "table_id", "t-first", "caption",
                                    "The best placed, side by side.", "caption_more",
                                    "A value leads to its fact, a number to its source.", "columns",
                                    columns, "rows", rows));
}

static json_t *event_rows(struct view *view, const json_t *events) {
    json_t *rows = json_array();
    size_t i = 0;
    const json_t *event = NULL;
    json_array_foreach(events, i, event) {
        json_t *row = json_pack("{s:O, s:o, s:o, s:o, s:I}", "name", json_object_get(event, "name"),
                                "href", json_sprintf("/sandboxes/%s/", string_of(event, "slug")),
                                "text", view_words(view, json_object_get(event, "text")), "date",
                                view_date(view, string_of(event, "date")), "mark",
                                (json_int_t)view_source(view, json_object_get(event, "source")));
        if (json_array_append_new(rows, row) != 0) {
            json_decref(rows);
            return view_new(view, NULL);
        }
    }
    return rows;
}

static json_t *dataset(const struct view *view) {
    const struct generation *generation = catalogue_generation(view->call->catalogue);
    const char *url = view->call->site->public_url;
    return json_pack("{s:s, s:s?, s:s?, s:o, s:s?, s:s, s:b, s:[{s:s, s:s, s:o}]}", "@type",
                     "Dataset", "name", words_get(view->call, WORD_TITLE), "description",
                     words_get(view->call, WORD_DESCRIPTION), "url", json_sprintf("%s/data/", url),
                     "license", generation_setting(generation, "data_licence_url"), "dateModified",
                     generation_last_reviewed(generation), "isAccessibleForFree", 1, "distribution",
                     "@type", "DataDownload", "encodingFormat", "application/json", "contentUrl",
                     json_sprintf("%s/data/providers.json", url));
}

/* The records of the providers in the first comparison. */
static json_t *read_records(struct catalogue *catalogue, const json_t *ranked,
                            struct error *error) {
    json_t *records = json_array();
    bool good = records != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < LIMIT_COMPARED && i < json_array_size(ranked); i++) {
        json_t *record =
            provider_record(catalogue, string_of(json_array_get(ranked, i), "slug"), error);
        good = record != NULL &&
               (json_array_append_new(records, record) == 0 || error_no_memory(error));
    }
    if (!good) {
        json_decref(records);
        return NULL;
    }
    return records;
}

static json_t *link_to(const json_t *entry) {
    return json_pack("{s:o, s:O}", "href", json_sprintf("/sandboxes/%s/", string_of(entry, "slug")),
                     "name", json_object_get(entry, "name"));
}

/* The names of the quick answer: the first, and the two after it. */
static void set_leaders(struct view *view, const json_t *ranked) {
    enum { LEADERS = 3 };
    json_t *next = json_array();
    for (size_t i = 1; i < LEADERS && i < json_array_size(ranked); i++) {
        if (json_array_append_new(next, link_to(json_array_get(ranked, i))) != 0) {
            view->failed = true;
        }
    }
    view_set(view, "home_first",
             json_array_size(ranked) == 0 ? json_null() : link_to(json_array_get(ranked, 0)));
    view_set(view, "home_next", json_boolean(json_array_size(next) > 0));
    view_set(view, "home_next_names", next);
}

static void fill_view(struct view *view, const json_t *model, const json_t *records,
                      const json_t *start_times) {
    const json_t *ranked = json_object_get(model, "ranked");
    set_leaders(view, ranked);
    view_set(view, "home_picks", picks_of(view, ranked, records));
    view_set(view, "home_table", comparison_of(view, model, records));
    view_set(view, "home_compare_href", compare_href(ranked, json_array_size(records)));
    view_set(view, "home_ranked_count", json_integer((json_int_t)json_array_size(ranked)));
    view_set(view, "home_criteria_count",
             json_integer((json_int_t)json_array_size(json_object_get(model, "criteria"))));
    view_set(view, "home_claims", chart_claims(view, start_times, (struct chart_focus){0}));
    view_set(view, "home_events", event_rows(view, json_object_get(model, "events")));
    view_set(view, "home_counts", view_counts(view, json_object_get(model, "counts")));
    view_set(view, "home_whole_href", ranking_address(view, WHOLE, USE_CASE));
    ranking_show_list(view, model);
    view_set(view, "home_checked", view_date(view, string_of(model, "last_reviewed")));
    ranking_linked_data(view, model);
    view_linked_data(view, dataset(view));
}

bool canonical_home(const struct call *call, struct buf *out, struct reply *reply,
                    bool *out_refused, struct error *error) {
    return !generation_has(catalogue_generation(call->catalogue), USE_CASE) ||
           ranking_canonical(call, USE_CASE, out, reply, out_refused, error);
}

bool handle_home(const struct call *call, struct reply *reply, struct error *error) {
    if (!generation_has(catalogue_generation(call->catalogue), USE_CASE)) {
        return home_plain(call, reply, error);
    }
    reply->model = ranking_model(call, USE_CASE, error);
    if (reply->model == NULL || !fill_model(call->catalogue, reply->model, error)) {
        return false;
    }
    if (!call_wants_page(call)) {
        return true;
    }
    const json_t *ranked = json_object_get(reply->model, "ranked");
    json_t *records = read_records(call->catalogue, ranked, error);
    json_t *start_times = records == NULL ? NULL : start_times_read(call->catalogue, error);
    bool good = start_times != NULL;
    if (good) {
        char about[WORDS_BYTES];
        char description[WORDS_BYTES];
        char title[WORDS_BYTES];
        (void)snprintf(description, sizeof(description), "%zu %s", json_array_size(ranked),
                       words_text(call, "text_home", about));
        struct view view;
        view_start(&view, call, "/",
                   words_fill(call, "Best {subject}, compared with sources", title), description);
        fill_view(&view, reply->model, records, start_times);
        good = view_finish(&view, reply, error);
    }
    json_decref(records);
    json_decref(start_times);
    return good;
}
