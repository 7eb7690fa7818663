/* /data/measurements.json and .csv: every measured day. */
#include "data_file.h"
#include "handlers.h"

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

bool handle_measurements_csv(const struct call *call, struct reply *reply, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_MEASUREMENTS, NULL, 0, error);
    return rows != NULL &&
           data_reply_csv(reply, data_file_at("/data/measurements.csv")->columns, rows, error);
}
