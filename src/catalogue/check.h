/* The rules that a catalogue must keep. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_CHECK_H
#define AGENT_SANDBOXES_CHECK_H

#include "catalogue.h"

/* Checks integrity, foreign keys, application id, schema version and the rules. The error names the
 * first fault. */
bool check_catalogue(struct catalogue *catalogue, struct error *error) MUST_USE;

#endif
