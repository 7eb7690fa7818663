/* Requirements: read, written, and answered. */
#include "match.h"
#include "entry.h"
#include "facts.h"
#include "limit.h"
#include "match_private.h"
#include "question_private.h"
#include <string.h>

enum { TEXT_BYTES = 2 * LIMIT_TARGET_BYTES };

/* --- reading and writing --- */

static const char *const prefixes[] = {"must.", "prefer.", "avoid."};
static const char *const parameters[] = {"use_case", "status", "stage", "providers"};

enum question_result requirements_parse(const struct catalogue_index *index,
                                        const json_t *use_cases, const struct pair *pairs,
                                        size_t pair_count, struct requirements *out_requirements,
                                        struct question_fault *fault, struct error *error) {
    *out_requirements = (struct requirements){0};
    struct question *parts[] = {&out_requirements->must, &out_requirements->prefer,
                                &out_requirements->avoid};
    enum question_result result = QUESTION_GOOD;
    for (size_t i = 0; result == QUESTION_GOOD && i < ARRAY_LENGTH(parts); i++) {
        const struct question_form form = {.prefixes = prefixes,
                                           .prefix_count = ARRAY_LENGTH(prefixes),
                                           .own = i,
                                           .parameters = i == 0 ? parameters : NULL,
                                           .parameter_count =
                                               i == 0 ? ARRAY_LENGTH(parameters) : 0};
        result =
            question_parse_part(index, use_cases, &form, pairs, pair_count, parts[i], fault, error);
    }
    return result;
}

void requirements_free(struct requirements *requirements) {
    question_free(&requirements->must);
    question_free(&requirements->prefer);
    question_free(&requirements->avoid);
}

void requirements_add_canonical(const struct requirements *requirements, struct buf *out) {
    const size_t begin = out->length;
    question_add_conditions(&requirements->must, out, begin);
    question_add_conditions(&requirements->prefer, out, begin);
    question_add_conditions(&requirements->avoid, out, begin);
    question_add_parameters(&requirements->must, out, begin);
}

/* --- which facts --- */

struct answer_maker {
    struct catalogue *catalogue;
    struct match match;
    json_t *facts; /* by rowid */
};

static size_t shown(const struct match *match, enum match_result result) {
    size_t count = match->counts[result];
    return count < LIMIT_PAGE_ROWS_MAX ? count : LIMIT_PAGE_ROWS_MAX;
}

static void want(const struct verdict *verdict, size_t slot, struct buf *rowids) {
    for (size_t i = 0; i < verdict->question->condition_count; i++) {
        buf_add(rowids, &verdict->question->conditions[i].attribute->facts[slot], sizeof(int64_t));
    }
}

/* The facts by which an overlay bans offerings of a provider. */
static void want_regions(const struct match *match, const struct index_provider *provider,
                         struct buf *rowids) {
    for (size_t slot = provider->first_slot; slot < provider->first_slot + provider->slot_count;
         slot++) {
        if (index_is_banned(match->index, slot)) {
            buf_add(rowids, &match->index->regions->facts[slot], sizeof(int64_t));
        }
    }
}

static bool read_facts(struct answer_maker *maker, struct error *error) {
    const struct match *match = &maker->match;
    struct buf rowids;
    buf_init(&rowids, LIMIT_ANSWER_BYTES);
    for (int result = MATCH_FIT; result < MATCH__COUNT; result++) {
        for (size_t i = 0; i < shown(match, (enum match_result)result); i++) {
            const struct standing *standing = &match->lists[result][i];
            const struct index_provider *provider = &match->index->providers[standing->provider];
            bool is_excluded = result == MATCH_EXCLUDED;
            want_regions(match, provider, &rowids);
            want(&match->prefer, standing->slot, &rowids);
            want(&match->avoid, standing->slot, &rowids);
            for (size_t j = 0; j < (is_excluded ? provider->slot_count : 1); j++) {
                want(&match->must, is_excluded ? provider->first_slot + j : standing->slot,
                     &rowids);
            }
        }
    }
    if (rowids.failed) {
        buf_free(&rowids);
        return error_no_memory(error);
    }
    maker->facts = facts_by_collected(maker->catalogue, &rowids, error);
    buf_free(&rowids);
    return maker->facts != NULL;
}

/* --- reasons --- */

enum truth_value { TRUTH_HOLDS, TRUTH_FAILS, TRUTH_UNKNOWN };

static enum truth_value truth_at(const struct truth *truth, size_t slot) {
    return slot_set_has(truth->holds, slot)     ? TRUTH_HOLDS
           : slot_set_has(truth->unknown, slot) ? TRUTH_UNKNOWN
                                                : TRUTH_FAILS;
}

/* The text of a buffer; frees it. */
static json_t *text_of(struct buf *buf) {
    json_t *text = buf->failed || buf->data == NULL ? NULL : json_stringn(buf->data, buf->length);
    buf_free(buf);
    return text;
}

static json_t *condition_json(const struct condition *condition) {
    struct buf text;
    struct buf words;
    buf_init(&text, TEXT_BYTES);
    buf_init(&words, TEXT_BYTES);
    condition_add_text(condition, &text);
    buf_add_format(&words, "%s: ", condition->attribute->label);
    condition_add_words(condition, &words);
    return json_pack("{s:s, s:o, s:o}", "attribute", condition->attribute->key, "condition",
                     text_of(&text), "words", text_of(&words));
}

static json_t *stage_json(const struct question *question) {
    struct buf text;
    struct buf words;
    buf_init(&text, TEXT_BYTES);
    buf_init(&words, TEXT_BYTES);
    buf_add_text(&text, question->stages == NULL ? "stage__not=deprecated" : "stage=");
    buf_add_text(&words,
                 question->stages == NULL ? "Release stage: not deprecated" : "Release stage: ");
    for (size_t i = 0; question->stages != NULL && i < question->stage_count; i++) {
        buf_add_format(&text, "%s%s", i == 0 ? "" : ",", question->stages[i]);
        buf_add_format(&words, "%s%s", i == 0 ? "" : " or ", question->stages[i]);
    }
    return json_pack("{s:s, s:o, s:o}", "attribute", "stage", "condition", text_of(&text), "words",
                     text_of(&words));
}

/* Adds a reason to a list. condition NULL: the stage. */
static bool add_reason(const struct answer_maker *maker, const struct condition *condition,
                       size_t slot, bool unknown, json_t *list) {
    const struct match *match = &maker->match;
    json_t *reason =
        condition == NULL ? stage_json(match->must.question) : condition_json(condition);
    json_t *fact =
        condition == NULL ? json_null() : fact_of_slot(maker->facts, condition->attribute, slot);
    bool good = json_object_set_new(reason, "fact", fact) == 0;
    if (good && unknown) {
        struct buf question;
        buf_init(&question, TEXT_BYTES);
        if (condition == NULL) {
            match_add_stage_question(match->index, slot, &question);
        } else {
            match_add_question(match->index, condition, slot, &question);
        }
        good = json_object_set_new(reason, "question", text_of(&question)) == 0;
    }
    if (!good) {
        json_decref(reason);
        return false;
    }
    return json_array_append_new(list, reason) == 0;
}

/* That an overlay bans every region. */
static bool add_ban(const struct answer_maker *maker, size_t slot, json_t *list) {
    const struct index_attribute *regions = maker->match.index->regions;
    return json_array_append_new(
               list, json_pack("{s:s, s:s, s:o, s:o}", "attribute", regions->key, "condition",
                               ENTRY_BANNED_REGIONS, "words",
                               json_sprintf("%s: %s", regions->label, ENTRY_BANNED_REGIONS), "fact",
                               fact_of_slot(maker->facts, regions, slot))) == 0;
}

static json_t *reasons(const struct answer_maker *maker, const struct verdict *verdict, size_t slot,
                       enum truth_value wanted) {
    json_t *list = json_array();
    bool good = list != NULL;
    bool judges_stage = verdict == &maker->match.must && wanted != TRUTH_HOLDS;
    if (judges_stage && wanted == TRUTH_FAILS && index_is_banned(maker->match.index, slot)) {
        good = good && add_ban(maker, slot, list);
    }
    if (judges_stage && truth_at(&verdict->stage, slot) == wanted) {
        good = good && add_reason(maker, NULL, slot, wanted == TRUTH_UNKNOWN, list);
    }
    for (size_t i = 0; good && i < verdict->question->condition_count; i++) {
        if (truth_at(&verdict->conditions[i], slot) == wanted) {
            good = add_reason(maker, &verdict->question->conditions[i], slot,
                              wanted == TRUTH_UNKNOWN, list);
        }
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *judgement(const struct answer_maker *maker, const struct verdict *verdict,
                         size_t slot) {
    bool avoid = verdict == &maker->match.avoid;
    return json_pack("{s:o, s:o, s:o}", avoid ? "hit" : "met",
                     reasons(maker, verdict, slot, TRUTH_HOLDS), avoid ? "clear" : "not_met",
                     reasons(maker, verdict, slot, TRUTH_FAILS), "not_documented",
                     reasons(maker, verdict, slot, TRUTH_UNKNOWN));
}

/* --- entries of the lists --- */

static bool add_score(const struct match *match, const struct standing *standing, json_t *entry) {
    if (match->requirements->must.use_case == NULL) {
        return true;
    }
    json_t *score = standing->card == NULL ? json_null()
                                           : json_pack("{s:f, s:f}", "low", standing->card->low,
                                                       "high", standing->card->high);
    return json_object_set_new(entry, "score", score) == 0;
}

static json_t *entry_of(const struct answer_maker *maker, const struct standing *standing) {
    const struct match *match = &maker->match;
    const size_t slot = standing->slot;
    json_t *entry = entry_provider(&match->index->providers[standing->provider]);
    bool good = json_object_set_new(entry, "offering", entry_offering(match->index, slot)) == 0 &&
                add_score(match, standing, entry) &&
                json_object_set_new(entry, "points", json_integer(standing->points)) == 0 &&
                json_object_set_new(entry, "must", judgement(maker, &match->must, slot)) == 0 &&
                json_object_set_new(entry, "prefer", judgement(maker, &match->prefer, slot)) == 0 &&
                json_object_set_new(entry, "avoid", judgement(maker, &match->avoid, slot)) == 0;
    if (!good) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

static json_t *entry_excluded(struct answer_maker *maker, const struct standing *standing) {
    struct match *match = &maker->match;
    const struct index_provider *provider = &match->index->providers[standing->provider];
    const struct standing *sorted = match_offerings(match, standing->provider);
    json_t *entry = entry_provider(provider);
    json_t *offerings = json_array();
    bool good = sorted != NULL && entry != NULL && offerings != NULL;
    for (size_t i = 0; good && i < provider->slot_count; i++) {
        json_t *offering = entry_offering(match->index, sorted[i].slot);
        good = json_object_set_new(offering, "must",
                                   judgement(maker, &match->must, sorted[i].slot)) == 0;
        good = json_array_append_new(offerings, offering) == 0 && good;
    }
    good = json_object_set_new(entry, "offerings", offerings) == 0 && good;
    if (!good) {
        json_decref(entry);
        return NULL;
    }
    return entry;
}

static json_t *list_of(struct answer_maker *maker, enum match_result result) {
    json_t *list = json_array();
    for (size_t i = 0; i < shown(&maker->match, result); i++) {
        const struct standing *standing = &maker->match.lists[result][i];
        json_t *entry =
            result == MATCH_EXCLUDED ? entry_excluded(maker, standing) : entry_of(maker, standing);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *names_json(const char *const *names, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(list, json_string(names[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *statuses_json(const struct question *question) {
    const char *names[STATUS_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < STATUS_NAMES; i++) {
        if ((question->statuses >> i & 1u) != 0) {
            names[count++] = question_status_names[i];
        }
    }
    return question->statuses == STATUS_BIT_ANY ? json_null() : names_json(names, count);
}

/* The parameter that keeps a provider out, as it stands in the question. */
static json_t *barrier_text(const struct match *match, size_t provider) {
    const struct question *question = &match->requirements->must;
    bool by_status =
        verdict_outcome(&match->must, &match->index->providers[provider]) == OUTCOME_NOT_CONSIDERED;
    json_t *names = by_status ? statuses_json(question)
                              : names_json(question->providers, question->provider_count);
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    buf_add_text(&text, by_status ? "status=" : "providers=");
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach(names, i, name) {
        buf_add_format(&text, "%s%s", i == 0 ? "" : ",", json_string_value(name));
    }
    text.failed = text.failed || names == NULL;
    json_decref(names);
    return text_of(&text);
}

static json_t *not_considered(const struct match *match, size_t *out_count) {
    json_t *list = json_array();
    for (size_t i = 0; i < match->index->provider_count; i++) {
        if (match_considers(match, i)) {
            continue;
        }
        (*out_count)++;
        if (*out_count > LIMIT_PAGE_ROWS_MAX) {
            continue;
        }
        json_t *entry = entry_provider(&match->index->providers[i]);
        bool good = json_object_set_new(entry, "because", barrier_text(match, i)) == 0;
        if (json_array_append_new(list, entry) != 0 || !good) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* --- the answer --- */

static json_t *conditions_json(const struct question *question) {
    json_t *list = json_array();
    for (size_t i = 0; i < question->condition_count; i++) {
        if (json_array_append_new(list, condition_json(&question->conditions[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *asked_json(const struct requirements *requirements) {
    const struct question *must = &requirements->must;
    static const char *const any = "any";
    json_t *stage = must->any_stage        ? names_json(&any, 1)
                    : must->stages == NULL ? json_null()
                                           : names_json(must->stages, must->stage_count);
    json_t *providers =
        must->providers == NULL ? json_null() : names_json(must->providers, must->provider_count);
    return json_pack("{s:o, s:o, s:o, s:s?, s:o, s:o, s:o}", "must", conditions_json(must),
                     "prefer", conditions_json(&requirements->prefer), "avoid",
                     conditions_json(&requirements->avoid), "use_case", must->use_case, "status",
                     statuses_json(must), "stage", stage, "providers", providers);
}

static json_t *counts_json(const struct match *match, size_t others) {
    const size_t *counts = match->counts;
    size_t considered = counts[MATCH_FIT] + counts[MATCH_UNDECIDED] + counts[MATCH_NEAR_MISS] +
                        counts[MATCH_EXCLUDED];
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "considered", (json_int_t)considered, "fits",
                     (json_int_t)counts[MATCH_FIT], "undecided",
                     (json_int_t)counts[MATCH_UNDECIDED], "near_misses",
                     (json_int_t)counts[MATCH_NEAR_MISS], "excluded",
                     (json_int_t)counts[MATCH_EXCLUDED], "not_considered", (json_int_t)others);
}

static json_t *answer_json(struct answer_maker *maker) {
    const struct generation *generation = catalogue_generation(maker->catalogue);
    struct buf query;
    buf_init(&query, (size_t)4 * LIMIT_TARGET_BYTES);
    requirements_add_canonical(maker->match.requirements, &query);
    size_t others = 0;
    json_t *left_out = not_considered(&maker->match, &others);
    json_t *text =
        query.failed ? NULL : json_stringn(query.data == NULL ? "" : query.data, query.length);
    buf_free(&query);
    return json_pack(
        "{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "query", text, "generation",
        generation_id(generation), "last_reviewed", generation_last_reviewed(generation), "asked",
        asked_json(maker->match.requirements), "counts", counts_json(&maker->match, others), "fits",
        list_of(maker, MATCH_FIT), "undecided", list_of(maker, MATCH_UNDECIDED), "near_misses",
        list_of(maker, MATCH_NEAR_MISS), "excluded", list_of(maker, MATCH_EXCLUDED),
        "not_considered", left_out);
}

json_t *match_answer(struct catalogue *catalogue, const struct requirements *requirements,
                     struct error *error) {
    struct answer_maker maker = {.catalogue = catalogue};
    json_t *answer = NULL;
    if (match_make(catalogue, requirements, &maker.match, error) && read_facts(&maker, error)) {
        answer = answer_json(&maker);
        if (answer == NULL) {
            (void)error_no_memory(error);
        }
    }
    json_decref(maker.facts);
    match_free(&maker.match);
    return answer;
}
