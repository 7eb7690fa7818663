/* Facts as objects of a model: the receipt that HTML, JSON, CSV and Markdown all show.
 *
 * A fact object has always these keys, in this order:
 *   attribute  key of the attribute                  id         "e2b:isolation" or
 * "daytona/container:isolation", of the place that states it state      documented | not_applicable
 * | not_documented value      of the attribute's own type, or null  unlimited  only durations: true
 * where the value is unlimited (value is null) text       the value in words detail, note, basis
 * text or null source     {id, url, title, publisher, kind, copy_date, accessed_on, verified_on} or
 * null checked_on, review_by (days), stale (boolean)    valid_from */
#ifndef AGENT_SANDBOXES_FACTS_H
#define AGENT_SANDBOXES_FACTS_H

#include "buf.h"
#include "catalogue.h"
#include "catalogue_index.h"

/* Turns rows of STATEMENT_FACTS_OF_PROVIDER or STATEMENT_FACTS_BY_ROWID into fact objects, in their
 * order. Takes ownership of rows; the caller owns the result. */
json_t *facts_from_rows(const struct generation *generation, json_t *rows,
                        struct error *error) MUST_USE;

/* The fact objects with these rowids, keyed by rowid in decimal; zeros are left out. The caller
 * owns the object. */
json_t *facts_by_rowid(struct catalogue *catalogue, const int64_t *rowids, size_t count,
                       struct error *error) MUST_USE;

/* Of such an object, the fact that answers for a slot, or the one of fact_missing. New reference.
 */
json_t *fact_of_slot(const json_t *facts, const struct index_attribute *attribute,
                     size_t slot) MUST_USE;

/* facts_by_rowid for rowids collected as int64_t in a buffer. */
json_t *facts_by_collected(struct catalogue *catalogue, const struct buf *rowids,
                           struct error *error) MUST_USE;

/* The object for a question that no fact answers: not documented, with no receipt. */
json_t *fact_missing(const struct index_attribute *attribute) MUST_USE;

/* The source object of a row with the source's columns (source_id and so on), null where it has
 * none. New reference. */
json_t *facts_source(const json_t *row) MUST_USE;

/* Appends a documented value in words ("microVM, gVisor", "24 hours", "$0.0504", "yes"). */
void fact_add_text(struct buf *out, const struct index_attribute *attribute, const json_t *value);

#endif
