/* /compare/{a}-vs-{b}/: any two providers, differences first. */
#include "buf.h"
#include "embed.h"
#include "folder.h"
#include "handlers.h"
#include "pair_verdicts.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512, OTHER_PAIRS = 12 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool is_text(const char *one, const char *other) {
    return one != NULL && strcmp(one, other) == 0;
}

/* --- the address --- */

bool canonical_pair(const struct call *call, struct buf *out, struct reply *reply,
                    bool *out_refused, struct error *error) {
    const char *only = target_value(call->target, "only");
    if (only == NULL || only[0] == '\0') {
        return true;
    }
    if (strcmp(only, "differences") == 0) {
        buf_add_text(out, "only=differences");
        return true;
    }
    *out_refused = true;
    json_t *extra = json_pack("{s:s, s:[s], s:s}", "parameter", "only", "allowed", "differences",
                              "nearest", "differences");
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         "A head-to-head can show only its differences, nothing "
                                         "else.",
                                         extra, error);
}

/* The slug itself where it is one, else the nearest, else NULL. */
static const char *nearest_slug(const struct catalogue_index *index, const char *slug) {
    const struct index_provider *provider = index_provider(index, slug);
    if (provider != NULL) {
        return provider->slug;
    }
    const char **slugs = calloc(index->provider_count, sizeof(*slugs));
    const char *nearest = NULL;
    if (slugs != NULL) {
        for (size_t i = 0; i < index->provider_count; i++) {
            slugs[i] = index->providers[i].slug;
        }
        nearest = text_nearest(slug, slugs, index->provider_count);
    }
    free((void *)slugs);
    return nearest;
}

/* No such pair: names the nearest address that there is. */
static bool refuse(const struct catalogue_index *index, const json_t *pairs,
                   const struct call *call, struct reply *reply, struct error *error) {
    const char *a = nearest_slug(index, call->captures[0]);
    const char *b = nearest_slug(index, call->captures[1]);
    char address[PATH_BYTES] = "/compare/";
    if (a != NULL && b != NULL && strcmp(a, b) != 0) {
        bool ordered = sides_in_order(pairs, a, b);
        (void)snprintf(address, sizeof(address), "/compare/%s-vs-%s/", ordered ? a : b,
                       ordered ? b : a);
    } else if (a != NULL || b != NULL) {
        (void)snprintf(address, sizeof(address), "/sandboxes/%s/", a != NULL ? a : b);
    }
    char detail[WORDS_BYTES];
    bool itself = strcmp(call->captures[0], call->captures[1]) == 0;
    json_t *extra = json_pack("{s:s, s:o, s:[o]}", "instance", call->target->path, "nearest",
                              folder_text(call, address), "addresses", folder_text(call, address));
    return extra == NULL
               ? error_no_memory(error)
               : reply_problem(reply, 404, "not-found", "Not found",
                               words_fill(call,
                                          itself
                                              ? "{A_noun} cannot be compared with itself."
                                              : "One of these two {nouns} is not in the catalogue.",
                                          detail),
                               extra, error);
}

/* --- what the page adds --- */

static void append(struct view *view, json_t *list, json_t *entry) {
    if (json_array_append_new(list, entry) != 0) {
        view->failed = true;
    }
}

/* {name: list, side_columns as columns}, or JSON null for an empty list. */
static json_t *list_or_null(struct view *view, const char *name, json_t *list) {
    if (json_array_size(list) == 0) {
        json_decref(list);
        return json_null();
    }
    return view_new(view, json_pack("{s:o, s:O}", name, list, "columns",
                                    json_object_get(view->page, "side_columns")));
}

/* A link to a row of the whole table: it stands on the page without "only" in any case. */
static json_t *fact_link(const struct view *view, const char *key, const char *label) {
    return json_pack("{s:o, s:s}", "href",
                     json_sprintf("%s#%s", string_of(view->page, "page_path"), key), "label",
                     label);
}

/* The attributes that a verdict rests on, each once. */
static json_t *rests_of(struct view *view, const json_t *verdict) {
    json_t *seen = json_object();
    json_t *list = json_array();
    size_t i = 0;
    json_t *sentence = NULL;
    json_array_foreach(json_object_get(verdict, "sentences"), i, sentence) {
        size_t j = 0;
        json_t *fact = NULL;
        json_array_foreach(json_object_get(sentence, "facts"), j, fact) {
            const char *key = string_of(fact, "key");
            if (json_object_get(seen, key) != NULL) {
                continue;
            }
            if (json_object_set_new(seen, key, json_true()) != 0) {
                view->failed = true;
            }
            append(view, list, fact_link(view, key, string_of(fact, "label")));
        }
    }
    json_decref(seen);
    return list;
}

static json_t *verdicts_of(struct view *view, const json_t *verdicts) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *verdict = NULL;
    json_array_foreach(verdicts, i, verdict) {
        json_t *rests = rests_of(view, verdict);
        const char *leader = string_of(verdict, "leader_name");
        bool is_ranked = json_array_size(json_object_get(verdict, "scores")) > 0;
        append(view, list,
               json_pack("{s:O, s:O, s:b, s:s, s:O, s:o}", "title",
                         json_object_get(verdict, "title"), "path",
                         json_object_get(verdict, "path"), "won", (int)(leader != NULL), "who",
                         leader != NULL ? leader
                         : is_ranked    ? "Too close"
                                        : "Neither is ranked",
                         "sentences", json_object_get(verdict, "sentences"), "rests", rests));
    }
    return list;
}

/* A measured time in milliseconds, in words. */
static json_t *milliseconds(const json_t *value) {
    return json_is_number(value) ? json_sprintf("%.0f ms", json_number_value(value))
                                 : json_string("not measured");
}

/* The newest measurements of both, one row a provider and mode. */
static json_t *measured_of(const struct sides *sides, struct view *view) {
    json_t *rows = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        size_t i = 0;
        json_t *row = NULL;
        json_array_foreach(json_object_get(sides->records[side], "measurements"), i, row) {
            size_t number = view_source(view, json_object_get(row, "source"));
            append(view, rows,
                   json_pack("{s:s, s:o, s:O, s:o, s:o, s:o, s:O, s:o, s:I}", "name",
                             sides_name(sides, side), "href",
                             json_sprintf("/sandboxes/%s/", sides_slug(sides, side)), "mode",
                             json_object_get(row, "mode"), "median",
                             milliseconds(json_object_get(row, "median_ms")), "p95",
                             milliseconds(json_object_get(row, "p95_ms")), "success",
                             json_sprintf("%.1f %%", 100 * json_number_value(json_object_get(
                                                               row, "success_rate"))),
                             "runs", json_object_get(row, "runs"), "day",
                             view_date(view, string_of(row, "day")), "source_number",
                             (json_int_t)number));
        }
    }
    return list_or_null(view, "rows", rows);
}

/* Those that nobody measures. */
static json_t *unmeasured_of(const struct sides *sides, struct view *view) {
    json_t *names = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        if (json_array_size(json_object_get(sides->records[side], "measurements")) == 0) {
            append(view, names, json_string(sides_name(sides, side)));
        }
    }
    return names;
}

/* The rows of the pricing group that somebody documents. */
static json_t *prices_of(const struct sides *sides, struct view *view) {
    json_t *rows = json_array();
    for (size_t i = 0; i < sides->index->attribute_count; i++) {
        const struct index_attribute *attribute = &sides->index->attributes[i];
        bool is_price = attribute->type == TYPE_MONEY || attribute->type == TYPE_MONEY_MAP;
        if (is_price && sides->relations[i] != SIDE_NEITHER) {
            append(view, rows, sides_row(sides, view, attribute));
        }
    }
    return list_or_null(view, "rows", rows);
}

/* Where sources disagree about a fact on this page. */
static json_t *conflicts_of(const struct sides *sides, struct view *view) {
    json_t *list = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        size_t i = 0;
        json_t *conflict = NULL;
        json_array_foreach(json_object_get(sides->records[side], "conflicts"), i, conflict) {
            json_t *facts = json_array();
            size_t j = 0;
            json_t *name = NULL;
            json_array_foreach(json_object_get(conflict, "facts"), j, name) {
                const char *text = json_string_value(name);
                const char *slash = strchr(text, '/');
                const struct index_attribute *attribute =
                    index_attribute(sides->index, slash == NULL ? text : slash + 1);
                if (attribute != NULL) {
                    append(view, facts, fact_link(view, attribute->key, attribute->label));
                }
            }
            append(view, list,
                   json_pack("{s:s, s:o, s:o}", "name", sides_name(sides, side), "text",
                             view_words(view, json_object_get(conflict, "text")), "facts", facts));
        }
    }
    return list_or_null(view, "conflicts", list);
}

/* Where to go on: alternatives to both, and curated pairs with one of the two. */
static json_t *next_of(const struct sides *sides, struct view *view, const json_t *pairs) {
    json_t *list = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        append(view, list,
               json_pack("{s:o, s:o}", "href",
                         json_sprintf("/alternatives/%s/", sides_slug(sides, side)), "label",
                         json_sprintf("Alternatives to %s", sides_name(sides, side))));
    }
    size_t i = 0;
    json_t *pair = NULL;
    json_array_foreach(pairs, i, pair) {
        const char *a = string_of(pair, "a");
        const char *b = string_of(pair, "b");
        bool has[2] = {is_text(a, sides_slug(sides, 0)) || is_text(b, sides_slug(sides, 0)),
                       is_text(a, sides_slug(sides, 1)) || is_text(b, sides_slug(sides, 1))};
        if (has[0] != has[1] && json_array_size(list) < OTHER_PAIRS) {
            append(view, list,
                   json_pack("{s:o, s:o}", "href", json_sprintf("/compare/%s-vs-%s/", a, b),
                             "label",
                             json_sprintf("%s vs %s", string_of(pair, "a_name"),
                                          string_of(pair, "b_name"))));
        }
    }
    return list;
}

static void link_data(const struct sides *sides, struct view *view, const char *title) {
    const char *url = string_of(view->page, "page_canonical");
    json_t *items = json_array();
    for (size_t side = 0; side < sides->count; side++) {
        append(view, items,
               json_pack("{s:s, s:i, s:s, s:o}", "@type", "ListItem", "position", (int)side + 1,
                         "name", sides_name(sides, side), "url",
                         json_sprintf("%s/sandboxes/%s/", view->call->site->public_url,
                                      sides_slug(sides, side))));
    }
    view_linked_data(view, json_pack("{s:s, s:s, s:s, s:i, s:o}", "@type", "ItemList", "name",
                                     title, "url", url, "numberOfItems", (int)sides->count,
                                     "itemListElement", items));
}

/* --- the page --- */

static bool fill_model(const struct call *call, const struct sides *sides, struct reply *reply,
                       struct error *error) {
    json_t *verdicts = pair_verdicts(call, sides, error);
    json_t *answer = verdicts == NULL ? NULL : pair_answer(sides, verdicts, error);
    if (answer == NULL) {
        json_decref(verdicts);
        return false;
    }
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *model = sides_model(sides);
    bool good =
        model != NULL &&
        json_object_set_new(model, "generation", json_string(generation_id(generation))) == 0 &&
        json_object_set_new(model, "last_reviewed",
                            json_string(generation_last_reviewed(generation))) == 0 &&
        json_object_set(model, "answer", answer) == 0 &&
        json_object_set(model, "verdicts", verdicts) == 0;
    json_decref(answer);
    json_decref(verdicts);
    reply->model = model;
    return good || error_no_memory(error);
}

/* What search engines show: names can be long, and more than 160 characters are cut. */
static void describe(const struct sides *sides, const char *title, char *out, size_t size) {
    enum { SHOWN_CHARACTERS = 160 };
    size_t different = sides->counts[SIDE_DIFFERENT];
    size_t same = sides->counts[SIDE_SAME];
    int length = snprintf(out, size,
                          "%s: %zu differences and %zu answers in common, with a verdict for each "
                          "use, prices, start times and every source.",
                          title, different, same);
    if (length > SHOWN_CHARACTERS) {
        (void)snprintf(out, size, "%s: %zu differences, %zu in common, with sources.", title,
                       different, same);
    }
}

static void show_embed(const struct call *call, const char *title, struct view *view) {
    char query[PATH_BYTES];
    (void)snprintf(query, sizeof(query), "providers=%s,%s%s", call->captures[0], call->captures[1],
                   embed_whatever);
    embed_show(view, call->path, query, title);
}

static bool make_page(const struct call *call, const struct sides *sides, const json_t *pairs,
                      struct reply *reply, struct error *error) {
    char title[PATH_BYTES];
    char description[2 * PATH_BYTES];
    (void)snprintf(title, sizeof(title), "%s vs %s", sides_name(sides, 0), sides_name(sides, 1));
    describe(sides, title, description, sizeof(description));
    struct view view;
    view_start(&view, call, call->path, title, description);
    view_crumb(&view, "Compare", "/compare/");
    view_set(&view, "pair_path", json_string(call->path));
    view_set(&view, "pair_verdicts", verdicts_of(&view, json_object_get(reply->model, "verdicts")));
    if (!sides_show(sides, &view,
                    target_value(call->target, "only") != NULL &&
                        target_value(call->target, "only")[0] != '\0',
                    error)) {
        view.failed = true;
    }
    view_set(&view, "pair_measured", measured_of(sides, &view));
    view_set(&view, "pair_unmeasured", unmeasured_of(sides, &view));
    view_set(&view, "pair_prices_table", prices_of(sides, &view));
    view_set(&view, "pair_conflicts", conflicts_of(sides, &view));
    view_set(&view, "pair_next", next_of(sides, &view, pairs));
    link_data(sides, &view, title);
    show_embed(call, title, &view);
    return view_finish(&view, reply, error);
}

bool handle_pair(const struct call *call, struct reply *reply, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const char *a = call->captures[0];
    const char *b = call->captures[1];
    json_t *pairs = catalogue_rows(call->catalogue, STATEMENT_PAIRS, NULL, 0, error);
    if (pairs == NULL) {
        return false;
    }
    bool good = false;
    if (strcmp(a, b) == 0 || index_provider(index, a) == NULL || index_provider(index, b) == NULL) {
        good = refuse(index, pairs, call, reply, error);
    } else if (!sides_in_order(pairs, a, b)) {
        const char *only = target_value(call->target, "only");
        char address[PATH_BYTES];
        (void)snprintf(address, sizeof(address), "/compare/%s-vs-%s/%s", b, a,
                       only != NULL && only[0] != '\0' ? "?only=differences" : "");
        good = reply_redirect(reply, 301, address, error);
    } else {
        struct sides sides;
        good = sides_open(&sides, call->catalogue, (const char *const[]){a, b}, 2, error) &&
               fill_model(call, &sides, reply, error) &&
               (!call_wants_page(call) || make_page(call, &sides, pairs, reply, error));
        sides_free(&sides);
    }
    json_decref(pairs);
    return good;
}
