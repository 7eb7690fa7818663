/* What `import` reads into a catalogue file. */
#ifndef AGENT_SANDBOXES_CLI_IMPORT_H
#define AGENT_SANDBOXES_CLI_IMPORT_H

#include "edit.h"

/* Hears how far it is. */
typedef void import_progress(size_t done, size_t all);

/* Puts the rows of a CSV text with a head of provider, mode, day, runs, median_ms, p95_ms, p99_ms,
 * success_rate and source, in any order; other columns are passed over. source, where not NULL,
 * stands for a column that is missing. Errors name the line. */
bool import_measurements(struct edit *edit, const char *text, const char *source,
                         import_progress *progress, struct error *error) MUST_USE;

/* Puts the providers of a text as /data/providers.json answers it, or of one provider: their
 * sources, offerings, facts, verdicts, conflicts, events and newest measurements. A value that
 * differs from the current one ends it; a fact that is older than the catalogue's is refused. */
bool import_providers(struct edit *edit, const char *text, import_progress *progress,
                      struct error *error) MUST_USE;

#endif
