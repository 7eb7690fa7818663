/* What the files of the overlay share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_OVERLAY_PRIVATE_H
#define AGENT_SANDBOXES_OVERLAY_PRIVATE_H

#include "overlay.h"
#include <sqlite3.h>

enum { OVERLAY_FIELDS = 27, OVERLAY_PLACE_BYTES = 64 };

/* A text, which may be left out or not; any JSON, needed; a number, bound as a plain decimal; true
 * or false, bound as 1 or 0. */
enum overlay_field_form {
    FIELD_OPTIONAL,
    FIELD_NEEDED,
    FIELD_VALUE,
    FIELD_NUMBER,
    FIELD_NUMBER_NEEDED,
    FIELD_FLAG
};

/* A list of the JSON form, each entry of which becomes one row. */
struct overlay_list {
    const char *name;   /* "facts" */
    const char *insert; /* one parameter for each field, in order */
    struct overlay_field {
        const char *name; /* NULL: no more */
        enum overlay_field_form form;
    } fields[OVERLAY_FIELDS + 1];
};

/* Ended by a NULL name. */
extern const struct overlay_list overlay_lists[];

/* Whether the tables of a catalogue take private rows: all of those that may have them. */
enum { OVERLAY_TABLES = 5 };
extern const char sql_overlay_is_known[];

/* Makes the tables that an overlay fills (their rows ask overlay_place() where they stand), and
 * begins the transaction. */
extern const char sql_overlay_begin[];

/* A row for each mistake in those tables: where it stands, and what is wrong. ?1 is today. Ended by
 * NULL. */
extern const char *const sql_overlay_faults[];

/* Where the fact or source stands that check names so (?1). */
extern const char sql_overlay_place[];

/* Lays the tables over the catalogue, one after another; ?1 is today. Ended by NULL. */
extern const char *const sql_overlay_lay[];

/* Functions that the SQL of an overlay may call. Ended by NULL. */
extern const char *const overlay_functions[];

/* Reads the JSON form into the tables; place (OVERLAY_PLACE_BYTES) holds, while a row is put in,
 * where it stands. */
bool overlay_read_json(sqlite3 *database, const char *text, char *place,
                       struct error *error) MUST_USE;

#endif
