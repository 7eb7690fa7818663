/* Laying an overlay: its rows go to tables of their own, are judged there, and are then laid over a
 * copy of the catalogue by statements of this program. */
#include "overlay.h"
#include "check.h"
#include "database.h"
#include "dump.h"
#include "limit.h"
#include "overlay_private.h"
#include "rows.h"
#include "script.h"
#include "seal.h"
#include "statements.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

struct laying {
    sqlite3 *database;
    char place[OVERLAY_PLACE_BYTES]; /* of the row that is put in, in the JSON form */
    unsigned line;                   /* of the statement that runs, in the SQL form */
    char denied[128];                /* what the SQL may not do; "" where it did not try */
    char today[TEXT_DATE_BYTES];
};

bool overlay_form_of(const char *path, enum overlay_form *out_form, struct error *error) {
    const char *dot = strrchr(path, '.');
    bool is_sql = dot != NULL && strcmp(dot, ".sql") == 0;
    bool is_json = dot != NULL && strcmp(dot, ".json") == 0;
    *out_form = is_sql ? OVERLAY_SQL : OVERLAY_JSON;
    return is_sql || is_json ||
           error_set(error, ERROR_INVALID, "the overlay %s is neither .sql nor .json", path);
}

/* SQL function overlay_place(): where the row stands that is being put in. */
static void sql_place(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    (void)arguments;
    const struct laying *laying = sqlite3_user_data(context);
    char line[OVERLAY_PLACE_BYTES];
    (void)snprintf(line, sizeof(line), "line %u", laying->line);
    sqlite3_result_text(context, laying->place[0] == '\0' ? line : laying->place, -1,
                        SQLITE_TRANSIENT);
}

/* --- what the SQL may do --- */

static bool is_function(const char *name) {
    for (size_t i = 0; overlay_functions[i] != NULL; i++) {
        if (strcasecmp(name, overlay_functions[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void name_denied(struct laying *laying, int action, const char *one, const char *two) {
    static const struct {
        int action;
        const char *words;
    } named[] = {{SQLITE_INSERT, "INSERT INTO"},
                 {SQLITE_UPDATE, "UPDATE"},
                 {SQLITE_DELETE, "DELETE FROM"},
                 {SQLITE_PRAGMA, "PRAGMA"},
                 {SQLITE_FUNCTION, "the function"}};
    const char *words = "this statement";
    const char *name = "";
    for (size_t i = 0; i < ARRAY_LENGTH(named); i++) {
        const char *own = action == SQLITE_FUNCTION ? two : one;
        /* What makes or drops a table is told as a change of the schema's own table. */
        if (named[i].action == action && own != NULL && !text_starts(own, "sqlite_")) {
            words = named[i].words;
            name = own;
        }
    }
    (void)snprintf(laying->denied, sizeof(laying->denied), "%s%s%.60s", words,
                   name[0] == '\0' ? "" : " ", name);
}

/* Reads anything, computes, and adds rows to the tables of the overlay; nothing else. */
static int authorize(void *context, int action, const char *one, const char *two,
                     const char *schema, const char *inner) {
    (void)inner;
    struct laying *laying = context;
    bool is_own =
        one != NULL && schema != NULL && strcmp(schema, "temp") == 0 && text_starts(one, "overlay");
    bool is_allowed = action == SQLITE_SELECT || action == SQLITE_READ ||
                      (action == SQLITE_INSERT && is_own) ||
                      (action == SQLITE_FUNCTION && two != NULL && is_function(two));
    if (!is_allowed && laying->denied[0] == '\0') {
        name_denied(laying, action, one, two);
    }
    return is_allowed ? SQLITE_OK : SQLITE_DENY;
}

static int tire(void *context) {
    unsigned *left = context;
    *left -= *left > 0 ? 1 : 0;
    return *left == 0;
}

static bool read_sql(struct laying *laying, const char *text, struct error *error) {
    enum { STEPS = 1000, PATIENCE = LIMIT_OVERLAY_STEPS / STEPS };
    unsigned left = PATIENCE;
    sqlite3_progress_handler(laying->database, STEPS, tire, &left);
    (void)sqlite3_set_authorizer(laying->database, authorize, laying);
    bool good = script_run(laying->database, "the SQL does not run", text, &laying->line, error);
    (void)sqlite3_set_authorizer(laying->database, NULL, NULL);
    sqlite3_progress_handler(laying->database, 0, NULL, NULL);
    if (!good && laying->denied[0] != '\0') {
        return error_set(
            error, ERROR_INVALID,
            "line %u: %s is not allowed; an overlay reads, and inserts into the tables "
            "that docs/overlay.md lists",
            laying->line, laying->denied);
    }
    return good || error_set(error, ERROR_INVALID, "line %u: %s", laying->line,
                             left == 0 ? "takes too long" : sqlite3_errmsg(laying->database));
}

/* --- judging and laying --- */

static bool prepare(struct laying *laying, const char *sql, sqlite3_stmt **out_statement,
                    const char *text, struct error *error) {
    return (sqlite3_prepare_v2(laying->database, sql, -1, out_statement, NULL) == SQLITE_OK &&
            (sqlite3_bind_parameter_count(*out_statement) == 0 ||
             sqlite3_bind_text(*out_statement, 1, text, -1, SQLITE_STATIC) == SQLITE_OK)) ||
           database_error(laying->database, "cannot lay the overlay", error);
}

/* Fails at the first mistake. */
static bool judge(struct laying *laying, struct error *error) {
    for (size_t i = 0; sql_overlay_faults[i] != NULL; i++) {
        CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
        if (!prepare(laying, sql_overlay_faults[i], &statement, laying->today, error)) {
            return false;
        }
        int code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            const char *place = row_text(statement, 0);
            return error_set(error, ERROR_INVALID, "%s%s%s", place == NULL ? "" : place,
                             place == NULL ? "" : ": ", row_text(statement, 1));
        }
        if (code != SQLITE_DONE) {
            return database_error(laying->database, "cannot judge the overlay", error);
        }
    }
    return true;
}

static bool lay(struct laying *laying, struct error *error) {
    for (size_t i = 0; sql_overlay_lay[i] != NULL; i++) {
        CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
        if (!prepare(laying, sql_overlay_lay[i], &statement, laying->today, error)) {
            return false;
        }
        if (sqlite3_step(statement) != SQLITE_DONE) {
            return database_error(laying->database, "cannot lay the overlay", error);
        }
    }
    return true;
}

/* Fails at the first rule of the catalogue that what was laid breaks. */
static bool check(struct laying *laying, const struct image *image, int64_t today,
                  struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    json_t *finding = check_overlaid(image, today, error);
    if (finding == NULL) {
        return error->kind == ERROR_NONE;
    }
    const char *row = json_string_value(json_object_get(finding, "row"));
    bool good = prepare(laying, sql_overlay_place, &statement, row, error);
    if (good) {
        bool is_found = sqlite3_step(statement) == SQLITE_ROW;
        good = error_set(error, ERROR_INVALID, "%s%s%s %s; %s",
                         is_found ? row_text(statement, 0) : "", is_found ? ": " : "", row,
                         json_string_value(json_object_get(finding, "message")),
                         json_string_value(json_object_get(finding, "mend")));
    }
    json_decref(finding);
    return good;
}

/* A copy that takes private rows: a catalogue file may be of a program that knew none. */
static bool open_copy(const struct image *public, sqlite3 **out_database, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    struct image rebuilt = {0};
    int64_t tables = 0;
    if (!database_open_copy(public, &database, error) ||
        !database_integer(database, sql_overlay_is_known, &tables, error)) {
        return false;
    }
    if (tables == OVERLAY_TABLES) {
        *out_database = database;
        database = NULL;
        return true;
    }
    bool good =
        dump_rebuild(public, &rebuilt, error) && database_open_copy(&rebuilt, out_database, error);
    image_free(&rebuilt);
    return good;
}

static bool make_image(const struct image *public, enum overlay_form form, const char *text,
                       int64_t today, struct image *out_image, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    struct image made = {0};
    const int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
    if (!open_copy(public, &database, error)) {
        return false;
    }
    struct laying laying = {.database = database};
    text_iso_date(today, laying.today);
    if (sqlite3_create_function(database, "overlay_place", 0, flags, &laying, sql_place, NULL,
                                NULL) != SQLITE_OK ||
        sqlite3_exec(database, sql_overlay_begin, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot lay an overlay", error);
    }
    bool good = (form == OVERLAY_SQL ? read_sql(&laying, text, error)
                                     : overlay_read_json(database, text, laying.place, error)) &&
                judge(&laying, error) && lay(&laying, error);
    if (good && sqlite3_exec(database, sql_edit_commit, NULL, NULL, NULL) != SQLITE_OK) {
        good = database_error(database, "cannot lay the overlay", error);
    }
    good = good && database_image(database, &made, error) && check(&laying, &made, today, error);
    if (!good) {
        image_free(&made);
        return false;
    }
    seal_image(&made);
    *out_image = made;
    return true;
}

struct generation *overlay_lay(struct generation *public, enum overlay_form form, const char *text,
                               struct error *error) {
    struct image image = {0};
    *error = (struct error){.kind = ERROR_NONE};
    if (!make_image(generation_image(public), form, text, generation_today(public), &image,
                    error)) {
        generation_release(public);
        return NULL;
    }
    return generation_over(public, &image, error);
}
