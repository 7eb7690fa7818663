/* /data/sources.json and .csv, /data/attributes.json, /data/glossary.json. */
#include "data_file.h"
#include "facts.h"
#include "handlers.h"

json_t *data_head(const struct generation *generation, const char *schema) {
    const char *licence = generation_setting(generation, "data_licence");
    const char *licence_url = generation_setting(generation, "data_licence_url");
    return json_pack("{s:s, s:{s:s?, s:s?}, s:s, s:s}", "schema", schema, "licence", "id", licence,
                     "url", licence_url, "last_reviewed", generation_last_reviewed(generation),
                     "generation", generation_id(generation));
}

/* Makes reply the head, count and rows. Takes over rows; NULL is a failure that error tells. */
static bool reply_rows(const struct call *call, struct reply *reply, const char *schema,
                       const char *name, json_t *rows, struct error *error) {
    if (rows == NULL) {
        return false;
    }
    reply->model = data_head(catalogue_generation(call->catalogue), schema);
    json_int_t count = (json_int_t)json_array_size(rows);
    bool good = json_object_set_new(reply->model, "count", json_integer(count)) == 0;
    good = json_object_set_new(reply->model, name, rows) == 0 && good;
    return good || error_no_memory(error);
}

bool handle_sources_json(const struct call *call, struct reply *reply, struct error *error) {
    return reply_rows(call, reply, "/data/sources.schema.json", "sources",
                      catalogue_rows(call->catalogue, STATEMENT_SOURCES, NULL, 0, error), error);
}

bool handle_sources_csv(const struct call *call, struct reply *reply, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_SOURCES, NULL, 0, error);
    return rows != NULL &&
           data_reply_csv(reply, data_file_at("/data/sources.csv")->columns, rows, error);
}

json_t *data_attributes(struct catalogue *catalogue, struct error *error) {
    json_t *attributes = catalogue_rows(catalogue, STATEMENT_ATTRIBUTES, NULL, 0, error);
    json_t *values = attributes == NULL
                         ? NULL
                         : catalogue_rows(catalogue, STATEMENT_ATTRIBUTE_VALUES, NULL, 0, error);
    bool good = values != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(attributes, i, row) {
        good = good && json_object_set_new(row, "values", json_array()) == 0;
        size_t j = 0;
        json_t *value = NULL;
        json_array_foreach(values, j, value) {
            if (good &&
                json_equal(json_object_get(row, "key"), json_object_get(value, "attribute"))) {
                good = json_array_append_new(json_object_get(row, "values"),
                                             json_pack("{s:O, s:O}", "value",
                                                       json_object_get(value, "value"), "label",
                                                       json_object_get(value, "label"))) == 0;
            }
        }
    }
    bool had_values = values != NULL;
    json_decref(values);
    if (!good) {
        json_decref(attributes);
        if (had_values) {
            (void)error_no_memory(error);
        }
        return NULL;
    }
    return attributes;
}

bool handle_attributes_json(const struct call *call, struct reply *reply, struct error *error) {
    json_t *groups = catalogue_rows(call->catalogue, STATEMENT_GROUPS, NULL, 0, error);
    if (groups == NULL || !reply_rows(call, reply, "/data/attributes.schema.json", "attributes",
                                      data_attributes(call->catalogue, error), error)) {
        json_decref(groups);
        return false;
    }
    return json_object_set_new(reply->model, "attribute_groups", groups) == 0 ||
           error_no_memory(error);
}

/* The statements of a term, each with its source. */
static json_t *statements_of(struct catalogue *catalogue, const char *slug, struct error *error) {
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_TERM_FACTS, error, BIND_TEXT(slug));
    json_t *list = rows == NULL ? NULL : json_array();
    bool good = list != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        good = good && json_array_append_new(list, json_pack("{s:O, s:o}", "text",
                                                             json_object_get(row, "text"), "source",
                                                             facts_source(row))) == 0;
    }
    bool had_rows = rows != NULL;
    json_decref(rows);
    if (!good) {
        json_decref(list);
        if (had_rows) {
            (void)error_no_memory(error);
        }
        return NULL;
    }
    return list;
}

/* A term without its prose, which the pages and their Markdown have. */
static json_t *term_of(struct catalogue *catalogue, const char *slug, struct error *error) {
    json_t *term = CATALOGUE_ROW(catalogue, STATEMENT_TERM, error, BIND_TEXT(slug));
    json_t *statements = term == NULL ? NULL : statements_of(catalogue, slug, error);
    if (statements == NULL) {
        json_decref(term);
        return NULL;
    }
    if (json_object_set_new(term, "facts", statements) != 0 || json_object_del(term, "body") != 0) {
        json_decref(term);
        (void)error_no_memory(error);
        return NULL;
    }
    return term;
}

bool handle_glossary_json(const struct call *call, struct reply *reply, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_TERMS, NULL, 0, error);
    json_t *terms = rows == NULL ? NULL : json_array();
    bool good = terms != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *term =
            good ? term_of(call->catalogue, json_string_value(json_object_get(row, "slug")), error)
                 : NULL;
        good = term != NULL && json_array_append_new(terms, term) == 0;
    }
    json_decref(rows);
    if (!good) {
        json_decref(terms);
        return false;
    }
    return reply_rows(call, reply, "/data/glossary.schema.json", "terms", terms, error);
}
