#include "card.h"
#include "ranking.h"
#include "score.h"
#include <string.h>

const char *card_kind_label(const char *kind) {
    static const struct {
        const char *kind;
        const char *label;
    } labels[] = {{"hosted", "Hosted service"},
                  {"cloud-service", "Part of a larger cloud"},
                  {"local-tool", "Runs on your machine"},
                  {"self-hostable", "Can be self-hosted"}};
    for (size_t i = 0; i < ARRAY_LENGTH(labels); i++) {
        if (strcmp(kind, labels[i].kind) == 0) {
            return labels[i].label;
        }
    }
    return kind;
}

json_t *card_badge(enum provider_status status) {
    switch (status) {
    case STATUS_WINDING_DOWN:
        return json_pack("{s:s, s:s}", "class", "badge badge-wind", "text", "Winding down");
    case STATUS_DISCONTINUED:
        return json_pack("{s:s, s:s}", "class", "badge badge-end", "text", "Discontinued");
    case STATUS_ACTIVE:
        break;
    }
    return json_null();
}

json_t *card_stage(const char *stage) {
    static const char *const labels[][3] = {
        {"ga", "badge badge-ga", "GA"},
        {"beta", "badge badge-beta", "Beta"},
        {"preview", "badge badge-preview", "Preview"},
        {"alpha", "badge badge-alpha", "Alpha"},
        {"experimental", "badge badge-experimental", "Experimental"},
        {"deprecated", "badge badge-dep", "Deprecated"}};
    for (size_t i = 0; stage != NULL && i < ARRAY_LENGTH(labels); i++) {
        if (strcmp(stage, labels[i][0]) == 0) {
            return json_pack("{s:s, s:s}", "class", labels[i][1], "text", labels[i][2]);
        }
    }
    return json_null();
}

json_t *card_places(struct catalogue *catalogue, struct error *error) {
    return score_places(catalogue, "overall", error);
}

json_t *card_score(const json_t *places, const char *slug) {
    const json_t *score = json_object_get(places, slug);
    if (score == NULL) {
        return json_null();
    }
    json_t *result = ranking_score(json_number_value(json_object_get(score, "low")),
                                   json_number_value(json_object_get(score, "high")));
    if (json_object_set(result, "place", json_object_get(score, "place")) != 0 ||
        json_object_set_new(result, "of", json_integer((json_int_t)json_object_size(places))) !=
            0) {
        json_decref(result);
        return NULL;
    }
    return result;
}

json_t *card_pair_address(const json_t *pairs, const char *one, const char *other) {
    bool swapped = strcmp(one, other) > 0;
    size_t i = 0;
    json_t *pair = NULL;
    json_array_foreach(pairs, i, pair) {
        const char *a = json_string_value(json_object_get(pair, "a"));
        const char *b = json_string_value(json_object_get(pair, "b"));
        if (strcmp(a, one) == 0 && strcmp(b, other) == 0) {
            swapped = false;
        } else if (strcmp(a, other) == 0 && strcmp(b, one) == 0) {
            swapped = true;
        }
    }
    return json_sprintf("/compare/%s-vs-%s/", swapped ? other : one, swapped ? one : other);
}

json_t *card_sentence(const char *summary) {
    const char *stop = strstr(summary, ". ");
    return stop == NULL ? json_string(summary)
                        : json_stringn(summary, (size_t)(stop - summary) + 1);
}
