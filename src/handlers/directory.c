/* /sandboxes/: every provider as a card, with filters. */
#include "card.h"
#include "compare_view.h"
#include "comparison.h"
#include "filter_form.h"
#include "handlers.h"
#include "ranking.h"
#include "site.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char path[] = "/sandboxes/";

struct directory {
    struct view view;
    const struct catalogue_index *index;
    json_t *answer;    /* comparison_answer; the reply's model */
    json_t *summaries; /* slug to its row of STATEMENT_PROVIDERS */
    bool filtered;     /* anything but the order is asked */
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- the question --- */

/* Cards show these (where the catalogue has none of them, what its first tables show), and what is
 * asked about. */
static bool set_columns(struct question *question, const struct catalogue_index *index) {
    static const char *const shown[] = {"isolation", "measured_tti_ms", "persistence",
                                        "price_vcpu_hour_usd"};
    if (question->columns != NULL) {
        return true;
    }
    const struct index_attribute **columns =
        arena_alloc(&question->arena, index->attribute_count + 1, sizeof(*columns));
    if (columns == NULL) {
        return false;
    }
    size_t count = 0;
    bool has_any = false;
    for (size_t i = 0; i < ARRAY_LENGTH(shown); i++) {
        has_any = has_any || index_attribute(index, shown[i]) != NULL;
    }
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool wanted = attribute == question->sort || (!has_any && attribute->headline);
        for (size_t j = 0; j < ARRAY_LENGTH(shown); j++) {
            wanted = wanted || strcmp(attribute->key, shown[j]) == 0;
        }
        for (size_t j = 0; j < question->condition_count; j++) {
            wanted = wanted || question->conditions[j].attribute == attribute;
        }
        if (wanted) {
            columns[count++] = attribute;
        }
    }
    question->columns = columns;
    question->column_count = count;
    return true;
}

static bool is_filtered(const struct question *question) {
    return question->condition_count > 0 || question->statuses != STATUS_BIT_ACTIVE ||
           question->stages != NULL || question->any_stage || question->kinds != NULL ||
           question->providers != NULL || question->text != NULL;
}

/* The order by name, which is the default elsewhere, has to be asked for here. */
static bool read_question(const struct call *call, struct question *question, struct reply *reply,
                          bool *out_refused, struct error *error) {
    if (!filter_question(call, question, reply, out_refused, error)) {
        return false;
    }
    const char *order = filter_given(call, "sort");
    question->sort_by_name =
        question->sort_by_name || (order != NULL && strcasecmp(order, "name") == 0);
    return true;
}

bool canonical_directory(const struct call *call, struct buf *out, struct reply *reply,
                         bool *out_refused, struct error *error) {
    struct question question = {0};
    bool good = read_question(call, &question, reply, out_refused, error);
    if (good && !*out_refused) {
        question_add_canonical(&question, out);
    }
    question_free(&question);
    return good;
}

/* --- cards --- */

static json_t *quick_facts(struct directory *directory, const json_t *facts) {
    json_t *quick = json_array();
    const char *key = NULL;
    json_t *fact = NULL;
    json_object_foreach((json_t *)facts, key, fact) {
        const struct index_attribute *attribute = index_attribute(directory->index, key);
        json_t *entry = json_pack("{s:s, s:o}", "label", attribute->label, "cell",
                                  view_cell_linked(&directory->view, attribute, fact));
        if (json_array_append_new(quick, view_new(&directory->view, entry)) != 0) {
            directory->view.failed = true;
        }
    }
    return quick;
}

/* The offerings that hold what is asked, as one line; null where nothing is asked or the provider
 * has none. */
static json_t *offering_names(const struct directory *directory, const json_t *offerings) {
    json_t *line = NULL;
    size_t i = 0;
    json_t *offering = NULL;
    if (!directory->filtered || string_of(json_array_get(offerings, 0), "slug") == NULL) {
        return json_null();
    }
    json_array_foreach(offerings, i, offering) {
        json_t *longer = json_sprintf("%s%s%s", line == NULL ? "" : json_string_value(line),
                                      line == NULL ? "" : ", ", string_of(offering, "name"));
        json_decref(line);
        line = longer;
    }
    return line;
}

static json_t *score_of(const json_t *match) {
    const json_t *score = json_object_get(match, "score");
    return json_is_object(score) ? ranking_score(json_number_value(json_object_get(score, "low")),
                                                 json_number_value(json_object_get(score, "high")))
                                 : json_null();
}

static json_t *card_of(struct directory *directory, const json_t *match) {
    const char *slug = string_of(match, "slug");
    const struct index_provider *provider = index_provider(directory->index, slug);
    const json_t *offerings = json_object_get(match, "offerings");
    const json_t *facts = json_object_get(json_array_get(offerings, 0), "facts");
    const json_t *row = json_object_get(directory->summaries, slug);
    return view_new(
        &directory->view,
        json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:s, s:b}", "slug", slug, "name",
                  provider->name, "href", json_sprintf("/sandboxes/%s/", slug), "kind",
                  card_kind_label(provider->kind), "badge", card_badge(provider->status),
                  "sentence", card_sentence(string_of(row, "summary")), "quick",
                  quick_facts(directory, facts), "score", score_of(match), "alternatives", slug,
                  "is_active", (int)(provider->status == STATUS_ACTIVE)));
}

static void add_cards(struct directory *directory) {
    json_t *cards = json_array();
    size_t i = 0;
    json_t *match = NULL;
    json_array_foreach(json_object_get(directory->answer, "matches"), i, match) {
        json_t *card = card_of(directory, match);
        json_t *names = offering_names(directory, json_object_get(match, "offerings"));
        if (json_object_set_new(card, "by", names) != 0 ||
            json_array_append_new(cards, card) != 0) {
            directory->view.failed = true;
        }
    }
    view_set(&directory->view, "directory_cards", cards);
}

/* --- who is left out --- */

static void add_undecided(struct directory *directory) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(directory->answer, "undecided"), i, entry) {
        const char *slug = string_of(entry, "slug");
        const json_t *first = json_array_get(json_object_get(entry, "offerings"), 0);
        json_t *labels = json_array();
        size_t j = 0;
        json_t *key = NULL;
        json_array_foreach(json_object_get(first, "not_documented"), j, key) {
            const struct index_attribute *attribute =
                index_attribute(directory->index, json_string_value(key));
            json_t *label =
                json_pack("{s:s}", "label", attribute == NULL ? "release stage" : attribute->label);
            if (json_array_append_new(labels, label) != 0) {
                directory->view.failed = true;
            }
        }
        json_t *offering = json_is_string(json_object_get(first, "slug"))
                               ? json_incref(json_object_get(first, "name"))
                               : json_null();
        json_t *line =
            json_pack("{s:o, s:O, s:o, s:o}", "href", json_sprintf("/sandboxes/%s/", slug), "name",
                      json_object_get(entry, "name"), "offering", offering, "missing", labels);
        if (json_array_append_new(list, view_new(&directory->view, line)) != 0) {
            directory->view.failed = true;
        }
    }
    view_set(&directory->view, "directory_has_undecided", json_boolean(json_array_size(list) > 0));
    view_set(&directory->view, "directory_undecided", list);
}

/* An excluded provider with the first condition that did it. */
static void add_excluded(struct directory *directory) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(directory->answer, "excluded"), i, entry) {
        const json_t *because = json_array_get(json_object_get(entry, "because"), 0);
        const json_t *fact = json_object_get(because, "fact");
        const struct index_attribute *attribute =
            index_attribute(directory->index, string_of(because, "attribute"));
        json_t *line = json_pack(
            "{s:o, s:O, s:s?, s:s?, s:s?}", "href",
            json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "name",
            json_object_get(entry, "name"), "condition", string_of(because, "condition"), "label",
            attribute == NULL ? NULL : attribute->label, "value", string_of(fact, "text"));
        if (json_array_append_new(list, view_new(&directory->view, line)) != 0) {
            directory->view.failed = true;
        }
    }
    view_set(&directory->view, "directory_has_excluded", json_boolean(json_array_size(list) > 0));
    view_set(&directory->view, "directory_excluded", list);
}

/* --- the page --- */

static void add_pages(struct directory *directory, const struct question *asked) {
    struct view *view = &directory->view;
    size_t matches = (size_t)json_integer_value(
        json_object_get(json_object_get(directory->answer, "counts"), "matches"));
    size_t limit = asked->limit == 0 ? 1 : asked->limit;
    size_t pages = (matches + limit - 1) / limit;
    struct question other = *asked;
    json_t *earlier = json_null();
    json_t *later = json_null();
    if (asked->offset > 0) {
        other.offset = asked->offset > limit ? asked->offset - limit : 0;
        earlier = compare_address(&other, path, NULL);
    }
    if (asked->offset + limit < matches) {
        other.offset = asked->offset + limit;
        later = compare_address(&other, path, NULL);
    }
    bool several = json_is_string(earlier) || json_is_string(later);
    view_set(view, "directory_pager",
             several
                 ? json_pack("{s:o, s:o, s:I, s:I}", "earlier", earlier, "later", later, "page",
                             (json_int_t)(asked->offset / limit) + 1, "pages", (json_int_t)pages)
                 : json_null());
}

static bool load_summaries(struct directory *directory, const struct call *call,
                           struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_PROVIDERS, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    directory->summaries = json_object();
    size_t i = 0;
    json_t *row = NULL;
    bool good = directory->summaries != NULL;
    json_array_foreach(rows, i, row) {
        good = good && json_object_set(directory->summaries, string_of(row, "slug"), row) == 0;
    }
    json_decref(rows);
    return good || error_no_memory(error);
}

/* The providers that end, listed below the others as long as nothing is filtered. */
static void add_ending(struct directory *directory) {
    json_t *list = json_array();
    for (size_t i = 0; !directory->filtered && i < directory->index->provider_count; i++) {
        const struct index_provider *provider = &directory->index->providers[i];
        if (provider->status == STATUS_ACTIVE) {
            continue;
        }
        const json_t *row = json_object_get(directory->summaries, provider->slug);
        json_t *entry = json_pack(
            "{s:s, s:s, s:o, s:o, s:o}", "slug", provider->slug, "name", provider->name, "badge",
            card_badge(provider->status), "sentence", card_sentence(string_of(row, "summary")),
            "status", view_words(&directory->view, json_object_get(row, "status_note")));
        if (json_array_append_new(list, view_new(&directory->view, entry)) != 0) {
            directory->view.failed = true;
        }
    }
    view_set(&directory->view, "directory_has_ending", json_boolean(json_array_size(list) > 0));
    view_set(&directory->view, "directory_ending", list);
}

static json_t *item_list(const struct directory *directory, const char *url) {
    json_t *items = json_array();
    size_t i = 0;
    json_t *match = NULL;
    json_array_foreach(json_object_get(directory->answer, "matches"), i, match) {
        json_t *item = json_pack("{s:s, s:i, s:O, s:o}", "@type", "ListItem", "position",
                                 (int)i + 1, "name", json_object_get(match, "name"), "url",
                                 json_sprintf("%s/sandboxes/%s/", url, string_of(match, "slug")));
        if (json_array_append_new(items, item) != 0) {
            json_decref(items);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:o}", "@type", "ItemList", "name",
                     words_get(directory->view.call, WORD_SUBJECT), "itemListElement", items);
}

/* asked is the question as it came, for links; the answer is to the same with its defaults set. */
static void fill(struct directory *directory, const struct call *call,
                 const struct question *asked) {
    struct view *view = &directory->view;
    json_t *answer = directory->answer;
    bool has_overall = generation_has(catalogue_generation(call->catalogue), "overall");
    char text[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(view, call, path, words_fill(call, "All {subject}: a directory with filters", text),
               words_text(call, "text_directory", about));
    view_set(view, "page_heading", json_string(words_fill(call, "{Nouns}", text)));
    view_set(view, "page_class", json_string("page-side page-wide-side"));
    view_set(view, "directory_total", json_integer((json_int_t)directory->index->provider_count));
    view_set(view, "directory_counts", json_incref(json_object_get(answer, "counts")));
    view_set(view, "directory_filtered", json_boolean(directory->filtered));
    view_set(view, "directory_order",
             asked->sort != NULL   ? json_sprintf("Sorted by: %s.", asked->sort->label)
             : asked->sort_by_name ? json_string("Sorted by name.")
             : asked->use_case != NULL
                 ? json_string("Sorted by place in the ranking asked for.")
                 : json_string(has_overall ? "Sorted by overall score." : "Sorted by name."));
    view_set(view, "directory_chips", filter_chips(asked, path));
    view_set(view, "directory_form",
             filter_form(call, asked, json_object_get(answer, "facets"), path));
    view_set(view, "directory_compare", compare_address(asked, "/compare/", NULL));
    view_set(view, "directory_json", compare_address(asked, "/compare", NULL));
    add_cards(directory);
    add_undecided(directory);
    add_excluded(directory);
    add_pages(directory, asked);
    add_ending(directory);
    view_linked_data(view, item_list(directory, call->site->public_url));
}

bool handle_directory(const struct call *call, struct reply *reply, struct error *error) {
    struct question question = {0};
    bool refused = false;
    bool good = read_question(call, &question, reply, &refused, error);
    if (!good || refused) {
        question_free(&question);
        return good;
    }
    struct directory directory = {.index = generation_index(catalogue_generation(call->catalogue))};
    struct question asked = question;
    directory.filtered = is_filtered(&question);
    bool has_overall = generation_has(catalogue_generation(call->catalogue), "overall");
    if (has_overall && question.use_case == NULL && question.sort == NULL &&
        !question.sort_by_name) {
        question.use_case = "overall";
    }
    good = (set_columns(&question, directory.index) || error_no_memory(error)) &&
           load_summaries(&directory, call, error);
    directory.answer = good ? comparison_answer(call->catalogue, &question, error) : NULL;
    good = directory.answer != NULL;
    if (good) {
        reply->model = json_pack("{s:o}", "comparison", directory.answer);
        fill(&directory, call, &asked);
        good = view_finish(&directory.view, reply, error);
    }
    json_decref(directory.summaries);
    question_free(&question);
    return good;
}
