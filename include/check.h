/* The rules that a catalogue must keep, as a table (catalogue/statements_check.c). */
#ifndef AGENT_SANDBOXES_CHECK_H
#define AGENT_SANDBOXES_CHECK_H

#include "catalogue.h"

enum check_severity {
    CHECK_WARNING, /* shown */
    CHECK_REVIEW,  /* a verdict or prose must be read again; a server loads the catalogue */
    CHECK_ERROR    /* no server loads such a catalogue */
};

/* The statement of a rule answers one row for each breach: the row's name, the start of its line in
 * seed.sql, the end of that line (or NULL), and what is wrong. Its parameters: ?1 is the last day
 * that a date may name, ?2 is today. A rule of prose has no statement (catalogue/check_prose.c). */
struct check_rule {
    const char *key;
    enum check_severity severity;
    const char *mend; /* what to do about it */
    const char *sql;
};

extern const struct check_rule check_rules[];
extern const size_t check_rule_count;

/* "warning", "review", "error". */
const char *check_severity_word(enum check_severity severity);

/* Every breach of every rule, rules in their order: [{rule, severity, row, message, mend,
 * line_start, line_end}]. The caller owns it. NULL: the image is no catalogue, is damaged, or
 * cannot be read. */
json_t *check_image(const struct image *image, int64_t today, struct error *error) MUST_USE;

/* The first breach (as of check_image) of a rule that also what a private overlay makes of a
 * catalogue must keep: every error but those that keep private rows out, and that need all of the
 * public ones. NULL: there is none, or error is set. */
json_t *check_overlaid(const struct image *image, int64_t today, struct error *error) MUST_USE;

/* Fails at the first breach of a rule that is an error, and where the image is damaged or of
 * another version. */
bool check_catalogue(struct catalogue *catalogue, int64_t today, struct error *error) MUST_USE;

/* What is wrong with an address, or NULL: only http and https, no name or password, no private or
 * local host, no blanks. */
const char *check_address(const char *url);

#endif
