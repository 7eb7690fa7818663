/* What differs between two catalogues, row by row. */
#include "dump.h"
#include "edit.h"
#include "limit.h"
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *row, const char *column) {
    return json_string_value(json_object_get(row, column));
}

static void add_part(struct buf *name, const json_t *value) {
    if (json_is_integer(value)) {
        buf_add_format(name, " %lld", (long long)json_integer_value(value));
    } else if (json_is_string(value)) {
        buf_add_format(name, " %s", json_string_value(value));
    }
}

/* "fact e2b/desktop gpu", "source e2b-docs"; NULL: a fact that is history. */
static char *row_name(const struct dump_table *table, const json_t *row) {
    struct buf name;
    buf_init(&name, LIMIT_FILE_BYTES);
    buf_add_text(&name, table->name);
    if (strcmp(table->name, "fact") == 0) {
        if (text_of(row, "valid_to") != NULL) {
            buf_free(&name);
            return NULL;
        }
        const char *offering = text_of(row, "offering");
        buf_add_format(&name, " %s%s%s %s", text_of(row, "provider"), offering == NULL ? "" : "/",
                       offering == NULL ? "" : offering, text_of(row, "attribute"));
        return buf_take(&name);
    }
    size_t left = table->key_count;
    const char *column = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)row, column, value) {
        if (left > 0) {
            left--;
            add_part(&name, value);
        }
    }
    return buf_take(&name);
}

/* Rows of a table by name, in canonical order. */
static json_t *named_rows(const struct image *image, const struct dump_table *table,
                          struct error *error) {
    json_t *rows = dump_rows(image, table, error);
    json_t *named = rows == NULL ? NULL : json_object();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        char *name = named == NULL ? NULL : row_name(table, row);
        if (name != NULL) {
            (void)json_object_set(named, name, row);
        }
        free(name);
    }
    json_decref(rows);
    if (rows != NULL && named == NULL) {
        (void)error_no_memory(error);
    }
    return named;
}

/* {column: [before, after]} of what differs; one side may be NULL. */
static json_t *columns_between(const json_t *before, const json_t *after) {
    json_t *columns = json_object();
    const char *column = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(before == NULL ? after : before), column, value) {
        json_t *old = json_object_get(before, column);
        json_t *new = json_object_get(after, column);
        if (old == NULL || new == NULL || !json_equal(old, new)) {
            (void)json_object_set_new(columns, column, json_pack("[O?, O?]", old, new));
        }
    }
    return columns;
}

static bool add_change(json_t *changes, const struct dump_table *table, const char *row,
                       const json_t *before, const json_t *after, struct error *error) {
    const char *change = before == NULL ? "added" : after == NULL ? "removed" : "changed";
    json_t *entry = json_pack("{s:s, s:s, s:s, s:o}", "table", table->name, "row", row, "change",
                              change, "columns", columns_between(before, after));
    return json_array_append_new(changes, entry) == 0 || error_no_memory(error);
}

static bool compare_table(const struct image *before, const struct image *after,
                          const struct dump_table *table, json_t *changes, struct error *error) {
    json_t *old = named_rows(before, table, error);
    json_t *new = old == NULL ? NULL : named_rows(after, table, error);
    bool good = new != NULL;
    const char *name = NULL;
    json_t *row = NULL;
    json_object_foreach(old, name, row) {
        json_t *other = json_object_get(new, name);
        if (good && (other == NULL || !json_equal(row, other))) {
            good = add_change(changes, table, name, row, other, error);
        }
    }
    json_object_foreach(new, name, row) {
        if (good && json_object_get(old, name) == NULL) {
            good = add_change(changes, table, name, NULL, row, error);
        }
    }
    json_decref(old);
    json_decref(new);
    return good;
}

json_t *diff_images(const struct image *before, const struct image *after, struct error *error) {
    json_t *changes = json_array();
    bool good = changes != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < DUMP_JOURNAL; i++) {
        /* The journal says how a catalogue came to be, and not what it says. */
        good = strcmp(dump_tables[i].name, "journal") == 0 ||
               compare_table(before, after, &dump_tables[i], changes, error);
    }
    if (!good) {
        json_decref(changes);
        changes = NULL;
    }
    return changes;
}
