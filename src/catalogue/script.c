#include "script.h"
#include "database.h"
#include <stdio.h>
#include <string.h>

/* Past blanks and comments, to where a statement starts. */
static const char *statement_start(const char *sql) {
    for (;;) {
        sql += strspn(sql, " \t\r\n;");
        if (strncmp(sql, "--", 2) != 0) {
            return sql;
        }
        sql += strcspn(sql, "\n");
    }
}

static unsigned line_of(const char *script, const char *at) {
    unsigned line = 1;
    for (const char *c = script; c < at; c++) {
        line += *c == '\n';
    }
    return line;
}

static bool script_error(sqlite3 *database, const char *doing, const char *start, unsigned line,
                         struct error *error) {
    enum { EXCERPT_BYTES = 100 };
    size_t length = strcspn(start, "\n");
    bool cut = length > EXCERPT_BYTES;
    (void)database_error(database, doing, error);
    char message[ERROR_MESSAGE_BYTES];
    (void)snprintf(message, sizeof(message), "%s", error->message);
    (void)error_set(error, error->kind, "%.200s, in line %u: %.*s%s", message, line,
                    (int)(cut ? EXCERPT_BYTES : length), start, cut ? "..." : "");
    for (char *c = error->message; *c != '\0'; c++) { /* it may go to a terminal */
        *c = (unsigned char)*c < ' ' || *c == '\x7f' ? '?' : *c;
    }
    return false;
}

bool script_run(sqlite3 *database, const char *doing, const char *script, unsigned *out_line,
                struct error *error) {
    unsigned ignored = 0;
    unsigned *line = out_line == NULL ? &ignored : out_line;
    const char *rest = script;
    while (*rest != '\0') {
        CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
        const char *start = statement_start(rest);
        const char *tail = NULL;
        if (out_line != NULL) {
            *line = line_of(script, start);
        }
        int code = sqlite3_prepare_v2(database, rest, -1, &statement, &tail);
        if (code == SQLITE_OK) {
            code = SQLITE_DONE;
            while (statement != NULL && (code = sqlite3_step(statement)) == SQLITE_ROW) {
            }
        }
        if (code != SQLITE_DONE) {
            *line = line_of(script, start);
            return script_error(database, doing, start, *line, error);
        }
        rest = tail;
    }
    return true;
}
