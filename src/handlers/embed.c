/* /embed/compare: the answer to a question as a table for the pages of others, without a script. */
#include "embed.h"
#include "compare_data.h"
#include "compare_view.h"
#include "folder.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "site.h"
#include "template.h"
#include "text.h"
#include <string.h>

enum { ADDRESS_BYTES = 8 * LIMIT_TARGET_BYTES };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

const char embed_whatever[] = "&status=any&stage=any";

/* --- the table --- */

static json_t *cell(const struct call *call, const json_t *column, const json_t *fact) {
    const json_t *source = json_object_get(fact, "source");
    const char *checked = string_of(fact, "checked_on");
    char day[TEXT_DATE_BYTES] = "";
    bool has_day = checked != NULL && text_human_date(call->site->look.language, checked, day);
    return json_pack("{s:O, s:O, s:b, s:o, s:O?, s:O?, s:O?}", "label",
                     json_object_get(column, "label"), "text", json_object_get(fact, "text"),
                     "unknown", strcmp(string_of(fact, "state"), "documented") != 0, "checked",
                     has_day ? json_string(day) : json_null(), "checked_iso",
                     json_object_get(fact, "checked_on"), "url", json_object_get(source, "url"),
                     "source", json_object_get(source, "title"));
}

static json_t *cells_of(const struct call *call, const json_t *columns, const json_t *facts) {
    json_t *cells = json_array();
    size_t i = 0;
    json_t *column = NULL;
    json_array_foreach(columns, i, column) {
        const json_t *fact = json_object_get(facts, string_of(column, "key"));
        if (json_array_append_new(cells, cell(call, column, fact)) != 0) {
            json_decref(cells);
            return NULL;
        }
    }
    return cells;
}

/* One row for each offering that matches. */
static json_t *rows_of(const struct call *call, const json_t *comparison) {
    const json_t *columns = json_object_get(comparison, "columns");
    json_t *rows = json_array();
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(json_object_get(comparison, "matches"), i, provider) {
        size_t j = 0;
        json_t *offering = NULL;
        json_array_foreach(json_object_get(provider, "offerings"), j, offering) {
            bool is_only = json_is_null(json_object_get(offering, "slug"));
            json_t *row = json_pack("{s:o, s:O, s:O?, s:o}", "href",
                                    json_sprintf("%s/sandboxes/%s/", call->site->public_url,
                                                 string_of(provider, "slug")),
                                    "name", json_object_get(provider, "name"), "offering",
                                    is_only ? NULL : json_object_get(offering, "name"), "cells",
                                    cells_of(call, columns, json_object_get(offering, "facts")));
            if (json_array_append_new(rows, row) != 0) {
                json_decref(rows);
                return NULL;
            }
        }
    }
    return rows;
}

/* What is asked for in words; of a question about providers only, their names. */
static json_t *asked_of(const struct catalogue_index *index, const struct question *question) {
    struct buf words;
    buf_init(&words, ADDRESS_BYTES);
    for (size_t i = 0; question->condition_count == 0 && i < question->provider_count; i++) {
        buf_add_format(&words, "%s%s", i == 0 ? "" : ", ",
                       index_provider(index, question->providers[i])->name);
    }
    for (size_t i = 0; i < question->condition_count; i++) {
        buf_add_format(&words, "%s%s: ", i == 0 ? "" : "; ",
                       question->conditions[i].attribute->label);
        condition_add_words(&question->conditions[i], &words);
    }
    json_t *result = words.failed        ? NULL
                     : words.length == 0 ? json_null()
                                         : json_stringn(words.data, words.length);
    buf_free(&words);
    return result;
}

bool handle_embed_compare(const struct call *call, struct reply *reply, struct error *error) {
    struct question question = {0};
    bool refused = false;
    bool good = compare_parse(call, &question, reply, &refused, error);
    if (good && !refused) {
        reply->model = comparison_answer(call->catalogue, &question, error);
        good = reply->model != NULL;
    }
    if (good && !refused) {
        const char *query = string_of(reply->model, "query");
        const struct catalogue_index *index =
            generation_index(catalogue_generation(call->catalogue));
        const char *licence =
            generation_setting(catalogue_generation(call->catalogue), "data_licence");
        reply->page =
            json_pack("{s:o, s:b, s:o, s:o, s:s?}", "embed_asked", asked_of(index, &question),
                      "embed_counts", (int)(question.providers == NULL), "embed_rows",
                      rows_of(call, reply->model), "embed_page",
                      json_sprintf("%s/compare/%s%s", call->site->public_url,
                                   query[0] == '\0' ? "" : "?", query),
                      "embed_licence", licence);
        good = reply->page != NULL || error_no_memory(error);
    }
    question_free(&question);
    return good;
}

/* --- the frame --- */

json_t *embed_markup(const struct call *call, const char *query, const char *title, int width,
                     int height, struct error *error) {
    json_t *model = json_pack("{s:o, s:s, s:i, s:i}", "frame_src",
                              json_sprintf("%s/embed/compare%s%s", call->site->public_url,
                                           query[0] == '\0' ? "" : "?", query),
                              "frame_title", title, "frame_width", width, "frame_height", height);
    struct buf markup;
    buf_init(&markup, ADDRESS_BYTES);
    json_t *result = NULL;
    if (model == NULL) {
        (void)error_no_memory(error);
    } else if (template_render(call->site->templates, "xml/embed_frame.xml", model, &markup,
                               error)) {
        while (markup.length > 0 && markup.data[markup.length - 1] == '\n') {
            markup.length--;
        }
        result = json_stringn(markup.data, markup.length);
        (void)(result == NULL && error_no_memory(error));
    }
    buf_free(&markup);
    json_decref(model);
    return result;
}

void embed_show(struct view *view, const char *page, const char *query, const char *title) {
    const struct call *call = view->call;
    struct error error = {0};
    struct buf address;
    struct buf url;
    buf_init(&url, ADDRESS_BYTES);
    buf_init(&address, ADDRESS_BYTES);
    buf_add_text(&url, call->site->public_url);
    view->failed = !folder_out(call, page, &url) || view->failed;
    parameter_add(&address, 0, "url", url.data);
    static const struct {
        const char *type;
        const char *format;
    } forms[] = {{"application/json+oembed", "json"}, {"text/xml+oembed", "xml"}};
    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        view_alternate(view, forms[i].type, title,
                       url.failed || address.failed
                           ? NULL
                           : json_sprintf("%s/oembed?%s&format=%s", call->site->public_url,
                                          address.data, forms[i].format));
    }
    view_set(view, "embed_snippet",
             embed_markup(call, query, title, EMBED_WIDTH, EMBED_HEIGHT, &error));
    buf_free(&address);
    buf_free(&url);
}
