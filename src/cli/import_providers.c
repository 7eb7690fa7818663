/* import providers: what /data/providers.json writes comes back in. */
#include "buf.h"
#include "import.h"
#include "limit.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A provider that is being taken in. */
struct import {
    struct edit *edit;
    const char *provider;
    const json_t *object;
};

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool fail(const struct import *import, const char *row, const struct error *inner,
                 struct error *error) {
    return error_set(error, inner->kind, "%s, %.120s: %.300s", import->provider, row,
                     inner->message);
}

static bool run(const struct import *import, const char *row, enum edit_statement statement,
                const char *const *texts, size_t count, struct error *error) {
    struct error inner;
    return edit_run(import->edit, statement, texts, count, NULL, NULL, &inner) ||
           fail(import, row, &inner, error);
}

static void add_json(struct buf *out, const json_t *value) {
    if (json_is_number(value)) {
        text_add_number(out, json_number_value(value));
        return;
    }
    if (!json_is_array(value) && !json_is_object(value)) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        out->failed = out->failed || text == NULL;
        buf_add_text(out, text == NULL ? "" : text);
        free(text);
        return;
    }
    const char *comma = "";
    size_t i = 0;
    const char *key = NULL;
    json_t *member = NULL;
    buf_add_char(out, json_is_array(value) ? '[' : '{');
    json_array_foreach(value, i, member) {
        buf_add_text(out, comma);
        add_json(out, member);
        comma = ",";
    }
    json_object_foreach((json_t *)value, key, member) {
        json_t *name = json_string(key);
        buf_add_text(out, comma);
        add_json(out, name);
        buf_add_char(out, ':');
        add_json(out, member);
        json_decref(name);
        comma = ",";
    }
    buf_add_char(out, json_is_array(value) ? ']' : '}');
}

/* JSON in its canonical form; the caller frees it. NULL: no memory. */
static char *json_text(const json_t *value, struct error *error) {
    struct buf out;
    buf_init(&out, LIMIT_FILE_BYTES);
    add_json(&out, value);
    if (out.failed) {
        buf_free(&out);
        (void)error_no_memory(error);
        return NULL;
    }
    return buf_take(&out);
}

static bool put_source(const struct import *import, const json_t *source, struct error *error) {
    char words[32] = "";
    const json_t *count = json_object_get(source, "quote_words");
    (void)snprintf(words, sizeof(words), "%lld", (long long)json_integer_value(count));
    const char *const texts[] = {
        text_of(source, "id"),          text_of(source, "url"),
        text_of(source, "title"),       text_of(source, "publisher"),
        text_of(source, "kind"),        text_of(source, "copy_date"),
        text_of(source, "accessed_on"), text_of(source, "verified_on"),
        text_of(source, "via"),         json_is_integer(count) ? words : NULL,
        text_of(source, "quote_sha256")};
    return run(import, texts[0] == NULL ? "a source without id" : texts[0], EDIT_SOURCE_PUT, texts,
               ARRAY_LENGTH(texts), error);
}

static bool put_provider(const struct import *import, struct error *error) {
    static const char *const keys[] = {"slug",     "name",        "vendor",        "kind",
                                       "status",   "status_note", "status_source", "homepage",
                                       "docs_url", "pricing_url", "repo_url",      "summary"};
    const char *texts[ARRAY_LENGTH(keys)];
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        texts[i] = text_of(import->object, keys[i]);
    }
    return run(import, "the provider", EDIT_PROVIDER_PUT, texts, ARRAY_LENGTH(texts), error);
}

static bool same_text(const json_t *row, const char *column, const char *text) {
    return text_same(text_of(row, column), text);
}

/* Puts a fact in its place: nothing to do, beside the same value, or in the place of another one.
 */
static bool place_fact(const struct import *import, const char *name, const json_t *current,
                       const char *const fact[11], struct error *error) {
    enum { STATE = 3, VALUE, DETAIL, NOTE, FACT_SOURCE, BASIS, CHECKED, FROM, COUNT };
    const char *since = text_of(current, "valid_from");
    const bool same = since != NULL && same_text(current, "state", fact[STATE]) &&
                      same_text(current, "value", fact[VALUE]);
    if (same && same_text(current, "detail", fact[DETAIL]) &&
        same_text(current, "note", fact[NOTE]) && same_text(current, "source", fact[FACT_SOURCE]) &&
        same_text(current, "basis", fact[BASIS]) &&
        strcmp(text_of(current, "checked_on"), fact[CHECKED]) >= 0) {
        return true;
    }
    if (since != NULL && strcmp(text_of(current, "checked_on"), fact[CHECKED]) > 0) {
        return error_set(error, ERROR_INVALID,
                         "%s, %s: the file checked it on %s, the catalogue later, on %s",
                         import->provider, name, fact[CHECKED], text_of(current, "checked_on"));
    }
    if (same) {
        const char *const texts[] = {fact[0],    fact[1],           fact[2],     fact[DETAIL],
                                     fact[NOTE], fact[FACT_SOURCE], fact[BASIS], fact[CHECKED]};
        return run(import, name, EDIT_FACT_UPDATE, texts, ARRAY_LENGTH(texts), error);
    }
    /* What holds since before the current value was known holds from the day of checking. */
    const char *from = since != NULL && strcmp(fact[FROM], since) < 0 ? fact[CHECKED] : fact[FROM];
    const char *const key[] = {fact[0], fact[1], fact[2], from};
    const char *texts[COUNT];
    memcpy(texts, fact, sizeof(texts));
    texts[FROM] = from;
    return run(import, name, EDIT_FACT_DROP, key, ARRAY_LENGTH(key), error) &&
           run(import, name, EDIT_FACT_END, key, ARRAY_LENGTH(key), error) &&
           run(import, name, EDIT_FACT_PUT, texts, COUNT, error);
}

/* The value as the catalogue writes it; NULL where the fact is not documented. The caller frees it.
 */
static bool read_value(const struct import *import, const char *name, const json_t *fact,
                       char **out_value, struct error *error) {
    const json_t *value = json_object_get(fact, "value");
    if (strcmp(text_of(fact, "state"), "documented") != 0) {
        *out_value = NULL;
        return true;
    }
    if (json_is_true(json_object_get(fact, "unlimited"))) {
        *out_value = strdup("\"unlimited\"");
        return *out_value != NULL || error_no_memory(error);
    }
    if (value == NULL) {
        return error_set(error, ERROR_INVALID, "%s, %s: value is missing", import->provider, name);
    }
    *out_value = json_text(value, error);
    return *out_value != NULL;
}

static bool put_fact(const struct import *import, const char *offering, const char *attribute,
                     const json_t *fact, struct error *error) {
    const char *const key[] = {import->provider, offering, attribute};
    char name[256];
    (void)snprintf(name, sizeof(name), "fact %s%s%s", offering == NULL ? "" : offering,
                   offering == NULL ? "" : "/", attribute);
    const char *state = text_of(fact, "state");
    if (state == NULL || text_of(fact, "checked_on") == NULL ||
        text_of(fact, "valid_from") == NULL) {
        return error_set(error, ERROR_INVALID, "%s, %s: state, checked_on or valid_from is missing",
                         import->provider, name);
    }
    char *value = NULL;
    if (!read_value(import, name, fact, &value, error)) {
        return false;
    }
    json_t *current = NULL;
    const char *const texts[] = {import->provider,
                                 offering,
                                 attribute,
                                 state,
                                 value,
                                 text_of(fact, "detail"),
                                 text_of(fact, "note"),
                                 text_of(json_object_get(fact, "source"), "id"),
                                 text_of(fact, "basis"),
                                 text_of(fact, "checked_on"),
                                 text_of(fact, "valid_from")};
    bool good = edit_run(import->edit, EDIT_FACT, key, ARRAY_LENGTH(key), &current, NULL, error) &&
                place_fact(import, name, current, texts, error);
    json_decref(current);
    free(value);
    return good;
}

static bool put_facts(const struct import *import, const char *offering, const json_t *facts,
                      struct error *error) {
    const char *attribute = NULL;
    json_t *fact = NULL;
    json_object_foreach((json_t *)facts, attribute, fact) {
        if (!put_fact(import, offering, attribute, fact, error)) {
            return false;
        }
    }
    return true;
}

static bool put_offerings(const struct import *import, struct error *error) {
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(import->object, "offerings"), i, offering) {
        const bool is_default = json_is_true(json_object_get(offering, "is_default"));
        const char *const texts[] = {import->provider, text_of(offering, "slug"),
                                     text_of(offering, "name"), text_of(offering, "release_stage"),
                                     is_default ? "1" : "0"};
        const char *name = texts[1] == NULL ? "an offering without slug" : texts[1];
        if ((is_default && !run(import, name, EDIT_OFFERING_DEFAULT, texts, 2, error)) ||
            !run(import, name, EDIT_OFFERING_PUT, texts, ARRAY_LENGTH(texts), error) ||
            !put_facts(import, texts[1], json_object_get(offering, "facts"), error)) {
            return false;
        }
    }
    return true;
}

/* Puts a list of texts with the facts that they rest on; kind is NULL for conflicts. */
static bool put_list(const struct import *import, const char *list, const char *kind,
                     struct error *error) {
    size_t i = 0;
    json_t *row = NULL;
    const json_t *rows = json_object_get(import->object, list);
    char position[32];
    json_array_foreach(rows, i, row) {
        char *facts = json_text(json_object_get(row, "facts"), error);
        (void)snprintf(position, sizeof(position), "%zu", i + 1);
        const char *const texts[] = {
            import->provider,           position, text_of(row, "text"), facts, kind,
            text_of(row, "reviewed_on")};
        bool good =
            facts != NULL && run(import, list, kind == NULL ? EDIT_CONFLICT_PUT : EDIT_CLAIM_PUT,
                                 texts, kind == NULL ? 4 : ARRAY_LENGTH(texts), error);
        free(facts);
        if (!good) {
            return false;
        }
    }
    (void)snprintf(position, sizeof(position), "%zu", json_array_size(rows));
    const char *const rest[] = {import->provider, position, kind};
    return rows == NULL || run(import, list, kind == NULL ? EDIT_CONFLICT_CUT : EDIT_CLAIM_CUT,
                               rest, kind == NULL ? 2 : ARRAY_LENGTH(rest), error);
}

static bool put_events(const struct import *import, struct error *error) {
    size_t i = 0;
    json_t *row = NULL;
    const json_t *rows = json_object_get(import->object, "events");
    char position[32];
    json_array_foreach(rows, i, row) {
        (void)snprintf(position, sizeof(position), "%zu", i + 1);
        const char *const texts[] = {import->provider, position, text_of(row, "date"),
                                     text_of(row, "text"),
                                     text_of(json_object_get(row, "source"), "id")};
        if (!run(import, "an event", EDIT_EVENT_PUT, texts, ARRAY_LENGTH(texts), error)) {
            return false;
        }
    }
    (void)snprintf(position, sizeof(position), "%zu", json_array_size(rows));
    const char *const rest[] = {import->provider, position};
    return rows == NULL || run(import, "events", EDIT_EVENT_CUT, rest, ARRAY_LENGTH(rest), error);
}

static bool put_measurements(const struct import *import, struct error *error) {
    static const char *const numbers[] = {"runs", "median_ms", "p95_ms", "p99_ms", "success_rate"};
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(import->object, "measurements"), i, row) {
        enum { FIRST = 3, TEXTS = FIRST + 5 + 1 };
        const char *texts[TEXTS] = {import->provider, text_of(row, "mode"), text_of(row, "day")};
        char *owned[ARRAY_LENGTH(numbers)] = {NULL};
        bool good = true;
        for (size_t k = 0; k < ARRAY_LENGTH(numbers); k++) {
            const json_t *number = json_object_get(row, numbers[k]);
            owned[k] = json_is_number(number) ? json_text(number, error) : NULL;
            good = good && (owned[k] != NULL || !json_is_number(number));
            texts[FIRST + k] = owned[k];
        }
        texts[TEXTS - 1] = text_of(json_object_get(row, "source"), "id");
        good = good && run(import, "a measurement", EDIT_MEASUREMENT_PUT, texts, TEXTS, error);
        for (size_t k = 0; k < ARRAY_LENGTH(numbers); k++) {
            free(owned[k]);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool put_sources(const struct import *import, struct error *error) {
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(json_object_get(import->object, "sources"), i, source) {
        if (!put_source(import, source, error)) {
            return false;
        }
    }
    return true;
}

static bool put(struct edit *edit, const json_t *object, struct error *error) {
    const struct import import = {edit, text_of(object, "slug"), object};
    if (import.provider == NULL) {
        return error_set(error, ERROR_INVALID, "a provider has no slug");
    }
    const char *const review[] = {import.provider, text_of(object, "last_reviewed")};
    return put_sources(&import, error) && put_provider(&import, error) &&
           put_facts(&import, NULL, json_object_get(object, "facts"), error) &&
           put_offerings(&import, error) && put_list(&import, "strengths", "strength", error) &&
           put_list(&import, "limitations", "limitation", error) &&
           put_list(&import, "best_for", "best_for", error) &&
           put_list(&import, "not_for", "not_for", error) &&
           put_list(&import, "conflicts", NULL, error) && put_events(&import, error) &&
           put_measurements(&import, error) &&
           (review[1] == NULL ||
            run(&import, "its review", EDIT_REVIEW_PUT, review, ARRAY_LENGTH(review), error));
}

bool import_providers(struct edit *edit, const char *text, import_progress *progress,
                      struct error *error) {
    json_error_t fault;
    json_t *file = json_loads(text, JSON_REJECT_DUPLICATES, &fault);
    if (file == NULL) {
        return error_set(error, ERROR_INVALID, "line %d is not JSON: %s", fault.line, fault.text);
    }
    const json_t *list = json_object_get(file, "providers");
    const json_t *one = json_object_get(file, "provider");
    bool good = true;
    size_t i = 0;
    json_t *object = NULL;
    if (!json_is_array(list)) {
        good = json_is_object(file)
                   ? put(edit, json_is_object(one) ? one : file, error)
                   : error_set(error, ERROR_INVALID, "the file has no list \"providers\"");
    }
    json_array_foreach(list, i, object) {
        good = good && put(edit, object, error);
        if (good) {
            progress(i + 1, json_array_size(list));
        }
    }
    json_decref(file);
    return good;
}
