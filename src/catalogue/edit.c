/* One transaction on a catalogue file. */
#include "edit.h"
#include "check.h"
#include "database.h"
#include "rows.h"
#include "statements.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

struct edit {
    sqlite3 *database;
    struct image before;
    sqlite3_stmt *prepared[EDIT__COUNT]; /* made when first run */
};

/* Runs the SQL text that a query answers. */
static bool run_made(sqlite3 *database, const char *query, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    char *made = NULL;
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW && row_text(statement, 0) != NULL) {
        made = strdup(row_text(statement, 0));
    }
    /* A schema does not change while a statement reads it. */
    database_finalize(&statement);
    bool good = made != NULL && sqlite3_exec(database, made, NULL, NULL, NULL) == SQLITE_OK;
    free(made);
    return good || database_error(database, "cannot start the journal", error);
}

/* Makes the triggers that write the journal: they live as long as the connection. */
static bool start_journal(sqlite3 *database, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    char today[TEXT_DATE_BYTES];
    text_iso_date(text_today(), today);
    if (sqlite3_exec(database, sql_journal_day, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, sql_journal_today, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, today, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE) {
        return database_error(database, "cannot start the journal", error);
    }
    return run_made(database, sql_journal_triggers, error);
}

struct edit *edit_open(const char *path, struct error *error) {
    struct edit *edit = calloc(1, sizeof(struct edit));
    enum { BUSY_MILLISECONDS = 5000 };
    if (edit == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    bool good = true;
    if (sqlite3_open_v2(path, &edit->database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                        NULL) != SQLITE_OK ||
        sqlite3_busy_timeout(edit->database, BUSY_MILLISECONDS) != SQLITE_OK) {
        good = database_error(edit->database, path, error);
    }
    good = good && database_check_version(edit->database, path, error);
    if (good && sqlite3_exec(edit->database, sql_edit_begin, NULL, NULL, NULL) != SQLITE_OK) {
        good = database_error(edit->database, path, error);
    }
    good = good && start_journal(edit->database, error);
    if (!good || !database_image(edit->database, &edit->before, error)) {
        edit_close(edit);
        return NULL;
    }
    return edit;
}

void edit_close(struct edit *edit) {
    if (edit != NULL) {
        for (size_t i = 0; i < EDIT__COUNT; i++) {
            sqlite3_finalize(edit->prepared[i]);
        }
        /* Closing rolls back what is open. */
        database_close(&edit->database);
        image_free(&edit->before);
        free(edit);
    }
}

static json_t *row_object(sqlite3_stmt *row) {
    json_t *object = json_object();
    for (int i = 0; object != NULL && i < sqlite3_column_count(row); i++) {
        const char *text = row_text(row, i);
        (void)json_object_set_new(object, sqlite3_column_name(row, i),
                                  text == NULL ? json_null() : json_string(text));
    }
    return object;
}

/* Binds and runs; out_row as of edit_run. */
static bool step(struct edit *edit, sqlite3_stmt *prepared, const char *const *texts, size_t count,
                 json_t **out_row, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (sqlite3_bind_text(prepared, (int)i + 1, texts[i], -1, SQLITE_STATIC) != SQLITE_OK) {
            return database_error(edit->database, "cannot change the catalogue", error);
        }
    }
    int code = sqlite3_step(prepared);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return database_error(edit->database, "the change is refused", error);
    }
    if (code == SQLITE_ROW && out_row != NULL) {
        *out_row = row_object(prepared);
        return *out_row != NULL || error_no_memory(error);
    }
    return true;
}

bool edit_run(struct edit *edit, enum edit_statement statement, const char *const *texts,
              size_t count, json_t **out_row, long long *out_count, struct error *error) {
    sqlite3_stmt **prepared = &edit->prepared[statement];
    if (out_row != NULL) {
        *out_row = NULL;
    }
    if (*prepared == NULL && sqlite3_prepare_v2(edit->database, edit_texts[statement], -1, prepared,
                                                NULL) != SQLITE_OK) {
        return database_error(edit->database, "cannot change the catalogue", error);
    }
    bool good = step(edit, *prepared, texts, count, out_row, error);
    if (good && out_count != NULL) {
        *out_count = sqlite3_changes64(edit->database);
    }
    (void)sqlite3_reset(*prepared);
    (void)sqlite3_clear_bindings(*prepared);
    return good;
}

static bool was_there(const json_t *before, const json_t *finding) {
    size_t i = 0;
    json_t *other = NULL;
    json_array_foreach(before, i, other) {
        if (json_equal(other, finding)) {
            return true;
        }
    }
    return false;
}

/* The first error among findings that is not among known ones, or NULL. */
static const json_t *first_error(const json_t *findings, const json_t *known) {
    size_t i = 0;
    json_t *finding = NULL;
    json_array_foreach(findings, i, finding) {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        if (severity != NULL && strcmp(severity, "error") == 0 && !was_there(known, finding)) {
            return finding;
        }
    }
    return NULL;
}

/* Fails at the first error that is new. What was there before matters only where there is one. */
static bool judge(const struct image *before, const struct image *after, int64_t today,
                  struct error *error) {
    json_t *new = check_image(after, today, error);
    const json_t *breach = first_error(new, NULL);
    bool good = new != NULL;
    if (breach != NULL) {
        json_t *old = check_image(before, today, error);
        good = old != NULL;
        breach = good ? first_error(new, old) : NULL;
        json_decref(old);
    }
    if (breach != NULL) {
        good = error_set(error, ERROR_INVALID, "the change breaks the rule %s: %s %s; %s",
                         json_string_value(json_object_get(breach, "rule")),
                         json_string_value(json_object_get(breach, "row")),
                         json_string_value(json_object_get(breach, "message")),
                         json_string_value(json_object_get(breach, "mend")));
    }
    json_decref(new);
    return good;
}

json_t *edit_finish(struct edit *edit, int64_t today, bool dry, struct error *error) {
    char day[TEXT_DATE_BYTES];
    const char *const days[] = {day};
    struct image after = {0};
    json_t *changes = NULL;
    text_iso_date(today, day);
    bool good = edit_run(edit, EDIT_DAY, days, 1, NULL, NULL, error) &&
                edit_run(edit, EDIT_RATES_DROP, NULL, 0, NULL, NULL, error) &&
                edit_run(edit, EDIT_SEARCH_CLEAR, NULL, 0, NULL, NULL, error) &&
                edit_run(edit, EDIT_SEARCH_FILL, NULL, 0, NULL, NULL, error) &&
                database_image(edit->database, &after, error) &&
                judge(&edit->before, &after, today, error);
    if (good) {
        changes = diff_images(&edit->before, &after, error);
        good = changes != NULL;
    }
    const bool keep = good && !dry && json_array_size(changes) > 0;
    if (good && sqlite3_exec(edit->database, keep ? sql_edit_commit : sql_edit_rollback, NULL, NULL,
                             NULL) != SQLITE_OK) {
        good = database_error(edit->database, "cannot write the catalogue", error);
    }
    if (!good) {
        json_decref(changes);
        changes = NULL;
    }
    image_free(&after);
    return changes;
}

static void add_quoted(struct buf *out, const char *text) {
    buf_add_char(out, '\'');
    for (; *text != '\0'; text++) {
        buf_add_text(out, *text == '\'' ? "''" : (char[]){*text, '\0'});
    }
    buf_add_char(out, '\'');
}

bool edit_source_line(const char *source, const json_t *columns, struct buf *out) {
    const char *name = NULL;
    json_t *value = NULL;
    const char *before = sql_source_set;
    json_object_foreach((json_t *)columns, name, value) {
        buf_add_format(out, "%s%s = ", before, name);
        add_quoted(out, json_string_value(value));
        before = ", ";
    }
    if (json_object_size(columns) > 0) {
        buf_add_text(out, sql_source_where);
        add_quoted(out, source);
        buf_add_text(out, ";\n");
    }
    return !out->failed;
}
