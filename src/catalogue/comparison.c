/* From a verdict to the public model. What is shown is decided first; then the facts of everything
 * shown are read in one go; then the lists are written. */
#include "comparison.h"
#include "comparison_order.h"
#include "entry.h"
#include "facts.h"
#include "limit.h"
#include "question_private.h"
#include "score.h"
#include <stdlib.h>
#include <string.h>

/* The providers of one list, from the first to the last that is shown. */
struct part {
    size_t *providers;
    size_t count;
};

struct answer_maker {
    struct catalogue *catalogue;
    const struct question *question;
    struct verdict verdict;
    const struct index_attribute **columns;
    size_t column_count;
    struct part matches;
    struct part undecided;
    struct part excluded;
    json_t *places; /* of the use case; NULL: there is none */
    json_t *facts;  /* by rowid */
};

static const struct index_provider *provider_at(const struct answer_maker *maker,
                                                const struct part *part, size_t place) {
    return &maker->verdict.index->providers[part->providers[place]];
}

/* The first condition that the slot fails; condition_count: none but the stage, or none at all. */
static size_t failed_condition(const struct verdict *verdict, size_t slot) {
    size_t i = 0;
    while (i < verdict->question->condition_count &&
           (slot_set_has(verdict->conditions[i].holds, slot) ||
            slot_set_has(verdict->conditions[i].unknown, slot))) {
        i++;
    }
    return i;
}

static bool fails_stage(const struct verdict *verdict, size_t slot) {
    return !slot_set_has(verdict->stage.holds, slot) && !slot_set_has(verdict->stage.unknown, slot);
}

/* --- which facts --- */

static void want(struct buf *rowids, const struct index_attribute *attribute, size_t slot) {
    buf_add(rowids, &attribute->facts[slot], sizeof(int64_t));
}

static void want_columns(const struct answer_maker *maker, const struct part *part,
                         const uint64_t *slots, struct buf *rowids) {
    for (size_t i = 0; i < part->count; i++) {
        const struct index_provider *provider = provider_at(maker, part, i);
        for (size_t j = 0; j < provider->slot_count; j++) {
            size_t slot = provider->first_slot + j;
            for (size_t k = 0; slot_set_has(slots, slot) && k < maker->column_count; k++) {
                want(rowids, maker->columns[k], slot);
            }
        }
    }
}

static void want_reasons(const struct answer_maker *maker, struct buf *rowids) {
    for (size_t i = 0; i < maker->excluded.count; i++) {
        const struct index_provider *provider = provider_at(maker, &maker->excluded, i);
        for (size_t j = 0; j < provider->slot_count; j++) {
            size_t slot = provider->first_slot + j;
            size_t failed = failed_condition(&maker->verdict, slot);
            if (index_is_banned(maker->verdict.index, slot)) {
                want(rowids, maker->verdict.index->regions, slot);
            } else if (failed < maker->question->condition_count) {
                want(rowids, maker->question->conditions[failed].attribute, slot);
            }
        }
    }
}

static bool read_facts(struct answer_maker *maker, struct error *error) {
    struct buf rowids;
    buf_init(&rowids, LIMIT_ANSWER_BYTES);
    want_columns(maker, &maker->matches, maker->verdict.matching, &rowids);
    want_columns(maker, &maker->undecided, maker->verdict.undecided, &rowids);
    want_reasons(maker, &rowids);
    if (rowids.failed) {
        buf_free(&rowids);
        return error_no_memory(error);
    }
    maker->facts = facts_by_collected(maker->catalogue, &rowids, error);
    buf_free(&rowids);
    return maker->facts != NULL;
}

/* --- entries of the lists --- */

/* The names of what is not documented of an undecided slot. */
static json_t *not_documented(const struct answer_maker *maker, size_t slot) {
    json_t *names = json_array();
    bool good = names != NULL;
    const char *before = NULL;
    if (slot_set_has(maker->verdict.stage.unknown, slot)) {
        good = good && json_array_append_new(names, json_string("stage")) == 0;
    }
    for (size_t i = 0; i < maker->question->condition_count; i++) {
        const char *key = maker->question->conditions[i].attribute->key;
        if (key != before && slot_set_has(maker->verdict.conditions[i].unknown, slot)) {
            good = good && json_array_append_new(names, json_string(key)) == 0;
            before = key;
        }
    }
    if (!good) {
        json_decref(names);
        return NULL;
    }
    return names;
}

static json_t *offering_with_facts(const struct answer_maker *maker, size_t slot, bool undecided) {
    json_t *offering = entry_offering(maker->verdict.index, slot);
    json_t *facts = json_object();
    bool good = offering != NULL && facts != NULL;
    if (undecided) {
        good = json_object_set_new(offering, "not_documented", not_documented(maker, slot)) == 0 &&
               good;
    }
    for (size_t i = 0; good && i < maker->column_count; i++) {
        good = json_object_set_new(facts, maker->columns[i]->key,
                                   fact_of_slot(maker->facts, maker->columns[i], slot)) == 0;
    }
    good = json_object_set_new(offering, "facts", facts) == 0 && good;
    if (!good) {
        json_decref(offering);
        return NULL;
    }
    return offering;
}

static bool add_score(const struct answer_maker *maker, json_t *entry, const char *slug) {
    if (maker->places == NULL) {
        return true;
    }
    const json_t *place = json_object_get(maker->places, slug);
    json_t *score = place == NULL
                        ? json_null()
                        : json_pack("{s:O, s:O, s:O}", "low", json_object_get(place, "low"), "high",
                                    json_object_get(place, "high"), "offering",
                                    json_object_get(place, "offering"));
    return json_object_set_new(entry, "score", score) == 0;
}

/* A provider with those of its offerings that are in the set. */
static json_t *entry_with_facts(const struct answer_maker *maker,
                                const struct index_provider *provider, bool undecided) {
    const uint64_t *slots = undecided ? maker->verdict.undecided : maker->verdict.matching;
    json_t *entry = entry_provider(provider);
    json_t *offerings = json_array();
    bool good = add_score(maker, entry, provider->slug) && offerings != NULL;
    for (size_t i = 0; good && i < provider->slot_count; i++) {
        size_t slot = provider->first_slot + i;
        good = !slot_set_has(slots, slot) ||
               json_array_append_new(offerings, offering_with_facts(maker, slot, undecided)) == 0;
    }
    if (json_object_set_new(entry, "offerings", offerings) != 0 || !good) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

/* --- why a provider is excluded --- */

/* Takes over fact. */
static json_t *reason(const char *attribute, const char *condition, const char *offering,
                      json_t *fact) {
    return json_pack("{s:s, s:s, s:s?, s:o}", "attribute", attribute, "condition", condition,
                     "offering", offering, "fact", fact);
}

enum { CONDITION_TEXT_BYTES = LIMIT_TARGET_BYTES };

static json_t *reason_of_list(const char *parameter, const char *const *names, size_t count,
                              const char *offering) {
    struct buf text;
    buf_init(&text, CONDITION_TEXT_BYTES);
    buf_add_format(&text, "%s=", parameter);
    for (size_t i = 0; i < count; i++) {
        buf_add_format(&text, "%s%s", i == 0 ? "" : ",", names[i]);
    }
    json_t *result = text.failed ? NULL : reason(parameter, text.data, offering, json_null());
    buf_free(&text);
    return result;
}

static json_t *reason_of_barrier(const struct question *question, enum barrier barrier) {
    switch (barrier) {
    case BARRIER_PROVIDERS:
        return reason_of_list("providers", question->providers, question->provider_count, NULL);
    case BARRIER_KIND:
        return reason_of_list("kind", question->kinds, question->kind_count, NULL);
    default:
        return reason_of_list("q", &question->text, 1, NULL);
    }
}

static json_t *reason_of_slot(const struct answer_maker *maker, size_t slot) {
    const struct question *question = maker->question;
    const struct catalogue_index *index = maker->verdict.index;
    const char *offering = index->slots[slot].offering;
    if (index_is_banned(index, slot)) {
        return reason(index->regions->key, ENTRY_BANNED_REGIONS, offering,
                      fact_of_slot(maker->facts, index->regions, slot));
    }
    if (fails_stage(&maker->verdict, slot)) {
        return question->stages == NULL
                   ? reason("stage", "stage__not=deprecated", offering, json_null())
                   : reason_of_list("stage", question->stages, question->stage_count, offering);
    }
    const struct condition *condition =
        &question->conditions[failed_condition(&maker->verdict, slot)];
    struct buf text;
    buf_init(&text, CONDITION_TEXT_BYTES);
    condition_add_text(condition, &text);
    json_t *result = text.failed ? NULL
                                 : reason(condition->attribute->key, text.data, offering,
                                          fact_of_slot(maker->facts, condition->attribute, slot));
    buf_free(&text);
    return result;
}

static json_t *entry_with_reasons(const struct answer_maker *maker,
                                  const struct index_provider *provider) {
    const struct verdict *verdict = &maker->verdict;
    enum barrier barrier = verdict_barrier(verdict, provider);
    json_t *entry = entry_provider(provider);
    json_t *offerings = json_array();
    json_t *because = json_array();
    bool good = entry != NULL && offerings != NULL && because != NULL;
    if (barrier != BARRIER_NONE) {
        good = good &&
               json_array_append_new(because, reason_of_barrier(maker->question, barrier)) == 0;
    }
    for (size_t i = 0; good && i < provider->slot_count; i++) {
        size_t slot = provider->first_slot + i;
        good = json_array_append_new(offerings, entry_offering(maker->verdict.index, slot)) == 0 &&
               (barrier != BARRIER_NONE ||
                json_array_append_new(because, reason_of_slot(maker, slot)) == 0);
    }
    good = json_object_set_new(entry, "offerings", offerings) == 0 && good;
    good = json_object_set_new(entry, "because", because) == 0 && good;
    if (!good) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

/* --- the answer --- */

static json_t *list_of(const struct answer_maker *maker, const struct part *part,
                       enum outcome outcome) {
    json_t *list = json_array();
    bool good = list != NULL;
    for (size_t i = 0; good && i < part->count; i++) {
        const struct index_provider *provider = provider_at(maker, part, i);
        json_t *entry = outcome == OUTCOME_EXCLUDED
                            ? entry_with_reasons(maker, provider)
                            : entry_with_facts(maker, provider, outcome == OUTCOME_UNDECIDED);
        good = json_array_append_new(list, entry) == 0;
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *columns_json(const struct answer_maker *maker) {
    json_t *list = json_array();
    bool good = list != NULL;
    for (size_t i = 0; good && i < maker->column_count; i++) {
        const struct index_attribute *attribute = maker->columns[i];
        good = json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?}", "key", attribute->key,
                                                     "label", attribute->label, "type",
                                                     attribute_type_name(attribute->type), "unit",
                                                     attribute->unit)) == 0;
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *counts_json(const struct verdict *verdict) {
    const size_t *counts = verdict->counts;
    size_t considered =
        counts[OUTCOME_MATCHES] + counts[OUTCOME_UNDECIDED] + counts[OUTCOME_EXCLUDED];
    return json_pack("{s:I, s:I, s:I, s:I}", "considered", (json_int_t)considered, "matches",
                     (json_int_t)counts[OUTCOME_MATCHES], "undecided",
                     (json_int_t)counts[OUTCOME_UNDECIDED], "excluded",
                     (json_int_t)counts[OUTCOME_EXCLUDED]);
}

static json_t *answer_json(struct answer_maker *maker) {
    const struct generation *generation = catalogue_generation(maker->catalogue);
    struct buf query;
    buf_init(&query, (size_t)CONDITION_TEXT_BYTES * 3);
    question_add_canonical(maker->question, &query);
    json_t *answer =
        query.failed
            ? NULL
            : json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "query",
                        query.data == NULL ? "" : query.data, "generation",
                        generation_id(generation), "last_reviewed",
                        generation_last_reviewed(generation), "counts",
                        counts_json(&maker->verdict), "columns", columns_json(maker), "matches",
                        list_of(maker, &maker->matches, OUTCOME_MATCHES), "undecided",
                        list_of(maker, &maker->undecided, OUTCOME_UNDECIDED), "excluded",
                        list_of(maker, &maker->excluded, OUTCOME_EXCLUDED), "facets",
                        facets_create(&maker->verdict), "limit", (json_int_t)maker->question->limit,
                        "offset", (json_int_t)maker->question->offset);
    buf_free(&query);
    json_t *cut = facets_cut(maker->verdict.index);
    bool good = cut != NULL &&
                (json_object_size(cut) == 0 || json_object_set(answer, "facets_cut", cut) == 0);
    json_decref(cut);
    if (!good) {
        json_decref(answer);
        return NULL;
    }
    return answer;
}

static bool make_part(struct answer_maker *maker, enum outcome outcome, size_t offset, size_t limit,
                      struct part *part) {
    part->providers =
        comparison_order(&maker->verdict, outcome, maker->places, offset, limit, &part->count);
    return part->providers != NULL;
}

static bool plan(struct answer_maker *maker) {
    struct verdict *verdict = &maker->verdict;
    maker->columns = arena_alloc(&verdict->arena, verdict->index->attribute_count + 1,
                                 sizeof(const struct index_attribute *));
    if (maker->columns == NULL) {
        return false;
    }
    maker->column_count = question_columns(maker->question, verdict->index, maker->columns);
    const size_t limit = maker->question->limit;
    const size_t others = limit > LIMIT_PAGE_ROWS ? limit : LIMIT_PAGE_ROWS;
    return make_part(maker, OUTCOME_MATCHES, maker->question->offset, limit, &maker->matches) &&
           make_part(maker, OUTCOME_UNDECIDED, 0, others, &maker->undecided) &&
           make_part(maker, OUTCOME_EXCLUDED, 0, others, &maker->excluded);
}

json_t *comparison_answer(struct catalogue *catalogue, const struct question *question,
                          struct error *error) {
    struct answer_maker maker = {.catalogue = catalogue, .question = question};
    json_t *answer = NULL;
    if (question->use_case != NULL) {
        maker.places = score_places(catalogue, question->use_case, error);
        if (maker.places == NULL) {
            return NULL;
        }
    }
    if (verdict_create(catalogue, question, &maker.verdict, error)) {
        if (!plan(&maker)) {
            (void)error_no_memory(error);
        } else if (read_facts(&maker, error)) {
            answer = answer_json(&maker);
            if (answer == NULL) {
                (void)error_no_memory(error);
            }
        }
    }
    json_decref(maker.places);
    json_decref(maker.facts);
    verdict_free(&maker.verdict);
    return answer;
}
