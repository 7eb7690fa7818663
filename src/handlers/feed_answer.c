/* /compare.atom and /match.atom, and the same as JSON Feed: the answer to any question, followed.
 */
#include "buf.h"
#include "compare_data.h"
#include "feed.h"
#include "follow.h"
#include "handlers.h"
#include "limit.h"
#include "match_view.h"
#include "words.h"
#include <string.h>

enum { ASKED_BYTES = 4 * LIMIT_TARGET_BYTES };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- the question --- */

/* A feed has no pages. */
static void forget_pages(struct question *question) {
    question->limit = LIMIT_PAGE_ROWS;
    question->offset = 0;
}

bool canonical_compare_feed(const struct call *call, struct buf *out, struct reply *reply,
                            bool *out_refused, struct error *error) {
    struct question question = {0};
    bool good = compare_parse(call, &question, reply, out_refused, error);
    if (good && !*out_refused) {
        forget_pages(&question);
        question_add_canonical(&question, out);
    }
    question_free(&question);
    return good;
}

static void add_conditions(const char *kind, const struct question *question, struct buf *out) {
    for (size_t i = 0; i < question->condition_count; i++) {
        const struct condition *condition = &question->conditions[i];
        buf_add_format(out, "%s%s%s: ", out->length == 0 ? "" : "; ", kind,
                       condition->attribute->label);
        condition_add_words(condition, out);
    }
}

static void add_parameters(const struct question *question, struct buf *out) {
    struct buf parameters;
    buf_init(&parameters, ASKED_BYTES);
    question_add_parameters(question, &parameters, 0);
    if (parameters.length > 0) {
        buf_add_format(out, "%s%s", out->length == 0 ? "" : "; ", parameters.data);
    }
    out->failed = out->failed || parameters.failed;
    buf_free(&parameters);
}

/* --- entries --- */

/* "GPU is now yes", "GPU, Isolation and 3 more changed". */
static void add_changes(const json_t *values, struct buf *out) {
    enum { NAMED = 3 };
    size_t count = json_array_size(values);
    for (size_t i = 0; i < count && i < NAMED; i++) {
        buf_add_format(out, "%s%s", i == 0 ? "" : ", ",
                       string_of(json_array_get(values, i), "label"));
    }
    if (count == 1) {
        const json_t *fact = json_object_get(json_array_get(values, 0), "fact");
        buf_add_format(out, " is now %s", string_of(fact, "text"));
    } else if (count > NAMED) {
        buf_add_format(out, " and %zu more changed", count - NAMED);
    } else {
        buf_add_text(out, count == 0 ? "an offering left the answer" : " changed");
    }
}

static void add_title(const json_t *entry, struct buf *out) {
    const char *change = string_of(entry, "change");
    buf_add_text(out, string_of(entry, "name"));
    if (strcmp(change, "entered") == 0) {
        buf_add_text(out, " entered the answer");
    } else if (strcmp(change, "left") == 0) {
        buf_add_text(out, " left the answer");
    } else {
        buf_add_text(out, ": ");
        add_changes(json_object_get(entry, "values"), out);
    }
}

static void add_summary(const json_t *entry, struct buf *out) {
    const char *change = string_of(entry, "change");
    const char *name = string_of(entry, "name");
    const char *day = string_of(entry, "day");
    const char *outcome = string_of(entry, "outcome");
    if (strcmp(change, "entered") == 0) {
        buf_add_format(out, "On %s %s has everything that is asked for.", day, name);
    } else if (strcmp(change, "changed") == 0) {
        buf_add_format(out, "%s stays in the answer; what is shown of it changed on %s.", name,
                       day);
    } else if (outcome != NULL && strcmp(outcome, "undecided") == 0) {
        buf_add_format(out, "From %s on something asked for is not documented for %s.", day, name);
    } else {
        buf_add_format(out, "From %s on %s lacks something that is asked for.", day, name);
    }
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(entry, "offerings_left"), i, offering) {
        buf_add_format(out, " Its offering %s no longer matches.", json_string_value(offering));
    }
}

static json_t *lines_of(const json_t *entry) {
    json_t *lines = json_array();
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(json_object_get(entry, "values"), i, value) {
        json_t *line =
            feed_fact_line(string_of(value, "offering"), string_of(value, "label"),
                           json_object_get(value, "fact"), json_object_get(value, "before"));
        if (json_array_append_new(lines, line) != 0) {
            json_decref(lines);
            return NULL;
        }
    }
    return lines;
}

static bool add_entry(struct feed *feed, const json_t *entry) {
    struct buf title;
    struct buf summary;
    struct buf path;
    buf_init(&title, ASKED_BYTES);
    buf_init(&summary, ASKED_BYTES);
    buf_init(&path, ASKED_BYTES);
    add_title(entry, &title);
    add_summary(entry, &summary);
    buf_add_format(&path, "/sandboxes/%s/", string_of(entry, "provider"));
    const struct feed_entry made = {.key = string_of(entry, "provider"),
                                    .title = title.data,
                                    .day = string_of(entry, "day"),
                                    .summary = summary.data,
                                    .path = path.data,
                                    .tag = string_of(entry, "change"),
                                    .lines = lines_of(entry)};
    bool good = !title.failed && !summary.failed && !path.failed && feed_add(feed, &made);
    buf_free(&title);
    buf_free(&summary);
    buf_free(&path);
    return good;
}

/* --- the feed --- */

static bool answer(const struct call *call, enum follow_door door, struct buf *words,
                   struct reply *reply, struct error *error) {
    json_t *followed =
        follow_answer(call->catalogue, door, call->target->pairs, call->target->pair_count, error);
    if (followed == NULL) {
        return false;
    }
    bool is_match = door == FOLLOW_MATCH;
    const char *last = string_of(followed, "last_day");
    char every[WORDS_BYTES];
    char about[WORDS_BYTES];
    json_t *title = json_sprintf("%s: %s", is_match ? "Match" : "Compare",
                                 words->length == 0 ? words_fill(call, "every active {noun}", every)
                                                    : words->data);
    struct feed feed = {
        .call = call,
        .title = json_string_value(title),
        .description =
            words_fill(call,
                       "Which {subject} entered or left this answer, and what changed in it, from "
                       "sourced facts.",
                       about),
        .page = is_match ? "/match/" : "/compare/",
        .atom = is_match ? "/match.atom" : "/compare.atom",
        .json = is_match ? "/match.feed.json" : "/compare.feed.json",
        .updated =
            last != NULL ? last : generation_last_reviewed(catalogue_generation(call->catalogue)),
        .entries = json_array()};
    bool good = title != NULL && !words->failed;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(followed, "entries"), i, entry) {
        good = good && add_entry(&feed, entry);
    }
    good = feed_finish(&feed, reply, error) && (good || error_no_memory(error));
    json_decref(title);
    json_decref(followed);
    return good;
}

bool handle_compare_feed(const struct call *call, struct reply *reply, struct error *error) {
    struct question question = {0};
    struct buf words;
    buf_init(&words, ASKED_BYTES);
    bool refused = false;
    bool good = compare_parse(call, &question, reply, &refused, error);
    if (good && !refused) {
        forget_pages(&question);
        add_conditions("", &question, &words);
        add_parameters(&question, &words);
        good = answer(call, FOLLOW_COMPARE, &words, reply, error);
    }
    buf_free(&words);
    question_free(&question);
    return good;
}

bool handle_match_feed(const struct call *call, struct reply *reply, struct error *error) {
    struct requirements requirements = {0};
    struct buf words;
    buf_init(&words, ASKED_BYTES);
    bool refused = false;
    bool good = match_parse(call, &requirements, reply, &refused, error);
    if (good && !refused) {
        add_conditions("must ", &requirements.must, &words);
        add_conditions("prefer ", &requirements.prefer, &words);
        add_conditions("avoid ", &requirements.avoid, &words);
        add_parameters(&requirements.must, &words);
        good = answer(call, FOLLOW_MATCH, &words, reply, error);
    }
    buf_free(&words);
    requirements_free(&requirements);
    return good;
}
