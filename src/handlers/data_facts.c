/* /data/facts.json and .csv, one receipt a row; /data/providers.csv, one row for each thing on
 * sale. */
#include "data_file.h"
#include "facts.h"
#include "handlers.h"
#include "limit.h"
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Adds the current facts of a provider to list, each with provider and offering in front. */
static bool add_facts(struct catalogue *catalogue, const char *slug, json_t *list,
                      struct error *error) {
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACTS_OF_PROVIDER, error, BIND_TEXT(slug));
    json_t *facts =
        rows == NULL ? NULL
                     : facts_from_rows(catalogue_generation(catalogue), json_incref(rows), error);
    bool good = facts != NULL;
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(facts, i, fact) {
        json_t *entry = json_pack("{s:s, s:O}", "provider", slug, "offering",
                                  json_object_get(json_array_get(rows, i), "offering"));
        good = good && entry != NULL && json_object_update(entry, fact) == 0;
        good = json_array_append_new(list, entry) == 0 && good;
    }
    bool had_facts = facts != NULL;
    json_decref(rows);
    json_decref(facts);
    return good || (had_facts ? error_no_memory(error) : false);
}

json_t *data_fact_rows(struct catalogue *catalogue, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *list = json_array();
    bool good = list != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < index->provider_count; i++) {
        good = add_facts(catalogue, index->providers[i].slug, list, error);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

bool handle_facts_json(const struct call *call, struct reply *reply, struct error *error) {
    if (data_is_too_large(call)) {
        return data_refuse_large(reply, error);
    }
    json_t *facts = data_fact_rows(call->catalogue, error);
    if (facts == NULL) {
        return false;
    }
    reply->model = data_head(catalogue_generation(call->catalogue), "/data/facts.schema.json");
    json_int_t count = (json_int_t)json_array_size(facts);
    bool good = json_object_set_new(reply->model, "count", json_integer(count)) == 0;
    good = json_object_set_new(reply->model, "facts", facts) == 0 && good;
    return good || error_no_memory(error);
}

/* Replaces value by what a field shows of it, and the source by its columns. */
static bool flatten(json_t *fact) {
    static const char *const names[] = {"id",   "url",       "title",       "publisher",
                                        "kind", "copy_date", "accessed_on", "verified_on"};
    const json_t *source = json_object_get(fact, "source");
    bool good = !json_is_true(json_object_get(fact, "unlimited")) ||
                json_object_set_new(fact, "value", json_string("unlimited")) == 0;
    for (size_t i = 0; good && json_is_object(source) && i < ARRAY_LENGTH(names); i++) {
        json_t *name = json_sprintf("source_%s", names[i]);
        good = name != NULL && json_object_set(fact, json_string_value(name),
                                               json_object_get(source, names[i])) == 0;
        json_decref(name);
    }
    return good;
}

bool handle_facts_csv(const struct call *call, struct reply *reply, struct error *error) {
    if (data_is_too_large(call)) {
        return data_refuse_large(reply, error);
    }
    json_t *facts = data_fact_rows(call->catalogue, error);
    bool good = true;
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(facts, i, fact) {
        good = good && flatten(fact);
    }
    if (facts == NULL || !good) {
        json_decref(facts);
        return good ? false : error_no_memory(error);
    }
    return data_reply_csv(reply, data_file_at("/data/facts.csv")->columns, facts, error);
}

/* --- providers.csv --- */

static void add_head(struct csv *csv, const struct catalogue_index *index) {
    for (const struct data_column *column = data_provider_columns; column->name != NULL; column++) {
        csv_add_field(csv, column->name);
    }
    for (size_t i = 0; i < index->attribute_count; i++) {
        for (const struct data_column *suffix = data_fact_suffixes; suffix->name != NULL;
             suffix++) {
            json_t *name = json_sprintf("%s%s", index->attributes[i].key, suffix->name);
            csv->out->failed = csv->out->failed || name == NULL;
            csv_add_field(csv, json_string_value(name));
            json_decref(name);
        }
    }
    csv_end_row(csv);
}

static void add_fact(struct csv *csv, const json_t *fact) {
    data_add_fact_value(csv, fact);
    csv_add_field(csv, string_of(fact, "state"));
    csv_add_field(csv, string_of(fact, "basis"));
    csv_add_field(csv, string_of(json_object_get(fact, "source"), "id"));
    csv_add_field(csv, string_of(fact, "checked_on"));
}

/* provider is the row of STATEMENT_PROVIDERS with provider_name and last_reviewed; the slot's own
 * names are added to it. */
static bool add_slot(struct csv *csv, const struct catalogue_index *index, size_t slot,
                     const json_t *facts, json_t *provider) {
    const struct index_slot *entry = &index->slots[slot];
    json_t *names = json_pack("{s:s?, s:s, s:s?, s:b}", "offering", entry->offering,
                              "offering_name", entry->name, "stage", entry->stage, "is_default",
                              (int)(entry->is_default || entry->offering == NULL));
    bool good = names != NULL && json_object_update(provider, names) == 0;
    json_decref(names);
    for (const struct data_column *column = data_provider_columns; good && column->name != NULL;
         column++) {
        data_add_value(csv, json_object_get(provider, column->name));
    }
    for (size_t i = 0; good && i < index->attribute_count; i++) {
        json_t *fact = fact_of_slot(facts, &index->attributes[i], slot);
        good = fact != NULL;
        add_fact(csv, fact);
        json_decref(fact);
    }
    csv_end_row(csv);
    return good;
}

/* The facts that answer for any slot, keyed by rowid. */
static json_t *facts_of_slots(struct catalogue *catalogue, const struct catalogue_index *index,
                              struct error *error) {
    size_t count = index->attribute_count * index->slot_count;
    int64_t *rowids = calloc(count + 1, sizeof(*rowids));
    if (rowids == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < index->attribute_count; i++) {
        memcpy(rowids + i * index->slot_count, index->attributes[i].facts,
               index->slot_count * sizeof(*rowids));
    }
    json_t *facts = facts_by_rowid(catalogue, rowids, count, error);
    free(rowids);
    return facts;
}

/* Rows of the providers by slug, as the columns name them. */
static json_t *provider_rows(struct catalogue *catalogue, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_PROVIDERS, NULL, 0, error);
    json_t *reviews =
        rows == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_LAST_REVIEWS, NULL, 0, error);
    bool good = reviews != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(reviews, i, row) {
        json_t *provider = json_array_get(rows, i); /* both by slug */
        good =
            good && json_object_set(provider, "provider", json_object_get(provider, "slug")) == 0 &&
            json_object_set(provider, "provider_name", json_object_get(provider, "name")) == 0 &&
            json_object_set(provider, "last_reviewed", json_object_get(row, "last_reviewed")) == 0;
    }
    bool had_reviews = reviews != NULL;
    json_decref(reviews);
    if (!good) {
        json_decref(rows);
        if (had_reviews) {
            (void)error_no_memory(error);
        }
        return NULL;
    }
    return rows;
}

bool handle_providers_csv(const struct call *call, struct reply *reply, struct error *error) {
    if (data_is_too_large(call)) {
        return data_refuse_large(reply, error);
    }
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *facts = facts_of_slots(call->catalogue, index, error);
    json_t *providers = facts == NULL ? NULL : provider_rows(call->catalogue, error);
    if (providers == NULL) {
        json_decref(facts);
        return false;
    }
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    struct csv csv = {.out = &out};
    add_head(&csv, index);
    for (size_t i = 0; i < index->slot_count; i++) {
        json_t *provider = json_array_get(providers, index->slots[i].provider);
        out.failed = !add_slot(&csv, index, i, facts, provider) || out.failed;
    }
    json_decref(facts);
    json_decref(providers);
    return data_reply_text(reply, &out, error);
}
