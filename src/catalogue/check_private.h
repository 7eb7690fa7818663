/* What the parts of check share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_CHECK_PRIVATE_H
#define AGENT_SANDBOXES_CHECK_PRIVATE_H

#include "check.h"
#include "database.h"

/* One row that breaks a rule; the texts live for the call. */
struct breach {
    const struct check_rule *rule;
    const char *row;
    const char *line_start;
    const char *line_end;
    const char *message;
};

/* Hears of a breach; false ends the checking. */
typedef bool breach_function(void *context, const struct breach *breach, struct error *error);

struct hearing {
    enum check_severity least; /* what is less severe is not told */
    breach_function *function;
    void *context;
    bool has_error; /* whether one that is an error was told */
};

/* Tells of a breach. */
bool check_tell(struct hearing *hearing, const struct breach *breach, struct error *error) MUST_USE;

/* The rules of prose. What it draws is looked at only where no rule is broken: an index is made of
 * nothing else. */
bool check_prose(struct catalogue *catalogue, struct hearing *hearing,
                 struct error *error) MUST_USE;

/* {first column: second column} of a statement without parameters, both texts, into map. */
bool check_read_map(sqlite3 *database, const char *sql, json_t *map, struct error *error) MUST_USE;

#endif
