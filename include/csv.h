/* CSV by RFC 4180, safe to open in a spreadsheet. */
#ifndef AGENT_SANDBOXES_CSV_H
#define AGENT_SANDBOXES_CSV_H

#include "buf.h"
#include <stdbool.h>

/* A table in progress. Initialise with the buffer, which is borrowed; its sticky failure is the
 * only error. */
struct csv {
    struct buf *out;
    bool in_row;
};

/* Appends one field of the row in progress; NULL is an empty field. Quoted where it holds a comma,
 * a quote or a line break. A text that a spreadsheet would run as a formula (it starts with = + -
 * @, a tab or a carriage return) gets an apostrophe in front, unless all of it is a plain number.
 */
void csv_add_field(struct csv *csv, const char *text);

/* Ends the row in progress with CR LF. */
void csv_end_row(struct csv *csv);

#endif
