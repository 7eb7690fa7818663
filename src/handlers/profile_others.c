/* The others of a profile: head-to-heads and alternatives. */
#include "card.h"
#include "likeness.h"
#include "profile.h"
#include <string.h>

enum { ALTERNATIVES_SHOWN = 4, PAIRS_SHOWN = 8 };

/* Curated pairs with this provider, then its nearest alternatives, up to PAIRS_SHOWN. */
static json_t *head_to_heads(const struct profile *profile, const struct likeness *likeness) {
    const char *slug = profile->provider->slug;
    json_t *seen = json_object();
    size_t i = 0;
    json_t *pair = NULL;
    json_array_foreach(likeness->pairs, i, pair) {
        bool is_first = strcmp(profile_text(pair, "a"), slug) == 0;
        if (is_first || strcmp(profile_text(pair, "b"), slug) == 0) {
            (void)json_object_set(seen, profile_text(pair, is_first ? "b" : "a"),
                                  json_object_get(pair, is_first ? "b_name" : "a_name"));
        }
    }
    for (size_t j = 0; j < likeness->count && json_object_size(seen) < PAIRS_SHOWN; j++) {
        const struct index_provider *other = likeness->list[j].provider;
        if (json_object_get(seen, other->slug) == NULL) {
            (void)json_object_set_new(seen, other->slug, json_string(other->name));
        }
    }
    json_t *list = json_array();
    const char *other = NULL;
    json_t *name = NULL;
    bool good = list != NULL && seen != NULL;
    json_object_foreach(seen, other, name) {
        json_t *entry =
            json_pack("{s:o, s:s, s:O}", "href", card_pair_address(likeness->pairs, slug, other),
                      "name", profile_name(profile), "other", name);
        good = good && json_array_append_new(list, entry) == 0;
    }
    json_decref(seen);
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

bool profile_add_others(struct profile *profile) {
    struct view *view = &profile->view;
    struct likeness likeness;
    bool good = likeness_load(&likeness, profile->call, profile->provider, ALTERNATIVES_SHOWN,
                              profile->error);
    json_t *alternatives = json_array();
    for (size_t i = 0; good && i < likeness.detailed; i++) {
        if (json_array_append_new(alternatives, likeness_detail(&likeness, i, NULL)) != 0) {
            good = error_no_memory(profile->error);
        }
    }
    if (good) {
        view_set(view, "profile_alternatives", json_incref(alternatives));
        view_set(view, "profile_pairs", head_to_heads(profile, &likeness));
    }
    json_t *banner = json_object_get(view->page, "profile_banner");
    if (good && json_is_object(banner) && json_object_set(banner, "instead", alternatives) != 0) {
        view->failed = true;
    }
    json_decref(alternatives);
    likeness_free(&likeness);
    return good;
}
