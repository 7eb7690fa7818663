/* Puts the models of routes into the shape of a tool's answer. */
#include "catalogue_index.h"
#include "limit.h"
#include "tools.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool names(const json_t *list, const char *key) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach((json_t *)list, i, entry) {
        if (json_is_string(entry) && strcmp(json_string_value(entry), key) == 0) {
            return true;
        }
    }
    return false;
}

/* Keeps of an object of facts those named by wanted (an array of keys), or the headline ones where
 * wanted is NULL. */
static bool keep_facts(const struct call *call, json_t *facts, const json_t *wanted) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    bool good = true;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool is_kept = wanted == NULL ? attribute->headline : names(wanted, attribute->key);
        if (!is_kept && json_object_get(facts, attribute->key) != NULL) {
            good = json_object_del(facts, attribute->key) == 0;
        }
    }
    return good;
}

/* Each statement as its text alone. */
static bool flatten(json_t *provider, const char *key) {
    json_t *texts = json_array();
    bool good = true;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(provider, key), i, entry) {
        good = json_array_append(texts, json_object_get(entry, "text")) == 0 && good;
    }
    return json_object_set_new(provider, key, texts) == 0 && good;
}

bool tool_shape_provider(const struct call *call, const json_t *arguments, bool is_full,
                         json_t *model, struct error *error) {
    static const char *const statements[] = {"strengths", "limitations", "best_for", "not_for"};
    json_t *provider = json_object_get(model, "provider");
    const json_t *wanted = json_object_get(arguments, "attributes");
    bool is_chosen = json_array_size(wanted) > 0;
    bool good = true;
    if (!is_full || is_chosen) {
        good = keep_facts(call, json_object_get(provider, "facts"), is_chosen ? wanted : NULL);
    }
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(provider, "offerings"), i, offering) {
        if (is_chosen) {
            good = good && keep_facts(call, json_object_get(offering, "facts"), wanted);
        } else if (!is_full) {
            good = good && json_object_set_new(offering, "facts", json_object()) == 0;
        }
    }
    for (i = 0; good && !is_full && i < ARRAY_LENGTH(statements); i++) {
        good = is_chosen ? json_object_set_new(provider, statements[i], json_array()) == 0
                         : flatten(provider, statements[i]);
    }
    return good || error_no_memory(error);
}

/* Of the entries of a list, removes a key. */
static void remove_from(json_t *list, const char *key) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(list, i, entry) {
        (void)json_object_del(entry, key);
    }
}

/* Of the offerings of a match keeps the first ones, the default before others; the names of the
 * rest stay. */
static bool keep_offerings(json_t *match, size_t most) {
    json_t *offerings = json_object_get(match, "offerings");
    json_t *kept = json_array();
    json_t *others = json_array();
    bool good = true;
    for (int is_default = 1; is_default >= 0; is_default--) {
        size_t i = 0;
        json_t *offering = NULL;
        json_array_foreach(offerings, i, offering) {
            if (json_is_true(json_object_get(offering, "default")) != (is_default != 0)) {
                continue;
            }
            good =
                good && (json_array_size(kept) < most
                             ? json_array_append(kept, offering) == 0
                             : json_array_append(others, json_object_get(offering, "name")) == 0);
        }
    }
    good = json_object_set_new(match, "offerings", kept) == 0 && good;
    return json_object_set_new(match, "other_offerings", others) == 0 && good;
}

bool tool_shape_comparison(const struct call *call, const json_t *arguments, bool is_full,
                           json_t *model, struct error *error) {
    (void)call;
    if (is_full) {
        return true;
    }
    enum { OFFERINGS_OF_A_MATCH = 2 };
    bool is_side_by_side = json_object_get(arguments, "providers") != NULL;
    bool good = true;
    remove_from(json_object_get(model, "excluded"), "offerings");
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(model, "undecided"), i, entry) {
        remove_from(json_object_get(entry, "offerings"), "facts");
    }
    json_array_foreach(json_object_get(model, "matches"), i, entry) {
        good = good && keep_offerings(entry, is_side_by_side ? 1 : OFFERINGS_OF_A_MATCH);
    }
    return good || error_no_memory(error);
}

bool tool_shape_match(const struct call *call, const json_t *arguments, bool is_full, json_t *model,
                      struct error *error) {
    (void)call;
    (void)arguments;
    (void)error;
    if (is_full) {
        return true;
    }
    remove_from(json_object_get(model, "excluded"), "offerings");
    static const char *const lists[] = {"fits", "undecided", "near_misses"};
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        size_t j = 0;
        json_t *entry = NULL;
        json_array_foreach(json_object_get(model, lists[i]), j, entry) {
            /* What decides stays: for a fit that is met, for others what is not. */
            json_t *must = json_object_get(entry, "must");
            (void)json_object_del(entry, "avoid");
            if (i > 0) {
                (void)json_object_del(must, "met");
                (void)json_object_del(entry, "prefer");
            }
        }
    }
    return true;
}

bool tool_shape_ranking(const struct call *call, const json_t *arguments, bool is_full,
                        json_t *model, struct error *error) {
    (void)call;
    (void)arguments;
    (void)error;
    if (!is_full) {
        remove_from(json_object_get(model, "unranked"), "offering");
    }
    return true;
}

/* The words of an extract, with its hits as they are. */
static bool flatten_extract(json_t *result) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    size_t i = 0;
    json_t *piece = NULL;
    json_array_foreach(json_object_get(result, "extract"), i, piece) {
        buf_add_text(&text, string_of(piece, "text"));
    }
    bool good = !text.failed && json_object_set_new(result, "extract",
                                                    json_stringn(text.data == NULL ? "" : text.data,
                                                                 text.length)) == 0;
    buf_free(&text);
    return good;
}

bool tool_shape_search(const struct call *call, const json_t *arguments, bool is_full,
                       json_t *model, struct error *error) {
    (void)call;
    (void)arguments;
    (void)is_full;
    static const char *const lists[] = {"results", "partial"};
    bool good = true;
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        size_t j = 0;
        json_t *result = NULL;
        json_array_foreach(json_object_get(model, lists[i]), j, result) {
            good = good && flatten_extract(result);
        }
    }
    return good || error_no_memory(error);
}
