#include "pair_verdicts.h"
#include "buf.h"
#include "score.h"
#include "text.h"
#include "words.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PAIR = 2, NAMED_FACTS = 3, SENTENCE_BYTES = 4096 };

/* Points below which a criterion is not worth naming. */
static const double POINTS_NAMED = 0.05;

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

/* --- sentences --- */

/* A sentence in the making. */
struct sentence {
    struct buf text;
    json_t *facts;
    bool failed;
};

static void sentence_start(struct sentence *sentence) {
    *sentence = (struct sentence){.facts = json_array()};
    buf_init(&sentence->text, SENTENCE_BYTES);
    sentence->failed = sentence->facts == NULL;
}

/* Adds what a sentence rests on; a fact that nobody stated has no id, and is left out. */
static void sentence_rest_on(struct sentence *sentence, const json_t *fact, const char *label) {
    const char *id = string_of(fact, "id");
    if (id == NULL) {
        return;
    }
    size_t i = 0;
    json_t *known = NULL;
    json_array_foreach(sentence->facts, i, known) {
        if (strcmp(string_of(known, "id"), id) == 0) {
            return;
        }
    }
    if (json_array_append_new(sentence->facts,
                              json_pack("{s:s, s:s, s:O}", "id", id, "label", label, "key",
                                        json_object_get(fact, "attribute"))) != 0) {
        sentence->failed = true;
    }
}

/* Ends a sentence and adds it to a list, unless it is empty or rests on nothing. */
static bool sentence_end(struct sentence *sentence, json_t *list) {
    bool good = !sentence->failed && !sentence->text.failed;
    if (good && sentence->text.length > 0 && json_array_size(sentence->facts) > 0) {
        json_t *entry =
            json_pack("{s:s, s:O}", "text", sentence->text.data, "facts", sentence->facts);
        good = json_array_append_new(list, entry) == 0;
    }
    json_decref(sentence->facts);
    buf_free(&sentence->text);
    return good;
}

void pair_add_interval(struct buf *out, const json_t *score, int decimals) {
    enum { NUMBER_BYTES = 32 };
    char low[NUMBER_BYTES];
    char high[NUMBER_BYTES];
    (void)snprintf(low, sizeof(low), "%.*f", decimals, number_of(score, "low"));
    (void)snprintf(high, sizeof(high), "%.*f", decimals, number_of(score, "high"));
    buf_add_text(out, low);
    if (strcmp(low, high) != 0) {
        buf_add_format(out, " to %s", high);
    }
}

/* --- one need --- */

static json_t *entry_of(const json_t *ranking, const char *list, const char *slug) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(ranking, list), i, entry) {
        if (strcmp(string_of(entry, "slug"), slug) == 0) {
            return entry;
        }
    }
    return NULL;
}

/* What both score, resting on every criterion. */
static bool say_scores(json_t *list, json_t *const entries[PAIR], const json_t *criteria,
                       const char *leader) {
    struct sentence sentence;
    sentence_start(&sentence);
    buf_add_format(&sentence.text, "On %zu criteria %s earns ", json_array_size(criteria),
                   string_of(entries[0], "name"));
    pair_add_interval(&sentence.text, entries[0], 1);
    buf_add_format(&sentence.text, " of 100, %s ", string_of(entries[1], "name"));
    pair_add_interval(&sentence.text, entries[1], 1);
    buf_add_text(&sentence.text,
                 leader == NULL ? "; the intervals meet, so what is documented does not decide it."
                                : "; the intervals do not meet.");
    for (size_t side = 0; side < PAIR; side++) {
        size_t i = 0;
        json_t *earned = NULL;
        json_array_foreach(json_object_get(entries[side], "criteria"), i, earned) {
            sentence_rest_on(&sentence, json_object_get(earned, "fact"),
                             string_of(json_array_get(criteria, i), "label"));
        }
    }
    return sentence_end(&sentence, list);
}

static json_t *earned_at(const json_t *entry, size_t criterion) {
    return json_array_get(json_object_get(entry, "criteria"), criterion);
}

/* By how many points one is certainly ahead of the other in a criterion. */
static double certain_lead(const json_t *one, const json_t *other, size_t criterion) {
    return number_of(earned_at(one, criterion), "points_low") -
           number_of(earned_at(other, criterion), "points_high");
}

/* How many points a missing document leaves open. */
static double open_points(const json_t *one, const json_t *other, size_t criterion) {
    (void)other;
    const json_t *earned = earned_at(one, criterion);
    return number_of(earned, "points_high") - number_of(earned, "points_low");
}

typedef double measure_function(const json_t *one, const json_t *other, size_t criterion);

/* The criteria with the most of a measure, most first; at most NAMED_FACTS. */
static size_t most(measure_function *measure, const json_t *one, const json_t *other, size_t count,
                   size_t out[NAMED_FACTS]) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        double value = measure(one, other, i);
        if (value < POINTS_NAMED) {
            continue;
        }
        size_t place = found;
        while (place > 0 && measure(one, other, out[place - 1]) < value) {
            place--;
        }
        size_t last = found < NAMED_FACTS ? found : NAMED_FACTS - 1;
        for (size_t j = last; j > place; j--) {
            out[j] = out[j - 1];
        }
        if (place < NAMED_FACTS) {
            out[place] = i;
            found += found < NAMED_FACTS ? 1 : 0;
        }
    }
    return found;
}

static const char *words_of(const json_t *fact) {
    const char *words = string_of(fact, "text");
    return words == NULL ? "not documented" : words;
}

/* Where one is ahead: "E2B is ahead by GPU (yes against no) and SSH (yes against no)." */
static bool say_lead(json_t *list, const json_t *one, const json_t *other, const json_t *criteria) {
    size_t named[NAMED_FACTS];
    size_t count = most(certain_lead, one, other, json_array_size(criteria), named);
    struct sentence sentence;
    sentence_start(&sentence);
    for (size_t i = 0; i < count; i++) {
        const char *label = string_of(json_array_get(criteria, named[i]), "label");
        const json_t *fact = json_object_get(earned_at(one, named[i]), "fact");
        const json_t *against = json_object_get(earned_at(other, named[i]), "fact");
        if (i == 0) {
            buf_add_format(&sentence.text, "%s is ahead in ", string_of(one, "name"));
        }
        buf_add_format(&sentence.text, "%s%s (%s against %s)",
                       i == 0           ? ""
                       : i + 1 == count ? " and "
                                        : ", ",
                       label, words_of(fact), words_of(against));
        sentence_rest_on(&sentence, fact, label);
        sentence_rest_on(&sentence, against, label);
    }
    if (count > 0) {
        buf_add_char(&sentence.text, '.');
    }
    return sentence_end(&sentence, list);
}

/* What is open: "For E2B, GPU (not documented) leaves 4 points open." */
static bool say_open(json_t *list, const json_t *one, const json_t *criteria) {
    size_t named[NAMED_FACTS];
    size_t count = most(open_points, one, NULL, json_array_size(criteria), named);
    double points = 0;
    struct sentence sentence;
    sentence_start(&sentence);
    for (size_t i = 0; i < count; i++) {
        const char *label = string_of(json_array_get(criteria, named[i]), "label");
        const json_t *fact = json_object_get(earned_at(one, named[i]), "fact");
        if (i == 0) {
            buf_add_format(&sentence.text, "Open for %s: ", string_of(one, "name"));
        }
        buf_add_format(&sentence.text, "%s%s (%s)", i == 0 ? "" : ", ", label, words_of(fact));
        sentence_rest_on(&sentence, fact, label);
        points += open_points(one, NULL, named[i]);
    }
    if (count > 0) {
        buf_add_format(&sentence.text, ", worth up to %.1f points.", points);
    }
    return sentence_end(&sentence, list);
}

/* Why a provider is not ranked, resting on what the use case requires and on its isolation, which
 * every provider states, where it requires nothing that the provider answers. */
static bool say_unranked(json_t *list, const json_t *ranking, const struct sides *sides,
                         size_t side) {
    const json_t *entry = entry_of(ranking, "unranked", sides_slug(sides, side));
    const json_t *require = json_object_get(json_object_get(ranking, "use_case"), "require");
    const char *reason = string_of(entry, "reason");
    struct sentence sentence;
    sentence_start(&sentence);
    buf_add_format(&sentence.text, "%s is not ranked here. %s", sides_name(sides, side),
                   reason == NULL ? "It does not meet what is required." : reason);
    if (reason != NULL && reason[strlen(reason) - 1] != '.') {
        buf_add_char(&sentence.text, '.');
    }
    const char *key = NULL;
    json_t *wanted = NULL;
    json_object_foreach((json_t *)require, key, wanted) {
        sentence_rest_on(&sentence, sides_fact(sides, side, key),
                         index_attribute(sides->index, key)->label);
    }
    if (json_array_size(sentence.facts) == 0 &&
        index_attribute(sides->index, "isolation") != NULL) {
        sentence_rest_on(&sentence, sides_fact(sides, side, "isolation"),
                         index_attribute(sides->index, "isolation")->label);
    }
    return sentence_end(&sentence, list);
}

/* The leader by score: the one whose lowest possible score is above the other's highest. */
static const json_t *leader_of(json_t *const entries[PAIR]) {
    if (entries[0] == NULL || entries[1] == NULL) {
        return entries[0] != NULL ? entries[0] : entries[1];
    }
    return number_of(entries[0], "low") > number_of(entries[1], "high")   ? entries[0]
           : number_of(entries[1], "low") > number_of(entries[0], "high") ? entries[1]
                                                                          : NULL;
}

static bool say_all(json_t *list, const json_t *ranking, json_t *const entries[PAIR],
                    const struct sides *sides) {
    const json_t *criteria = json_object_get(ranking, "criteria");
    const json_t *leader = leader_of(entries);
    bool good = true;
    if (entries[0] != NULL && entries[1] != NULL) {
        const json_t *first = leader == entries[1] ? entries[1] : entries[0];
        const json_t *second = first == entries[0] ? entries[1] : entries[0];
        return say_scores(list, entries, criteria, string_of(leader, "slug")) &&
               say_lead(list, first, second, criteria) && say_lead(list, second, first, criteria) &&
               (leader != NULL ||
                (say_open(list, first, criteria) && say_open(list, second, criteria)));
    }
    for (size_t side = 0; side < PAIR; side++) {
        good = good && (entries[side] != NULL || say_unranked(list, ranking, sides, side));
    }
    return good;
}

static json_t *scores_of(json_t *const entries[PAIR]) {
    static const char *const keys[] = {"slug", "name", "low", "high", "offering_name"};
    json_t *scores = json_array();
    bool good = scores != NULL;
    for (size_t side = 0; side < PAIR; side++) {
        json_t *score = entries[side] == NULL ? NULL : json_object();
        for (size_t i = 0; good && score != NULL && i < ARRAY_LENGTH(keys); i++) {
            json_t *value = json_object_get(entries[side], keys[i]);
            good = json_object_set(score, keys[i], value == NULL ? json_null() : value) == 0;
        }
        good = good && (entries[side] == NULL || json_array_append_new(scores, score) == 0);
    }
    if (!good) {
        json_decref(scores);
        return NULL;
    }
    return scores;
}

/* What a use case is called beside others: its title without what all of them share. */
static void need_of(const struct call *call, const json_t *use_case, char *out, size_t size) {
    static const char *const starts[] = {"Best {nouns} for ", "Best {nouns_long} for ", "Best "};
    const char *title = string_of(use_case, "title");
    const char *path = string_of(use_case, "path");
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++) {
        char start[WORDS_BYTES];
        if (text_starts(title, words_fill(call, starts[i], start))) {
            title += strlen(start);
            break;
        }
    }
    (void)snprintf(out, size, "%s", strcmp(path, "/") == 0 ? "Overall" : title);
    if (size > 0) {
        out[0] = (char)toupper((unsigned char)out[0]);
    }
}

static json_t *verdict_of(const struct call *call, const struct sides *sides,
                          const json_t *use_case, struct error *error) {
    json_t *ranking = score_ranking(call->catalogue, string_of(use_case, "slug"), NULL, error);
    if (ranking == NULL) {
        return NULL;
    }
    json_t *entries[PAIR] = {entry_of(ranking, "ranked", sides_slug(sides, 0)),
                             entry_of(ranking, "ranked", sides_slug(sides, 1))};
    const json_t *leader = leader_of(entries);
    enum { NEED_BYTES = 128 };
    char need[NEED_BYTES];
    need_of(call, use_case, need, sizeof(need));
    json_t *sentences = json_array();
    json_t *verdict = NULL;
    if (say_all(sentences, ranking, entries, sides)) {
        verdict = json_pack("{s:O, s:s, s:O, s:s?, s:s?, s:o, s:O}", "use_case",
                            json_object_get(use_case, "slug"), "title", need, "path",
                            json_object_get(use_case, "path"), "leader", string_of(leader, "slug"),
                            "leader_name", string_of(leader, "name"), "scores", scores_of(entries),
                            "sentences", sentences);
    }
    json_decref(sentences);
    json_decref(ranking);
    if (verdict == NULL) {
        (void)error_no_memory(error);
    }
    return verdict;
}

json_t *pair_verdicts(const struct call *call, const struct sides *sides, struct error *error) {
    struct catalogue *catalogue = call->catalogue;
    json_t *use_cases = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        return NULL;
    }
    json_t *verdicts = json_array();
    bool good = verdicts != NULL || error_no_memory(error);
    size_t i = 0;
    json_t *use_case = NULL;
    json_array_foreach(use_cases, i, use_case) {
        json_t *verdict = good ? verdict_of(call, sides, use_case, error) : NULL;
        good = verdict != NULL && json_array_append_new(verdicts, verdict) == 0;
    }
    json_decref(use_cases);
    if (!good) {
        json_decref(verdicts);
        return NULL;
    }
    return verdicts;
}
