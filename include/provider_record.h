/* The whole record of one provider, as /data/providers.json shows it. */
#ifndef AGENT_SANDBOXES_PROVIDER_RECORD_H
#define AGENT_SANDBOXES_PROVIDER_RECORD_H

#include "catalogue.h"

/* The record; ERROR_NOT_FOUND where there is no such provider. The caller owns it. Its keys, in
 * order: slug, name, vendor, kind, status, status_note, status_source, homepage, docs_url,
 * pricing_url, repo_url, summary, last_reviewed, strengths, limitations, best_for, not_for, facts
 * (attribute to fact object), offerings (with their own facts), conflicts, events, measurements
 * (newest day of each mode), sources. */
json_t *provider_record(struct catalogue *catalogue, const char *slug,
                        struct error *error) MUST_USE;

/* The fact object that answers an attribute for an offering of a record (its own, else the
 * provider's), or for the provider where offering is NULL. Borrowed; NULL where nothing is stated.
 */
json_t *provider_record_fact(const json_t *record, const char *offering, const char *attribute);

#endif
