/* import measurements: CSV (RFC 4180) row by row. */
#include "buf.h"
#include "import.h"
#include "limit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9, SOURCE = FIELDS - 1, COLUMNS_MAXIMUM = 64 };

/* The columns, in the order of the statement. */
static const char *const names[FIELDS] = {
    "provider", "mode", "day", "runs", "median_ms", "p95_ms", "p99_ms", "success_rate", "source"};

struct reader {
    char *at;      /* text is cut up in place */
    size_t line;   /* of the row that is read next */
    size_t number; /* of the row that was read last */
};

/* Cuts off the next field. Sets *out_last where the row ends with it. */
static char *next_field(struct reader *reader, bool *out_last) {
    char *field = reader->at;
    char *end = field;
    char *from = field;
    if (*from == '"') {
        from++;
        while (*from != '\0' && (*from != '"' || from[1] == '"')) {
            reader->line += *from == '\n';
            from += *from == '"';
            *end++ = *from++;
        }
        if (*from != '"') {
            return NULL;
        }
        from++;
    } else {
        size_t length = strcspn(from, ",\r\n\"");
        end = from + length;
        from = end;
    }
    const char stop = *from;
    if (stop != ',' && stop != '\r' && stop != '\n' && stop != '\0') {
        return NULL;
    }
    from += stop == '\0' ? 0 : stop == '\r' && from[1] == '\n' ? 2 : 1;
    *end = '\0';
    *out_last = stop != ',';
    reader->line += *out_last;
    reader->at = from;
    return field;
}

/* Cuts up the next row. */
static bool next_row(struct reader *reader, char *fields[COLUMNS_MAXIMUM], size_t *out_count,
                     struct error *error) {
    bool last = false;
    reader->number = reader->line;
    *out_count = 0;
    while (!last) {
        char *field = *out_count < COLUMNS_MAXIMUM ? next_field(reader, &last) : NULL;
        if (field == NULL) {
            return error_set(error, ERROR_INVALID, "line %zu is not CSV", reader->number);
        }
        fields[(*out_count)++] = field;
    }
    return true;
}

/* Where each column of the statement is in the file. */
static bool read_head(struct reader *reader, const char *source, size_t places[FIELDS],
                      size_t *out_count, struct error *error) {
    char *fields[COLUMNS_MAXIMUM];
    if (!next_row(reader, fields, out_count, error)) {
        return false;
    }
    for (size_t i = 0; i < FIELDS; i++) {
        places[i] = COLUMNS_MAXIMUM;
        for (size_t k = 0; k < *out_count; k++) {
            if (strcmp(fields[k], names[i]) == 0) {
                places[i] = k;
            }
        }
        if (places[i] == COLUMNS_MAXIMUM && (i != SOURCE || source == NULL)) {
            return error_set(error, ERROR_INVALID, "line 1 names no column \"%s\"%s", names[i],
                             i == SOURCE ? " (or give --source)" : "");
        }
    }
    return true;
}

static bool put_row(struct edit *edit, char *const *fields, const size_t places[FIELDS],
                    const char *source, size_t line, struct error *error) {
    const char *texts[FIELDS];
    for (size_t i = 0; i < FIELDS; i++) {
        texts[i] = places[i] == COLUMNS_MAXIMUM ? source : fields[places[i]];
        if (texts[i][0] == '\0') {
            texts[i] = NULL;
        }
    }
    struct error inner;
    return edit_run(edit, EDIT_MEASUREMENT_PUT, texts, FIELDS, NULL, NULL, &inner) ||
           error_set(error, inner.kind, "line %zu: %s", line, inner.message);
}

static size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

bool import_measurements(struct edit *edit, const char *text, const char *source,
                         import_progress *progress, struct error *error) {
    static const char mark[] = "\xef\xbb\xbf";
    char *copy = strdup(text);
    const bool marked = copy != NULL && strncmp(copy, mark, strlen(mark)) == 0;
    struct reader reader = {.at = copy == NULL ? NULL : copy + (marked ? strlen(mark) : 0),
                            .line = 1};
    size_t places[FIELDS];
    size_t columns = 0;
    const size_t lines = count_lines(text);
    bool good =
        copy == NULL ? error_no_memory(error) : read_head(&reader, source, places, &columns, error);
    while (good && *reader.at != '\0') {
        char *fields[COLUMNS_MAXIMUM];
        size_t count = 0;
        good = next_row(&reader, fields, &count, error);
        if (good && count != columns && (count > 1 || fields[0][0] != '\0')) {
            good = error_set(error, ERROR_INVALID, "line %zu has %zu fields, and the head %zu",
                             reader.number, count, columns);
        } else if (good && count == columns) {
            good = put_row(edit, fields, places, source, reader.number, error);
        }
        enum { STEP = 100 };
        if (good && (reader.line % STEP == 0 || *reader.at == '\0')) {
            progress(*reader.at == '\0' ? lines : reader.line, lines);
        }
    }
    free(copy);
    return good;
}
