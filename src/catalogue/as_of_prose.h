/* Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_AS_OF_PROSE_H
#define AGENT_SANDBOXES_AS_OF_PROSE_H

#include "error.h"
#include <sqlite3.h>

/* Makes words of every mark in guides and terms that names what the database, which was turned back
 * to an earlier day, does not have. Prose all of whose marks are known stays as it is. */
bool as_of_forget_prose(sqlite3 *database, struct error *error) MUST_USE;

#endif
