/* The files below /data/: what they hold, and how their rows become CSV. Private to src/handlers.
 */
#ifndef AGENT_SANDBOXES_DATA_FILE_H
#define AGENT_SANDBOXES_DATA_FILE_H

#include "buf.h"
#include "csv.h"
#include "handler.h"

/* A column of a table: its name is the key of the row, its type is one of Table Schema's. */
struct data_column {
    const char *name;
    const char *type;
    const char *description;
};

/* A file of the package. */
struct data_file {
    const char *path; /* "/data/facts.csv" */
    const char *title;
    const char *description;
    const struct data_column *columns; /* of a CSV file; ended by a NULL name. NULL: no table */
    const char *primary_key;           /* names, separated by blanks; NULL: none */
    const char *source_column;         /* the column that holds an id of sources.csv; NULL: none */
    const char *schema;                /* path of the JSON Schema of a JSON file; NULL: none */
    bool measured;                     /* under the licence of the measurements' publisher */
};

extern const struct data_file data_files[];
extern const size_t data_file_count;

/* The file at a path, or NULL. */
const struct data_file *data_file_at(const char *path);

/* Whether the catalogue has more answers than a file of all facts can hold (LIMIT_DATA_ANSWERS),
 * and the reply that says so. Such files are no part of the package. */
bool data_is_too_large(const struct call *call);
bool data_refuse_large(struct reply *reply, struct error *error) MUST_USE;

/* The columns of providers.csv that stand before those of the attributes, and what is appended to
 * an attribute's key for each of its columns ("" for the value). Both are ended by a NULL name. */
extern const struct data_column data_provider_columns[];
extern const struct data_column data_fact_suffixes[];

/* What every JSON file says of itself: schema, licence, last_reviewed, generation. The caller owns
 * it. */
json_t *data_head(const struct generation *generation, const char *schema) MUST_USE;

/* Every attribute with its values, and every group, in their order. The caller owns them. */
json_t *data_attributes(struct catalogue *catalogue, struct error *error) MUST_USE;

/* Every current fact as a flat row, by provider, offering and attribute. The caller owns it. */
json_t *data_fact_rows(struct catalogue *catalogue, struct error *error) MUST_USE;

/* Appends a JSON value as one field: null is empty, a list is joined by "; ", an object is
 * "name=value; name=value", an empty list or object is "none". */
void data_add_value(struct csv *csv, const json_t *value);

/* The same for a fact object's value, where an unlimited one is "unlimited". */
void data_add_fact_value(struct csv *csv, const json_t *fact);

/* Rows as CSV with a head, as the finished text of reply. Takes over rows. */
bool data_reply_csv(struct reply *reply, const struct data_column *columns, json_t *rows,
                    struct error *error) MUST_USE;

/* Gives the text of out to reply, and empties out. */
bool data_reply_text(struct reply *reply, struct buf *out, struct error *error) MUST_USE;

#endif
