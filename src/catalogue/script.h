/* A text of several SQL statements. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_SCRIPT_H
#define AGENT_SANDBOXES_SCRIPT_H

#include "error.h"
#include <sqlite3.h>

/* Runs every statement; an error names its line. out_line (may be NULL) holds, while a statement
 * runs and after a failure, the line in which it begins. */
bool script_run(sqlite3 *database, const char *doing, const char *script, unsigned *out_line,
                struct error *error) MUST_USE;

#endif
