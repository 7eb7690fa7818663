/* /data/providers.json and /data/providers/<slug>.json: everything about every provider. */
#include "data_file.h"
#include "handlers.h"
#include "provider_record.h"

static const char schema[] = "/data/providers.schema.json";

static bool fill_providers(struct catalogue *catalogue, json_t *model, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_PROVIDERS, NULL, 0, error);
    json_t *providers = json_array();
    bool good = rows != NULL && providers != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *record =
            good
                ? provider_record(catalogue, json_string_value(json_object_get(row, "slug")), error)
                : NULL;
        good = record != NULL && json_array_append_new(providers, record) == 0;
    }
    json_decref(rows);
    return json_object_set_new(model, "providers", providers) == 0 && good;
}

static bool fill_model(struct catalogue *catalogue, json_t *model, struct error *error) {
    json_t *counts = catalogue_row(catalogue, STATEMENT_COUNTS, NULL, 0, error);
    json_t *groups = catalogue_rows(catalogue, STATEMENT_GROUPS, NULL, 0, error);
    json_t *attributes = data_attributes(catalogue, error);
    bool good = json_object_set_new(model, "counts", counts) == 0;
    good = json_object_set_new(model, "attribute_groups", groups) == 0 && good;
    good = json_object_set_new(model, "attributes", attributes) == 0 && good;
    return good && fill_providers(catalogue, model, error);
}

bool handle_providers_json(const struct call *call, struct reply *reply, struct error *error) {
    if (data_is_too_large(call)) {
        return data_refuse_large(reply, error);
    }
    error->kind = ERROR_NONE;
    reply->model = data_head(catalogue_generation(call->catalogue), schema);
    if (reply->model != NULL && fill_model(call->catalogue, reply->model, error)) {
        return true;
    }
    return error->kind != ERROR_NONE ? false : error_no_memory(error);
}

bool handle_provider_json(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = data_head(catalogue_generation(call->catalogue), schema);
    json_t *record =
        reply->model == NULL ? NULL : provider_record(call->catalogue, call->captures[0], error);
    if (record == NULL) {
        return reply->model == NULL ? error_no_memory(error) : false;
    }
    return json_object_set_new(reply->model, "provider", record) == 0 || error_no_memory(error);
}
