/* Changing a catalogue file: one transaction, held to the rules before it ends. */
#ifndef AGENT_SANDBOXES_EDIT_H
#define AGENT_SANDBOXES_EDIT_H

#include "buf.h"
#include "catalogue.h"

/* The statements, listed with their SQL in catalogue/statements_edit.c. */
enum edit_statement {
    EDIT_ATTRIBUTE, /* key: its type */
    EDIT_FACT,      /* provider, offering, attribute: the current fact */
    EDIT_FACT_END,  /* provider, offering, attribute, day: what held before that day is history */
    EDIT_FACT_DROP, /* the same: what holds only from that day on is replaced */
    EDIT_FACT_ADD,  /* provider, offering, attribute, state, value, detail, note, source, basis, day
                     */
    EDIT_FACT_UPDATE,    /* provider, offering, attribute, detail, note, source, basis, day */
    EDIT_REVIEW_FACTS,   /* provider, day, attribute or NULL */
    EDIT_REVIEW_CLAIMS,  /* provider, day */
    EDIT_REVIEW_ADD,     /* provider, day, scope, note */
    EDIT_PROVIDER_ADD,   /* slug, name, vendor, kind, status, homepage, docs, pricing, repo, summary
                          */
    EDIT_PROVIDER_FACTS, /* provider, day: every question is not documented */
    EDIT_OFFERING_ADD,   /* provider, slug, name, stage, default */
    EDIT_SOURCE_ADD, /* id, url, title, publisher, kind, copy date, day read, via, words, sha256 */
    EDIT_MEASUREMENT_ADD, /* provider, mode, day, runs, median, p95, p99, success rate, source */
    EDIT_SOURCE_VERIFIED, /* id, day */
    EDIT_SOURCE_MOVED,    /* id, url */
    EDIT_SOURCE_FAILED,   /* id, state, reason or NULL, day */
    EDIT_SOURCE_FOUND,    /* id: no failure is kept of it */
    EDIT_EXEMPTION_PUT,   /* id, reason, last day */
    EDIT_JOURNAL_DAY,     /* day: what follows counts as changed on it */
    EDIT_DAY,             /* day: the catalogue is at least of that day */
    /* Those of import: a row that is the same stays untouched. */
    EDIT_SOURCE_PUT,       /* id, url, title, publisher, kind, copy date, day read, day verified,
                              via, words, sha256 */
    EDIT_PROVIDER_PUT,     /* the columns of the table */
    EDIT_OFFERING_DEFAULT, /* provider, slug: no other one is the default */
    EDIT_OFFERING_PUT,     /* provider, slug, name, stage, default */
    EDIT_FACT_PUT,         /* as EDIT_FACT_ADD, then the day from which it holds */
    EDIT_CLAIM_PUT,        /* provider, position, text, facts, kind, day */
    EDIT_CLAIM_CUT,        /* provider, last position, kind */
    EDIT_CONFLICT_PUT,     /* provider, position, text, facts */
    EDIT_CONFLICT_CUT,     /* provider, last position */
    EDIT_EVENT_PUT,        /* provider, position, date, text, source */
    EDIT_EVENT_CUT,        /* provider, last position */
    EDIT_MEASUREMENT_PUT,  /* as EDIT_MEASUREMENT_ADD */
    EDIT_REVIEW_PUT,       /* provider, day: where none is as late */
    /* Those of new, of which the parameter is the whole plan as JSON. */
    EDIT_NEW_SETTINGS,
    EDIT_NEW_VOLATILITIES,
    EDIT_NEW_GROUPS,
    EDIT_NEW_ATTRIBUTES,
    EDIT_NEW_VALUES,
    EDIT_NEW_RANKINGS,
    EDIT_NEW_CRITERIA,
    EDIT_NEW_JOURNAL, /* none: a catalogue begins with what it is made of */
    EDIT_RATES_DROP,  /* none: published forms of price facts that have changed since */
    EDIT_SEARCH_CLEAR,
    EDIT_SEARCH_FILL,
    EDIT__COUNT
};

struct edit;

/* Opens the file for writing and begins a transaction. Whatever changes is journalled as of today,
 * or of the day that EDIT_JOURNAL_DAY names. */
struct edit *edit_open(const char *path, struct error *error) MUST_USE;

/* Runs a statement with texts (NULL is NULL) for its parameters. out_row (may be NULL) receives its
 * first row as an object, or NULL where there is none; the caller owns it. out_count (may be NULL)
 * receives how many rows it changed. */
bool edit_run(struct edit *edit, enum edit_statement statement, const char *const *texts,
              size_t count, json_t **out_row, long long *out_count, struct error *error) MUST_USE;

/* Brings search, rates and the catalogue's day up to date and answers what changed (as
 * diff_images). Fails, and the file is as before, where a rule breaks that did not break before.
 * Nothing is kept where dry is true, and nothing is written where nothing changed. */
json_t *edit_finish(struct edit *edit, int64_t today, bool dry, struct error *error) MUST_USE;

/* Appends the SQL that sets columns ({name: text}) of a source, in one line; nothing for no
 * columns.
 */
bool edit_source_line(const char *source, const json_t *columns, struct buf *out);

/* Undoes what is not finished and closes the file. NULL is fine. */
void edit_close(struct edit *edit);

/* What differs between two catalogues: [{table, row, change: "added", "removed" or "changed",
 * columns: {name: [before, after]}}], tables and rows in canonical order; of facts, only what holds
 * now, and nothing of the journal. The caller owns it. */
json_t *diff_images(const struct image *before, const struct image *after,
                    struct error *error) MUST_USE;

#endif
