/* The canonical text of a catalogue. */
#include "dump.h"
#include "builtin.h"
#include "database.h"
#include "limit.h"
#include "rows.h"
#include "statements.h"
#include "text.h"
#include <string.h>

struct dumping {
    const struct dump_table *table;
    dump_body_function *is_file;
    void *context;
    struct buf *out;
};

static void add_quoted(struct buf *out, const char *text, size_t length) {
    buf_add_char(out, '\'');
    for (const char *quote = memchr(text, '\'', length); quote != NULL;
         quote = memchr(text, '\'', length)) {
        size_t part = (size_t)(quote - text) + 1;
        buf_add(out, text, part);
        buf_add_char(out, '\'');
        text += part;
        length -= part;
    }
    buf_add(out, text, length);
    buf_add_char(out, '\'');
}

/* No literal holds a line break: each one is written as a word that the text does not have. */
static void add_lines(struct buf *out, const char *text, size_t length) {
    char word[32] = "\\n";
    for (unsigned i = 1; memmem(text, length, word, strlen(word)) != NULL; i++) {
        (void)snprintf(word, sizeof(word), "\\n%u;", i);
    }
    struct buf flat;
    buf_init(&flat, LIMIT_CATALOGUE_BYTES);
    for (const char *end = memchr(text, '\n', length); end != NULL;
         end = memchr(text, '\n', length)) {
        buf_add(&flat, text, (size_t)(end - text));
        buf_add_text(&flat, word);
        length -= (size_t)(end - text) + 1;
        text = end + 1;
    }
    buf_add(&flat, text, length);
    buf_add_text(out, "replace(");
    add_quoted(out, flat.data == NULL ? "" : flat.data, flat.length);
    buf_add_format(out, ", '%s', char(10))", word);
    out->failed = out->failed || flat.failed;
    buf_free(&flat);
}

static void add_text(struct buf *out, const char *text, size_t length) {
    if (memchr(text, '\n', length) != NULL) {
        add_lines(out, text, length);
    } else {
        add_quoted(out, text, length);
    }
}

static void add_real(struct buf *out, double number) {
    size_t start = out->length;
    text_add_number(out, number);
    if (!out->failed && memchr(out->data + start, '.', out->length - start) == NULL) {
        buf_add_text(out, ".0");
    }
}

static bool add_body(struct dumping *dumping, sqlite3_stmt *row, const char *body, size_t length) {
    char name[256];
    int written = snprintf(name, sizeof(name), "%s%s.md", dumping->table->body, row_text(row, 0));
    if (dumping->is_file == NULL || written < 0 || (size_t)written >= sizeof(name) ||
        !dumping->is_file(dumping->context, name, body, length)) {
        return false;
    }
    buf_add_text(dumping->out, "CAST(readfile(");
    add_quoted(dumping->out, name, strlen(name));
    return buf_add_text(dumping->out, ") AS TEXT)");
}

static bool add_value(struct dumping *dumping, sqlite3_stmt *row, int column) {
    struct buf *out = dumping->out;
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return buf_add_text(out, "NULL");
    case SQLITE_INTEGER:
        return buf_add_format(out, "%lld", sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        add_real(out, sqlite3_column_double(row, column));
        return !out->failed;
    default:
        break;
    }
    const char *text = row_text(row, column);
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    if (text == NULL) {
        return false;
    }
    if (dumping->table->body != NULL && strcmp(sqlite3_column_name(row, column), "body") == 0 &&
        add_body(dumping, row, text, length)) {
        return true;
    }
    add_text(out, text, length);
    return !out->failed;
}

static bool add_row(struct dumping *dumping, sqlite3_stmt *row) {
    buf_add_format(dumping->out, "%s%s VALUES (", dump_insert, dumping->table->name);
    int count = sqlite3_column_count(row);
    for (int i = 0; i < count; i++) {
        buf_add_text(dumping->out, i == 0 ? "" : ", ");
        if (!add_value(dumping, row, i)) {
            return false;
        }
    }
    return buf_add_text(dumping->out, ");\n");
}

static bool add_table(struct dumping *dumping, sqlite3 *database, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, dumping->table->sql, -1, &statement, NULL) != SQLITE_OK) {
        return database_error(database, "cannot read the catalogue", error);
    }
    buf_add_format(dumping->out, "\n-- %s: ", dumping->table->name);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        buf_add_format(dumping->out, "%s%s", i == 0 ? "" : ", ", sqlite3_column_name(statement, i));
    }
    buf_add_char(dumping->out, '\n');
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!add_row(dumping, statement)) {
            return error_no_memory(error);
        }
    }
    return code == SQLITE_DONE || database_error(database, "cannot read the catalogue", error);
}

bool dump_image(const struct image *image, dump_body_function *is_file, void *context,
                struct buf *out, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    if (!database_open_image(image, NULL, &database, error)) {
        return false;
    }
    buf_add_text(out, dump_head);
    for (size_t i = 0; i < DUMP_TABLES; i++) {
        struct dumping dumping = {&dump_tables[i], is_file, context, out};
        if (!add_table(&dumping, database, error)) {
            return false;
        }
    }
    return buf_add_text(out, dump_tail) || error_no_memory(error);
}

bool dump_rebuild(const struct image *image, struct image *out_image, struct error *error) {
    struct buf seed;
    buf_init(&seed, LIMIT_CATALOGUE_BYTES);
    bool good =
        dump_image(image, NULL, NULL, &seed, error) &&
        image_build((const char *)builtin_schema()->bytes, seed.data, NULL, out_image, error);
    buf_free(&seed);
    return good;
}

static json_t *column_value(sqlite3_stmt *row, int column) {
    switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
        return json_null();
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(row, column));
    default:
        return json_stringn(row_text(row, column), (size_t)sqlite3_column_bytes(row, column));
    }
}

json_t *dump_rows(const struct image *image, const struct dump_table *table, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    json_t *rows = json_array();
    if (rows == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    bool good = database_open_image(image, NULL, &database, error);
    if (good && sqlite3_prepare_v2(database, table->sql, -1, &statement, NULL) != SQLITE_OK) {
        good = database_error(database, "cannot read the catalogue", error);
    }
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        json_t *object = json_object();
        for (int i = 0; object != NULL && i < sqlite3_column_count(statement); i++) {
            (void)json_object_set_new(object, sqlite3_column_name(statement, i),
                                      column_value(statement, i));
        }
        good = json_array_append_new(rows, object) == 0 || error_no_memory(error);
    }
    if (good && code != SQLITE_DONE) {
        good = database_error(database, "cannot read the catalogue", error);
    }
    if (!good) {
        json_decref(rows);
        rows = NULL;
    }
    return rows;
}
