/* What the page and the decision record of a match show: the same lists, line by line. */
#include "buf.h"
#include "card.h"
#include "compare_view.h"
#include "limit.h"
#include "match_view.h"
#include "text.h"
#include "words.h"
#include <stdio.h>
#include <string.h>

static const char page_path[] = "/match/";

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

struct page {
    struct view view;
    const struct catalogue_index *index;
    const json_t *model;
    json_t *questions; /* [{name, questions [{text}]}] */
};

/* --- one line a reason --- */

/* What is asked, without the attribute's label: "microVM" of "Isolation: microVM". */
static const char *asked_of(const json_t *reason) {
    const char *words = string_of(reason, "words");
    const char *colon = words == NULL ? NULL : strstr(words, ": ");
    return colon == NULL ? words : colon + 2;
}

static json_t *line_of(struct page *page, const json_t *reason, const char *word,
                       const json_t *offering, const char *subject) {
    const struct index_attribute *attribute =
        index_attribute(page->index, string_of(reason, "attribute"));
    const char *stage = string_of(offering, "stage");
    bool named = json_is_string(json_object_get(offering, "slug"));
    return json_pack("{s:s?, s:s, s:s, s:s?, s:o, s:s, s:s?}", "offering",
                     named ? string_of(offering, "name") : NULL, "word", word, "label",
                     attribute == NULL ? "Release stage" : attribute->label, "asked",
                     asked_of(reason), "cell",
                     attribute == NULL ? json_null()
                                       : view_cell(&page->view, attribute,
                                                   json_object_get(reason, "fact"), subject),
                     "stage", stage == NULL ? "Not documented" : stage, "question",
                     string_of(reason, "question"));
}

static void add_lines(struct page *page, json_t *lines, const json_t *reasons, const char *word,
                      const json_t *offering, const char *subject) {
    size_t i = 0;
    json_t *reason = NULL;
    json_array_foreach(reasons, i, reason) {
        compare_append(&page->view, lines, line_of(page, reason, word, offering, subject));
    }
}

static void add_judgement(struct page *page, json_t *lines, const json_t *entry, const char *list,
                          const json_t *offering, const char *subject) {
    static const struct {
        const char *list;
        const char *key;
        const char *word;
    } rows[] = {
        {"must", "not_met", "Must, not met"},
        {"must", "not_documented", "Must, not documented"},
        {"must", "met", "Must, met"},
        {"prefer", "met", "Preferred, met"},
        {"prefer", "not_met", "Preferred, not met"},
        {"prefer", "not_documented", "Preferred, not documented"},
        {"avoid", "hit", "To avoid, but so"},
        {"avoid", "clear", "Avoided"},
        {"avoid", "not_documented", "To avoid, not documented"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        if (strcmp(rows[i].list, list) == 0) {
            add_lines(page, lines, json_object_get(json_object_get(entry, list), rows[i].key),
                      rows[i].word, offering, subject);
        }
    }
}

/* --- entries --- */

static json_t *subject_of(const json_t *provider, const json_t *offering) {
    const char *name = string_of(provider, "name");
    return json_is_string(json_object_get(offering, "slug"))
               ? json_sprintf("%s, %s", name, string_of(offering, "name"))
               : json_string(name);
}

/* Notes the questions for this provider; each text once. */
static void note_questions(struct page *page, const json_t *entry, const json_t *lines) {
    json_t *texts = json_array();
    size_t i = 0;
    json_t *line = NULL;
    json_array_foreach(lines, i, line) {
        if (json_is_string(json_object_get(line, "question"))) {
            compare_append(&page->view, texts,
                           json_pack("{s:O}", "text", json_object_get(line, "question")));
        }
    }
    if (json_array_size(texts) == 0) {
        json_decref(texts);
        return;
    }
    compare_append(&page->view, page->questions,
                   json_pack("{s:O, s:o}", "name", json_object_get(entry, "name"), "texts", texts));
}

static json_t *score_text(const json_t *entry) {
    const json_t *score = json_object_get(entry, "score");
    char low[16];
    char high[16];
    if (!json_is_object(score)) {
        return score == NULL ? json_null() : json_string("not ranked");
    }
    (void)snprintf(low, sizeof(low), "%.0f", json_number_value(json_object_get(score, "low")));
    (void)snprintf(high, sizeof(high), "%.0f", json_number_value(json_object_get(score, "high")));
    return strcmp(low, high) == 0 ? json_sprintf("%s of 100", low)
                                  : json_sprintf("%s to %s of 100", low, high);
}

/* A provider that stands for its best offering. */
static json_t *entry_of(struct page *page, const json_t *entry, size_t number) {
    const json_t *offering = json_object_get(entry, "offering");
    json_t *subject = subject_of(entry, offering);
    json_t *lines = json_array();
    static const char *const lists[] = {"must", "prefer", "avoid"};
    for (size_t i = 0; subject != NULL && i < ARRAY_LENGTH(lists); i++) {
        add_judgement(page, lines, entry, lists[i], offering, json_string_value(subject));
    }
    json_decref(subject);
    note_questions(page, entry, lines);
    bool named = json_is_string(json_object_get(offering, "slug"));
    return json_pack("{s:I, s:o, s:O, s:o, s:o, s:O, s:o, s:o}", "number", (json_int_t)number,
                     "href", json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "name",
                     json_object_get(entry, "name"), "offering",
                     named ? json_incref(json_object_get(offering, "name")) : json_null(), "badge",
                     card_stage(string_of(offering, "stage")), "points",
                     json_object_get(entry, "points"), "score", score_text(entry), "lines", lines);
}

static json_t *excluded_of(struct page *page, const json_t *entry) {
    json_t *offerings = json_array();
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(entry, "offerings"), i, offering) {
        json_t *subject = subject_of(entry, offering);
        json_t *lines = json_array();
        const json_t *must = json_object_get(offering, "must");
        if (subject != NULL) {
            add_lines(page, lines, json_object_get(must, "not_met"), "Not met", offering,
                      json_string_value(subject));
            add_lines(page, lines, json_object_get(must, "not_documented"), "Not documented",
                      offering, json_string_value(subject));
        }
        json_decref(subject);
        bool named = json_is_string(json_object_get(offering, "slug"));
        compare_append(
            &page->view, offerings,
            json_pack("{s:o, s:o}", "offering",
                      named ? json_incref(json_object_get(offering, "name")) : json_null(), "lines",
                      lines));
    }
    return json_pack("{s:o, s:O, s:o}", "href",
                     json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "name",
                     json_object_get(entry, "name"), "offerings", offerings);
}

static void show_list(struct page *page, const char *key, const char *name) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *entry = NULL;
    bool excluded = strcmp(key, "excluded") == 0;
    json_array_foreach(json_object_get(page->model, key), i, entry) {
        compare_append(&page->view, list,
                       excluded ? excluded_of(page, entry) : entry_of(page, entry, i + 1));
    }
    view_set(&page->view, name, list);
}

/* --- the page --- */

static json_t *address_of(const json_t *model, const char *path, const char *format) {
    const char *query = string_of(model, "query");
    const char *joint = query[0] == '\0' ? "" : "&";
    return format == NULL ? json_sprintf("%s%s%s", path, query[0] == '\0' ? "" : "?", query)
                          : json_sprintf("%s?%s%sformat=%s", path, query, joint, format);
}

static void show_asked(struct page *page) {
    static const struct {
        const char *key;
        const char *label;
    } lists[] = {{"must", "Must"}, {"prefer", "Prefer"}, {"avoid", "Avoid"}};
    json_t *asked = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        size_t j = 0;
        json_t *condition = NULL;
        json_array_foreach(json_object_get(json_object_get(page->model, "asked"), lists[i].key), j,
                           condition) {
            compare_append(&page->view, asked,
                           json_pack("{s:s, s:O, s:O}", "list", lists[i].label, "words",
                                     json_object_get(condition, "words"), "condition",
                                     json_object_get(condition, "condition")));
        }
    }
    view_set(&page->view, "match_has_asked", json_boolean(json_array_size(asked) > 0));
    view_set(&page->view, "match_asked", asked);
}

static void show_links(struct page *page) {
    struct view *view = &page->view;
    char today[TEXT_DATE_BYTES];
    text_iso_date(generation_today(catalogue_generation(view->call->catalogue)), today);
    view_set(view, "match_today", view_date(view, today));
    view_set(view, "match_self", address_of(page->model, page_path, NULL));
    view_set(view, "match_json", address_of(page->model, "/match", "json"));
    view_set(view, "match_atom", address_of(page->model, "/match.atom", NULL));
    view_alternate(view, "application/atom+xml", "This answer, followed, as Atom",
                   address_of(page->model, "/match.atom", NULL));
    view_alternate(view, "application/feed+json", "This answer, followed, as JSON Feed",
                   address_of(page->model, "/match.feed.json", NULL));
    view_set(view, "match_record", address_of(page->model, "/match", "md"));
}

/* Questions to begin with, as the catalogue proposes them: [{query, label}]. */
static void show_examples(struct view *view) {
    const char *text =
        generation_setting(catalogue_generation(view->call->catalogue), "match_examples");
    json_t *given = text == NULL ? NULL : json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *examples = json_array();
    size_t i = 0;
    json_t *example = NULL;
    json_array_foreach(given, i, example) {
        const char *query = json_string_value(json_object_get(example, "query"));
        json_t *link = json_pack("{s:o, s:O}", "href", json_sprintf("%s?%s", page_path, query),
                                 "label", json_object_get(example, "label"));
        view->failed = json_array_append_new(examples, link) != 0 || view->failed;
    }
    json_decref(given);
    view_set(view, "match_has_examples", json_boolean(json_array_size(examples) > 0));
    view_set(view, "match_examples", examples);
}

bool match_page(const struct call *call, const struct requirements *requirements,
                struct reply *reply, struct error *error) {
    struct page page = {.index = generation_index(catalogue_generation(call->catalogue)),
                        .model = reply->model,
                        .questions = json_array()};
    struct view *view = &page.view;
    char about[WORDS_BYTES];
    view_start(view, call, page_path, "Match: requirements in, reasons out",
               words_text(call, "text_match", about));
    show_examples(view);
    view_set(view, "page_heading", json_string("Match"));
    view_set(view, "page_class", json_string("page-side page-wide-side"));
    show_asked(&page);
    show_links(&page);
    show_list(&page, "fits", "match_fits");
    show_list(&page, "undecided", "match_undecided");
    show_list(&page, "near_misses", "match_near");
    show_list(&page, "excluded", "match_excluded");
    view_set(view, "match_questions", page.questions);
    if (call->media == MEDIA_MARKDOWN) {
        reply->template_name = "md/decision_record.md";
    } else {
        match_show_form(view, requirements);
    }
    return view_finish(view, reply, error);
}
