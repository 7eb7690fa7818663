/* What `sources check` prints. */
#ifndef AGENT_SANDBOXES_CLI_SOURCES_REPORT_H
#define AGENT_SANDBOXES_CLI_SOURCES_REPORT_H

#include "source_check.h"
#include <jansson.h>

enum sources_form { SOURCES_TABLE, SOURCES_MARKDOWN, SOURCES_JSON };

/* For each result that asks for it, what to do: {source, command} with a command line, or {source,
 * set: {column: value}} with what --write would store. facts are rows of the table fact; db is what
 * a command line names (NULL: the built-in catalogue). The caller owns it. */
json_t *sources_proposals(const json_t *results, const json_t *sources, const json_t *facts);

/* Whether a result is a failure that is kept: not where its new address is taken over. */
bool sources_failed(const json_t *result);

/* Why, in words for readers of the site, or null. New reference. */
json_t *sources_failure(const json_t *result) MUST_USE;

/* Prints results and proposals; returns EXIT_OK where every source is verified, reachable or
 * exempt. */
int sources_report(const json_t *results, const json_t *proposals, enum sources_form form,
                   const char *db);

#endif
