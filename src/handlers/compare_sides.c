/* /compare/?providers=a,b,c: two to six side by side. */
#include "buf.h"
#include "compare_view.h"
#include "side_by_side.h"
#include "site.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_BYTES = 512 };

bool compare_is_side_by_side(const struct question *question) {
    return question->provider_count >= 2 && question->condition_count == 0 &&
           question->text == NULL && question->kinds == NULL && question->stages == NULL &&
           question->use_case == NULL && question->columns == NULL && question->sort == NULL;
}

/* The address of some of these providers, without number leave_out. */
static json_t *address_of(const char *const *slugs, size_t count, size_t leave_out) {
    struct buf address;
    buf_init(&address, LIMIT_TARGET_BYTES);
    buf_add_text(&address, "/compare/?providers=");
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        if (i != leave_out) {
            buf_add_format(&address, "%s%s", between, slugs[i]);
            between = "%2C";
        }
    }
    json_t *result = address.failed ? NULL : json_string(address.data);
    buf_free(&address);
    return result;
}

static bool refuse(const struct call *call, const struct question *question, struct reply *reply,
                   struct error *error) {
    char detail[ERROR_MESSAGE_BYTES];
    (void)snprintf(detail, sizeof(detail),
                   "%zu %s cannot be read side by side; %d at most. Take the first %d, or ask "
                   "for what you need instead.",
                   question->provider_count, words_get(call, WORD_NOUNS), LIMIT_COMPARED,
                   LIMIT_COMPARED);
    json_t *extra = json_pack("{s:s, s:n, s:o}", "parameter", "providers", "allowed", "nearest",
                              address_of(question->providers, LIMIT_COMPARED, LIMIT_COMPARED));
    if (extra == NULL) {
        return error_no_memory(error);
    }
    return reply_problem(reply, 400, "invalid-parameter", "Too many to compare", detail, extra,
                         error) &&
           compare_fault_page(call, reply, error);
}

/* "E2B, Daytona and Modal". */
static void names_of(const struct sides *sides, char *out, size_t size) {
    struct buf names;
    buf_init(&names, size - 1);
    for (size_t i = 0; i < sides->count; i++) {
        buf_add_format(&names, "%s%s",
                       i == 0                  ? ""
                       : i + 1 == sides->count ? " and "
                                               : ", ",
                       sides_name(sides, i));
    }
    (void)snprintf(out, size, "%s", names.data == NULL ? "" : names.data);
    buf_free(&names);
}

/* The providers of a question and one more, as one value of providers=. */
static json_t *list_with(const struct question *question, const char *slug) {
    struct buf list;
    buf_init(&list, LIMIT_TARGET_BYTES);
    for (size_t i = 0; i < question->provider_count; i++) {
        buf_add_format(&list, "%s,", question->providers[i]);
    }
    buf_add_text(&list, slug);
    json_t *result = list.failed ? NULL : json_string(list.data);
    buf_free(&list);
    return result;
}

/* Chips that take one away, choices that add one. */
static void show_choices(const struct sides *sides, const struct question *question,
                         struct view *view) {
    json_t *fewer = json_array();
    for (size_t i = 0; i < sides->count && sides->count > 2; i++) {
        compare_append(view, fewer,
                       json_pack("{s:s, s:o}", "label", sides_name(sides, i), "href",
                                 address_of(question->providers, question->provider_count, i)));
    }
    json_t *more = json_array();
    for (size_t i = 0; i < sides->index->provider_count && sides->count < LIMIT_COMPARED; i++) {
        const struct index_provider *provider = &sides->index->providers[i];
        bool is_shown = false;
        for (size_t j = 0; j < question->provider_count; j++) {
            is_shown = is_shown || strcmp(question->providers[j], provider->slug) == 0;
        }
        if (!is_shown) {
            compare_append(view, more,
                           json_pack("{s:o, s:s}", "with", list_with(question, provider->slug),
                                     "name", provider->name));
        }
    }
    view_set(view, "sides_has_fewer", json_boolean(json_array_size(fewer) > 0));
    view_set(view, "sides_fewer", fewer);
    compare_show_feeds(view, question);
    compare_show_embed(view, question);
    view_set(view, "sides_more",
             json_array_size(more) == 0 ? json_null() : json_pack("{s:O}", "others", more));
    json_decref(more);
}

/* Two have a page of their own: this one is only another way to it. */
static void show_pair(const struct sides *sides, struct view *view) {
    json_t *path = json_null();
    if (sides->count == 2) {
        struct error error = {0};
        json_t *pairs = catalogue_rows(view->call->catalogue, STATEMENT_PAIRS, NULL, 0, &error);
        view->failed = view->failed || pairs == NULL;
        bool ordered = sides_in_order(pairs, sides_slug(sides, 0), sides_slug(sides, 1));
        path = json_sprintf("/compare/%s-vs-%s/", sides_slug(sides, ordered ? 0 : 1),
                            sides_slug(sides, ordered ? 1 : 0));
        view_set(view, "page_canonical",
                 json_sprintf("%s%s", view->call->site->public_url, json_string_value(path)));
        json_decref(pairs);
    }
    view_set(view, "sides_pair", path);
}

static void link_data(const struct sides *sides, struct view *view) {
    json_t *items = json_array();
    for (size_t i = 0; i < sides->count; i++) {
        compare_append(view, items,
                       json_pack("{s:s, s:i, s:s, s:o}", "@type", "ListItem", "position",
                                 (int)i + 1, "name", sides_name(sides, i), "url",
                                 json_sprintf("%s/sandboxes/%s/", view->call->site->public_url,
                                              sides_slug(sides, i))));
    }
    view_linked_data(view, json_pack("{s:s, s:O, s:i, s:o}", "@type", "ItemList", "name",
                                     json_object_get(view->page, "page_title"), "numberOfItems",
                                     (int)sides->count, "itemListElement", items));
}

bool compare_side_page(const struct call *call, const struct question *question,
                       struct reply *reply, struct error *error) {
    if (question->provider_count > LIMIT_COMPARED) {
        return refuse(call, question, reply, error);
    }
    struct sides sides;
    bool good =
        sides_open(&sides, call->catalogue, question->providers, question->provider_count, error);
    if (good) {
        char names[TITLE_BYTES];
        char title[2 * TITLE_BYTES];
        char description[2 * TITLE_BYTES];
        names_of(&sides, names, sizeof(names));
        (void)snprintf(title, sizeof(title), "%s side by side", names);
        (void)snprintf(description, sizeof(description),
                       "%s: %zu differences and %zu answers in common, each value with its source.",
                       names, sides.counts[SIDE_DIFFERENT], sides.counts[SIDE_SAME]);
        struct view view;
        view_start(&view, call, "/compare/", title, description);
        view_crumb(&view, "Compare", "/compare/");
        show_choices(&sides, question, &view);
        show_pair(&sides, &view);
        if (!sides_show(&sides, &view, false, error)) {
            view.failed = true;
        }
        link_data(&sides, &view);
        reply->template_name = "html/page_sides.html";
        good = view_finish(&view, reply, error);
    }
    sides_free(&sides);
    return good;
}
