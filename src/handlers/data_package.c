/* /data/datapackage.json (Data Package version 2), /data/SHA256SUMS and the database itself. Hashes
 * are of the bytes that the other addresses answer, made as they make them. */
#include "data_digest.h"
#include "data_file.h"
#include "handlers.h"
#include "hash.h"
#include "limit.h"
#include "represent.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <stdio.h>
#include <string.h>

static const char folder[] = "/data/";
static const char package_path[] = "/data/datapackage.json";

bool handle_sqlite(const struct call *call, struct reply *reply, struct error *error) {
    (void)error;
    const struct image *image = generation_image(catalogue_generation(call->catalogue));
    reply->bytes = image->bytes;
    reply->length = image->length;
    reply->of_generation = true;
    return true;
}

/* --- the package --- */

static bool add_field(json_t *fields, json_t *name, const struct data_column *column,
                      const char *title) {
    json_t *field = json_pack("{s:o, s:s, s:s}", "name", name, "type", column->type, "description",
                              column->description);
    bool good = field != NULL &&
                (title == NULL || json_object_set_new(field, "title", json_string(title)) == 0);
    return json_array_append_new(fields, field) == 0 && good;
}

/* The type that a column of an attribute's values has: a number may be "unlimited". */
static struct data_column value_column(const struct index_attribute *attribute) {
    struct data_column column = {.type = "string", .description = attribute->description};
    if (attribute->type == TYPE_BOOL) {
        column.type = "boolean";
    } else if (attribute->type == TYPE_NUMBER || attribute->type == TYPE_MONEY) {
        column.type = "number";
    }
    return column;
}

/* The columns of the attributes in providers.csv. */
static bool add_attribute_fields(json_t *fields, const struct catalogue_index *index) {
    bool good = true;
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        const struct data_column value = value_column(attribute);
        for (const struct data_column *suffix = data_fact_suffixes; good && suffix->name != NULL;
             suffix++) {
            bool is_value = suffix->name[0] == '\0';
            good = add_field(fields, json_sprintf("%s%s", attribute->key, suffix->name),
                             is_value ? &value : suffix, is_value ? attribute->label : NULL);
        }
    }
    return good;
}

static json_t *names_of(const char *text) {
    json_t *list = json_array();
    while (list != NULL && *text != '\0') {
        size_t length = strcspn(text, " ");
        if (json_array_append_new(list, json_stringn(text, length)) != 0) {
            json_decref(list);
            return NULL;
        }
        text += length + strspn(text + length, " ");
    }
    return list;
}

/* The Table Schema of a CSV file. */
static json_t *table_schema(const struct data_file *file, const struct catalogue_index *index) {
    json_t *fields = json_array();
    bool good = fields != NULL;
    for (const struct data_column *column = file->columns; good && column->name != NULL; column++) {
        good = add_field(fields, json_string(column->name), column, NULL);
    }
    if (file->columns == data_provider_columns) {
        good = good && add_attribute_fields(fields, index);
    }
    json_t *schema =
        json_pack("{s:s, s:o, s:[s], s:o}", "$schema",
                  "https://datapackage.org/profiles/2.0/tableschema.json", "fields", fields,
                  "missingValues", "", "primaryKey", names_of(file->primary_key));
    if (schema != NULL && file->source_column != NULL) {
        json_t *keys = json_pack("[{s:[s], s:{s:s, s:[s]}}]", "fields", file->source_column,
                                 "reference", "resource", "sources-csv", "fields", "id");
        good = json_object_set_new(schema, "foreignKeys", keys) == 0 && good;
    }
    if (schema != NULL && !good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static bool add_licence(json_t *list, const char *name, const char *path) {
    json_t *licence = json_pack("{s:s}", "name", name == NULL ? "unknown" : name);
    bool good = path == NULL || json_object_set_new(licence, "path", json_string(path)) == 0;
    return json_array_append_new(list, licence) == 0 && good;
}

/* Of what is the catalogue's own, and of what was measured by others. */
static json_t *licences(const struct generation *generation, bool own, bool measured) {
    json_t *list = json_array();
    bool good =
        list != NULL &&
        (!own || add_licence(list, generation_setting(generation, "data_licence"),
                             generation_setting(generation, "data_licence_url"))) &&
        (!measured || add_licence(list, generation_setting(generation, "measurements_licence"),
                                  generation_setting(generation, "measurements_url")));
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* "facts-csv" of "/data/facts.csv". */
static json_t *name_of(const struct data_file *file) {
    const char *dot = strrchr(file->path, '.');
    const char *base = file->path + strlen(folder);
    return json_sprintf("%.*s-%s", (int)(dot - base), base, dot + 1);
}

/* A file with its digest. NULL: out of memory. */
static json_t *resource_of(const struct call *call, const struct data_file *file,
                           const struct data_digest *digest) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    bool is_database = strcmp(strrchr(file->path, '.'), ".sqlite") == 0;
    const char *type = is_database                   ? "application/vnd.sqlite3"
                       : digest->media == MEDIA_JSON ? "application/json"
                                                     : "text/csv";
    json_t *resource = json_pack(
        "{s:o, s:s, s:s, s:s, s:s, s:s, s:I, s:o, s:o}", "name", name_of(file), "path",
        file->path + strlen(folder), "title", file->title, "description", file->description,
        "format", strrchr(file->path, '.') + 1, "mediatype", type, "bytes",
        (json_int_t)digest->length, "hash", json_sprintf("sha256:%s", digest->hex), "licenses",
        licences(generation, !file->measured, file->measured || is_database));
    bool good =
        resource != NULL &&
        (is_database || json_object_set_new(resource, "encoding", json_string("utf-8")) == 0) &&
        (file->schema == NULL ||
         json_object_set_new(resource, "describedby", json_string(file->schema + strlen(folder))) ==
             0) &&
        (file->columns == NULL ||
         (json_object_set_new(resource, "type", json_string("table")) == 0 &&
          json_object_set_new(resource, "schema",
                              table_schema(file, generation_index(generation))) == 0));
    if (!good) {
        json_decref(resource);
        return NULL;
    }
    return resource;
}

static bool add_resource(const struct call *call, size_t number, json_t *resources,
                         struct error *error) {
    struct data_digest digest;
    if (!data_digest_of(call, number, &digest, error)) {
        return false;
    }
    return digest.hex[0] == '\0' ||
           json_array_append_new(resources, resource_of(call, &data_files[number], &digest)) == 0 ||
           error_no_memory(error);
}

bool handle_datapackage(const struct call *call, struct reply *reply, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *resources = json_array();
    bool good = resources != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < data_file_count; i++) {
        good = add_resource(call, i, resources, error);
    }
    if (!good) {
        json_decref(resources);
        return false;
    }
    char key[WORDS_BYTES];
    reply->model = json_pack(
        "{s:s, s:s, s:s?, s:s?, s:o, s:s, s:o, s:o, s:[{s:s?, s:s?}], s:o}", "$schema",
        "https://datapackage.org/profiles/2.0/datapackage.json", "name", words_key(call, key),
        "title", words_get(call, WORD_TITLE), "description", words_get(call, WORD_DESCRIPTION),
        "homepage", json_sprintf("%s/data/", call->site->public_url), "version",
        generation_id(generation), "created",
        json_sprintf("%sT00:00:00Z", generation_last_reviewed(generation)), "licenses",
        licences(generation, true, true), "sources", "title",
        generation_setting(generation, "measurements_publisher"), "path",
        generation_setting(generation, "measurements_url"), "resources", resources);
    return reply->model != NULL || error_no_memory(error);
}

/* --- SHA256SUMS --- */

static void add_sum(struct buf *out, const char *hex, const char *name) {
    buf_add_format(out, "%s  %s\n", hex, name);
}

bool handle_sha256sums(const struct call *call, struct reply *reply, struct error *error) {
    struct reply package = {0};
    struct call inner = *call;
    inner.route = route_find(package_path);
    inner.media = MEDIA_JSON;
    struct buf json;
    struct buf out;
    buf_init(&json, LIMIT_ANSWER_BYTES);
    buf_init(&out, LIMIT_ANSWER_BYTES);
    bool good =
        handle_datapackage(&inner, &package, error) && represent(&inner, &package, &json, error);
    size_t i = 0;
    json_t *resource = NULL;
    json_array_foreach(json_object_get(package.model, "resources"), i, resource) {
        const char *hash = json_string_value(json_object_get(resource, "hash"));
        add_sum(&out, hash + strlen("sha256:"),
                json_string_value(json_object_get(resource, "path")));
    }
    char hex[HASH_HEX_BYTES];
    hash_sha256_hex(json.data == NULL ? "" : json.data, json.length, hex);
    add_sum(&out, hex, package_path + strlen(folder));
    for (i = 0; i < call->site->asset_count; i++) {
        const struct asset *asset = &call->site->assets[i];
        if (text_starts(asset->path, folder)) {
            hash_sha256_hex(asset->bytes, asset->length, hex);
            add_sum(&out, hex, asset->path + strlen(folder));
        }
    }
    buf_free(&json);
    reply_free(&package);
    if (!good) {
        buf_free(&out);
        return false;
    }
    return data_reply_text(reply, &out, error);
}
