/* Every SQL text of the program. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_STATEMENTS_H
#define AGENT_SANDBOXES_STATEMENTS_H

#include "catalogue.h"
#include "edit.h"

/* What runs on a database that is being made, read or checked, before there are statements. */
extern const char sql_application_id[];
extern const char sql_user_version[];
extern const char sql_integrity_check[];
extern const char sql_last_day[]; /* ?1 or the day of the catalogue, whichever is later */
extern const char sql_compact[];
extern const char sql_hold_state[]; /* begins a read transaction, so that one state is copied */
extern const char sql_memory[];     /* for the connection of a generation: first this, */
extern const char sql_past[];       /* of a past day then this, with that day for each %Q, */
extern const char sql_freeze[];     /* and this at last */
extern const char sql_map[];        /* pages are read where they are in the image, not copied */

/* The rules "reference" and "day". */
extern const char sql_references[];
extern const char sql_days[];
extern const char sql_cost_numbers[];
extern const char sql_rates_apart[];
extern const char sql_rates_drop[];
extern const char sql_control_characters[];

/* What check_prose reads: names and texts. */
extern const char sql_prose_bodies[];
extern const char sql_prose_reviewed[];
extern const char sql_prose_facts[];
extern const char sql_prose_sources[];
extern const char sql_prose_providers[];

/* The bodies of terms and guides by their slug, and how one (?1 of the slug ?2) is written. */
extern const char sql_term_bodies[];
extern const char sql_term_body_set[];
extern const char sql_guide_bodies[];
extern const char sql_guide_body_set[];

/* The parts of a canonical text around its rows. */
extern const char dump_head[];
extern const char dump_insert[]; /* then the table's name and " VALUES (" */
extern const char dump_tail[];

/* What changes a catalogue file; by enum edit_statement. */
extern const char sql_source_set[];
extern const char sql_source_where[];
extern const char sql_edit_begin[];
extern const char sql_edit_commit[];
extern const char sql_edit_rollback[];
extern const char *const edit_texts[EDIT__COUNT];

/* The journal of a catalogue file that is edited: the table of the day, and a query that
 * answers the text of its triggers. */
extern const char sql_journal_day[];
extern const char sql_journal_today[]; /* ?1 */
extern const char sql_journal_triggers[];

/* Going back to a day (?1): what to undo, then what runs one after another, up to NULL. */
extern const char sql_go_back_begin[];
extern const char sql_journal_undo[];
extern const char *const sql_go_back[];

/* What runs on a frozen catalogue. */
struct statement_text {
    const char *sql;
    int parameter_count;
};

/* Indexed by enum statement. Marked in its text: "scan" reads a whole table, "sort" sorts rows,
 * each on purpose. */
extern const struct statement_text statement_texts[STATEMENT__COUNT];

#endif
