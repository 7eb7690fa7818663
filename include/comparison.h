/* The answer to a question: who matches, who cannot be decided, who is excluded and why. */
#ifndef AGENT_SANDBOXES_COMPARISON_H
#define AGENT_SANDBOXES_COMPARISON_H

#include "catalogue.h"
#include "question.h"

/* The public model of /compare. The caller owns it. Keys, in order:
 *   - query: the canonical query; generation; last_reviewed
 *   - counts: {considered, matches, undecided, excluded}; considered is what status= lets in, and
 *     each of those providers is in exactly one of the three lists
 *   - columns: [{key, label, type, unit}]: the attributes shown
 *   - matches: [{slug, name, status, kind, score (only with a use case: {low, high, offering}, or
 *     null where it is not ranked), offerings: [{slug (null: the provider is its only offering),
 *     name, stage, default, facts: {attribute: fact}}]}]: the offerings that hold every condition,
 *     with the facts of the columns
 *   - undecided: the same with not_documented in each offering, before its facts: nothing excludes
 *     it, but these attributes (or "stage") are not documented
 *   - excluded: [{slug, name, status, kind, offerings: [{slug, name, stage, default}], because:
 *     [{attribute, condition ("isolation=microvm"), offering, fact}]}]: the condition that did it,
 *     for each offering the first that it fails. A provider that providers=, kind= or q= leaves out
 *     has one entry without offering and fact, with that parameter as attribute; stage= likewise
 *     per offering. Deprecated offerings, left out by default, fail "stage__not=deprecated"
 *   - facets: {attribute: [{value, label, count}]}: how many providers would match if the value
 *     were added to the question as key=value. Where the question has key=a already, that gives
 *     key=a,value: one more alternative, so the count is never lower than the matches; otherwise it
 *     is one more condition. Attributes of one number have no facets. Of an open vocabulary of more
 *     than LIMIT_FACET_VALUES, those that the question names and those with the highest counts
 *     are there
 *   - limit, offset: of matches; the other two lists are cut at limit or LIMIT_PAGE_ROWS, whichever
 *     is more, and counts say how many there are
 *   - facets_cut: {attribute: how many values it has}, of those whose facets are not all there; no
 *     such key where all are
 *
 * Matches are sorted by sort=, of several matching offerings by the best in that direction; else by
 * the place in the use case; else by name. What has no value comes last in either direction, ties
 * go by name. Unlimited is the longest duration, a money map counts as its cheapest entry, a set as
 * the number of its members, an enum as the place in its vocabulary. The other lists go by name. */
json_t *comparison_answer(struct catalogue *catalogue, const struct question *question,
                          struct error *error) MUST_USE;

#endif
