/* Opening SQLite connections safely, and telling its errors. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_DATABASE_H
#define AGENT_SANDBOXES_DATABASE_H

#include "catalogue.h"
#include <sqlite3.h>

enum {
    DATABASE_APPLICATION_ID = 0x41534258, /* "ASBX", as in schema.sql */
    DATABASE_SCHEMA_VERSION = 1
};

/* A connection on the image: read-only, defensive, no attaching, no double-quoted strings. The
 * image must outlive it. past (an ISO date, or NULL) is the day whose knowledge it shows. */
bool database_open_image(const struct image *image, const char *past, sqlite3 **out_database,
                         struct error *error) MUST_USE;

/* A connection on a copy of the image, which may be changed. */
bool database_open_copy(const struct image *image, sqlite3 **out_database,
                        struct error *error) MUST_USE;

/* Lets a connection on an image that was checked use its pages in place: no copies, no cache. */
bool database_map(sqlite3 *database, struct error *error) MUST_USE;

/* Reads one integer, such as a pragma. */
bool database_integer(sqlite3 *database, const char *sql, int64_t *out_integer,
                      struct error *error) MUST_USE;

/* Fails unless application id and schema version are ours; name is what the message calls the
 * catalogue. */
bool database_check_version(sqlite3 *database, const char *name, struct error *error) MUST_USE;

/* Sets the error from the connection's last failure ("while reading the catalogue: database disk
 * image is malformed"). Returns false. */
bool database_error(sqlite3 *database, const char *doing, struct error *error);

/* Takes the image of a connection's main database, with what its open transaction changed, and
 * makes it one that needs no write-ahead log. */
bool database_image(sqlite3 *database, struct image *out_image, struct error *error) MUST_USE;

/* Closes a connection; for CLEANUP. */
void database_close(sqlite3 **database);

/* Finalizes a statement; for CLEANUP. */
void database_finalize(sqlite3_stmt **statement);

#endif
