#include "database.h"
#include "statements.h"
#include <string.h>

bool database_error(sqlite3 *database, const char *doing, struct error *error) {
    int code = sqlite3_errcode(database) & 0xff;
    enum error_kind kind = ERROR_INTERNAL;
    if (code == SQLITE_NOMEM) {
        kind = ERROR_NO_MEMORY;
    } else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_CONSTRAINT) {
        kind = ERROR_CORRUPT;
    } else if (code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_BUSY ||
               code == SQLITE_PERM) {
        kind = ERROR_IO;
    }
    return error_set(error, kind, "%s: %s", doing, sqlite3_errmsg(database));
}

void database_close(sqlite3 **database) {
    sqlite3_close(*database);
    *database = NULL;
}

void database_finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
    *statement = NULL;
}

static bool harden(sqlite3 *database) {
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) == SQLITE_OK &&
           sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) == SQLITE_OK &&
           sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL) == SQLITE_OK &&
           sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL) == SQLITE_OK &&
           sqlite3_exec(database, sql_memory, NULL, NULL, NULL) == SQLITE_OK;
}

/* Puts the views of a past day in front of the tables. */
static bool turn_back(sqlite3 *database, const char *day) {
    char *sql = sqlite3_mprintf(sql_past, day, day, day, day, day, day);
    bool good = sql != NULL && sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    return good;
}

bool database_open_image(const struct image *image, const char *past, sqlite3 **out_database,
                         struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(":memory:", &database, flags, NULL) != SQLITE_OK) {
        return database_error(database, "cannot open the catalogue image", error);
    }
    sqlite3_int64 length = (sqlite3_int64)image->length;
    if (sqlite3_deserialize(database, "main", image->bytes, length, length,
                            SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        return database_error(database, "cannot use the catalogue image", error);
    }
    if (!harden(database) || (past != NULL && !turn_back(database, past)) ||
        sqlite3_exec(database, sql_freeze, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot secure the catalogue image", error);
    }
    *out_database = database;
    database = NULL;
    return true;
}

bool database_open_copy(const struct image *image, sqlite3 **out_database, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(":memory:", &database, flags, NULL) != SQLITE_OK) {
        return database_error(database, "cannot open the catalogue image", error);
    }
    sqlite3_int64 length = (sqlite3_int64)image->length;
    unsigned char *bytes = sqlite3_malloc64(image->length);
    if (bytes == NULL) {
        return error_no_memory(error);
    }
    memcpy(bytes, image->bytes, image->length);
    /* The connection owns the bytes, also where this fails. */
    if (sqlite3_deserialize(database, "main", bytes, length, length,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
            SQLITE_OK ||
        !harden(database)) {
        return database_error(database, "cannot use the catalogue image", error);
    }
    *out_database = database;
    database = NULL;
    return true;
}

bool database_map(sqlite3 *database, struct error *error) {
    return sqlite3_exec(database, sql_map, NULL, NULL, NULL) == SQLITE_OK ||
           database_error(database, "cannot map the catalogue image", error);
}

bool database_integer(sqlite3 *database, const char *sql, int64_t *out_integer,
                      struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return database_error(database, "cannot read the catalogue", error);
    }
    *out_integer = sqlite3_column_int64(statement, 0);
    return true;
}

bool database_check_version(sqlite3 *database, const char *name, struct error *error) {
    int64_t id = 0;
    int64_t version = 0;
    if (!database_integer(database, sql_application_id, &id, error) ||
        !database_integer(database, sql_user_version, &version, error)) {
        return false;
    }
    if (id != DATABASE_APPLICATION_ID) {
        return error_set(error, ERROR_UNSUPPORTED,
                         "%s is a database, but not a catalogue (application id %lld, not %d)",
                         name, (long long)id, DATABASE_APPLICATION_ID);
    }
    if (version < DATABASE_SCHEMA_VERSION) {
        return error_set(error, ERROR_UNSUPPORTED,
                         "%s has the older schema version %lld, this program reads version %d: "
                         "rebuild it from sql/schema.sql and "
                         "sql/seed.sql",
                         name, (long long)version, DATABASE_SCHEMA_VERSION);
    }
    if (version > DATABASE_SCHEMA_VERSION) {
        return error_set(error, ERROR_UNSUPPORTED,
                         "%s has the newer schema version %lld, this program reads version %d: use "
                         "a newer program",
                         name, (long long)version, DATABASE_SCHEMA_VERSION);
    }
    return true;
}
