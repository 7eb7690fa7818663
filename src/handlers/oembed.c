/* /oembed (oembed.com, version 1.0): what a page of this site looks like in the page of another. */
#include "buf.h"
#include "embed.h"
#include "folder.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "question.h"
#include "route.h"
#include "site.h"
#include "template.h"
#include "text.h"
#include "words.h"
#include <string.h>

enum { QUERY_BYTES = 4 * LIMIT_TARGET_BYTES, SIZE_MAXIMUM = 10000, SIZE_MINIMUM = 100 };

/* What an address of this site shows in a frame. */
struct shown {
    struct buf query; /* of /embed/compare */
    struct buf title;
    bool found;
};

/* --- from an address to a table --- */

static bool show_providers(const struct catalogue_index *index, const char *const *slugs,
                           size_t count, struct shown *shown) {
    for (size_t i = 0; i < count; i++) {
        const struct index_provider *provider = index_provider(index, slugs[i]);
        if (provider == NULL) {
            return false;
        }
        buf_add_format(&shown->query, "%s%s", i == 0 ? "providers=" : ",", provider->slug);
        buf_add_format(&shown->title, "%s%s", i == 0 ? "" : " and ", provider->name);
    }
    buf_add_text(&shown->query, embed_whatever);
    return true;
}

/* "/sandboxes/e2b/" and "/compare/e2b-vs-modal/": the providers that the route captures. */
static bool show_path(const struct catalogue_index *index, const char *path, struct shown *shown) {
    struct call page = {0};
    char storage[2 * LIMIT_TARGET_BYTES + ROUTE_STORAGE_BYTES];
    if (route_match(path, METHOD_GET, &page, storage) != ROUTE_FOUND || page.is_twin) {
        return false;
    }
    const char *pattern = page.route->pattern;
    size_t count = strcmp(pattern, "/sandboxes/{slug}/") == 0     ? 1
                   : strcmp(pattern, "/compare/{a}-vs-{b}/") == 0 ? 2
                                                                  : 0;
    return count > 0 && show_providers(index, page.captures, count, shown);
}

/* "/compare/?isolation=microvm": any question that /compare answers. */
static bool show_question(const struct call *call, const struct target *target, struct shown *shown,
                          struct error *error) {
    json_t *use_cases = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        return false;
    }
    struct question question = {0};
    struct question_fault fault = {0};
    enum question_result result =
        question_parse(generation_index(catalogue_generation(call->catalogue)), use_cases,
                       target->pairs, target->pair_count, &question, &fault, error);
    json_decref(fault.allowed);
    json_decref(use_cases);
    if (result == QUESTION_GOOD) {
        question_add_canonical(&question, &shown->query);
        char title[WORDS_BYTES];
        buf_add_text(&shown->title, words_fill(call, "{Nouns} compared", title));
        for (size_t i = 0; i < question.condition_count; i++) {
            buf_add_format(&shown->title, "%s%s: ", i == 0 ? ": " : "; ",
                           question.conditions[i].attribute->label);
            condition_add_words(&question.conditions[i], &shown->title);
        }
        shown->found = true;
    }
    question_free(&question);
    return result != QUESTION_FAILED;
}

static bool show(const struct call *call, const char *url, struct shown *shown,
                 struct error *error) {
    const char *site = call->site->public_url;
    /* An address without a host is one of this site. */
    const char *raw = url[0] == '/' ? url : text_starts(url, site) ? url + strlen(site) : "";
    struct target target = {0};
    struct error ignored = {0};
    size_t length = strcspn(raw, "#");
    if (raw[0] != '/' || !target_parse(raw, length, &target, &ignored)) {
        return true;
    }
    bool good = true;
    if (strcmp(target.path, "/compare/") == 0 || strcmp(target.path, "/compare") == 0) {
        good = show_question(call, &target, shown, error);
    } else {
        char path[LIMIT_TARGET_BYTES + sizeof(FOLDER_INSIDE)];
        shown->found =
            folder_in(call, target.path, path, sizeof(path)) &&
            show_path(generation_index(catalogue_generation(call->catalogue)), path, shown);
    }
    target_free(&target);
    return good;
}

/* --- the answer --- */

/* A width or height within what the other page allows. */
static bool read_size(const struct call *call, const char *name, int most, int *out_size,
                      struct reply *reply, bool *out_refused, struct error *error) {
    const char *text = parameter_text(call, name);
    long long size = most;
    if (text != NULL && !text_integer(text, SIZE_MINIMUM, SIZE_MAXIMUM, &size)) {
        *out_refused = true;
        return parameter_refuse(reply, name, text,
                                "A size is a whole number of pixels from 100 to 10000.", NULL,
                                error);
    }
    *out_size = size < most ? (int)size : most;
    return true;
}

static json_t *model_of(const struct call *call, const struct shown *shown, int width, int height,
                        struct error *error) {
    const char *title = words_get(call, WORD_TITLE);
    const char *query = shown->query.data == NULL ? "" : shown->query.data;
    enum { SECONDS_PER_DAY = 86400 };
    if (shown->query.failed || shown->title.failed) {
        (void)error_no_memory(error);
        return NULL;
    }
    json_t *markup = embed_markup(call, query, shown->title.data, width, height, error);
    if (markup == NULL) {
        return NULL;
    }
    json_t *model =
        json_pack("{s:s, s:s, s:s, s:s?, s:o, s:i, s:i, s:i, s:o}", "version", "1.0", "type",
                  "rich", "title", shown->title.data, "provider_name", title, "provider_url",
                  json_sprintf("%s/", call->site->public_url), "cache_age", SECONDS_PER_DAY,
                  "width", width, "height", height, "html", markup);
    if (model == NULL) {
        (void)error_no_memory(error);
    }
    return model;
}

/* The same as XML. */
static bool turn_to_xml(const struct call *call, struct reply *reply, struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    bool good =
        template_render(call->site->templates, "xml/oembed.xml", reply->model, &text, error);
    if (good) {
        reply->text = buf_take(&text);
        reply->content_type = "text/xml; charset=utf-8";
        good = reply->text != NULL || error_no_memory(error);
    }
    buf_free(&text);
    json_decref(reply->model);
    reply->model = NULL;
    return good;
}

/* Checks the parameters; refused: the reply is a problem. */
static bool read_parameters(const struct call *call, int *out_width, int *out_height,
                            struct reply *reply, bool *out_refused, struct error *error) {
    const char *format = parameter_text(call, "format");
    if (parameter_text(call, "url") == NULL) {
        *out_refused = true;
        return parameter_refuse(reply, "url", "", "The address of a page of this site is needed.",
                                NULL, error);
    }
    if (format != NULL && strcmp(format, "json") != 0 && strcmp(format, "xml") != 0) {
        *out_refused = true;
        json_t *extra =
            json_pack("{s:s, s:[s, s]}", "parameter", "format", "allowed", "json", "xml");
        return extra == NULL
                   ? error_no_memory(error)
                   : reply_problem(reply, 501, "not-implemented", "Not implemented",
                                   "An embedding is described as json or as xml.", extra, error);
    }
    return read_size(call, "maxwidth", EMBED_WIDTH, out_width, reply, out_refused, error) &&
           (*out_refused ||
            read_size(call, "maxheight", EMBED_HEIGHT, out_height, reply, out_refused, error));
}

bool canonical_oembed(const struct call *call, struct buf *out, struct reply *reply,
                      bool *out_refused, struct error *error) {
    int width = 0;
    int height = 0;
    const size_t start = out->length;
    bool good = read_parameters(call, &width, &height, reply, out_refused, error);
    if (good && !*out_refused) {
        parameter_add(out, start, "url", parameter_text(call, "url"));
        parameter_add(out, start, "format", parameter_text(call, "format"));
        parameter_add(out, start, "maxwidth", parameter_text(call, "maxwidth"));
        parameter_add(out, start, "maxheight", parameter_text(call, "maxheight"));
    }
    return good;
}

bool handle_oembed(const struct call *call, struct reply *reply, struct error *error) {
    int width = 0;
    int height = 0;
    bool refused = false;
    if (!read_parameters(call, &width, &height, reply, &refused, error) || refused) {
        return refused;
    }
    struct shown shown = {0};
    buf_init(&shown.query, QUERY_BYTES);
    buf_init(&shown.title, QUERY_BYTES);
    const char *format = parameter_text(call, "format");
    bool good = show(call, parameter_text(call, "url"), &shown, error);
    if (good && !shown.found) {
        char detail[WORDS_BYTES];
        good = reply_problem(
            reply, 404, "not-found", "Not found",
            words_fill(call, "That is no comparison and no {noun} of this site.", detail), NULL,
            error);
    } else if (good) {
        reply->model = model_of(call, &shown, width, height, error);
        good = reply->model != NULL &&
               (format == NULL || strcmp(format, "xml") != 0 || turn_to_xml(call, reply, error));
    }
    buf_free(&shown.query);
    buf_free(&shown.title);
    return good;
}
