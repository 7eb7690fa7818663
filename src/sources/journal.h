/* The memory of `sources check`: one JSON object a line, written as it happens, so that a run that
 * is stopped at any moment loses at most the page in hand. */
#ifndef AGENT_SANDBOXES_JOURNAL_H
#define AGENT_SANDBOXES_JOURNAL_H

#include "base.h"
#include "error.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct journal;

/* Reads the file (it need not exist), locks it against a second run, and begins a run or, where the
 * last one was stopped within the day before today, goes on with it. */
struct journal *journal_open(const char *path, int64_t today, struct error *error) MUST_USE;

/* The latest result of a source, or NULL. Borrowed. */
const json_t *journal_remembered(const struct journal *journal, const char *source);

/* Whether that result is of this run, which was stopped. */
bool journal_is_done(const struct journal *journal, const char *source);

bool journal_add(struct journal *journal, json_t *result, struct error *error) MUST_USE;

/* Ends the run: every source was asked. */
bool journal_end(struct journal *journal, struct error *error) MUST_USE;

/* NULL is fine. */
void journal_close(struct journal *journal);

#endif
