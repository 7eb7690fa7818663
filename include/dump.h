/* The canonical text of a catalogue (docs/catalogue.md), and its tables. */
#ifndef AGENT_SANDBOXES_DUMP_H
#define AGENT_SANDBOXES_DUMP_H

#include "buf.h"
#include "catalogue.h"

/* A table and how a row of it is named: by its first key_count columns (facts: see DUMP_FACT). */
struct dump_table {
    const char *name;
    const char *sql; /* every row, all columns, in canonical order */
    size_t key_count;
    const char *body; /* prose is in files "<body><slug>.md"; NULL: the table has none */
};

/* The last one, the journal, says what happened to the others. */
enum { DUMP_TABLES = 30, DUMP_JOURNAL = DUMP_TABLES - 1 };

/* In the order of schema.sql. */
extern const struct dump_table dump_tables[DUMP_TABLES];

/* Whether the prose file of this name holds exactly these bytes. */
typedef bool dump_body_function(void *context, const char *name, const char *body, size_t length);

/* Appends the text that image_build makes the same catalogue of. A body for which is_file answers
 * true is written as a call of readfile(), any other one in place. is_file may be NULL. */
bool dump_image(const struct image *image, dump_body_function *is_file, void *context,
                struct buf *out, struct error *error) MUST_USE;

/* Makes an image anew from its canonical text, as build does, on the schema of this program. */
bool dump_rebuild(const struct image *image, struct image *out_image, struct error *error) MUST_USE;

/* Every row of a table, in canonical order, as an array of objects with one key per column; JSON
 * columns stay text. The caller owns it. */
json_t *dump_rows(const struct image *image, const struct dump_table *table,
                  struct error *error) MUST_USE;

#endif
