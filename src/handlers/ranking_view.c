/* What the part "ranking" shows. */
#include "buf.h"
#include "limit.h"
#include "ranking.h"
#include "score.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* Appends an entry to a list; a failure of either fails the view. */
static void append(struct view *view, json_t *list, json_t *entry) {
    if (json_array_append_new(list, entry) != 0) {
        view->failed = true;
    }
}

/* A number in its shortest form ("0.75"), rounded to a few digits. */
static json_t *plain(double number) {
    const double steps = 1e4;
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    text_add_number(&text, round(number * steps) / steps);
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

/* "12.3", or "12.3 to 14.0" where the ends differ as shown. */
static json_t *range(double low, double high, int digits) {
    enum { RANGE_BYTES = 64 };
    char least[RANGE_BYTES];
    char most[RANGE_BYTES];
    (void)snprintf(least, sizeof(least), "%.*f", digits, low);
    (void)snprintf(most, sizeof(most), "%.*f", digits, high);
    return strcmp(least, most) == 0 ? json_string(least) : json_sprintf("%s to %s", least, most);
}

json_t *ranking_score(double low, double high) {
    json_t *least = json_sprintf("%.1f", low);
    json_t *most = json_sprintf("%.1f", high);
    bool same = json_equal(least, most);
    json_t *label = same ? json_sprintf("%s of 100", json_string_value(least))
                         : json_sprintf("Between %s and %s of 100", json_string_value(least),
                                        json_string_value(most));
    return json_pack("{s:o, s:o, s:b, s:o, s:o, s:o}", "low", least, "high", most, "same",
                     (int)same, "label", label, "bar_low", json_sprintf("%.1f", low), "bar_width",
                     json_sprintf("%.1f", high - low));
}

/* --- the list --- */

/* "Full points on 12 of 16 criteria, 2 not documented." */
static json_t *summary_of(const json_t *entry) {
    size_t full = 0;
    size_t unknown = 0;
    size_t stale = 0;
    const json_t *criteria = json_object_get(entry, "criteria");
    size_t i = 0;
    json_t *criterion = NULL;
    json_array_foreach(criteria, i, criterion) {
        full += number_of(criterion, "share_low") >= 1 ? 1u : 0u;
        stale += json_is_true(json_object_get(criterion, "stale")) ? 1u : 0u;
        unknown += number_of(criterion, "share_low") < number_of(criterion, "share_high") &&
                           !json_is_true(json_object_get(criterion, "stale"))
                       ? 1u
                       : 0u;
    }
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    buf_add_format(&text, "Full points on %zu of %zu criteria", full, json_array_size(criteria));
    if (unknown > 0) {
        buf_add_format(&text, ", %zu not documented", unknown);
    }
    if (stale > 0) {
        buf_add_format(&text, ", %zu due for review and counted at half", stale);
    }
    buf_add_char(&text, '.');
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *href_of(const json_t *entry) {
    return json_sprintf("/sandboxes/%s/", string_of(entry, "slug"));
}

/* "Place 5 by the catalogue's weights." where it is another one. */
static json_t *moved_of(const json_t *entry) {
    json_int_t usual = json_integer_value(json_object_get(entry, "default_place"));
    return usual == json_integer_value(json_object_get(entry, "place"))
               ? json_null()
               : json_sprintf("Place %lld by the catalogue's weights.", (long long)usual);
}

static void show_picks(struct view *view, const json_t *ranked) {
    json_t *picks = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(ranked, i, entry) {
        bool named = json_is_string(json_object_get(entry, "offering"));
        append(view, picks,
               json_pack("{s:O, s:o, s:O, s:o, s:o, s:o, s:o}", "place",
                         json_object_get(entry, "place"), "href", href_of(entry), "name",
                         json_object_get(entry, "name"), "summary", summary_of(entry), "offering",
                         named ? json_incref(json_object_get(entry, "offering_name")) : json_null(),
                         "moved", moved_of(entry), "score",
                         ranking_score(number_of(entry, "low"), number_of(entry, "high"))));
    }
    view_set(view, "ranking_picks", picks);
}

/* The quick answer: who leads, by how much, and who could still overtake. */
static json_t *answer_of(const json_t *model) {
    const json_t *ranked = json_object_get(model, "ranked");
    const json_t *first = json_array_get(ranked, 0);
    const json_t *second = json_array_get(ranked, 1);
    if (first == NULL) {
        return json_null();
    }
    size_t reach = 0;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(ranked, i, entry) {
        reach += i > 0 && number_of(entry, "high") > number_of(first, "low") ? 1u : 0u;
    }
    json_t *score = range(number_of(first, "low"), number_of(first, "high"), 1);
    json_t *words = json_sprintf(
        "leads with %s of 100 on %zu criteria%s%s.", json_string_value(score),
        json_array_size(json_object_get(model, "criteria")), second == NULL ? "" : ", ahead of ",
        second == NULL ? "" : string_of(second, "name"));
    json_decref(score);
    json_t *rest = reach == 0
                       ? json_sprintf("No other could pass it, whatever is not documented yet.")
                       : json_sprintf("%zu other%s could pass it, if everything that is not "
                                      "documented or due for review turned out well.",
                                      reach, reach == 1 ? "" : "s");
    return json_pack("{s:o, s:O, s:o, s:o}", "href", href_of(first), "name",
                     json_object_get(first, "name"), "words", words, "rest", rest);
}

/* --- the arithmetic --- */

static json_t *table_row(struct view *view, const json_t *criterion, const json_t *points) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    enum { SHARE_DIGITS = 3, POINT_DIGITS = 2 };
    return json_pack(
        "{s:O, s:o, s:o, s:o, s:o}", "label", json_object_get(criterion, "label"), "cell",
        view_cell_linked(view, index_attribute(index, string_of(points, "attribute")),
                         json_object_get(points, "fact")),
        "weight", plain(number_of(criterion, "weight")), "share",
        range(number_of(points, "share_low"), number_of(points, "share_high"), SHARE_DIGITS),
        "points",
        range(number_of(points, "points_low"), number_of(points, "points_high"), POINT_DIGITS));
}

/* What the ranking asks, once for all of its tables. */
static void show_criteria(struct view *view, const json_t *model) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *rows = view_new(view, json_array());
    size_t i = 0;
    json_t *criterion = NULL;
    json_array_foreach(json_object_get(model, "criteria"), i, criterion) {
        append(view, rows,
               json_pack("{s:O, s:O, s:o, s:o}", "label", json_object_get(criterion, "label"),
                         "why", json_object_get(criterion, "why"), "weight",
                         plain(number_of(criterion, "weight")), "rule",
                         ranking_rule(json_object_get(criterion, "rule"),
                                      index_attribute(index, string_of(criterion, "attribute")))));
    }
    view_set(view, "ranking_criteria", rows);
}

static void show_tables(struct view *view, const json_t *model) {
    json_t *tables = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    enum { POINT_DIGITS = 2 };
    json_array_foreach(json_object_get(model, "ranked"), i, entry) {
        json_t *rows = view_new(view, json_array());
        size_t j = 0;
        json_t *points = NULL;
        json_array_foreach(json_object_get(entry, "criteria"), j, points) {
            append(view, rows,
                   table_row(view, json_array_get(json_object_get(model, "criteria"), j), points));
        }
        append(view, tables,
               json_pack("{s:o, s:o, s:O, s:O, s:O, s:o, s:o, s:o}", "href", href_of(entry),
                         "table_id", json_sprintf("sum-%s", string_of(entry, "slug")), "place",
                         json_object_get(entry, "place"), "name", json_object_get(entry, "name"),
                         "offering", json_object_get(entry, "offering_name"), "weight_sum",
                         plain(number_of(model, "weight_sum")), "points_sum",
                         range(number_of(entry, "low"), number_of(entry, "high"), POINT_DIGITS),
                         "rows", rows));
    }
    view_set(view, "ranking_tables", tables);
}

/* --- weights --- */

static void show_weights(struct view *view, const json_t *model) {
    json_t *weights = view_new(view, json_array());
    size_t i = 0;
    json_t *criterion = NULL;
    json_array_foreach(json_object_get(model, "criteria"), i, criterion) {
        append(view, weights,
               json_pack("{s:o, s:o, s:O, s:o, s:o, s:b}", "id",
                         json_sprintf("w-%s", string_of(criterion, "attribute")), "field",
                         json_sprintf("w.%s", string_of(criterion, "attribute")), "label",
                         json_object_get(criterion, "label"), "weight",
                         plain(number_of(criterion, "weight")), "usual",
                         plain(number_of(criterion, "default_weight")), "differs",
                         (int)(number_of(criterion, "weight") !=
                               number_of(criterion, "default_weight"))));
    }
    view_set(view, "ranking_weights", weights);
}

/* Both orders side by side: [{place, own {href, name}, usual {href, name}}]. */
static void show_orders(struct view *view, const json_t *model) {
    const json_t *ranked = json_object_get(model, "ranked");
    json_t *orders = view_new(view, json_array());
    size_t count =
        json_is_true(json_object_get(model, "own_weights")) ? json_array_size(ranked) : 0;
    for (size_t place = 1; place <= count; place++) {
        const json_t *own = json_array_get(ranked, place - 1);
        const json_t *usual = NULL;
        size_t i = 0;
        json_t *entry = NULL;
        json_array_foreach(ranked, i, entry) {
            if ((size_t)json_integer_value(json_object_get(entry, "default_place")) == place) {
                usual = entry;
            }
        }
        append(view, orders,
               json_pack("{s:I, s:{s:o, s:O}, s:{s:o, s:O}}", "place", (json_int_t)place, "own",
                         "href", href_of(own), "name", json_object_get(own, "name"), "usual",
                         "href", href_of(usual), "name", json_object_get(usual, "name")));
    }
    view_set(view, "ranking_orders", orders);
}

static const char *name_of(const struct view *view, const char *slug) {
    const struct index_provider *provider =
        index_provider(generation_index(catalogue_generation(view->call->catalogue)), slug);
    return provider == NULL ? slug : provider->name;
}

static void show_sensitivity(struct view *view, const json_t *model) {
    json_t *rows = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(model, "sensitivity"), i, entry) {
        json_t *changes = view_new(view, json_array());
        double weight = number_of(entry, "weight");
        size_t j = 0;
        json_t *change = NULL;
        json_array_foreach(json_object_get(entry, "changes_at"), j, change) {
            double at = number_of(change, "weight");
            append(view, changes,
                   json_pack("{s:s, s:o, s:o, s:s}", "side", at < weight ? "Below" : "Above",
                             "weight", plain(at), "href",
                             json_sprintf("/sandboxes/%s/", string_of(change, "to")), "name",
                             name_of(view, string_of(change, "to"))));
        }
        const json_t *criterion = json_array_get(json_object_get(model, "criteria"), i);
        append(view, rows,
               json_pack("{s:O, s:o, s:o}", "label", json_object_get(criterion, "label"), "weight",
                         plain(weight), "changes", changes));
    }
    view_set(view, "ranking_sensitivity", rows);
}

static void show_unranked(struct view *view, const json_t *model) {
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(model, "unranked"), i, entry) {
        append(view, list,
               json_pack("{s:o, s:O, s:O}", "href", href_of(entry), "name",
                         json_object_get(entry, "name"), "reason",
                         json_object_get(entry, "reason")));
    }
    view_set(view, "ranking_unranked", list);
}

json_t *ranking_address(const struct view *view, const char *path, const char *use_case) {
    struct buf address;
    struct reply reply = {0};
    struct error error = {0};
    bool refused = false;
    buf_init(&address, LIMIT_TARGET_BYTES);
    buf_add_format(&address, "%s?", path);
    size_t bare = address.length;
    bool good =
        ranking_canonical(view->call, use_case, &address, &reply, &refused, &error) && !refused;
    reply_free(&reply);
    size_t length = address.length == bare ? bare - 1 : address.length; /* no "?" alone */
    json_t *text = good && !address.failed ? json_stringn(address.data, length) : NULL;
    buf_free(&address);
    return text;
}

void ranking_show_list(struct view *view, const json_t *model) {
    const json_t *ranked = json_object_get(model, "ranked");
    view_set(view, "ranking_own", json_incref(json_object_get(model, "own_weights")));
    view_set(view, "ranking_count", json_integer((json_int_t)json_array_size(ranked)));
    view_set(view, "ranking_answer", answer_of(model));
    show_picks(view, ranked);
}

void ranking_show(struct view *view, const json_t *model) {
    const json_t *use_case = json_object_get(model, "use_case");
    const char *path = string_of(view->page, "page_path");
    double sum = number_of(model, "weight_sum");
    ranking_show_list(view, model);
    view_set(view, "ranking_path", json_string(path));
    view_set(view, "ranking_short", ranking_address(view, path, string_of(use_case, "slug")));
    view_set(view, "ranking_sum", plain(sum));
    view_set(view, "ranking_limit", plain(SCORE_SENSITIVITY_FACTOR * sum));
    show_criteria(view, model);
    show_tables(view, model);
    show_weights(view, model);
    show_orders(view, model);
    show_sensitivity(view, model);
    show_unranked(view, model);
}

void ranking_linked_data(struct view *view, const json_t *model) {
    const char *url = json_string_value(json_object_get(view->page, "page_canonical"));
    size_t origin = strlen(url) - strlen(string_of(view->page, "page_path"));
    json_t *items = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(model, "ranked"), i, entry) {
        append(view, items,
               json_pack(
                   "{s:s, s:O, s:O, s:o}", "@type", "ListItem", "position",
                   json_object_get(entry, "place"), "name", json_object_get(entry, "name"), "url",
                   json_sprintf("%.*s/sandboxes/%s/", (int)origin, url, string_of(entry, "slug"))));
    }
    view_linked_data(
        view, view_new(view, json_pack("{s:s, s:O, s:s, s:o}", "@type", "ItemList", "name",
                                       json_object_get(view->page, "page_title"), "itemListOrder",
                                       "https://schema.org/ItemListOrderAscending",
                                       "itemListElement", items)));
}
