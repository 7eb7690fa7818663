/* Stepping through a statement without making a model of it. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_ROWS_H
#define AGENT_SANDBOXES_ROWS_H

#include "catalogue.h"
#include <sqlite3.h>

/* Called once per row; false ends the walk with the error that it set. */
typedef bool row_function(void *context, sqlite3_stmt *row, struct error *error);

/* Runs a statement of the list and calls function for each row. */
bool rows_each(struct catalogue *catalogue, enum statement statement,
               const struct binding *bindings, size_t binding_count, row_function *function,
               void *context, struct error *error) MUST_USE;

/* Sets the error of a row that could not be made JSON, which the JSON library does not explain: out
 * of memory where errno, 0 before, says so; else a damaged row, in these words. Returns false. */
bool row_fault(struct error *error, const char *words);

/* A text column, or NULL. Borrowed until the next step. */
const char *row_text(sqlite3_stmt *row, int column);

/* A connection on a bare image, before there is a generation; for the checks that make one. past
 * (an ISO date, or NULL) is the day whose knowledge it shows. */
bool catalogue_open_image(const struct image *image, const char *past,
                          struct catalogue **out_catalogue, struct error *error) MUST_USE;

/* The day whose knowledge a generation holds (see generation_at), or NULL: the catalogue's own. */
const char *generation_past(const struct generation *generation);

/* The SQLite connection of a catalogue, for the checks. */
sqlite3 *catalogue_database(struct catalogue *catalogue);

#endif
