/* What the files of /compare share. */
#ifndef AGENT_SANDBOXES_COMPARE_DATA_H
#define AGENT_SANDBOXES_COMPARE_DATA_H

#include "handler.h"
#include "question.h"

/* A comparison as CSV, one row for each offering that matches or is undecided. Columns: result
 * (match, undecided), provider, provider_name, offering (empty: the provider is its only one),
 * offering_name, stage, and for each attribute shown <key> (empty unless documented; members of a
 * set joined by "; ", entries of a money map as name=price; "none" for an empty one; "unlimited"),
 * <key>_state, <key>_source (address) and <key>_checked_on. malloc'd; NULL on failure. */
char *compare_csv(const json_t *comparison, struct error *error) MUST_USE;

/* Reads the question of a call. A faulty one makes the reply a problem: then *out_refused is set.
 * The caller frees the question in any case. */
bool compare_parse(const struct call *call, struct question *question, struct reply *reply,
                   bool *out_refused, struct error *error) MUST_USE;

/* Makes the reply the problem that a fault is. Takes over fault->allowed. */
bool compare_refuse(const struct question_fault *fault, struct reply *reply,
                    struct error *error) MUST_USE;

#endif
