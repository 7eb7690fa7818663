/* The answer of one day, as the rowids of the facts in it: two days are compared without reading
 * a fact. */
#include "follow_private.h"
#include "limit.h"
#include "match_private.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- the question on that day --- */

struct asking {
    struct requirements requirements; /* of /compare only must is used */
    struct pair *pairs;
    struct buf providers; /* the names in providers= that were there on the day */
    size_t count;
    struct arena arena;
    bool is_void; /* none of the providers asked for was there */
};

static void asking_free(struct asking *asking) {
    requirements_free(&asking->requirements);
    buf_free(&asking->providers);
    arena_free(&asking->arena);
}

/* Adds the names of a list that are providers of the index. */
static void add_present(const struct catalogue_index *index, const char *list, struct buf *out) {
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        for (size_t i = 0; i < index->provider_count; i++) {
            const char *slug = index->providers[i].slug;
            if (strlen(slug) == length && strncasecmp(slug, list, length) == 0) {
                buf_add_format(out, "%s%s", out->length == 0 ? "" : ",", slug);
            }
        }
        list += length + (list[length] == ',');
    }
}

/* The pairs, with those providers left out that had not been recorded yet. */
static bool take_pairs(const struct follower *follower, const struct catalogue_index *index,
                       struct asking *asking) {
    bool names_some = false;
    asking->pairs = arena_alloc(&asking->arena, follower->pair_count + 1, sizeof(struct pair));
    if (asking->pairs == NULL) {
        return false;
    }
    for (size_t i = 0; i < follower->pair_count; i++) {
        const struct pair *pair = &follower->pairs[i];
        if (strcasecmp(pair->key, "providers") != 0 || pair->value[0] == '\0') {
            asking->pairs[asking->count++] = *pair;
            continue;
        }
        names_some = true;
        add_present(index, pair->value, &asking->providers);
    }
    asking->is_void = names_some && asking->providers.length == 0;
    if (names_some && !asking->is_void) {
        asking->pairs[asking->count++] =
            (struct pair){.key = "providers", .value = asking->providers.data};
    }
    return !asking->providers.failed;
}

static bool asking_make(const struct follower *follower, const struct catalogue_index *index,
                        struct asking *asking, struct error *error) {
    *asking = (struct asking){0};
    buf_init(&asking->providers, LIMIT_TARGET_BYTES);
    if (!take_pairs(follower, index, asking)) {
        return error_no_memory(error);
    }
    struct question_fault fault = {0};
    enum question_result result =
        follower->door == FOLLOW_MATCH
            ? requirements_parse(index, follower->use_cases, asking->pairs, asking->count,
                                 &asking->requirements, &fault, error)
            : question_parse(index, follower->use_cases, asking->pairs, asking->count,
                             &asking->requirements.must, &fault, error);
    json_decref(fault.allowed);
    return result == QUESTION_GOOD ||
           (result == QUESTION_FAULTY &&
            error_set(error, ERROR_INVALID, "%s: %s", fault.parameter, fault.detail));
}

/* --- cells --- */

static bool add_cell(json_t *cells, const struct catalogue_index *index, size_t slot,
                     const struct index_attribute *attribute) {
    const char *offering = index->slots[slot].offering;
    enum { CELL_BYTES = 512 };
    struct buf key;
    buf_init(&key, CELL_BYTES);
    buf_add_format(&key, "%s/%s", offering == NULL ? "" : offering, attribute->key);
    bool good = !key.failed &&
                json_object_set_new(cells, key.data, json_integer(attribute->facts[slot])) == 0;
    buf_free(&key);
    return good;
}

static bool add_conditions(json_t *cells, const struct catalogue_index *index, size_t slot,
                           const struct question *question) {
    bool good = true;
    for (size_t i = 0; good && i < question->condition_count; i++) {
        good = add_cell(cells, index, slot, question->conditions[i].attribute);
    }
    return good;
}

/* Adds a provider to the answer of the day; shown is taken over. */
static bool add_provider(json_t *answer, const struct catalogue_index *index, size_t provider,
                         const struct question *question, const char *outcome, json_t *shown) {
    const struct index_provider *entry = &index->providers[provider];
    json_t *asked = json_object();
    bool good = asked != NULL && shown != NULL;
    for (size_t i = 0; good && i < entry->slot_count; i++) {
        good = add_conditions(asked, index, entry->first_slot + i, question);
    }
    json_t *place = json_pack("{s:s, s:s, s:o, s:o}", "name", entry->name, "outcome", outcome,
                              "shown", shown, "asked", asked);
    return json_object_set_new(answer, entry->slug, place) == 0 && good;
}

/* --- both doors --- */

/* The columns of those offerings that match; an empty object where the provider does not. */
static json_t *shown_columns(const struct verdict *verdict, size_t provider,
                             const struct index_attribute **columns, size_t count) {
    const struct index_provider *entry = &verdict->index->providers[provider];
    json_t *shown = json_object();
    bool good = shown != NULL;
    for (size_t i = 0; good && i < entry->slot_count; i++) {
        size_t slot = entry->first_slot + i;
        for (size_t j = 0; good && slot_set_has(verdict->matching, slot) && j < count; j++) {
            good = add_cell(shown, verdict->index, slot, columns[j]);
        }
    }
    if (!good) {
        json_decref(shown);
        return NULL;
    }
    return shown;
}

static bool compare_day(struct catalogue *day, const struct question *question, json_t *answer,
                        struct error *error) {
    static const char *const outcomes[] = {[OUTCOME_MATCHES] = "matches",
                                           [OUTCOME_UNDECIDED] = "undecided",
                                           [OUTCOME_EXCLUDED] = "excluded"};
    struct verdict verdict;
    bool good = verdict_create(day, question, &verdict, error);
    if (good) {
        const struct catalogue_index *index = verdict.index;
        const struct index_attribute **columns =
            arena_alloc(&verdict.arena, index->attribute_count + 1, sizeof(columns[0]));
        size_t count = columns == NULL ? 0 : question_columns(question, index, columns);
        good = columns != NULL;
        for (size_t i = 0; good && i < index->provider_count; i++) {
            enum outcome outcome = verdict_outcome(&verdict, &index->providers[i]);
            good = outcome == OUTCOME_NOT_CONSIDERED ||
                   add_provider(answer, index, i, question, outcomes[outcome],
                                shown_columns(&verdict, i, columns, count));
        }
        good = good || error_no_memory(error);
    }
    verdict_free(&verdict);
    return good;
}

static bool match_day(struct catalogue *day, const struct requirements *requirements,
                      json_t *answer, struct error *error) {
    static const char *const outcomes[] = {[MATCH_FIT] = "matches",
                                           [MATCH_UNDECIDED] = "undecided",
                                           [MATCH_NEAR_MISS] = "near miss",
                                           [MATCH_EXCLUDED] = "excluded"};
    struct match match;
    bool good = match_make(day, requirements, &match, error);
    bool made = good;
    for (int result = MATCH_FIT; good && result < MATCH__COUNT; result++) {
        for (size_t i = 0; good && i < match.counts[result]; i++) {
            const struct standing *standing = &match.lists[result][i];
            json_t *shown = json_object();
            if (result == MATCH_FIT) {
                good = add_conditions(shown, match.index, standing->slot, &requirements->must) &&
                       add_conditions(shown, match.index, standing->slot, &requirements->prefer) &&
                       add_conditions(shown, match.index, standing->slot, &requirements->avoid);
            }
            good = add_provider(answer, match.index, standing->provider, &requirements->must,
                                outcomes[result], shown) &&
                   good;
        }
    }
    match_free(&match);
    return good || (made ? error_no_memory(error) : false);
}

json_t *follow_snapshot(const struct follower *follower, struct catalogue *day,
                        struct error *error) {
    struct asking asking;
    json_t *answer = json_object();
    bool good = answer != NULL || error_no_memory(error);
    bool asked = good;
    good =
        good && asking_make(follower, generation_index(catalogue_generation(day)), &asking, error);
    if (good && !asking.is_void) {
        good = follower->door == FOLLOW_MATCH
                   ? match_day(day, &asking.requirements, answer, error)
                   : compare_day(day, &asking.requirements.must, answer, error);
    }
    if (asked) {
        asking_free(&asking);
    }
    if (!good) {
        json_decref(answer);
        return NULL;
    }
    return answer;
}

/* --- what it is about --- */

static bool add_keys(json_t *keys, const struct question *question) {
    bool good = true;
    for (size_t i = 0; good && i < question->condition_count; i++) {
        good =
            json_array_append_new(keys, json_string(question->conditions[i].attribute->key)) == 0;
    }
    return good;
}

static bool add_columns(json_t *keys, const struct question *question,
                        const struct catalogue_index *index) {
    const struct index_attribute **columns = calloc(index->attribute_count + 1, sizeof(columns[0]));
    bool good = columns != NULL;
    size_t count = good ? question_columns(question, index, columns) : 0;
    for (size_t i = 0; good && i < count; i++) {
        good = json_array_append_new(keys, json_string(columns[i]->key)) == 0;
    }
    free(columns);
    return good;
}

json_t *follow_attributes(const struct follower *follower, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(follower->now));
    struct asking asking;
    json_t *keys = NULL;
    if (asking_make(follower, index, &asking, error)) {
        const struct requirements *requirements = &asking.requirements;
        keys = json_array();
        if (keys == NULL || !add_keys(keys, &requirements->must) ||
            !add_keys(keys, &requirements->prefer) || !add_keys(keys, &requirements->avoid) ||
            (follower->door == FOLLOW_COMPARE && !add_columns(keys, &requirements->must, index))) {
            json_decref(keys);
            keys = NULL;
            (void)error_no_memory(error);
        }
    }
    asking_free(&asking);
    return keys;
}
