/* Requirements in, reasons out.
 *
 *   must.<condition>    has to hold
 *   prefer.<condition>  counts for an offering that is documented to meet it
 *   avoid.<condition>   counts against an offering that is documented to meet it. No provider is
 *                       left out for it: a hard no is must.<attribute>__not=<value>
 *
 * Each takes the filter grammar of question.h (must.isolation=microvm,
 * must.max_session_seconds__gte=24h). Beside them use_case=, status=, stage= and providers=.
 *
 * Offerings are judged one by one: what is asked together must hold in one of them. A provider
 * stands for its best offering: fit before undecided before near miss before excluded; then the
 * fewest musts that are not documented or not met; then the most points; then the higher score for
 * the use case; then the default offering. An offering that stage= leaves out is never the best of
 * a provider that has another, and deprecated ones are left out by default. */
#ifndef AGENT_SANDBOXES_MATCH_H
#define AGENT_SANDBOXES_MATCH_H

#include "question.h"

struct requirements {
    struct question must; /* with use_case, status, stage and providers */
    struct question prefer;
    struct question avoid;
};

/* Parses pairs, as question_parse does. Whatever the result, the caller frees with
 * requirements_free, once it is done with the fault's texts. */
enum question_result requirements_parse(const struct catalogue_index *index,
                                        const json_t *use_cases, const struct pair *pairs,
                                        size_t pair_count, struct requirements *out_requirements,
                                        struct question_fault *fault, struct error *error) MUST_USE;
void requirements_free(struct requirements *requirements);

/* Appends the canonical query string: musts, prefers, avoids, then the parameters. */
void requirements_add_canonical(const struct requirements *requirements, struct buf *out);

/* The public model of /match. The caller owns it. Keys, in order:
 *   - query: the canonical query; generation; last_reviewed
 *   - asked: {must, prefer, avoid: each [{attribute, condition ("isolation=microvm"), words
 *     ("Isolation: microVM")}], use_case (slug or null), status (array; null: any), stage (array;
 *     null: every stage but deprecated; ["any"]), providers (array or null)}
 *   - counts: {considered, fits, undecided, near_misses, excluded, not_considered}; each considered
 *     provider is in exactly one of the four lists
 *   - fits, undecided, near_misses: [{slug, name, status, kind, offering: {slug (null: the provider
 *     is its only offering), name, stage, default}, score ({low, high} of that offering; null: it
 * is not ranked; absent without a use case), points (prefers met minus avoids hit), must: {met,
 *     not_met, not_documented}, prefer: the same, avoid: {hit, clear, not_documented}}]. The lists
 *     hold reasons: {attribute, condition, words, fact (null for "stage")}; what is not documented
 *     has also question: what to ask the vendor.
 *       fits: every must is met. undecided: none fails, but some are not documented.
 *       near_misses: exactly one fails, all others are met
 *   - excluded: [{slug, name, status, kind, offerings: [{slug, name, stage, default, must}]}]:
 *     everything else, with every offering, the nearest to a fit first. An offering that the stage
 *     leaves out has "stage" among what is not met
 *   - not_considered: [{slug, name, status, kind, because ("status=active", "providers=e2b")}]
 *
 * Lists are sorted by the number of musts that are not met or not documented, then by points, then
 * by the score (the low end, then the high one; what is not ranked comes last), then by name;
 * excluded ones by that number, then by name. Each is cut at LIMIT_PAGE_ROWS_MAX, and counts say
 * how many there are. */
json_t *match_answer(struct catalogue *catalogue, const struct requirements *requirements,
                     struct error *error) MUST_USE;

#endif
