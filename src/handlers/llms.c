/* /llms.txt, an index for language models, and /llms-full.txt, everything as one Markdown text. */
#include "facts.h"
#include "handlers.h"
#include "limit.h"
#include "prose.h"
#include "provider_record.h"
#include "site.h"
#include "words.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Takes over value; NULL is a failure that error already tells, or out of memory. */
static bool set(json_t *model, const char *key, json_t *value, struct error *error) {
    bool told = value == NULL && error->kind != ERROR_NONE;
    return json_object_set_new(model, key, value) == 0 || (told ? false : error_no_memory(error));
}

static json_t *setting(const struct call *call, const char *key) {
    const char *value = generation_setting(catalogue_generation(call->catalogue), key);
    return json_string(value == NULL ? "" : value);
}

static bool fill_head(const struct call *call, json_t *model, struct error *error) {
    struct catalogue *catalogue = call->catalogue;
    return set(model, "subtitle", json_string(words_get(call, WORD_SUBTITLE)), error) &&
           set(model, "licence", setting(call, "data_licence"), error) &&
           set(model, "counts", catalogue_row(catalogue, STATEMENT_COUNTS, NULL, 0, error),
               error) &&
           set(model, "use_cases", catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error),
               error) &&
           set(model, "terms", catalogue_rows(catalogue, STATEMENT_TERMS, NULL, 0, error), error) &&
           set(model, "guides", catalogue_rows(catalogue, STATEMENT_GUIDES, NULL, 0, error), error);
}

bool handle_llms(const struct call *call, struct reply *reply, struct error *error) {
    error->kind = ERROR_NONE;
    reply->model = json_object();
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    return fill_head(call, reply->model, error) &&
           set(reply->model, "providers",
               catalogue_rows(call->catalogue, STATEMENT_PROVIDERS, NULL, 0, error), error);
}

/* --- the whole text --- */

/* One line about a fact. New reference. */
static json_t *fact_line(const struct index_attribute *attribute, const json_t *fact) {
    const json_t *source = json_object_get(fact, "source");
    bool sourced = json_is_object(source);
    return json_pack("{s:s, s:O, s:O, s:O, s:O, s:O, s:O}", "label", attribute->label, "text",
                     json_object_get(fact, "text"), "detail", json_object_get(fact, "detail"),
                     "basis", json_object_get(fact, "basis"), "checked_on",
                     json_object_get(fact, "checked_on"), "source_title",
                     sourced ? json_object_get(source, "title") : json_object_get(fact, "basis"),
                     "source_url", sourced ? json_object_get(source, "url") : json_null());
}

/* The facts of a provider or an offering, by position of their attributes. */
static json_t *fact_lines(const struct catalogue_index *index, const json_t *facts) {
    json_t *lines = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        const json_t *fact = json_object_get(facts, index->attributes[i].key);
        if (fact != NULL &&
            json_array_append_new(lines, fact_line(&index->attributes[i], fact)) != 0) {
            json_decref(lines);
            return NULL;
        }
    }
    return lines;
}

/* A record with its facts, and those of its offerings, as lines. */
static bool add_provider(struct catalogue *catalogue, json_t *list, const char *slug,
                         struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *record = provider_record(catalogue, slug, error);
    if (record == NULL) {
        return false;
    }
    bool good = json_object_set_new(record, "lines",
                                    fact_lines(index, json_object_get(record, "facts"))) == 0;
    json_t *offerings = json_object_get(record, "offerings");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        good =
            good && json_object_set_new(offering, "lines",
                                        fact_lines(index, json_object_get(offering, "facts"))) == 0;
    }
    good = json_array_append_new(list, record) == 0 && good;
    return good || error_no_memory(error);
}

static json_t *provider_list(struct catalogue *catalogue, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *list = json_array();
    bool good = list != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < index->provider_count; i++) {
        good = add_provider(catalogue, list, index->providers[i].slug, error);
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* Every fact of the records, keyed by its id. New reference. */
static json_t *facts_by_id(const json_t *providers) {
    json_t *all = json_object();
    bool good = all != NULL;
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(providers, i, provider) {
        const char *key = NULL;
        json_t *fact = NULL;
        json_object_foreach(json_object_get(provider, "facts"), key, fact) {
            good = good && json_object_set(all, string_of(fact, "id"), fact) == 0;
        }
        size_t j = 0;
        json_t *offering = NULL;
        json_array_foreach(json_object_get(provider, "offerings"), j, offering) {
            json_object_foreach(json_object_get(offering, "facts"), key, fact) {
                good = good && json_object_set(all, string_of(fact, "id"), fact) == 0;
            }
        }
    }
    if (!good) {
        json_decref(all);
        return NULL;
    }
    return all;
}

/* Gives each term or guide of a kind its body as plain Markdown. */
static bool add_bodies(const struct call *call, json_t *texts, const char *kind,
                       const json_t *bodies, const json_t *facts, struct error *error) {
    bool good = true;
    size_t i = 0;
    json_t *body = NULL;
    json_array_foreach(bodies, i, body) {
        size_t j = 0;
        json_t *text = NULL;
        json_array_foreach(texts, j, text) {
            if (!good || strcmp(string_of(body, "kind"), kind) != 0 ||
                strcmp(string_of(body, "slug"), string_of(text, "slug")) != 0) {
                continue;
            }
            struct buf plain;
            buf_init(&plain, LIMIT_ANSWER_BYTES);
            good = prose_plain(facts, call->site->public_url, string_of(body, "body"), &plain,
                               error) &&
                   set(text, "body", json_stringn(plain.data, plain.length), error);
            buf_free(&plain);
        }
    }
    return good;
}

/* The sources that the bodies cite, for the footnotes at the end. */
static json_t *cited_sources(struct catalogue *catalogue, const json_t *bodies,
                             struct error *error) {
    json_t *sources = catalogue_rows(catalogue, STATEMENT_SOURCES, NULL, 0, error);
    json_t *cited = sources == NULL ? NULL : json_array();
    bool good = cited != NULL;
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(sources, i, source) {
        struct buf mark;
        buf_init(&mark, LIMIT_TARGET_BYTES);
        bool wanted = false;
        good = good && buf_add_format(&mark, "[^%s]", string_of(source, "id"));
        size_t j = 0;
        json_t *body = NULL;
        json_array_foreach(bodies, j, body) {
            wanted = wanted || (good && strstr(string_of(body, "body"), mark.data) != NULL);
        }
        buf_free(&mark);
        good = good && (!wanted || json_array_append(cited, source) == 0);
    }
    json_decref(sources);
    if (!good) {
        json_decref(cited);
        return NULL;
    }
    return cited;
}

static bool fill_texts(const struct call *call, json_t *model, struct error *error) {
    json_t *bodies = catalogue_rows(call->catalogue, STATEMENT_BODIES, NULL, 0, error);
    json_t *facts = bodies == NULL ? NULL : facts_by_id(json_object_get(model, "providers"));
    bool good = bodies != NULL && (facts != NULL || error_no_memory(error)) &&
                add_bodies(call, json_object_get(model, "terms"), "term", bodies, facts, error) &&
                add_bodies(call, json_object_get(model, "guides"), "guide", bodies, facts, error) &&
                set(model, "cited", cited_sources(call->catalogue, bodies, error), error);
    json_decref(bodies);
    json_decref(facts);
    return good;
}

bool handle_llms_full(const struct call *call, struct reply *reply, struct error *error) {
    error->kind = ERROR_NONE;
    reply->model = json_object();
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    return fill_head(call, reply->model, error) &&
           set(reply->model, "providers", provider_list(call->catalogue, error), error) &&
           fill_texts(call, reply->model, error);
}
