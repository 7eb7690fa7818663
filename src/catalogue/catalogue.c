/* One thread's connection: the prepared statements, and rows as JSON objects. */
#include "database.h"
#include "rows.h"
#include "statements.h"
#include "text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct catalogue {
    struct generation *generation; /* NULL while the generation is being made */
    bool is_lent;                  /* database and statements belong to another catalogue */
    sqlite3 *database;
    sqlite3_stmt **statements; /* STATEMENT__COUNT of them; NULL: not prepared yet */
};

/* NULL: it cannot be prepared. */
static sqlite3_stmt *statement_of(const struct catalogue *catalogue, enum statement id,
                                  struct error *error) {
    const struct statement_text *text = &statement_texts[id];
    const char *rest = NULL;
    sqlite3_stmt **statement = &catalogue->statements[id];
    if (*statement != NULL) {
        return *statement;
    }
    if (sqlite3_prepare_v3(catalogue->database, text->sql, -1, SQLITE_PREPARE_PERSISTENT, statement,
                           &rest) != SQLITE_OK) {
        (void)database_error(catalogue->database, "the catalogue lacks a table or column", error);
        return NULL;
    }
    if (*rest != '\0' || !sqlite3_stmt_readonly(*statement) ||
        sqlite3_bind_parameter_count(*statement) != text->parameter_count) {
        (void)error_set(error, ERROR_INTERNAL,
                        "statement %d is not one reading statement with %d parameters", (int)id,
                        text->parameter_count);
        database_finalize(statement);
    }
    return *statement;
}

bool catalogue_prepare(struct catalogue *catalogue, struct error *error) {
    for (int i = 0; i < STATEMENT__COUNT; i++) {
        if (statement_of(catalogue, (enum statement)i, error) == NULL) {
            return false;
        }
    }
    return true;
}

bool catalogue_open_image(const struct image *image, const char *past,
                          struct catalogue **out_catalogue, struct error *error) {
    struct catalogue *catalogue = calloc(1, sizeof(struct catalogue));
    if (catalogue == NULL) {
        return error_no_memory(error);
    }
    catalogue->statements = calloc(STATEMENT__COUNT, sizeof(sqlite3_stmt *));
    if (catalogue->statements == NULL) {
        catalogue_close(catalogue);
        return error_no_memory(error);
    }
    if (!database_open_image(image, past, &catalogue->database, error) ||
        !database_check_version(catalogue->database, "the catalogue", error)) {
        catalogue_close(catalogue);
        return false;
    }
    *out_catalogue = catalogue;
    return true;
}

struct catalogue *catalogue_open(struct generation *generation, struct error *error) {
    struct catalogue *catalogue = NULL;
    if (!catalogue_open_image(generation_image(generation), generation_past(generation), &catalogue,
                              error)) {
        return NULL;
    }
    catalogue->generation = generation_retain(generation);
    if (!database_map(catalogue->database, error)) {
        catalogue_close(catalogue);
        return NULL;
    }
    return catalogue;
}

void catalogue_close(struct catalogue *catalogue) {
    if (catalogue == NULL) {
        return;
    }
    for (int i = 0; !catalogue->is_lent && catalogue->statements != NULL && i < STATEMENT__COUNT;
         i++) {
        sqlite3_finalize(catalogue->statements[i]);
    }
    if (!catalogue->is_lent) {
        free(catalogue->statements);
        database_close(&catalogue->database);
    }
    generation_release(catalogue->generation);
    free(catalogue);
}

struct catalogue *catalogue_at(const struct catalogue *now, int64_t day, struct error *error) {
    struct catalogue *catalogue = calloc(1, sizeof(struct catalogue));
    if (catalogue == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    *catalogue = *now;
    catalogue->is_lent = true;
    catalogue->generation = generation_at(now->generation, day, error);
    if (catalogue->generation == NULL) {
        free(catalogue);
        return NULL;
    }
    return catalogue;
}

const struct generation *catalogue_generation(const struct catalogue *catalogue) {
    return catalogue->generation;
}

sqlite3 *catalogue_database(struct catalogue *catalogue) {
    return catalogue->database;
}

const char *row_text(sqlite3_stmt *row, int column) {
    return (const char *)sqlite3_column_text(row, column);
}

static bool bind_all(sqlite3_stmt *statement, const struct binding *bindings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct binding *binding = &bindings[i];
        int position = (int)i + 1;
        int code = binding->type == BINDING_INTEGER
                       ? sqlite3_bind_int64(statement, position, binding->integer)
                   : binding->text == NULL
                       ? sqlite3_bind_null(statement, position)
                       : sqlite3_bind_text(statement, position, binding->text, -1, SQLITE_STATIC);
        if (code != SQLITE_OK) {
            return false;
        }
    }
    return true;
}

bool rows_each(struct catalogue *catalogue, enum statement id, const struct binding *bindings,
               size_t binding_count, row_function *function, void *context, struct error *error) {
    sqlite3_stmt *statement = statement_of(catalogue, id, error);
    if (statement == NULL) {
        return false;
    }
    bool good = bind_all(statement, bindings, binding_count);
    int code = SQLITE_ROW;
    if (!good) {
        (void)database_error(catalogue->database, "cannot ask the catalogue", error);
    }
    while (good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        good = function(context, statement, error);
    }
    if (good && code != SQLITE_DONE) {
        good = database_error(catalogue->database, "cannot read the catalogue", error);
    }
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return good;
}

/* A column's value by its type and by the suffix of its name (see catalogue_rows). NULL: not
 * valid, or errno is ENOMEM. */
static json_t *column_value(sqlite3_stmt *row, int column, const char *suffix) {
    int type = sqlite3_column_type(row, column);
    if (type == SQLITE_NULL) {
        return json_null();
    }
    if (strcmp(suffix, ":json") == 0) {
        const char *text = row_text(row, column);
        return text == NULL ? NULL : json_loads(text, JSON_DECODE_ANY, NULL);
    }
    if (strcmp(suffix, ":bool") == 0) {
        return json_boolean(sqlite3_column_int(row, column) != 0);
    }
    if (type == SQLITE_INTEGER) {
        return json_integer(sqlite3_column_int64(row, column));
    }
    if (type == SQLITE_FLOAT) {
        return json_real(sqlite3_column_double(row, column));
    }
    const char *text = row_text(row, column);
    return text == NULL ? NULL : json_stringn(text, (size_t)sqlite3_column_bytes(row, column));
}

bool row_fault(struct error *error, const char *words) {
    return errno == ENOMEM ? error_no_memory(error) : error_set(error, ERROR_CORRUPT, "%s", words);
}

static bool add_row(void *context, sqlite3_stmt *row, struct error *error) {
    errno = 0;
    json_t *object = json_object();
    int count = sqlite3_column_count(row);
    for (int column = 0; object != NULL && column < count; column++) {
        const char *name = sqlite3_column_name(row, column);
        const char *suffix = name == NULL ? NULL : strchrnul(name, ':');
        if (name == NULL || json_object_setn_new(object, name, (size_t)(suffix - name),
                                                 column_value(row, column, suffix)) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    if (json_array_append_new(context, object) != 0) {
        return row_fault(error, "a row of the catalogue is not valid text or JSON");
    }
    return true;
}

json_t *catalogue_rows(struct catalogue *catalogue, enum statement statement,
                       const struct binding *bindings, size_t binding_count, struct error *error) {
    json_t *rows = json_array();
    if (rows == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    if (!rows_each(catalogue, statement, bindings, binding_count, add_row, rows, error)) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}

json_t *catalogue_row(struct catalogue *catalogue, enum statement statement,
                      const struct binding *bindings, size_t binding_count, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, statement, bindings, binding_count, error);
    if (rows == NULL) {
        return NULL;
    }
    json_t *row = json_incref(json_array_get(rows, 0));
    json_decref(rows);
    if (row == NULL) {
        (void)error_set(error, ERROR_NOT_FOUND, "there is no such entry in the catalogue");
    }
    return row;
}
