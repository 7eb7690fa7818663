/* /data/measurements.json and .csv: every measured day. */
#include "csv.h"
#include "handlers.h"
#include "limit.h"
#include "text.h"

static const char *const columns[] = {"provider", "mode",   "day",          "runs",  "median_ms",
                                      "p95_ms",   "p99_ms", "success_rate", "source"};

bool handle_measurements_json(const struct call *call, struct reply *reply, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_MEASUREMENTS, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    reply->model =
        json_pack("{s:{s:s?, s:s?, s:s?}, s:s, s:s, s:I, s:o}", "source", "publisher",
                  generation_setting(generation, "measurements_publisher"), "url",
                  generation_setting(generation, "measurements_url"), "licence",
                  generation_setting(generation, "measurements_licence"), "last_reviewed",
                  generation_last_reviewed(generation), "generation", generation_id(generation),
                  "count", (json_int_t)json_array_size(rows), "measurements", rows);
    return reply->model != NULL || error_no_memory(error);
}

/* Text as it is, numbers in their shortest form, null as an empty field. */
static void add_value(struct csv *csv, const json_t *value) {
    enum { NUMBER_BYTES = 64 };
    if (!json_is_number(value)) {
        csv_add_field(csv, json_string_value(value));
        return;
    }
    struct buf number;
    buf_init(&number, NUMBER_BYTES);
    text_add_number(&number, json_number_value(value));
    csv_add_field(csv, number.data);
    csv->out->failed = csv->out->failed || number.failed;
    buf_free(&number);
}

bool handle_measurements_csv(const struct call *call, struct reply *reply, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_MEASUREMENTS, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    struct csv csv = {.out = &out};
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
        csv_add_field(&csv, columns[i]);
    }
    csv_end_row(&csv);
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        for (size_t j = 0; j < ARRAY_LENGTH(columns); j++) {
            add_value(&csv, json_object_get(row, columns[j]));
        }
        csv_end_row(&csv);
    }
    json_decref(rows);
    if (out.failed) {
        buf_free(&out);
        return error_no_memory(error);
    }
    reply->text = buf_take(&out);
    return true;
}
