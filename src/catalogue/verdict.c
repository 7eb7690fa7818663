#include "verdict.h"
#include <stdlib.h>
#include <string.h>

static slot_set new_set(struct verdict *verdict) {
    return arena_alloc(&verdict->arena, verdict->index->set_words, sizeof(uint64_t));
}

static bool new_truth(struct verdict *verdict, struct truth *truth) {
    truth->holds = new_set(verdict);
    truth->unknown = new_set(verdict);
    return truth->holds != NULL && truth->unknown != NULL;
}

/* --- one condition --- */

/* Adds the slots of a set, or keeps only those that are in it too. */
static void join(uint64_t *set, const uint64_t *other, size_t words, bool keep) {
    for (size_t i = 0; i < words; i++) {
        set[i] = keep ? set[i] & other[i] : set[i] | other[i];
    }
}

/* The slots whose number is one of the condition's. */
static void add_numbers(const struct verdict *verdict, const struct condition *condition,
                        size_t which, uint64_t *set) {
    for (size_t slot = 0; slot < verdict->index->slot_count; slot++) {
        if (condition->attribute->numbers[slot] == condition->numbers[which]) {
            slot_set_add(set, slot);
        }
    }
}

static void add_texts(const struct verdict *verdict, const struct index_attribute *attribute,
                      const struct index_value *value, uint64_t *set) {
    const size_t number = (size_t)(value - attribute->values) + 1;
    for (size_t slot = 0; slot < verdict->index->slot_count; slot++) {
        if (attribute->texts[slot] == number) {
            slot_set_add(set, slot);
        }
    }
}

/* The slots that have one value of the condition. */
static void add_having(const struct verdict *verdict, const struct condition *condition,
                       size_t which, uint64_t *set) {
    if (condition->values == NULL) {
        add_numbers(verdict, condition, which, set);
        return;
    }
    const struct index_value *value = index_value(condition->attribute, condition->values[which]);
    if (value->slots == NULL) {
        add_texts(verdict, condition->attribute, value, set);
    } else {
        join(set, value->slots, verdict->index->set_words, false);
    }
}

static void judge_all(const struct verdict *verdict, const struct condition *condition,
                      uint64_t *set, uint64_t *having) {
    const size_t words = verdict->index->set_words;
    memcpy(set, condition->attribute->documented, words * sizeof(uint64_t));
    for (size_t i = 0; i < condition->value_count; i++) {
        memset(having, 0, words * sizeof(uint64_t));
        add_having(verdict, condition, i, having);
        join(set, having, words, true);
    }
}

static void judge_bound(const struct verdict *verdict, const struct condition *condition,
                        uint64_t *set) {
    /* What has no number is NAN, and no comparison with that holds. */
    for (size_t slot = 0; slot < verdict->index->slot_count; slot++) {
        double number = condition->attribute->numbers[slot];
        if (condition->kind == CONDITION_AT_LEAST ? number >= condition->bound
                                                  : number <= condition->bound) {
            slot_set_add(set, slot);
        }
    }
}

static bool judge_condition(struct verdict *verdict, const struct condition *condition,
                            struct truth *truth) {
    const size_t words = verdict->index->set_words;
    slot_set having = new_set(verdict);
    if (having == NULL || !new_truth(verdict, truth)) {
        return false;
    }
    memcpy(truth->unknown, condition->attribute->not_documented, words * sizeof(uint64_t));
    switch (condition->kind) {
    case CONDITION_ALL:
        judge_all(verdict, condition, truth->holds, having);
        return true;
    case CONDITION_AT_LEAST:
    case CONDITION_AT_MOST:
        judge_bound(verdict, condition, truth->holds);
        return true;
    default:
        break;
    }
    for (size_t i = 0; i < condition->value_count; i++) {
        add_having(verdict, condition, i, having);
    }
    for (size_t i = 0; i < words; i++) {
        truth->holds[i] = condition->kind == CONDITION_NOT
                              ? condition->attribute->documented[i] & ~having[i]
                              : having[i];
    }
    if (condition->kind == CONDITION_UNKNOWN || condition->or_unknown) {
        join(truth->holds, truth->unknown, words, false);
        memset(truth->unknown, 0, words * sizeof(uint64_t));
    }
    return true;
}

/* --- filters of slots and providers --- */

static bool is_named(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool judge_stage(struct verdict *verdict) {
    const struct question *question = verdict->question;
    if (!new_truth(verdict, &verdict->stage)) {
        return false;
    }
    for (size_t slot = 0; slot < verdict->index->slot_count; slot++) {
        const char *stage = verdict->index->slots[slot].stage;
        if (question->stages != NULL && stage == NULL) {
            slot_set_add(verdict->stage.unknown, slot);
        } else if (question->any_stage ||
                   (question->stages != NULL
                        ? is_named(stage, question->stages, question->stage_count)
                        : stage == NULL || strcmp(stage, "deprecated") != 0)) {
            slot_set_add(verdict->stage.holds, slot);
        }
    }
    return true;
}

/* The providers that have all words of a text, as one flag each. */
static bool search_providers(struct catalogue *catalogue, struct verdict *verdict, const char *text,
                             bool **out_found, struct error *error) {
    enum { QUERY_BYTES = 64 * 1024 };
    struct buf query;
    buf_init(&query, QUERY_BYTES);
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        buf_add_format(&query, "\"%.*s\"* ", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    *out_found = arena_alloc(&verdict->arena, verdict->index->provider_count + 1, sizeof(bool));
    if (query.failed || *out_found == NULL) {
        buf_free(&query);
        return error_no_memory(error);
    }
    json_t *rows =
        CATALOGUE_ROWS(catalogue, STATEMENT_SEARCH_PROVIDERS, error, BIND_TEXT(query.data));
    buf_free(&query);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const struct index_provider *provider =
            index_provider(verdict->index, json_string_value(json_object_get(row, "slug")));
        if (provider != NULL) {
            (*out_found)[provider - verdict->index->providers] = true;
        }
    }
    json_decref(rows);
    return rows != NULL;
}

static enum barrier barrier_of(const struct question *question,
                               const struct index_provider *provider, bool found) {
    if (question->providers != NULL &&
        !is_named(provider->slug, question->providers, question->provider_count)) {
        return BARRIER_PROVIDERS;
    }
    if (question->kinds != NULL &&
        !is_named(provider->kind, question->kinds, question->kind_count)) {
        return BARRIER_KIND;
    }
    return found ? BARRIER_NONE : BARRIER_TEXT;
}

static bool judge_providers(struct catalogue *catalogue, struct verdict *verdict,
                            struct error *error) {
    const struct catalogue_index *index = verdict->index;
    const struct question *question = verdict->question;
    bool *found = NULL;
    if (question->text != NULL &&
        !search_providers(catalogue, verdict, question->text, &found, error)) {
        return false;
    }
    for (size_t i = 0; i < index->provider_count; i++) {
        const struct index_provider *provider = &index->providers[i];
        slot_set_add(verdict->last, provider->first_slot + provider->slot_count - 1);
        if ((question->statuses >> provider->status & 1u) == 0) {
            continue;
        }
        verdict->outcomes[i] = OUTCOME_EXCLUDED;
        verdict->barriers[i] = barrier_of(question, provider, found == NULL || found[i]);
        for (size_t j = 0; verdict->barriers[i] == BARRIER_NONE && j < provider->slot_count; j++) {
            if (!index_is_banned(index, provider->first_slot + j)) {
                slot_set_add(verdict->considered, provider->first_slot + j);
            }
        }
    }
    return true;
}

/* --- all together --- */

void verdict_holding(const struct verdict *verdict, const struct index_attribute *without,
                     uint64_t *out) {
    const size_t words = verdict->index->set_words;
    memcpy(out, verdict->considered, words * sizeof(uint64_t));
    join(out, verdict->stage.holds, words, true);
    for (size_t i = 0; i < verdict->question->condition_count; i++) {
        const struct condition *condition = &verdict->question->conditions[i];
        bool left_out = condition->attribute == without &&
                        (condition->kind == CONDITION_ANY || condition->kind == CONDITION_UNKNOWN);
        if (!left_out) {
            join(out, verdict->conditions[i].holds, words, true);
        }
    }
}

static void judge_slots(struct verdict *verdict) {
    verdict_holding(verdict, NULL, verdict->matching);
    for (size_t i = 0; i < verdict->index->set_words; i++) {
        uint64_t possible =
            verdict->considered[i] & (verdict->stage.holds[i] | verdict->stage.unknown[i]);
        for (size_t j = 0; j < verdict->question->condition_count; j++) {
            possible &= verdict->conditions[j].holds[i] | verdict->conditions[j].unknown[i];
        }
        verdict->undecided[i] = possible & ~verdict->matching[i];
    }
}

static void judge_outcomes(struct verdict *verdict) {
    for (size_t i = 0; i < verdict->index->provider_count; i++) {
        const struct index_provider *provider = &verdict->index->providers[i];
        enum outcome *outcome = &verdict->outcomes[i];
        for (size_t j = 0; *outcome != OUTCOME_NOT_CONSIDERED && j < provider->slot_count; j++) {
            size_t slot = provider->first_slot + j;
            if (slot_set_has(verdict->matching, slot)) {
                *outcome = OUTCOME_MATCHES;
            } else if (slot_set_has(verdict->undecided, slot) && *outcome == OUTCOME_EXCLUDED) {
                *outcome = OUTCOME_UNDECIDED;
            }
        }
        verdict->counts[*outcome]++;
    }
}

bool verdict_create(struct catalogue *catalogue, const struct question *question,
                    struct verdict *out_verdict, struct error *error) {
    struct verdict *verdict = out_verdict;
    *verdict = (struct verdict){.index = generation_index(catalogue_generation(catalogue)),
                                .question = question};
    const size_t providers = verdict->index->provider_count + 1;
    verdict->conditions =
        arena_alloc(&verdict->arena, question->condition_count + 1, sizeof(struct truth));
    verdict->considered = new_set(verdict);
    verdict->matching = new_set(verdict);
    verdict->undecided = new_set(verdict);
    verdict->last = new_set(verdict);
    verdict->outcomes = arena_alloc(&verdict->arena, providers, sizeof(enum outcome));
    verdict->barriers = arena_alloc(&verdict->arena, providers, sizeof(enum barrier));
    bool good = verdict->conditions != NULL && verdict->considered != NULL &&
                verdict->matching != NULL && verdict->undecided != NULL && verdict->last != NULL &&
                verdict->outcomes != NULL && verdict->barriers != NULL && judge_stage(verdict);
    for (size_t i = 0; good && i < question->condition_count; i++) {
        good = judge_condition(verdict, &question->conditions[i], &verdict->conditions[i]);
    }
    if (!good) {
        return error_no_memory(error);
    }
    if (!judge_providers(catalogue, verdict, error)) {
        return false;
    }
    judge_slots(verdict);
    judge_outcomes(verdict);
    return true;
}

void verdict_free(struct verdict *verdict) {
    arena_free(&verdict->arena);
}
