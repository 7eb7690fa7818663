/* What a profile tells beside its facts: conflicts, measured starts, events, questions. */
#include "chart.h"
#include "profile.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <string.h>

void profile_add_conflicts(struct profile *profile) {
    json_t *shown = json_array();
    size_t i = 0;
    json_t *conflict = NULL;
    json_array_foreach(json_object_get(profile->record, "conflicts"), i, conflict) {
        json_t *entry = json_pack(
            "{s:o, s:o}", "text", view_words(&profile->view, json_object_get(conflict, "text")),
            "took", profile_references(profile, json_object_get(conflict, "facts")));
        if (json_array_append_new(shown, view_new(&profile->view, entry)) != 0) {
            profile->view.failed = true;
        }
    }
    view_set(&profile->view, "profile_has_conflicts", json_boolean(json_array_size(shown) > 0));
    view_set(&profile->view, "profile_conflicts", shown);
}

/* --- claimed against measured --- */

static json_t *milliseconds(const json_t *number) {
    return json_is_number(number) ? profile_number(json_number_value(number), 0) : json_null();
}

static json_t *measurement_row(struct profile *profile, const json_t *run, double claimed) {
    struct view *view = &profile->view;
    const json_t *median = json_object_get(run, "median_ms");
    double success = json_number_value(json_object_get(run, "success_rate"));
    json_t *ratio = claimed > 0 && json_is_number(median)
                        ? profile_number(json_number_value(median) / claimed, 1)
                        : json_null();
    size_t source = view_source(view, json_object_get(run, "source"));
    return json_pack("{s:O, s:O, s:o, s:o, s:o, s:o, s:o, s:I}", "mode",
                     json_object_get(run, "mode"), "runs", json_object_get(run, "runs"), "median",
                     milliseconds(median), "p95", milliseconds(json_object_get(run, "p95_ms")),
                     "success", profile_number(100 * success, 1), "ratio", ratio, "day",
                     view_date(view, profile_text(run, "day")), "source", (json_int_t)source);
}

/* The modes in the order in which load grows. */
static json_t *measurement_rows(struct profile *profile, double claimed) {
    static const char *const modes[] = {"sequential", "staggered", "burst"};
    json_t *rows = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
        size_t j = 0;
        json_t *run = NULL;
        json_array_foreach(json_object_get(profile->record, "measurements"), j, run) {
            if (strcmp(profile_text(run, "mode"), modes[i]) == 0 &&
                json_array_append_new(
                    rows, view_new(&profile->view, measurement_row(profile, run, claimed))) != 0) {
                profile->view.failed = true;
            }
        }
    }
    return rows;
}

static json_t *cell_of(struct profile *profile, const char *key) {
    const struct index_attribute *attribute = index_attribute(profile->index, key);
    if (attribute == NULL) {
        return json_null();
    }
    return view_cell(&profile->view, attribute,
                     json_object_get(profile_facts(profile->record), key), profile_name(profile));
}

void profile_add_measured(struct profile *profile, const json_t *start_times) {
    const json_t *claim = json_object_get(profile_facts(profile->record), "cold_start_ms");
    double claimed = json_number_value(json_object_get(claim, "value"));
    json_t *rows = measurement_rows(profile, claimed);
    json_t *table = json_null();
    if (json_array_size(rows) > 0) {
        table = json_pack("{s:O, s:s, s:o}", "name", json_object_get(profile->record, "name"),
                          "slug", profile->provider->slug, "rows", rows);
    } else {
        json_decref(rows);
    }
    json_t *detail = json_object_get(claim, "detail");
    bool has_start = json_is_object(table) || json_is_number(json_object_get(claim, "value"));
    struct chart_focus focus = {.slugs = {profile->provider->slug}};
    view_set(&profile->view, "profile_measured",
             json_pack("{s:o, s:o, s:o, s:o, s:o, s:O}", "table", table, "claims_chart",
                       has_start ? chart_claims(&profile->view, start_times, focus) : json_null(),
                       "claimed", cell_of(profile, "cold_start_ms"), "claim_detail",
                       view_words(&profile->view, detail), "measured",
                       cell_of(profile, "measured_tti_ms"), "name",
                       json_object_get(profile->record, "name")));
}

/* --- timeline --- */

void profile_add_timeline(struct profile *profile) {
    struct view *view = &profile->view;
    char today[TEXT_DATE_BYTES];
    text_iso_date(generation_today(catalogue_generation(profile->call->catalogue)), today);
    json_t *shown = json_array();
    size_t i = 0;
    json_t *event = NULL;
    json_array_foreach(json_object_get(profile->record, "events"), i, event) {
        const char *date = profile_text(event, "date");
        size_t number = view_source(view, json_object_get(event, "source"));
        json_t *entry = json_pack("{s:o, s:o, s:I, s:b}", "date", view_date(view, date), "text",
                                  view_words(view, json_object_get(event, "text")), "number",
                                  (json_int_t)number, "ahead", (int)(strcmp(date, today) > 0));
        if (json_array_append_new(shown, view_new(view, entry)) != 0) {
            view->failed = true;
        }
    }
    view_set(view, "profile_has_timeline", json_boolean(json_array_size(shown) > 0));
    view_set(view, "profile_timeline", shown);
}

/* --- questions --- */

/* The facts whose questions the template asks, as profile_ask_<attribute>. */
static const char *const asked[] = {
    "isolation",      "persistence", "max_session_seconds", "gpu",
    "egress_control", "deployment",  "price_vcpu_hour_usd", "free_tier"};

/* An answer, or null where nothing at all can be said: not documented, and no note on what is. */
static json_t *answer(struct profile *profile, const char *key) {
    const json_t *fact = json_object_get(profile_facts(profile->record), key);
    const char *state = profile_text(fact, "state");
    const json_t *detail = json_object_get(fact, "detail");
    const json_t *note = json_object_get(fact, "note");
    bool silent = state == NULL || (strcmp(state, "not_documented") == 0 &&
                                    !json_is_string(detail) && !json_is_string(note));
    if (silent) {
        return json_null();
    }
    return json_pack("{s:O, s:s, s:o, s:o, s:o}", "name", json_object_get(profile->record, "name"),
                     "key", key, "cell", cell_of(profile, key), "detail",
                     view_words(&profile->view, detail), "note", view_words(&profile->view, note));
}

void profile_add_questions(struct profile *profile) {
    for (size_t i = 0; i < ARRAY_LENGTH(asked); i++) {
        json_t *name = json_sprintf("profile_ask_%s", asked[i]);
        view_set(&profile->view, json_string_value(name),
                 view_new(&profile->view, answer(profile, asked[i])));
        json_decref(name);
    }
}

/* --- JSON-LD --- */

/* Software that one runs is an application; what is used from afar is a service. Only what the page
 * shows is said. */
void profile_add_linked_data(struct profile *profile) {
    struct view *view = &profile->view;
    const json_t *record = profile->record;
    const char *kind = profile->provider->kind;
    bool is_software = strcmp(kind, "local-tool") == 0 || strcmp(kind, "self-hostable") == 0;
    json_t *page = json_object_get(view->page, "page_canonical");
    json_t *maker =
        json_pack("{s:s, s:O}", "@type", "Organization", "name", json_object_get(record, "vendor"));
    json_t *object =
        json_pack("{s:s, s:o, s:O, s:O, s:O, s:O, s:o}", "@type",
                  is_software ? "SoftwareApplication" : "Service", "@id",
                  json_sprintf("%s#provider", json_string_value(page)), "name",
                  json_object_get(record, "name"), "description",
                  json_object_get(record, "summary"), "url", json_object_get(record, "homepage"),
                  "mainEntityOfPage", page, is_software ? "author" : "provider", maker);
    const char *type_key = is_software ? "applicationCategory" : "serviceType";
    char service[WORDS_BYTES];
    const char *type =
        is_software ? "DeveloperApplication" : words_text(view->call, "text_service", service);
    if (json_object_set_new(object, type_key, json_string(type)) != 0) {
        json_decref(object);
        object = NULL;
    }
    view_linked_data(view, object);
}
