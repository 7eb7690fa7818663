/* /measurements/: claimed against measured, and the daily series. */
#include "chart.h"
#include "handlers.h"
#include "site.h"
#include "start_times.h"
#include "text.h"
#include "words.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char PATH[] = "/measurements/";
static const char *const modes[] = {"sequential", "staggered", "burst"};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* What is measured, by whom, when: {rows, first_day, last_day, publisher, url, licence}. */
static json_t *summary_of(const struct generation *generation, const json_t *rows) {
    const char *first = NULL;
    const char *last = NULL;
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *day = string_of(row, "day");
        first = first == NULL || strcmp(day, first) < 0 ? day : first;
        last = last == NULL || strcmp(day, last) > 0 ? day : last;
    }
    return json_pack("{s:I, s:s?, s:s?, s:s?, s:s?, s:s?}", "rows",
                     (json_int_t)json_array_size(rows), "first_day", first, "last_day", last,
                     "publisher", generation_setting(generation, "measurements_publisher"), "url",
                     generation_setting(generation, "measurements_url"), "licence",
                     generation_setting(generation, "measurements_licence"));
}

/* The rows of one provider. */
static json_t *rows_of(const json_t *rows, const char *slug) {
    json_t *own = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (strcmp(string_of(row, "provider"), slug) == 0 && json_array_append(own, row) != 0) {
            json_decref(own);
            return NULL;
        }
    }
    return own;
}

static bool is_measured(const json_t *entry) {
    for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
        if (json_is_object(json_object_get(json_object_get(entry, "measured"), modes[i]))) {
            return true;
        }
    }
    return false;
}

/* The claim as a cell. */
static json_t *claim_cell(struct view *view, const json_t *entry) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    const struct index_attribute *attribute = index_attribute(index, "cold_start_ms");
    const json_t *claim = json_object_get(entry, "claimed");
    return attribute == NULL
               ? json_null()
               : view_cell_linked(view, attribute, json_is_object(claim) ? claim : NULL);
}

/* {median, p95, success, source, day} as text, or null. */
static json_t *run_of(struct view *view, const json_t *run) {
    const double percent = 100;
    if (!json_is_object(run)) {
        return json_null();
    }
    return json_pack("{s:o, s:o, s:o, s:I, s:o}", "median",
                     chart_milliseconds(number_of(run, "median_ms")), "p95",
                     chart_milliseconds(number_of(run, "p95_ms")), "success",
                     json_sprintf("%g %%", round(number_of(run, "success_rate") * percent)),
                     "source", (json_int_t)view_source(view, json_object_get(run, "source")), "day",
                     view_date(view, string_of(run, "day")));
}

static json_t *overview_row(struct view *view, const json_t *entry) {
    const json_t *measured = json_object_get(entry, "measured");
    double ratio = number_of(entry, "ratio");
    return json_pack(
        "{s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_object_get(entry, "name"), "href",
        json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "days_href",
        json_sprintf("%s%s/", PATH, string_of(entry, "slug")), "cell", claim_cell(view, entry),
        "ratio", isnan(ratio) ? json_null() : json_sprintf("%.1f times", ratio), "sequential",
        run_of(view, json_object_get(measured, "sequential")), "staggered",
        run_of(view, json_object_get(measured, "staggered")), "burst",
        run_of(view, json_object_get(measured, "burst")));
}

/* Splits the providers into the two tables: measured, and only claimed. */
static void set_tables(struct view *view, const json_t *providers) {
    json_t *measured = json_array();
    json_t *claimed = json_array();
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(providers, i, entry) {
        json_t *row =
            is_measured(entry)
                ? overview_row(view, entry)
                : json_pack("{s:O, s:o, s:o, s:o}", "name", json_object_get(entry, "name"), "href",
                            json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "cell",
                            claim_cell(view, entry), "detail",
                            view_words(view, json_object_get(json_object_get(entry, "claimed"),
                                                             "detail")));
        if (json_array_append_new(is_measured(entry) ? measured : claimed, row) != 0) {
            view->failed = true;
        }
    }
    view_set(view, "starts_count", json_integer((json_int_t)json_array_size(measured)));
    view_set(view, "starts_measured", measured);
    view_set(view, "starts_claimed", claimed);
}

/* The quick answer: who is fastest, and how far claims and measurements differ. */
static void set_answer(struct view *view, const json_t *providers) {
    const json_t *fastest = json_array_get(providers, 0);
    const json_t *run = json_object_get(json_object_get(fastest, "measured"), "sequential");
    size_t compared = 0;
    size_t slower = 0;
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(providers, i, entry) {
        double ratio = number_of(entry, "ratio");
        compared += isnan(ratio) ? 0 : 1;
        slower += ratio > 1 ? 1 : 0;
    }
    view_set(view, "starts_fastest",
             json_is_object(run)
                 ? json_pack("{s:O, s:o, s:o}", "name", json_object_get(fastest, "name"), "href",
                             json_sprintf("/sandboxes/%s/", string_of(fastest, "slug")), "median",
                             chart_milliseconds(number_of(run, "median_ms")))
                 : json_null());
    view_set(view, "starts_compared", json_integer((json_int_t)compared));
    view_set(view, "starts_slower", json_integer((json_int_t)slower));
}

/* A chart for each measured provider, all on the same days. */
static json_t *series_of(struct view *view, const json_t *providers, const json_t *rows,
                         const char *first_day) {
    json_t *list = json_array();
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(providers, i, entry) {
        if (!is_measured(entry)) {
            continue;
        }
        json_t *own = view_new(view, rows_of(rows, string_of(entry, "slug")));
        json_t *chart = chart_series(view, string_of(entry, "slug"), string_of(entry, "name"), own,
                                     first_day, false);
        json_decref(own);
        if (json_array_append_new(list,
                                  json_pack("{s:O, s:o}", "name", json_object_get(entry, "name"),
                                            "chart", chart)) != 0) {
            view->failed = true;
        }
    }
    return list;
}

static json_t *dataset(const struct view *view, const json_t *summary) {
    const char *url = view->call->site->public_url;
    char name[WORDS_BYTES];
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:O, s:O, s:o, s:[{s:s, s:s, s:o}, {s:s, s:s, s:o}]}", "@type",
        "Dataset", "name",
        words_fill(view->call, "Daily start-up measurements of {nouns_long}", name), "description",
        "Median, 95th and 99th percentile of the start time and the success rate, by provider, "
        "mode and day.",
        "url", json_sprintf("%s%s", url, PATH), "isBasedOn", json_object_get(summary, "url"),
        "license", json_object_get(summary, "licence"), "temporalCoverage",
        json_sprintf("%s/%s", string_of(summary, "first_day"), string_of(summary, "last_day")),
        "distribution", "@type", "DataDownload", "encodingFormat", "application/json", "contentUrl",
        json_sprintf("%s/data/measurements.json", url), "@type", "DataDownload", "encodingFormat",
        "text/csv", "contentUrl", json_sprintf("%s/data/measurements.csv", url));
}

static json_t *setting(const struct call *call, const char *key) {
    const char *text = generation_setting(catalogue_generation(call->catalogue), key);
    return text == NULL ? json_null() : json_string(text);
}

/* What the catalogue says of the limits of its measurements (a JSON array of sentences), as lines.
 */
static json_t *limits_of(const struct call *call) {
    const char *text =
        generation_setting(catalogue_generation(call->catalogue), "measurements_limits");
    json_t *sentences = text == NULL ? NULL : json_loads(text, 0, NULL);
    json_t *lines = json_array();
    size_t i = 0;
    json_t *sentence = NULL;
    json_array_foreach(sentences, i, sentence) {
        if (json_array_append_new(lines, json_pack("{s:O}", "line", sentence)) != 0) {
            json_decref(lines);
            lines = NULL;
        }
    }
    json_decref(sentences);
    return lines;
}

static bool show(const struct call *call, struct reply *reply, const json_t *rows,
                 struct error *error) {
    const json_t *providers = json_object_get(reply->model, "providers");
    const json_t *summary = json_object_get(reply->model, "summary");
    const char *first = string_of(summary, "first_day");
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    struct view view;
    view_start(&view, call, PATH,
               words_fill(call, "{Noun} start times: claimed and measured", title),
               words_fill(call,
                          "What vendors say {a_noun} needs to start, beside independent daily "
                          "measurements: median, 95th percentile, success rate, and their limits.",
                          about));
    set_answer(&view, providers);
    set_tables(&view, providers);
    view_set(&view, "starts_claims", chart_claims(&view, providers, (struct chart_focus){0}));
    view_set(&view, "starts_series", series_of(&view, providers, rows, first));
    view_set(&view, "starts_method", setting(call, "measurements_method"));
    view_set(&view, "starts_method_url", setting(call, "measurements_method_url"));
    json_t *limits = limits_of(call);
    view_set(&view, "starts_has_limits", json_boolean(json_array_size(limits) > 0));
    view_set(&view, "starts_limits", limits);
    view_set(&view, "starts_first", view_date(&view, first));
    view_set(&view, "starts_last", view_date(&view, string_of(summary, "last_day")));
    view_linked_data(&view, dataset(&view, summary));
    return view_finish(&view, reply, error);
}

bool handle_measurements(const struct call *call, struct reply *reply, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *providers = start_times_read(call->catalogue, error);
    json_t *rows = providers == NULL
                       ? NULL
                       : catalogue_rows(call->catalogue, STATEMENT_MEASUREMENTS, NULL, 0, error);
    if (rows == NULL) {
        json_decref(providers);
        return false;
    }
    reply->model =
        json_pack("{s:o, s:o, s:s, s:s}", "summary", summary_of(generation, rows), "providers",
                  providers, "last_reviewed", generation_last_reviewed(generation), "generation",
                  generation_id(generation));
    bool good = reply->model != NULL || error_no_memory(error);
    if (good && call_wants_page(call)) {
        good = show(call, reply, rows, error);
    }
    json_decref(rows);
    return good;
}

/* --- one provider, day by day --- */

static bool show_provider(const struct call *call, struct reply *reply, const json_t *measured,
                          const char *name, struct error *error) {
    const json_t *rows = json_object_get(reply->model, "measurements");
    const char *slug = call->captures[0];
    char path[256];
    char title[256];
    char description[ERROR_MESSAGE_BYTES];
    (void)snprintf(path, sizeof(path), "%s%s/", PATH, slug);
    (void)snprintf(title, sizeof(title), "%s: start times, day by day", name);
    (void)snprintf(description, sizeof(description),
                   "Every daily start-up measurement of %.60s: median, 95th percentile and success "
                   "rate in three modes.",
                   name);
    struct view view;
    view_start(&view, call, path, title, description);
    view_crumb(&view, "Measurements", PATH);
    view_set(&view, "page_heading", json_string(name));
    view_set(&view, "days_name", json_string(name));
    view_set(&view, "days_href", json_sprintf("/sandboxes/%s/", slug));
    size_t source = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
        const json_t *run = json_object_get(measured, modes[i]);
        source = json_is_object(run) ? view_source(&view, json_object_get(run, "source")) : source;
    }
    view_set(&view, "days_source", json_integer((json_int_t)source));
    view_set(&view, "days_count", json_integer((json_int_t)json_array_size(rows)));
    view_set(&view, "days_chart", chart_series(&view, slug, name, rows, NULL, true));
    return view_finish(&view, reply, error);
}

bool handle_measurements_provider(const struct call *call, struct reply *reply,
                                  struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const struct index_provider *provider =
        index_provider(generation_index(generation), call->captures[0]);
    json_t *rows = provider == NULL
                       ? NULL
                       : CATALOGUE_ROWS(call->catalogue, STATEMENT_MEASUREMENTS_OF_PROVIDER, error,
                                        BIND_TEXT(provider->slug));
    if (provider == NULL || (rows != NULL && json_array_size(rows) == 0)) {
        json_decref(rows);
        return error_set(error, ERROR_NOT_FOUND, "there are no measurements of %s",
                         call->captures[0]);
    }
    json_t *providers = rows == NULL ? NULL : start_times_read(call->catalogue, error);
    if (providers == NULL) {
        json_decref(rows);
        return false;
    }
    reply->model =
        json_pack("{s:s, s:s, s:o, s:s, s:s}", "slug", provider->slug, "name", provider->name,
                  "measurements", rows, "last_reviewed", generation_last_reviewed(generation),
                  "generation", generation_id(generation));
    bool good = reply->model != NULL || error_no_memory(error);
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(providers, i, entry) {
        if (good && call_wants_page(call) &&
            strcmp(string_of(entry, "slug"), provider->slug) == 0) {
            good = show_provider(call, reply, json_object_get(entry, "measured"), provider->name,
                                 error);
        }
    }
    json_decref(providers);
    return good;
}
