/* Going back: a copy of the image that may be changed, the journal undone in it, what is later than
 * the day taken out, and the whole made anew from its canonical text. */
#include "as_of.h"
#include "as_of_prose.h"
#include "database.h"
#include "dump.h"
#include "limit.h"
#include "rows.h"
#include "seal.h"
#include "statements.h"
#include "text.h"
#include <string.h>

static bool take_day(void *context, sqlite3_stmt *row, struct error *error) {
    struct buf *days = context;
    const char *text = row_text(row, 0);
    int64_t day = 0;
    /* The day of an event may be a month or a year. */
    return !text_day(text == NULL ? "" : text, &day) || buf_add(days, &day, sizeof(day)) ||
           error_no_memory(error);
}

bool as_of_days(struct catalogue *catalogue, int64_t **out_days, size_t *out_count,
                struct error *error) {
    struct buf days;
    buf_init(&days, LIMIT_CATALOGUE_BYTES);
    int64_t today = generation_today(catalogue_generation(catalogue));
    if (!rows_each(catalogue, STATEMENT_DAYS, NULL, 0, take_day, &days, error)) {
        buf_free(&days);
        return false;
    }
    if (days.length == 0) {
        (void)buf_add(&days, &today, sizeof(today));
    }
    size_t count = days.length / sizeof(today);
    /* A buffer is aligned as malloc aligns. */
    void *taken = buf_take(&days);
    if (taken == NULL) {
        return error_no_memory(error);
    }
    *out_days = taken;
    *out_count = count;
    return true;
}

int64_t as_of_last(const int64_t *days, size_t count, int64_t day) {
    int64_t last = days[0];
    for (size_t i = 0; i < count && days[i] <= day; i++) {
        last = days[i];
    }
    return last;
}

/* Runs a statement with texts for those of its parameters that it has. */
static bool run(sqlite3 *database, const char *sql, const char *one, const char *two,
                struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    const char *const texts[] = {one, two};
    bool good = sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK;
    int count = good ? sqlite3_bind_parameter_count(statement) : 0;
    for (int i = 0; good && i < count && i < (int)ARRAY_LENGTH(texts); i++) {
        good = sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC) == SQLITE_OK;
    }
    return (good && sqlite3_step(statement) == SQLITE_DONE) ||
           database_error(database, "cannot go back to an earlier day", error);
}

/* Undoes one row of the journal (the columns of sql_journal_undo). */
static bool undo_row(sqlite3 *database, sqlite3_stmt *row, struct error *error) {
    enum { KEY, BEFORE, UNDO };
    const char *undo = row_text(row, UNDO);
    if (undo == NULL) {
        return error_set(error, ERROR_CORRUPT, "the journal of the catalogue names no row");
    }
    return run(database, undo, row_text(row, KEY), row_text(row, BEFORE), error);
}

static bool undo(sqlite3 *database, const char *day, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql_journal_undo, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, day, -1, SQLITE_STATIC) != SQLITE_OK) {
        return database_error(database, "cannot read the journal", error);
    }
    int code = SQLITE_ROW;
    bool good = true;
    while (good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        good = undo_row(database, statement, error);
    }
    return good &&
           (code == SQLITE_DONE || database_error(database, "cannot read the journal", error));
}

static bool go_back(const struct image *image, const char *day, struct image *out_image,
                    struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    if (!database_open_copy(image, &database, error)) {
        return false;
    }
    if (sqlite3_exec(database, sql_go_back_begin, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot go back to an earlier day", error);
    }
    bool good = undo(database, day, error);
    for (size_t i = 0; good && sql_go_back[i] != NULL; i++) {
        good = run(database, sql_go_back[i], day, NULL, error);
    }
    good = good && as_of_forget_prose(database, error);
    if (good && sqlite3_exec(database, sql_edit_commit, NULL, NULL, NULL) != SQLITE_OK) {
        good = database_error(database, "cannot go back to an earlier day", error);
    }
    return good && database_image(database, out_image, error);
}

bool as_of_image(const struct image *present, int64_t day, struct image *out_image,
                 struct error *error) {
    char text[TEXT_DATE_BYTES];
    struct image past = {0};
    text_iso_date(day, text);
    bool good = go_back(present, text, &past, error) && dump_rebuild(&past, out_image, error);
    image_free(&past);
    if (good) {
        seal_image(out_image);
    }
    return good;
}

struct generation *as_of_create(const struct generation *present, int64_t last, int64_t day,
                                struct error *error) {
    struct image image = {0};
    return as_of_image(generation_image(present), last, &image, error)
               ? generation_create(&image, day, error)
               : NULL;
}
