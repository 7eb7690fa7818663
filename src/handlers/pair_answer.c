/* The quick answer of a pair: built from its verdicts and its facts. */
#include "buf.h"
#include "pair_verdicts.h"
#include <string.h>

enum { NAMED_DIFFERENCES = 3, ANSWER_BYTES = 4096 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool add_sentence(json_t *list, struct buf *text, json_t *facts) {
    bool good = !text->failed && facts != NULL;
    if (good && text->length > 0) {
        good = json_array_append_new(
                   list, json_pack("{s:s, s:O}", "text", text->data, "facts", facts)) == 0;
    }
    json_decref(facts);
    buf_free(text);
    return good;
}

/* Who leads overall. */
static bool say_overall(json_t *list, const json_t *verdict, const struct sides *sides) {
    const char *leader = string_of(verdict, "leader_name");
    const json_t *scores = json_object_get(verdict, "scores");
    const json_t *sentence = json_array_get(json_object_get(verdict, "sentences"), 0);
    struct buf text;
    buf_init(&text, ANSWER_BYTES);
    if (json_array_size(scores) < 2) {
        if (sentence != NULL) {
            buf_add_text(&text, string_of(sentence, "text"));
        }
    } else if (leader != NULL) {
        bool first = strcmp(leader, sides_name(sides, 0)) == 0;
        const json_t *one = json_array_get(scores, first ? 0 : 1);
        const json_t *other = json_array_get(scores, first ? 1 : 0);
        buf_add_format(&text, "%s leads overall: ", leader);
        pair_add_interval(&text, one, 0);
        buf_add_text(&text, " of 100, against ");
        pair_add_interval(&text, other, 0);
        buf_add_format(&text, " for %s.", string_of(other, "name"));
    } else {
        buf_add_format(&text,
                       "Overall, %s and %s are too close to call: their scores, from what is "
                       "documented to what is still possible, meet.",
                       sides_name(sides, 0), sides_name(sides, 1));
    }
    json_t *facts = json_object_get(sentence, "facts");
    return add_sentence(list, &text, facts == NULL ? json_array() : json_incref(facts));
}

/* For which needs one of them leads: all its facts are those of the verdicts' first sentences. */
static bool say_needs(json_t *list, const json_t *verdicts, const struct sides *sides,
                      size_t side) {
    struct buf text;
    buf_init(&text, ANSWER_BYTES);
    json_t *facts = json_array();
    size_t named = 0;
    size_t i = 0;
    json_t *verdict = NULL;
    json_array_foreach(verdicts, i, verdict) {
        const char *leader = string_of(verdict, "leader");
        if (strcmp(string_of(verdict, "path"), "/") == 0 || leader == NULL ||
            strcmp(leader, sides_slug(sides, side)) != 0) {
            continue;
        }
        if (named++ == 0) {
            buf_add_format(&text, "%s leads for: ", sides_name(sides, side));
        } else {
            buf_add_text(&text, "; ");
        }
        const char *title = string_of(verdict, "title");
        buf_add_text(&text, title);
        const json_t *first = json_array_get(json_object_get(verdict, "sentences"), 0);
        if (facts != NULL && json_array_extend(facts, json_object_get(first, "facts")) != 0) {
            json_decref(facts);
            facts = NULL;
        }
    }
    if (named > 0) {
        buf_add_char(&text, '.');
    }
    return add_sentence(list, &text, facts);
}

/* How many facts set them apart, and the first of them among the headline attributes. */
static bool say_differences(json_t *list, const struct sides *sides) {
    struct buf text;
    buf_init(&text, ANSWER_BYTES);
    json_t *facts = json_array();
    bool good = facts != NULL;
    size_t named = 0;
    size_t different = sides->counts[SIDE_DIFFERENT];
    buf_add_format(&text, "They answer %zu of %zu questions differently", different,
                   different + sides->counts[SIDE_SAME]);
    for (size_t i = 0; i < sides->index->attribute_count && named < NAMED_DIFFERENCES; i++) {
        const struct index_attribute *attribute = &sides->index->attributes[i];
        if (sides->relations[i] != SIDE_DIFFERENT || !attribute->headline) {
            continue;
        }
        buf_add_format(&text, "%s%s (", named++ == 0 ? ", among them " : ", ", attribute->label);
        for (size_t side = 0; side < sides->count; side++) {
            const json_t *fact = sides_fact(sides, side, attribute->key);
            buf_add_format(&text, "%s%s: %s", side == 0 ? "" : "; ", sides_name(sides, side),
                           string_of(fact, "text"));
            good = good &&
                   json_array_append_new(
                       facts, json_pack("{s:O, s:s, s:s}", "id", json_object_get(fact, "id"),
                                        "label", attribute->label, "key", attribute->key)) == 0;
        }
        buf_add_char(&text, ')');
    }
    buf_add_char(&text, '.');
    if (!good) {
        json_decref(facts);
        buf_free(&text);
        return false;
    }
    return add_sentence(list, &text, facts);
}

json_t *pair_answer(const struct sides *sides, const json_t *verdicts, struct error *error) {
    json_t *list = json_array();
    bool good = say_overall(list, json_array_get(verdicts, 0), sides) &&
                say_needs(list, verdicts, sides, 0) && say_needs(list, verdicts, sides, 1) &&
                say_differences(list, sides);
    if (!good) {
        json_decref(list);
        (void)error_no_memory(error);
        return NULL;
    }
    return list;
}
