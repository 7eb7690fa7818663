/* Going back: a copy of the image that may be changed, the journal undone in it, what is later than
 * the day taken out, and the whole made anew from its canonical text. */
#include "as_of.h"
#include "builtin.h"
#include "database.h"
#include "dump.h"
#include "generation.h"
#include "limit.h"
#include "rows.h"
#include "statements.h"
#include "text.h"
#include <string.h>

static bool take_day(void *context, sqlite3_stmt *row, struct error *error) {
    const char *day = row_text(row, 0);
    return day == NULL || text_day(day, context) ||
           error_set(error, ERROR_CORRUPT, "the first day of the catalogue is not a day: %s", day);
}

bool as_of_first_day(struct catalogue *catalogue, int64_t *out_day, struct error *error) {
    *out_day = generation_today(catalogue_generation(catalogue));
    return rows_each(catalogue, STATEMENT_FIRST_DAY, NULL, 0, take_day, out_day, error);
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
    if (good && sqlite3_exec(database, sql_edit_commit, NULL, NULL, NULL) != SQLITE_OK) {
        good = database_error(database, "cannot go back to an earlier day", error);
    }
    return good && database_image(database, out_image, error);
}

/* Makes an image anew from its canonical text, as build does. */
static bool make_canonical(const struct image *image, struct image *out_image,
                           struct error *error) {
    struct buf seed;
    buf_init(&seed, LIMIT_CATALOGUE_BYTES);
    bool good =
        dump_image(image, NULL, NULL, &seed, error) &&
        image_build((const char *)builtin_schema()->bytes, seed.data, NULL, out_image, error);
    buf_free(&seed);
    return good;
}

bool as_of_image(const struct image *present, int64_t day, struct image *out_image,
                 struct error *error) {
    char text[TEXT_DATE_BYTES];
    struct image past = {0};
    text_iso_date(day, text);
    bool good = go_back(present, text, &past, error) && make_canonical(&past, out_image, error);
    image_free(&past);
    return good;
}

struct generation *as_of_create(const struct generation *present, int64_t day,
                                struct error *error) {
    struct image image = {0};
    return as_of_image(generation_image(present), day, &image, error)
               ? generation_create_derived(&image, day, error)
               : NULL;
}
