#include "verdict.h"
#include "rows.h"
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

/* What has no number is NAN, and no comparison with that holds. */
static uint64_t bound_word(const double *numbers, size_t count, bool at_least, double bound) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        bool holds = at_least ? numbers[i] >= bound : numbers[i] <= bound;
        word |= (uint64_t)holds << i;
    }
    return word;
}

static void judge_bound(const struct verdict *verdict, const struct condition *condition,
                        uint64_t *set) {
    enum { WORD_BITS = 64 };
    const size_t slots = verdict->index->slot_count;
    for (size_t slot = 0; slot < slots; slot += WORD_BITS) {
        size_t count = slots - slot < WORD_BITS ? slots - slot : WORD_BITS;
        set[slot / WORD_BITS] = bound_word(condition->attribute->numbers + slot, count,
                                           condition->kind == CONDITION_AT_LEAST, condition->bound);
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
    const struct catalogue_index *index = verdict->index;
    const struct question *question = verdict->question;
    if (!new_truth(verdict, &verdict->stage)) {
        return false;
    }
    for (size_t i = 0; i < index->stage_count; i++) {
        const struct index_value *stage = &index->stages[i];
        bool wanted = question->stages != NULL
                          ? is_named(stage->value, question->stages, question->stage_count)
                          : question->any_stage || strcmp(stage->value, "deprecated") != 0;
        if (wanted) {
            join(verdict->stage.holds, stage->slots, index->set_words, false);
        }
    }
    join(question->stages != NULL ? verdict->stage.unknown : verdict->stage.holds,
         index->stage_unknown, index->set_words, false);
    return true;
}

static void add_provider(const struct index_provider *provider, uint64_t *set) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        slot_set_add(set, provider->first_slot + i);
    }
}

static bool name_providers(struct verdict *verdict) {
    const struct question *question = verdict->question;
    if (question->providers == NULL) {
        return true;
    }
    verdict->named = new_set(verdict);
    for (size_t i = 0; verdict->named != NULL && i < question->provider_count; i++) {
        const struct index_provider *provider =
            index_provider(verdict->index, question->providers[i]);
        if (provider != NULL) {
            add_provider(provider, verdict->named);
        }
    }
    return verdict->named != NULL;
}

static bool take_found(void *context, sqlite3_stmt *row, struct error *error) {
    (void)error;
    struct verdict *verdict = context;
    const struct index_provider *provider = index_provider(verdict->index, row_text(row, 0));
    if (provider != NULL) {
        add_provider(provider, verdict->found);
    }
    return true;
}

/* The providers that have all words of a text. */
static bool search_providers(struct catalogue *catalogue, struct verdict *verdict,
                             struct error *error) {
    enum { QUERY_BYTES = 64 * 1024 };
    if (verdict->question->text == NULL) {
        return true;
    }
    struct buf query;
    buf_init(&query, QUERY_BYTES);
    for (const char *word = verdict->question->text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        buf_add_format(&query, "\"%.*s\"* ", (int)length, word);
        word += length + strspn(word + length, " ");
    }
    verdict->found = new_set(verdict);
    bool good = (!query.failed && verdict->found != NULL) || error_no_memory(error);
    good = good && rows_each(catalogue, STATEMENT_SEARCH_PROVIDERS, &BIND_TEXT(query.data), 1,
                             take_found, verdict, error);
    buf_free(&query);
    return good;
}

enum barrier verdict_barrier(const struct verdict *verdict, const struct index_provider *provider) {
    const struct question *question = verdict->question;
    if (verdict->named != NULL && !slot_set_has(verdict->named, provider->first_slot)) {
        return BARRIER_PROVIDERS;
    }
    if (question->kinds != NULL &&
        !is_named(provider->kind, question->kinds, question->kind_count)) {
        return BARRIER_KIND;
    }
    return verdict->found == NULL || slot_set_has(verdict->found, provider->first_slot)
               ? BARRIER_NONE
               : BARRIER_TEXT;
}

/* Keeps the slots of the kinds asked for. */
static void keep_kinds(const struct verdict *verdict, uint64_t *set) {
    const struct catalogue_index *index = verdict->index;
    const struct question *question = verdict->question;
    for (size_t i = 0; question->kinds != NULL && i < index->kind_count; i++) {
        const struct index_value *kind = &index->kinds[i];
        bool wanted = is_named(kind->value, question->kinds, question->kind_count);
        for (size_t j = 0; !wanted && j < index->set_words; j++) {
            set[j] &= ~kind->slots[j];
        }
    }
}

/* Fills considered; let_in becomes the slots of every provider that the status filter lets in. */
static void judge_providers(struct verdict *verdict, uint64_t *let_in) {
    const struct catalogue_index *index = verdict->index;
    const size_t words = index->set_words;
    for (size_t i = 0; i < ARRAY_LENGTH(index->statuses); i++) {
        if ((verdict->question->statuses >> i & 1u) != 0) {
            join(let_in, index->statuses[i], words, false);
        }
    }
    memcpy(verdict->considered, let_in, words * sizeof(uint64_t));
    keep_kinds(verdict, verdict->considered);
    if (verdict->named != NULL) {
        join(verdict->considered, verdict->named, words, true);
    }
    if (verdict->found != NULL) {
        join(verdict->considered, verdict->found, words, true);
    }
    for (size_t i = 0; index->banned != NULL && i < words; i++) {
        verdict->considered[i] &= ~index->banned[i];
    }
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

/* A provider that has no matching slot may have an undecided one. */
static void judge_outcomes(struct verdict *verdict, const uint64_t *let_in, uint64_t *possible) {
    const struct catalogue_index *index = verdict->index;
    const size_t words = index->set_words;
    uint64_t *const *outcomes = verdict->outcomes;
    size_t *counts = verdict->counts;
    memcpy(possible, verdict->matching, words * sizeof(uint64_t));
    join(possible, verdict->undecided, words, false);
    counts[OUTCOME_MATCHES] =
        slot_set_providers(verdict->matching, index->last, words, outcomes[OUTCOME_MATCHES]);
    counts[OUTCOME_UNDECIDED] =
        slot_set_providers(possible, index->last, words, outcomes[OUTCOME_UNDECIDED]) -
        counts[OUTCOME_MATCHES];
    counts[OUTCOME_EXCLUDED] =
        slot_set_providers(let_in, index->last, words, outcomes[OUTCOME_EXCLUDED]) -
        counts[OUTCOME_MATCHES] - counts[OUTCOME_UNDECIDED];
    counts[OUTCOME_NOT_CONSIDERED] = index->provider_count - counts[OUTCOME_MATCHES] -
                                     counts[OUTCOME_UNDECIDED] - counts[OUTCOME_EXCLUDED];
    for (size_t i = 0; i < words; i++) {
        outcomes[OUTCOME_NOT_CONSIDERED][i] = index->last[i] & ~let_in[i];
        outcomes[OUTCOME_EXCLUDED][i] &= ~outcomes[OUTCOME_UNDECIDED][i];
        outcomes[OUTCOME_UNDECIDED][i] &= ~outcomes[OUTCOME_MATCHES][i];
    }
}

enum outcome verdict_outcome(const struct verdict *verdict, const struct index_provider *provider) {
    const size_t last = provider->first_slot + provider->slot_count - 1;
    int outcome = OUTCOME_NOT_CONSIDERED;
    while (!slot_set_has(verdict->outcomes[outcome], last)) {
        outcome++;
    }
    return (enum outcome)outcome;
}

bool verdict_create(struct catalogue *catalogue, const struct question *question,
                    struct verdict *out_verdict, struct error *error) {
    struct verdict *verdict = out_verdict;
    *verdict = (struct verdict){.index = generation_index(catalogue_generation(catalogue)),
                                .question = question};
    verdict->conditions =
        arena_alloc(&verdict->arena, question->condition_count + 1, sizeof(struct truth));
    verdict->considered = new_set(verdict);
    verdict->matching = new_set(verdict);
    verdict->undecided = new_set(verdict);
    slot_set let_in = new_set(verdict);
    slot_set possible = new_set(verdict);
    bool good = verdict->conditions != NULL && verdict->considered != NULL &&
                verdict->matching != NULL && verdict->undecided != NULL && let_in != NULL &&
                possible != NULL && judge_stage(verdict) && name_providers(verdict);
    for (size_t i = 0; i < OUTCOME__COUNT; i++) {
        verdict->outcomes[i] = new_set(verdict);
        good = good && verdict->outcomes[i] != NULL;
    }
    for (size_t i = 0; good && i < question->condition_count; i++) {
        good = judge_condition(verdict, &question->conditions[i], &verdict->conditions[i]);
    }
    if (!good) {
        return error_no_memory(error);
    }
    if (!search_providers(catalogue, verdict, error)) {
        return false;
    }
    judge_providers(verdict, let_in);
    judge_slots(verdict);
    judge_outcomes(verdict, let_in, possible);
    return true;
}

void verdict_free(struct verdict *verdict) {
    arena_free(&verdict->arena);
}
