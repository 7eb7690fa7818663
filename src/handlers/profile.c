/* /sandboxes/<slug>/: everything that is known of one provider. */
#include "profile.h"
#include "card.h"
#include "chart.h"
#include "embed.h"
#include "handlers.h"
#include "site.h"
#include "start_times.h"
#include "text.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *profile_text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

const char *profile_name(const struct profile *profile) {
    return profile_text(profile->record, "name");
}

const json_t *profile_facts(const json_t *holder) {
    return json_object_get(holder, "facts");
}

json_t *profile_number(double number, int decimals) {
    enum { NUMBER_BYTES = 64 };
    char rounded[NUMBER_BYTES];
    double value = 0;
    (void)snprintf(rounded, sizeof(rounded), "%.*f", decimals, number);
    if (!text_number(rounded, &value)) {
        return NULL;
    }
    struct buf text;
    buf_init(&text, NUMBER_BYTES);
    text_add_number_grouped(&text, value);
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

/* --- the top of the page --- */

/* The source of the record with this id, or NULL. */
static const json_t *source_of(const json_t *record, const char *id) {
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(json_object_get(record, "sources"), i, source) {
        if (id != NULL && strcmp(profile_text(source, "id"), id) == 0) {
            return source;
        }
    }
    return NULL;
}

static void add_banner(struct profile *profile) {
    struct view *view = &profile->view;
    const json_t *record = profile->record;
    if (profile->provider->status == STATUS_ACTIVE) {
        view_set(view, "profile_banner", json_null());
        return;
    }
    bool ended = profile->provider->status == STATUS_DISCONTINUED;
    size_t number = view_source(view, source_of(record, profile_text(record, "status_source")));
    view_set(view, "profile_banner",
             json_pack("{s:b, s:b, s:o, s:o, s:O, s:s}", "ended", (int)ended, "winding_down",
                       (int)!ended, "note",
                       view_words(view, json_object_get(record, "status_note")), "number",
                       number == 0 ? json_null() : json_integer((json_int_t)number), "name",
                       json_object_get(record, "name"), "slug", profile->provider->slug));
}

static void add_head(struct profile *profile, const json_t *places) {
    struct view *view = &profile->view;
    const json_t *record = profile->record;
    const char *slug = profile->provider->slug;
    view_set(view, "page_class", json_string("page-side"));
    view_set(view, "page_heading", json_incref(json_object_get(record, "name")));
    view_set(view, "profile_name", json_incref(json_object_get(record, "name")));
    view_set(view, "profile_slug", json_string(slug));
    view_set(view, "profile_kind", json_string(card_kind_label(profile->provider->kind)));
    view_set(view, "profile_badge", card_badge(profile->provider->status));
    view_set(view, "profile_score", card_score(places, slug));
    view_set(view, "profile_checked", view_date(view, profile_text(record, "last_reviewed")));
    static const char *const links[] = {"vendor",   "summary",     "homepage",
                                        "docs_url", "pricing_url", "repo_url"};
    for (size_t i = 0; i < ARRAY_LENGTH(links); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "profile_%s", links[i]);
        view_set(view, name, json_incref(json_object_get(record, links[i])));
    }
}

/* The four lists of judgements, each with links to the facts that it rests on. */
static void add_claims(struct profile *profile) {
    static const char *const lists[] = {"best_for", "not_for", "strengths", "limitations"};
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        json_t *shown = json_array();
        size_t j = 0;
        json_t *claim = NULL;
        json_array_foreach(json_object_get(profile->record, lists[i]), j, claim) {
            json_t *facts = profile_references(profile, json_object_get(claim, "facts"));
            json_t *entry = json_pack("{s:o, s:o}", "text",
                                      view_words(&profile->view, json_object_get(claim, "text")),
                                      "rests_on", facts);
            if (json_array_append_new(shown, view_new(&profile->view, entry)) != 0) {
                profile->view.failed = true;
            }
        }
        char name[32];
        (void)snprintf(name, sizeof(name), "profile_%s", lists[i]);
        view_set(&profile->view, name, shown);
    }
}

static void start(struct profile *profile) {
    const json_t *record = profile->record;
    const char *name = profile_name(profile);
    json_t *short_text = chart_name(name);
    const char *short_name = short_text == NULL ? name : json_string_value(short_text);
    size_t offerings = json_array_size(json_object_get(record, "offerings"));
    size_t conflicts = json_array_size(json_object_get(record, "conflicts"));
    char path[256];
    char title[256];
    char description[512];
    char about[WORDS_BYTES];
    char classes[64] = "";
    char disputes[64] = "";
    (void)snprintf(path, sizeof(path), "/sandboxes/%s/", profile->provider->slug);
    (void)snprintf(title, sizeof(title), "%s: %.180s", short_name,
                   words_text(profile->call, "text_profile", about));
    if (offerings > 1) {
        (void)snprintf(classes, sizeof(classes), ", %zu classes side by side", offerings);
    }
    if (conflicts > 0) {
        (void)snprintf(disputes, sizeof(disputes), ", %zu conflict%s between sources", conflicts,
                       conflicts == 1 ? "" : "s");
    }
    (void)snprintf(description, sizeof(description),
                   "%s in %zu facts with source and day%s%s and the nearest alternatives.",
                   short_name, json_object_size(profile_facts(record)), classes, disputes);
    view_start(&profile->view, profile->call, path, title, description);
    char nouns[WORDS_BYTES];
    view_crumb(&profile->view, words_fill(profile->view.call, "{Nouns}", nouns), "/sandboxes/");
    json_decref(short_text);
}

static void add_embed(struct profile *profile) {
    const struct index_provider *provider = profile->provider;
    char page[256];
    char query[256];
    (void)snprintf(page, sizeof(page), "/sandboxes/%s/", provider->slug);
    (void)snprintf(query, sizeof(query), "providers=%s%s", provider->slug, embed_whatever);
    embed_show(&profile->view, page, query, provider->name);
    view_set(&profile->view, "profile_badge_address",
             json_sprintf("%s/badge/%s.svg", profile->call->site->public_url, provider->slug));
    view_set(&profile->view, "profile_calendar",
             json_sprintf("/calendar.ics?providers=%s", provider->slug));
    view_set(&profile->view, "profile_feed",
             json_sprintf("/changes.atom?provider=%s", provider->slug));
    view_alternate(&profile->view, "application/atom+xml", "What changed here, as Atom",
                   json_sprintf("/changes.atom?provider=%s", provider->slug));
}

static bool fill_page(struct profile *profile, const json_t *places, const json_t *start_times) {
    start(profile);
    add_head(profile, places);
    add_banner(profile);
    profile_add_quick(profile);
    add_claims(profile);
    profile_add_groups(profile);
    profile_add_offerings(profile);
    profile_add_conflicts(profile);
    profile_add_measured(profile, start_times);
    profile_add_timeline(profile);
    profile_add_questions(profile);
    profile_add_linked_data(profile);
    add_embed(profile);
    return profile_add_others(profile);
}

bool handle_profile(const struct call *call, struct reply *reply, struct error *error) {
    struct profile profile = {.call = call, .error = error};
    profile.index = generation_index(catalogue_generation(call->catalogue));
    profile.provider = index_provider(profile.index, call->captures[0]);
    if (profile.provider == NULL) {
        return reply_not_found(call, reply, error);
    }
    json_t *places = card_places(call->catalogue, error);
    json_t *start_times = places == NULL ? NULL : start_times_read(call->catalogue, error);
    profile.record =
        start_times == NULL ? NULL : provider_record(call->catalogue, call->captures[0], error);
    if (profile.record == NULL) {
        json_decref(places);
        json_decref(start_times);
        return false;
    }
    reply->model = json_pack("{s:o}", "provider", profile.record);
    bool good =
        reply->model == NULL ? error_no_memory(error) : fill_page(&profile, places, start_times);
    json_decref(places);
    json_decref(start_times);
    if (!good) {
        profile.view.failed = true;
        struct error ignored;
        bool finished = profile.view.page != NULL && view_finish(&profile.view, reply, &ignored);
        (void)finished;
        return false;
    }
    return view_finish(&profile.view, reply, error);
}
