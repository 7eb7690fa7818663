/* /alternatives/ and /alternatives/<slug>/: who could take a provider's place. */
#include "card.h"
#include "chart.h"
#include "handlers.h"
#include "likeness.h"
#include "site.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DETAILED = 6, LISTED_ON_INDEX = 3 };

/* Appends to a list of the view, which fails where that fails. */
static void append(struct view *view, json_t *list, json_t *entry) {
    if (json_array_append_new(list, view_new(view, entry)) != 0) {
        view->failed = true;
    }
}

static json_t *item_list(const struct likeness *likeness, const char *url) {
    json_t *items = json_array();
    for (size_t i = 0; i < likeness->count; i++) {
        const struct index_provider *provider = likeness->list[i].provider;
        json_t *item =
            json_pack("{s:s, s:i, s:s, s:o}", "@type", "ListItem", "position", (int)i + 1, "name",
                      provider->name, "url", json_sprintf("%s/sandboxes/%s/", url, provider->slug));
        if (json_array_append_new(items, item) != 0) {
            json_decref(items);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:o}", "@type", "ItemList", "name",
                     "Alternatives by likeness of documented values", "itemListElement", items);
}

static void add_lists(struct view *view, const struct likeness *likeness) {
    json_t *near = json_array();
    json_t *rest = json_array();
    for (size_t i = 0; i < likeness->count; i++) {
        if (i < likeness->detailed) {
            append(view, near, likeness_detail(likeness, i, view));
        } else {
            append(view, rest, likeness_entry(likeness, i));
        }
    }
    view_set(view, "others_near", near);
    view_set(view, "others_rest", rest);
}

/* The public model: the ranking by likeness. */
static json_t *model_of(const struct likeness *likeness) {
    json_t *list = json_array();
    for (size_t i = 0; i < likeness->count; i++) {
        const struct similarity *entry = &likeness->list[i];
        const char *offering = likeness->index->slots[entry->slot].offering;
        if (json_array_append_new(list, json_pack("{s:s, s:s, s:s?, s:f, s:f}", "slug",
                                                  entry->provider->slug, "name",
                                                  entry->provider->name, "offering", offering,
                                                  "low", entry->low, "high", entry->high)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:o}", "slug", likeness->provider->slug, "name",
                     likeness->provider->name, "alternatives", list);
}

static bool fill(const struct call *call, const struct likeness *likeness, const json_t *row,
                 struct reply *reply, struct error *error) {
    const struct index_provider *provider = likeness->provider;
    json_t *short_text = chart_name(provider->name);
    const char *name = short_text == NULL ? provider->name : json_string_value(short_text);
    struct view view;
    char path[256];
    char title[256];
    char description[512];
    (void)snprintf(path, sizeof(path), "/alternatives/%s/", provider->slug);
    (void)snprintf(title, sizeof(title), "Alternatives to %s, by documented likeness", name);
    (void)snprintf(description, sizeof(description),
                   "What could take the place of %s: %zu %s on offer, most alike first, with "
                   "what a change would gain and lose.",
                   name, likeness->count, words_get(call, WORD_NOUNS));
    json_decref(short_text);
    view_start(&view, call, path, title, description);
    view_crumb(&view, "Alternatives", "/alternatives/");
    view_set(&view, "page_heading", json_string(provider->name));
    view_set(&view, "page_class", json_string("page-side"));
    view_set(&view, "others_name", json_string(provider->name));
    view_set(&view, "others_slug", json_string(provider->slug));
    view_set(&view, "others_badge", card_badge(provider->status));
    view_set(&view, "others_status",
             provider->status == STATUS_ACTIVE
                 ? json_null()
                 : view_words(&view, json_object_get(row, "status_note")));
    view_set(&view, "others_offering",
             provider->has_offerings ? json_string(likeness->index->slots[likeness->slot].name)
                                     : json_null());
    add_lists(&view, likeness);
    view_linked_data(&view, item_list(likeness, call->site->public_url));
    return view_finish(&view, reply, error);
}

bool handle_alternatives(const struct call *call, struct reply *reply, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const struct index_provider *provider = index_provider(index, call->captures[0]);
    if (provider == NULL) {
        return reply_not_found(call, reply, error);
    }
    struct likeness likeness = {0};
    json_t *row =
        CATALOGUE_ROW(call->catalogue, STATEMENT_PROVIDER, error, BIND_TEXT(provider->slug));
    bool good = row != NULL && likeness_load(&likeness, call, provider, DETAILED, error);
    if (good) {
        reply->model = model_of(&likeness);
        good = (reply->model != NULL || error_no_memory(error)) &&
               fill(call, &likeness, row, reply, error);
    }
    json_decref(row);
    likeness_free(&likeness);
    return good;
}

/* --- the index --- */

static json_t *index_entry(const struct call *call, const struct index_provider *provider,
                           struct error *error) {
    struct likeness likeness = {0};
    json_t *entry = NULL;
    if (likeness_load(&likeness, call, provider, 0, error)) {
        json_t *near = json_array();
        bool good = near != NULL;
        for (size_t i = 0; good && i < likeness.count && i < LISTED_ON_INDEX; i++) {
            good = json_array_append_new(near, likeness_entry(&likeness, i)) == 0;
        }
        entry = json_pack("{s:s, s:s, s:o, s:o}", "slug", provider->slug, "name", provider->name,
                          "badge", card_badge(provider->status), "near", near);
        if (!good || entry == NULL) {
            json_decref(entry);
            entry = NULL;
            (void)error_no_memory(error);
        }
    }
    likeness_free(&likeness);
    return entry;
}

bool handle_alternatives_index(const struct call *call, struct reply *reply, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *entries = json_array();
    for (size_t i = 0; i < index->provider_count; i++) {
        json_t *entry = index_entry(call, &index->providers[i], error);
        if (entry == NULL) {
            json_decref(entries);
            return false;
        }
        if (json_array_append_new(entries, entry) != 0) {
            json_decref(entries);
            return error_no_memory(error);
        }
    }
    reply->model = json_object();
    struct view view;
    char title[WORDS_BYTES];
    char description[WORDS_BYTES];
    view_start(
        &view, call, "/alternatives/", words_fill(call, "Alternatives to every {noun_long}", title),
        words_fill(call,
                   "For each {noun_long} the ones on offer that are most alike by documented "
                   "values, and the rule by which likeness is computed.",
                   description));
    view_set(&view, "page_heading", json_string("Alternatives"));
    view_set(&view, "others_index", entries);
    return view_finish(&view, reply, error);
}
