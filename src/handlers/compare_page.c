/* /compare/: a question as a form, and its answer. */
#include "compare_view.h"
#include "embed.h"
#include "limit.h"
#include "site.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { RELAXATIONS = 16 };

static const char page_path[] = "/compare/";

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- when nothing matches: what to relax --- */

struct relaxing {
    struct view *view;
    json_t *list;
    size_t asked;
};

/* Adds a part of the question, if something would match without it. */
static void relax(void *context, const struct question *without, const char *label, json_t *words) {
    struct relaxing *relaxing = context;
    struct view *view = relaxing->view;
    struct error error = {0};
    json_t *answer = relaxing->asked++ < RELAXATIONS
                         ? comparison_answer(view->call->catalogue, without, &error)
                         : NULL;
    json_t *count = json_object_get(json_object_get(answer, "counts"), "matches");
    if (json_integer_value(count) > 0) {
        compare_append(view, relaxing->list,
                       json_pack("{s:s, s:O, s:O, s:b, s:o}", "label", label, "words", words,
                                 "count", count, "one", json_integer_value(count) == 1, "href",
                                 compare_address(without, page_path, NULL)));
    }
    view->failed = view->failed || error.kind != ERROR_NONE;
    json_decref(answer);
    json_decref(words);
}

static void show_relaxing(struct view *view, const struct question *question, bool is_empty) {
    struct relaxing relaxing = {.view = view, .list = json_array()};
    if (is_empty) {
        compare_each_part(view, question, relax, &relaxing);
    }
    view_set(view, "compare_empty", json_boolean(is_empty));
    view_set(view, "compare_relax", relaxing.list);
}

/* --- the answer --- */

void compare_show_feeds(struct view *view, const struct question *question) {
    view_set(view, "compare_atom", compare_address(question, "/compare.atom", NULL));
    view_alternate(view, "application/atom+xml", "This answer, followed, as Atom",
                   compare_address(question, "/compare.atom", NULL));
    view_alternate(view, "application/feed+json", "This answer, followed, as JSON Feed",
                   compare_address(question, "/compare.feed.json", NULL));
}

void compare_show_embed(struct view *view, const struct question *question) {
    json_t *page = compare_address(question, page_path, NULL);
    const char *query = page == NULL ? NULL : strchr(json_string_value(page), '?');
    char title[WORDS_BYTES];
    embed_show(view, page == NULL ? "" : json_string_value(page), query == NULL ? "" : query + 1,
               words_fill(view->call, "{Nouns} compared", title));
    json_decref(page);
}

static void show_links(struct view *view, const struct question *question) {
    view_set(view, "compare_json", compare_address(question, "/compare", "json"));
    view_set(view, "compare_csv", compare_address(question, "/compare", "csv"));
    compare_show_feeds(view, question);
    compare_show_embed(view, question);
    json_t *address = compare_address(question, "/compare", NULL);
    view_set(view, "compare_curl",
             json_sprintf("curl -s '%s%s'", view->call->site->public_url,
                          address == NULL ? "" : json_string_value(address)));
    json_decref(address);
}

static void link_data(struct view *view, const json_t *comparison) {
    json_t *items = json_array();
    const json_t *matches = json_object_get(comparison, "matches");
    json_int_t offset = json_integer_value(json_object_get(comparison, "offset"));
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(matches, i, provider) {
        compare_append(view, items,
                       json_pack("{s:s, s:I, s:O, s:o}", "@type", "ListItem", "position",
                                 offset + (json_int_t)i + 1, "name",
                                 json_object_get(provider, "name"), "url",
                                 json_sprintf("%s/sandboxes/%s/", view->call->site->public_url,
                                              string_of(provider, "slug"))));
    }
    char name[WORDS_BYTES];
    view_linked_data(view,
                     json_pack("{s:s, s:s, s:O, s:o}", "@type", "ItemList", "name",
                               words_fill(view->call, "{Nouns} that match", name), "numberOfItems",
                               json_object_get(json_object_get(comparison, "counts"), "matches"),
                               "itemListElement", items));
}

static void start_page(struct view *view, const struct call *call) {
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(view, call, page_path, words_fill(call, "Compare {subject}", title),
               words_text(call, "text_compare", about));
    view_set(view, "page_heading", json_string("Compare"));
    view_set(view, "page_class", json_string("page-side page-wide-side"));
}

/* The curated pairs, and every sandbox for a choice of two. */
static void show_pairs(struct view *view) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    struct error error = {0};
    json_t *pairs = catalogue_rows(view->call->catalogue, STATEMENT_PAIRS, NULL, 0, &error);
    view->failed = view->failed || pairs == NULL;
    json_t *list = json_array();
    size_t i = 0;
    json_t *pair = NULL;
    json_array_foreach(pairs, i, pair) {
        compare_append(
            view, list,
            json_pack(
                "{s:o, s:o}", "href",
                json_sprintf("/compare/%s-vs-%s/", string_of(pair, "a"), string_of(pair, "b")),
                "label",
                json_sprintf("%s vs %s", string_of(pair, "a_name"), string_of(pair, "b_name"))));
    }
    json_decref(pairs);
    json_t *all = json_array();
    for (i = 0; i < index->provider_count; i++) {
        compare_append(view, all,
                       json_pack("{s:s, s:s}", "slug", index->providers[i].slug, "name",
                                 index->providers[i].name));
    }
    view_set(view, "compare_pairs", list);
    view_set(view, "compare_all", all);
}

bool compare_page(const struct call *call, const struct question *question, struct reply *reply,
                  struct error *error) {
    if (compare_is_side_by_side(question)) {
        return compare_side_page(call, question, reply, error);
    }
    const json_t *comparison = reply->model;
    const json_t *counts = json_object_get(comparison, "counts");
    bool is_empty = json_integer_value(json_object_get(counts, "matches")) == 0;
    struct view view;
    start_page(&view, call);
    view_set(&view, "compare_fault", json_null());
    view_set(&view, "compare_chips", compare_chips(&view, question));
    view_set(&view, "compare_one",
             json_boolean(json_integer_value(json_object_get(counts, "matches")) == 1));
    compare_show_form(&view, question, json_object_get(comparison, "facets"));
    compare_show_lists(&view, question, comparison);
    show_relaxing(&view, question, is_empty);
    show_links(&view, question);
    show_pairs(&view);
    link_data(&view, comparison);
    reply->template_name = "html/page_compare.html";
    return view_finish(&view, reply, error);
}

/* --- a question that is none --- */

static bool same_name(const char *one, const char *other) {
    return one != NULL && other != NULL && strcasecmp(one, other) == 0;
}

/* The question without the pairs that are at fault, so that the form can keep the others. */
static bool read_what_is_good(const struct call *call, const json_t *use_cases,
                              struct question *question, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    size_t count = call->target->pair_count;
    struct pair *pairs = calloc(count + 1, sizeof(*pairs));
    if (pairs == NULL) {
        return error_no_memory(error);
    }
    memcpy(pairs, call->target->pairs, count * sizeof(*pairs));
    enum question_result result = QUESTION_FAULTY;
    while (result == QUESTION_FAULTY) {
        struct question_fault fault = {0};
        question_free(question);
        result = question_parse(index, use_cases, pairs, count, question, &fault, error);
        size_t kept = 0;
        for (size_t i = 0; result == QUESTION_FAULTY && i < count; i++) {
            if (!same_name(pairs[i].key, fault.parameter)) {
                pairs[kept++] = pairs[i];
            }
        }
        if (result == QUESTION_FAULTY) {
            json_decref(fault.allowed);
            count = kept < count ? kept : 0;
        }
    }
    free(pairs);
    return result == QUESTION_GOOD;
}

static json_t *fault_of(struct view *view, const json_t *problem) {
    json_t *allowed = json_object_get(problem, "allowed");
    const char *address = string_of(problem, "nearest");
    bool is_address = address != NULL && address[0] == '/';
    return view_new(view,
                    json_pack("{s:O, s:O, s:o, s:o, s:b, s:o}", "detail",
                              json_object_get(problem, "detail"), "parameter",
                              json_object_get(problem, "parameter"), "words",
                              address == NULL || is_address ? json_null() : json_string(address),
                              "address", is_address ? json_string(address) : json_null(),
                              "has_allowed", (int)(json_array_size(allowed) > 0), "allowed_list",
                              json_is_array(allowed) ? json_incref(allowed) : json_array()));
}

bool compare_fault_page(const struct call *call, struct reply *reply, struct error *error) {
    struct question question = {0};
    json_t *use_cases = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    json_t *comparison = use_cases == NULL || !read_what_is_good(call, use_cases, &question, error)
                             ? NULL
                             : comparison_answer(call->catalogue, &question, error);
    bool good = comparison != NULL;
    if (good) {
        struct view view;
        start_page(&view, call);
        view_set(&view, "page_title", json_string("A question that cannot be answered"));
        view_set(&view, "compare_fault", fault_of(&view, reply->model));
        compare_show_form(&view, &question, json_object_get(comparison, "facets"));
        reply->template_name = "html/page_compare_fault.html";
        good = view_finish(&view, reply, error);
    }
    json_decref(comparison);
    json_decref(use_cases);
    question_free(&question);
    return good;
}
