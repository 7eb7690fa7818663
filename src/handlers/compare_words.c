/* A question in words and as an address. */
#include "buf.h"
#include "compare_view.h"
#include "limit.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

enum { ASKED_BYTES = 2 * LIMIT_TARGET_BYTES, ADDRESS_BYTES = 4 * LIMIT_TARGET_BYTES };

void compare_append(struct view *view, json_t *list, json_t *entry) {
    if (json_array_append_new(list, entry) != 0) {
        view->failed = true;
    }
}

/* The text of a buffer as JSON; frees the buffer. */
static json_t *text_of(struct buf *buf) {
    json_t *text =
        buf->failed ? NULL : json_stringn(buf->data == NULL ? "" : buf->data, buf->length);
    buf_free(buf);
    return text;
}

json_t *compare_condition_words(const struct condition *condition) {
    struct buf words;
    buf_init(&words, ASKED_BYTES);
    condition_add_words(condition, &words);
    return text_of(&words);
}

json_t *compare_address(const struct question *question, const char *path, const char *format) {
    struct buf query;
    struct buf address;
    buf_init(&query, ADDRESS_BYTES);
    buf_init(&address, ADDRESS_BYTES);
    question_add_canonical(question, &query);
    buf_add_text(&address, path);
    if (query.length > 0) {
        buf_add_format(&address, "?%s", query.data);
    }
    if (format != NULL) {
        buf_add_format(&address, "%sformat=%s", query.length > 0 ? "&" : "?", format);
    }
    address.failed = address.failed || query.failed;
    buf_free(&query);
    return text_of(&address);
}

static json_t *list_words(const char *const *names, size_t count) {
    struct buf words;
    buf_init(&words, ASKED_BYTES);
    for (size_t i = 0; i < count; i++) {
        buf_add_format(&words, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    return text_of(&words);
}

static json_t *provider_words(const struct view *view, const struct question *question) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    struct buf words;
    buf_init(&words, ASKED_BYTES);
    for (size_t i = 0; i < question->provider_count; i++) {
        buf_add_format(&words, "%s%s", i == 0 ? "" : ", ",
                       index_provider(index, question->providers[i])->name);
    }
    return text_of(&words);
}

static const char *status_words(unsigned statuses) {
    return statuses == STATUS_BIT_ANY            ? "any"
           : statuses == STATUS_BIT_WINDING_DOWN ? "winding down"
           : statuses == STATUS_BIT_DISCONTINUED ? "discontinued"
                                                 : "several";
}

static void each_condition(struct view *view, const struct question *question,
                           compare_part_function *function, void *context) {
    struct condition *fewer = calloc(question->condition_count + 1, sizeof(*fewer));
    if (fewer == NULL) {
        view->failed = true;
        return;
    }
    for (size_t i = 0; i < question->condition_count; i++) {
        struct question without = *question;
        size_t kept = 0;
        for (size_t j = 0; j < question->condition_count; j++) {
            if (j != i) {
                fewer[kept++] = question->conditions[j];
            }
        }
        without.conditions = fewer;
        without.condition_count = kept;
        without.offset = 0;
        function(context, &without, question->conditions[i].attribute->label,
                 compare_condition_words(&question->conditions[i]));
    }
    free(fewer);
}

void compare_each_part(struct view *view, const struct question *question,
                       compare_part_function *function, void *context) {
    each_condition(view, question, function, context);
    struct question without = *question;
    without.offset = 0;
    const struct question start = without;
    if (question->text != NULL) {
        without.text = NULL;
        function(context, &without, "Words", json_string(question->text));
        without = start;
    }
    if (question->provider_count > 0) {
        char nouns[WORDS_BYTES];
        without.providers = NULL;
        without.provider_count = 0;
        function(context, &without, words_fill(view->call, "{Nouns}", nouns),
                 provider_words(view, question));
        without = start;
    }
    if (question->kind_count > 0) {
        without.kinds = NULL;
        without.kind_count = 0;
        function(context, &without, "Kind", list_words(question->kinds, question->kind_count));
        without = start;
    }
    if (question->stage_count > 0 || question->any_stage) {
        without.stages = NULL;
        without.stage_count = 0;
        without.any_stage = false;
        function(context, &without, "Release stage",
                 question->any_stage ? json_string("any")
                                     : list_words(question->stages, question->stage_count));
        without = start;
    }
    if (question->statuses != STATUS_BIT_ACTIVE) {
        without.statuses = STATUS_BIT_ACTIVE;
        function(context, &without, "Status", json_string(status_words(question->statuses)));
        without = start;
    }
    if (question->use_case != NULL) {
        without.use_case = NULL;
        function(context, &without, "Ranked for", json_string(question->use_case));
    }
}

struct chips {
    struct view *view;
    json_t *list;
};

static void add_chip(void *context, const struct question *without, const char *label,
                     json_t *words) {
    struct chips *chips = context;
    compare_append(chips->view, chips->list,
                   json_pack("{s:s, s:o, s:o}", "label", label, "words", words, "href",
                             compare_address(without, "/compare/", NULL)));
}

json_t *compare_chips(struct view *view, const struct question *question) {
    struct chips chips = {.view = view, .list = json_array()};
    compare_each_part(view, question, add_chip, &chips);
    return view_new(view, chips.list);
}
