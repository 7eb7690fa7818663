#include "check.h"
#include "database.h"
#include "rows.h"
#include "statements.h"
#include <string.h>

static bool check_integrity(sqlite3 *database, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql_integrity_check, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return database_error(database, "cannot check the catalogue", error);
    }
    const char *verdict = row_text(statement, 0);
    if (verdict == NULL || strcmp(verdict, "ok") != 0) {
        return error_set(error, ERROR_CORRUPT, "the catalogue is damaged: %s",
                         verdict == NULL ? "unreadable" : verdict);
    }
    return true;
}

static bool check_foreign_keys(sqlite3 *database, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql_foreign_key_check, -1, &statement, NULL) != SQLITE_OK) {
        return database_error(database, "cannot check the catalogue", error);
    }
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        return error_set(error, ERROR_CORRUPT,
                         "the catalogue has a row of table %s that refers to a missing row of %s",
                         row_text(statement, 0), row_text(statement, 2));
    }
    return code == SQLITE_DONE ? true
                               : database_error(database, "cannot check the catalogue", error);
}

bool check_catalogue(struct catalogue *catalogue, struct error *error) {
    sqlite3 *database = catalogue_database(catalogue);
    return database_check_version(database, "the catalogue", error) &&
           check_integrity(database, error) && check_foreign_keys(database, error);
}
