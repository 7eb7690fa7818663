/* /guides/ and /guides/<slug>/ */
#include "handlers.h"
#include "prose_page.h"
#include "site.h"
#include "words.h"
#include <stdio.h>
#include <stdlib.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- the index --- */

bool handle_guides(const struct call *call, struct reply *reply, struct error *error) {
    json_t *guides = catalogue_rows(call->catalogue, STATEMENT_GUIDES, NULL, 0, error);
    if (guides == NULL) {
        return false;
    }
    struct view view;
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(&view, call, "/guides/", words_fill(call, "Guides to {nouns_long}", title),
               words_text(call, "text_guides", about));
    json_t *cards = json_array();
    size_t i = 0;
    json_t *guide = NULL;
    json_array_foreach(guides, i, guide) {
        json_t *card = json_pack("{s:o, s:O, s:O, s:o}", "href",
                                 json_sprintf("/guides/%s/", string_of(guide, "slug")), "title",
                                 json_object_get(guide, "title"), "description",
                                 json_object_get(guide, "description"), "reviewed",
                                 view_date(&view, string_of(guide, "reviewed_on")));
        view.failed = json_array_append_new(cards, card) != 0 || view.failed;
    }
    view_set(&view, "guide_cards", cards);
    reply->model = json_pack("{s:o}", "guides", guides);
    return view_finish(&view, reply, error);
}

/* --- one guide --- */

static json_t *article(const struct view *view, const json_t *guide, size_t words) {
    json_t *url = json_object_get(view->page, "page_canonical");
    return json_pack("{s:s, s:O, s:O, s:O, s:s, s:O, s:O, s:I, s:{s:s, s:s, s:s}}", "@type",
                     "TechArticle", "headline", json_object_get(guide, "title"), "description",
                     json_object_get(guide, "description"), "dateModified",
                     json_object_get(guide, "reviewed_on"), "inLanguage", "en-GB", "url", url,
                     "mainEntityOfPage", url, "wordCount", (json_int_t)words, "isPartOf", "@type",
                     "WebSite", "name", words_get(view->call, WORD_TITLE), "url",
                     view->call->site->public_url);
}

static bool guide_view(const char *path, const json_t *guide, struct prose *prose,
                       struct view *view, struct error *error) {
    enum { WORDS_PER_MINUTE = 230 };
    view_crumb(view, "Guides", "/guides/");
    view_set(view, "page_class", json_string("page-side"));
    view_set(view, "guide_answer_html", prose_page_answer(prose));
    view_set(view, "guide_reviewed", view_date(view, string_of(guide, "reviewed_on")));
    size_t minutes = (prose->words + WORDS_PER_MINUTE - 1) / WORDS_PER_MINUTE;
    view_set(view, "guide_minutes", json_integer((json_int_t)minutes));
    view_linked_data(view, article(view, guide, prose->words));
    return prose_page_fill(view, prose, path, string_of(guide, "body"), NULL, error);
}

bool handle_guide(const struct call *call, struct reply *reply, struct error *error) {
    struct error inner = {0};
    json_t *guide =
        CATALOGUE_ROW(call->catalogue, STATEMENT_GUIDE, &inner, BIND_TEXT(call->captures[0]));
    if (guide == NULL) {
        return inner.kind == ERROR_NOT_FOUND ? reply_not_found(call, reply, error)
                                             : error_set(error, inner.kind, "%s", inner.message);
    }
    reply->model = guide;
    char name[160];
    char path[160];
    (void)snprintf(name, sizeof(name), "guide %.100s", call->captures[0]);
    (void)snprintf(path, sizeof(path), "/guides/%.100s/", call->captures[0]);
    struct view view;
    struct prose prose = {0};
    view_start(&view, call, path, string_of(guide, "title"), string_of(guide, "description"));
    bool good = prose_build(&view, name, string_of(guide, "body"), &prose, error) &&
                guide_view(path, guide, &prose, &view, error);
    if (good && (json_object_del(guide, "outline") != 0 ||
                 json_object_set_new(guide, "words", json_integer((json_int_t)prose.words)) != 0 ||
                 json_object_set(guide, "contents", prose.contents) != 0)) {
        good = error_no_memory(error);
    }
    prose_free(&prose);
    /* The view is given back in any case, and the first error stays the one that counts. */
    return view_finish(&view, reply, good ? error : NULL) && good;
}
