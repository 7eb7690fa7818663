#include "buf.h"
#include "compare_data.h"
#include "csv.h"
#include "data_file.h"
#include "limit.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The address of a fact's source; of a private one it says so. */
static void add_source(struct csv *csv, const json_t *source) {
    const char *kind = string_of(source, "kind");
    const char *url = string_of(source, "url");
    struct buf marked;
    buf_init(&marked, LIMIT_ANSWER_BYTES);
    if (kind != NULL && strcmp(kind, "private") == 0) {
        buf_add_format(&marked, "private: %s", url);
        url = marked.data;
    }
    csv_add_field(csv, url);
    csv->out->failed = csv->out->failed || marked.failed;
    buf_free(&marked);
}

static void add_fact(struct csv *csv, const json_t *fact) {
    data_add_fact_value(csv, fact);
    csv_add_field(csv, string_of(fact, "state"));
    add_source(csv, json_object_get(fact, "source"));
    csv_add_field(csv, string_of(fact, "checked_on"));
}

static void add_head(struct csv *csv, const json_t *columns) {
    static const char *const fixed[] = {"result",   "provider",      "provider_name",
                                        "offering", "offering_name", "stage"};
    static const char *const suffixes[] = {"", "_state", "_source", "_checked_on"};
    for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++) {
        csv_add_field(csv, fixed[i]);
    }
    size_t i = 0;
    json_t *column = NULL;
    json_array_foreach(columns, i, column) {
        for (size_t j = 0; j < ARRAY_LENGTH(suffixes); j++) {
            struct buf name;
            buf_init(&name, LIMIT_TARGET_BYTES);
            buf_add_format(&name, "%s%s", string_of(column, "key"), suffixes[j]);
            csv_add_field(csv, name.data);
            csv->out->failed = csv->out->failed || name.failed;
            buf_free(&name);
        }
    }
    csv_end_row(csv);
}

static void add_rows(struct csv *csv, const json_t *comparison, const char *list,
                     const char *result) {
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(json_object_get(comparison, list), i, provider) {
        size_t j = 0;
        json_t *offering = NULL;
        json_array_foreach(json_object_get(provider, "offerings"), j, offering) {
            csv_add_field(csv, result);
            csv_add_field(csv, string_of(provider, "slug"));
            csv_add_field(csv, string_of(provider, "name"));
            csv_add_field(csv, string_of(offering, "slug"));
            csv_add_field(csv, string_of(offering, "name"));
            csv_add_field(csv, string_of(offering, "stage"));
            size_t k = 0;
            json_t *column = NULL;
            json_array_foreach(json_object_get(comparison, "columns"), k, column) {
                add_fact(csv, json_object_get(json_object_get(offering, "facts"),
                                              string_of(column, "key")));
            }
            csv_end_row(csv);
        }
    }
}

char *compare_csv(const json_t *comparison, struct error *error) {
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    struct csv csv = {.out = &out};
    add_head(&csv, json_object_get(comparison, "columns"));
    add_rows(&csv, comparison, "matches", "match");
    add_rows(&csv, comparison, "undecided", "undecided");
    char *text = buf_take(&out);
    if (text == NULL) {
        (void)error_no_memory(error);
    }
    return text;
}
