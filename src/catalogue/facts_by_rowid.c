/* The facts with certain rowids, as objects, straight from their rows. */
#include "facts_private.h"
#include "rows.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROWID_KEY_BYTES = 24 };

/* The rowid in decimal; none is negative. */
static const char *rowid_key(int64_t rowid, char bytes[ROWID_KEY_BYTES]) {
    enum { BASE = 10 };
    char *at = bytes + ROWID_KEY_BYTES - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + rowid % BASE);
        rowid /= BASE;
    } while (rowid > 0);
    return at;
}

static int compare_rowids(const void *left, const void *right) {
    const int64_t *one = left;
    const int64_t *other = right;
    return *one < *other ? -1 : *one > *other;
}

/* The rowids as a JSON array in text, for json_each: each once, ascending, as they lie in the
 * table. NULL: out of memory. */
static char *rowids_text(const int64_t *rowids, size_t count) {
    int64_t *sorted = malloc((count + 1) * sizeof(*sorted));
    char key[ROWID_KEY_BYTES];
    struct buf text;
    buf_init(&text, (count + 1) * ROWID_KEY_BYTES);
    buf_add_char(&text, '[');
    if (sorted != NULL && count > 0) {
        memcpy(sorted, rowids, count * sizeof(*sorted));
        qsort(sorted, count, sizeof(*sorted), compare_rowids);
    }
    for (size_t i = 0; sorted != NULL && i < count; i++) {
        if (sorted[i] != 0 && (i == 0 || sorted[i] != sorted[i - 1])) {
            buf_add_text(&text, text.length == 1 ? "" : ",");
            buf_add_text(&text, rowid_key(sorted[i], key));
        }
    }
    text.failed = text.failed || sorted == NULL;
    buf_add_char(&text, ']');
    free(sorted);
    return buf_take(&text);
}

/* Columns of STATEMENT_FACTS_BY_ROWID. */
enum {
    COLUMN_ROWID,
    COLUMN_PROVIDER,
    COLUMN_OFFERING,
    COLUMN_ATTRIBUTE,
    COLUMN_STATE,
    COLUMN_VALUE,
    COLUMN_DETAIL,
    COLUMN_NOTE,
    COLUMN_BASIS,
    COLUMN_CHECKED_ON,
    COLUMN_VALID_FROM,
    COLUMN_SOURCE
};

/* Facts in the making. */
struct collection {
    const struct generation *generation;
    struct fact_texts texts;
    json_t *facts;   /* by rowid */
    json_t *sources; /* by id: facts of one source share its object */
};

/* The source of a row; new reference. NULL: out of memory. */
static json_t *source_of(struct collection *collection, sqlite3_stmt *row) {
    static const char *const keys[] = {"id",   "url",       "title",       "publisher",
                                       "kind", "copy_date", "accessed_on", "verified_on"};
    const char *id = row_text(row, COLUMN_SOURCE);
    json_t *source = id == NULL ? json_null() : json_object_get(collection->sources, id);
    if (source != NULL) {
        return json_incref(source);
    }
    source = json_object();
    bool good = source != NULL;
    for (size_t i = 0; good && i < ARRAY_LENGTH(keys); i++) {
        const char *text = row_text(row, COLUMN_SOURCE + (int)i);
        good = json_object_set_new(source, keys[i],
                                   text == NULL ? json_null() : json_string(text)) == 0;
    }
    if (!good || json_object_set(collection->sources, id, source) != 0) {
        json_decref(source);
        return NULL;
    }
    return source;
}

static bool add_fact(void *context, sqlite3_stmt *row, struct error *error) {
    struct collection *collection = context;
    errno = 0;
    const char *text = row_text(row, COLUMN_VALUE);
    const struct fact_parts parts = {
        .provider = row_text(row, COLUMN_PROVIDER),
        .offering = row_text(row, COLUMN_OFFERING),
        .attribute = row_text(row, COLUMN_ATTRIBUTE),
        .state = row_text(row, COLUMN_STATE),
        .detail = row_text(row, COLUMN_DETAIL),
        .note = row_text(row, COLUMN_NOTE),
        .basis = row_text(row, COLUMN_BASIS),
        .checked_on = row_text(row, COLUMN_CHECKED_ON),
        .valid_from = row_text(row, COLUMN_VALID_FROM),
        .value = text == NULL ? json_null() : json_loads(text, JSON_DECODE_ANY, NULL),
        .source = source_of(collection, row)};
    json_t *fact = parts.value == NULL || parts.source == NULL
                       ? NULL
                       : fact_of_parts(collection->generation, &parts, &collection->texts);
    char bytes[ROWID_KEY_BYTES];
    const char *key = rowid_key(sqlite3_column_int64(row, COLUMN_ROWID), bytes);
    bool good = json_object_set_new_nocheck(collection->facts, key, fact) == 0;
    json_decref(parts.value);
    json_decref(parts.source);
    return good || row_fault(error, "a fact of the catalogue cannot be shown");
}

json_t *facts_by_rowid(struct catalogue *catalogue, const int64_t *rowids, size_t count,
                       struct error *error) {
    struct collection collection = {.generation = catalogue_generation(catalogue),
                                    .facts = json_object(),
                                    .sources = json_object()};
    char *text = rowids_text(rowids, count);
    bool good = (text != NULL && collection.facts != NULL && collection.sources != NULL) ||
                error_no_memory(error);
    good = good && rows_each(catalogue, STATEMENT_FACTS_BY_ROWID, &BIND_TEXT(text), 1, add_fact,
                             &collection, error);
    free(text);
    fact_texts_free(&collection.texts);
    json_decref(collection.sources);
    if (!good) {
        json_decref(collection.facts);
        return NULL;
    }
    return collection.facts;
}

json_t *facts_by_collected(struct catalogue *catalogue, const struct buf *rowids,
                           struct error *error) {
    size_t count = rowids->length / sizeof(int64_t);
    int64_t *copy = malloc(rowids->length + sizeof(int64_t));
    if (copy == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    if (count > 0) {
        memcpy(copy, rowids->data, count * sizeof(int64_t));
    }
    json_t *facts = facts_by_rowid(catalogue, copy, count, error);
    free(copy);
    return facts;
}

json_t *fact_of_slot(const json_t *facts, const struct index_attribute *attribute, size_t slot) {
    char bytes[ROWID_KEY_BYTES];
    json_t *fact = json_object_get(facts, rowid_key(attribute->facts[slot], bytes));
    return fact == NULL ? fact_missing(attribute) : json_incref(fact);
}
