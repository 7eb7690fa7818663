/* /openapi.json: every address as an OpenAPI 3.1 description. */
#include "openapi.h"
#include "folder.h"
#include "handlers.h"
#include "limit.h"
#include "site.h"
#include "target.h"
#include "words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

/* "get_compare_a_vs_b" of "/compare/{a}-vs-{b}/"; a slash at the end counts, or "/compare" and
 * "/compare/" would be one. */
static json_t *operation_id(const struct call *call, const struct route *route,
                            const char *method) {
    struct buf pattern;
    struct buf name;
    buf_init(&pattern, LIMIT_TARGET_BYTES);
    buf_init(&name, LIMIT_TARGET_BYTES);
    buf_add_text(&name, method);
    bool gap = true;
    bool good = folder_out(call, route->pattern, &pattern);
    for (const char *at = good ? pattern.data : ""; *at != '\0'; at++) {
        if (isalnum((unsigned char)*at) != 0) {
            buf_add_text(&name, gap ? "_" : "");
            buf_add_char(&name, *at);
        }
        gap = isalnum((unsigned char)*at) == 0;
    }
    bool is_page =
        gap && strlen(route->pattern) > 1 && (route_media(route) & MEDIA_BIT(MEDIA_HTML)) != 0;
    buf_add_text(&name, is_page ? "_page" : "");
    json_t *result = name.failed || !good ? NULL : json_stringn(name.data, name.length);
    buf_free(&pattern);
    buf_free(&name);
    return result;
}

static const char *tag_of(const struct route *route) {
    bool is_page = route->fallback == MEDIA_HTML;
    return route->cache == CACHE_NEVER                             ? "Service"
           : strncmp(route->pattern, "/data/", 6) == 0 && !is_page ? "Data"
           : is_page                                               ? "Pages"
                                                                   : "Questions";
}

/* --- parameters --- */

/* A target that the route answers, from the catalogue. Returns out. */
static const char *example_of(const struct call *call, const struct route *route,
                              char out[WORDS_BYTES]) {
    if (route->example != NULL) {
        return words_fill(call, route->example, out);
    }
    (void)snprintf(out, WORDS_BYTES, "%s", route->pattern);
    return out;
}

/* The path's {x}, each with what it is in the example. */
static bool add_captures(const struct call *call, const struct route *route, json_t *list) {
    struct call example = {0};
    char storage[LIMIT_TARGET_BYTES];
    char path[LIMIT_TARGET_BYTES];
    char filled[WORDS_BYTES];
    const char *target = example_of(call, route, filled);
    size_t length = strcspn(target, "?");
    if (length >= sizeof(path)) {
        return false;
    }
    memcpy(path, target, length);
    path[length] = '\0';
    if (route_match(path, METHOD_GET, &example, storage) != ROUTE_FOUND) {
        return strchr(route->pattern, '{') == NULL;
    }
    size_t number = 0;
    for (const char *at = strchr(route->pattern, '{'); at != NULL && number < CALL_CAPTURES;
         at = strchr(at + 1, '{'), number++) {
        json_t *parameter =
            json_pack("{s:s#, s:s, s:b, s:s, s:{s:s, s:s}, s:s?}", "name", at + 1,
                      strcspn(at + 1, "}"), "in", "path", "required", 1, "description",
                      "A name of the catalogue, in lower case", "schema", "type", "string",
                      "pattern", "^[a-z0-9][a-z0-9-]*$", "example", example.captures[number]);
        if (json_array_append_new(list, parameter) != 0) {
            return false;
        }
    }
    return true;
}

/* format=, where there is a choice. */
static bool add_format(const struct route *route, json_t *list) {
    json_t *names = json_array();
    for (int i = 0; names != NULL && i < MEDIA__COUNT; i++) {
        const char *name = media_format_name((enum media)i);
        if ((route_media(route) & MEDIA_BIT(i)) != 0 && name != NULL &&
            json_array_append_new(names, json_string(name)) != 0) {
            json_decref(names);
            return false;
        }
    }
    if (json_array_size(names) < 2) {
        json_decref(names);
        return true;
    }
    return json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:{s:s, s:o}}", "name", "format",
                                                 "in", "query", "description",
                                                 "The form of the answer; it wins over Accept",
                                                 "schema", "type", "string", "enum", names)) == 0;
}

/* Gives a parameter the value that it has in the example. */
static bool set_example(json_t *parameter, const struct target *example) {
    const char *name = json_string_value(json_object_get(parameter, "name"));
    const char *value = example == NULL ? NULL : target_value(example, name);
    const char *type =
        json_string_value(json_object_get(json_object_get(parameter, "schema"), "type"));
    if (value == NULL || type == NULL) {
        return true;
    }
    json_t *shown = strcmp(type, "array") == 0    ? json_pack("[s]", value)
                    : strcmp(type, "string") == 0 ? json_string(value)
                                                  : json_loads(value, JSON_DECODE_ANY, NULL);
    return json_object_set_new(parameter, "example", shown) == 0;
}

static bool add_own(const struct call *call, const struct route *route, json_t *list,
                    struct error *error) {
    struct target example = {0};
    char filled[WORDS_BYTES];
    const char *target = example_of(call, route, filled);
    bool good = route->example == NULL || target_parse(target, strlen(target), &example, error);
    for (const struct route_parameter *own = route->parameters;
         good && own != NULL && own->name != NULL; own++) {
        json_t *parameter = openapi_parameter(call, own, error);
        good = parameter != NULL &&
               ((set_example(parameter, &example) && json_array_append(list, parameter) == 0) ||
                error_no_memory(error));
        json_decref(parameter);
    }
    target_free(&example);
    return good;
}

static json_t *parameters_of(const struct call *call, const struct route *route,
                             const json_t *shared, struct error *error) {
    json_t *list = json_array();
    bool good = list != NULL && add_captures(call, route, list) && add_format(route, list) &&
                openapi_refer(route->conditions, shared, list);
    if (!good) {
        (void)error_no_memory(error);
    }
    if (good && route_has_past(route)) {
        good = json_array_append_new(
                   list, json_pack("{s:s}", "$ref", "#/components/parameters/as_of")) == 0 ||
               error_no_memory(error);
    }
    if (!good || !add_own(call, route, list, error)) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* --- answers --- */

/* "application/json" without its charset. */
static json_t *bare_type(enum media media) {
    const char *type = media_content_type(media);
    return json_stringn(type, strcspn(type, ";"));
}

static json_t *content_schema(const struct route *route, enum media media) {
    if (media != MEDIA_JSON) {
        return json_pack("{s:s}", "type", "string");
    }
    return route->schema == NULL ? json_pack("{s:s}", "type", "object")
                                 : json_pack("{s:s}", "$ref", route->schema);
}

static bool add_content(const struct call *call, const struct route *route, enum media media,
                        json_t *content) {
    json_t *type =
        route->content_type != NULL ? json_string(route->content_type) : bare_type(media);
    const char *format = media_format_name(media);
    char filled[WORDS_BYTES];
    const char *target = example_of(call, route, filled);
    bool choice = (route_media(route) & (route_media(route) - 1)) != 0 && format != NULL;
    json_t *address = json_sprintf("%s%s%s%s", call->site->public_url, target,
                                   !choice                       ? ""
                                   : strchr(target, '?') == NULL ? "?format="
                                                                 : "&format=",
                                   choice ? format : "");
    json_t *entry =
        json_pack("{s:o, s:{s:{s:s, s:o}}}", "schema", content_schema(route, media), "examples",
                  "live", "summary", "A live answer", "externalValue", address);
    bool good = type != NULL && json_object_set_new(content, json_string_value(type), entry) == 0;
    json_decref(type);
    return good;
}

static bool add_response(json_t *responses, const char *status, const char *name) {
    return json_object_set_new(
               responses, status,
               json_pack("{s:o}", "$ref", json_sprintf("#/components/responses/%s", name))) == 0;
}

/* Where the handler judges format= itself, for oEmbed, that means XML beside JSON. */
static bool add_own_format(const struct call *call, const struct route *route, json_t *content) {
    if (!route->has_own_format) {
        return true;
    }
    char filled[WORDS_BYTES];
    json_t *address =
        json_sprintf("%s%s&format=xml", call->site->public_url, example_of(call, route, filled));
    json_t *entry = json_pack("{s:{s:s}, s:{s:{s:s, s:o}}}", "schema", "type", "string", "examples",
                              "live", "summary", "A live answer", "externalValue", address);
    return json_object_set_new(content, "text/xml", entry) == 0;
}

static json_t *responses_of(const struct call *call, const struct route *route) {
    json_t *content = json_object();
    bool good = content != NULL && add_own_format(call, route, content);
    for (int i = 0; good && i < MEDIA__COUNT; i++) {
        if ((route_media(route) & MEDIA_BIT(i)) != 0) {
            good = add_content(call, route, (enum media)i, content);
        }
    }
    json_t *responses =
        json_pack("{s:{s:s, s:o}}", "200", "description", "The answer", "content", content);
    good = good && responses != NULL &&
           (route->cache == CACHE_NEVER || add_response(responses, "304", "NotModified")) &&
           ((route_media(route) & MEDIA_BIT(MEDIA_HTML)) == 0 ||
            add_response(responses, "301", "Moved")) &&
           ((route->canonical == NULL && !route_has_past(route)) ||
            add_response(responses, "400", "Invalid")) &&
           (strchr(route->pattern, '{') == NULL || add_response(responses, "404", "NotFound")) &&
           ((route_media(route) & (route_media(route) - 1)) == 0 ||
            add_response(responses, "406", "NotAcceptable")) &&
           add_response(responses, "4XX", "Problem");
    if (!good) {
        json_decref(responses);
        return NULL;
    }
    return responses;
}

/* --- the document --- */

static json_t *operation_of(const struct call *call, const struct route *route,
                            const json_t *shared, struct error *error) {
    json_t *parameters = parameters_of(call, route, shared, error);
    if (parameters == NULL) {
        return NULL;
    }
    char summary[WORDS_BYTES];
    char filled[WORDS_BYTES];
    json_t *operation = json_pack("{s:o, s:[s], s:s, s:o, s:o, s:o}", "operationId",
                                  operation_id(call, route, "get"), "tags", tag_of(route),
                                  "summary", words_fill(call, route->summary, summary),
                                  "parameters", parameters, "responses", responses_of(call, route),
                                  "x-example", folder_text(call, example_of(call, route, filled)));
    if (operation == NULL) {
        (void)error_no_memory(error);
    }
    return operation;
}

/* A message of JSON-RPC, with an example. What else it may hold is up to the protocol. */
static json_t *request_message(void) {
    return json_pack(
        "{s:{s:s, s:[ss], s:{s:{s:s}, s:{s:[ss]}, s:{s:s}, s:{s:s}}}, s:{s:s, s:i, s:s}}", "schema",
        "type", "object", "required", "jsonrpc", "method", "properties", "jsonrpc", "const", "2.0",
        "id", "type", "integer", "string", "method", "type", "string", "params", "type", "object",
        "example", "jsonrpc", "2.0", "id", 1, "method", "tools/list");
}

static json_t *answer_message(void) {
    return json_pack(
        "{s:{s:s, s:[ss], s:{s:{s:s}, s:{s:[sss]}, s:{s:s}, s:{s:s, s:[ss], s:{s:{s:s}, "
        "s:{s:s}}}}}}",
        "schema", "type", "object", "required", "jsonrpc", "id", "properties", "jsonrpc", "const",
        "2.0", "id", "type", "integer", "string", "null", "result", "type", "object", "error",
        "type", "object", "required", "code", "message", "properties", "code", "type", "integer",
        "message", "type", "string");
}

/* A POST is a message of the Model Context Protocol, which has its own description. */
static json_t *post_of(const struct call *call, const struct route *route) {
    return json_pack("{s:o, s:[s], s:s, s:{s:b, s:{s:o}}, s:{s:{s:s, s:{s:o}}, s:{s:s}, s:{s:s, "
                     "s:{s:o}}}}",
                     "operationId", operation_id(call, route, "post"), "tags", "Service", "summary",
                     route->summary, "requestBody", "required", 1, "content", "application/json",
                     request_message(), "responses", "200", "description",
                     "The result, or an error of the protocol", "content", "application/json",
                     answer_message(), "202", "description", "A notification was taken", "4XX",
                     "description", "An error of the protocol or of the transport", "content",
                     "application/json", answer_message());
}

static json_t *paths_of(const struct call *call, const json_t *shared, struct error *error) {
    json_t *paths = json_object();
    bool good = paths != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < route_count; i++) {
        const struct route *route = &route_table[i];
        if (route->pattern[1] == '{') {
            continue; /* style sheets, scripts and images */
        }
        if (!route_has_data(route, catalogue_generation(call->catalogue))) {
            continue;
        }
        json_t *path = json_object();
        if ((route->methods & METHOD_GET) != 0) {
            json_t *operation = operation_of(call, route, shared, error);
            good = operation != NULL &&
                   (json_object_set_new(path, "get", operation) == 0 || error_no_memory(error));
        }
        if (good && (route->methods & METHOD_POST) != 0) {
            good = json_object_set_new(path, "post", post_of(call, route)) == 0 ||
                   error_no_memory(error);
        }
        good = (json_object_set_new(paths, route->pattern, path) == 0 || error_no_memory(error)) &&
               good;
    }
    if (!good) {
        json_decref(paths);
        return NULL;
    }
    return paths;
}

static json_t *problem_response(const char *description) {
    return json_pack("{s:s, s:{s:{s:{s:s}}}}", "description", description, "content",
                     "application/problem+json", "schema", "$ref", "/data/problem.schema.json");
}

static json_t *responses(void) {
    return json_pack("{s:{s:s}, s:{s:s, s:{s:{s:s, s:{s:s}}}}, s:o, s:o, s:o, s:o}", "NotModified",
                     "description", "What the client has is still the answer", "Moved",
                     "description", "The same stands at another address", "headers", "Location",
                     "description", "That address", "schema", "type", "string", "Invalid",
                     problem_response("A parameter has a name or a value that is not known"),
                     "NotFound", problem_response("Nothing is published at the address"),
                     "NotAcceptable", problem_response("The Accept header refuses every form"),
                     "Problem",
                     problem_response("Another problem: type is an address that says more"));
}

static json_t *info_of(const struct call *call) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const char *licence = generation_setting(generation, "data_licence");
    char summary[WORDS_BYTES];
    json_t *info = json_pack(
        "{s:s, s:s, s:s, s:s, s:{s:s, s:s?}}", "title", words_get(call, WORD_TITLE), "version",
        OPENAPI_VERSION, "summary",
        words_fill(call, "A source-cited comparison of {subject}", summary), "description",
        "Every address reads; none writes. What is not documented is never shown as no. Every "
        "answer has an entity tag; HEAD works wherever GET does. The promise and the list of "
        "changes stand at /data/api/.",
        "license", "name", licence == NULL ? "unknown" : licence, "url",
        generation_setting(generation, "data_licence_url"));
    return info;
}

static json_t *tags(void) {
    return json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "name", "Questions",
                     "description", "Answers made for a question", "name", "Data", "description",
                     "Whole files", "name", "Pages", "description",
                     "Pages, most of them with a form for programs", "name", "Service",
                     "description", "Whether the service runs, and doors of other protocols");
}

/* Of every address that has a past. */
static json_t *as_of_parameter(void) {
    return json_pack("{s:s, s:s, s:s, s:{s:s, s:s}}", "name", "as_of", "in", "query", "description",
                     "The answer as the catalogue was known at the end of that day: from the first "
                     "day of which it knows anything to today",
                     "schema", "type", "string", "format", "date");
}

json_t *openapi_model(const struct call *call, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    json_t *parameters = json_object();
    json_t *schemas = json_object();
    bool good =
        parameters != NULL && schemas != NULL && openapi_add_conditions(index, parameters, schemas);
    if (!good) {
        (void)error_no_memory(error);
    }
    json_t *paths = good ? paths_of(call, parameters, error) : NULL;
    if (paths != NULL && json_object_set_new(parameters, "as_of", as_of_parameter()) != 0) {
        (void)error_no_memory(error);
        json_decref(paths);
        paths = NULL;
    }
    if (paths == NULL) {
        json_decref(parameters);
        json_decref(schemas);
        return NULL;
    }
    json_t *model =
        json_pack("{s:s, s:o, s:[{s:s}], s:{s:s, s:o}, s:o, s:[], s:o, s:{s:o, s:o, s:o}}",
                  "openapi", "3.1.0", "info", info_of(call), "servers", "url",
                  call->site->public_url, "externalDocs", "description", "The same for people",
                  "url", json_sprintf("%s/data/api/", call->site->public_url), "tags", tags(),
                  "security", "paths", paths, "components", "parameters", parameters, "schemas",
                  schemas, "responses", responses());
    if (model == NULL) {
        (void)error_no_memory(error);
    }
    return model;
}

/* The paths as they are outside. */
static json_t *paths_outside(const struct call *call, const json_t *paths) {
    json_t *turned = json_object();
    const char *path = NULL;
    json_t *operations = NULL;
    json_object_foreach((json_t *)paths, path, operations) {
        json_t *outside = folder_text(call, path);
        bool good =
            outside != NULL && json_object_set(turned, json_string_value(outside), operations) == 0;
        json_decref(outside);
        if (!good) {
            json_decref(turned);
            return NULL;
        }
    }
    return turned;
}

bool handle_openapi(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = openapi_model(call, error);
    json_t *paths = json_object_get(reply->model, "paths");
    return reply->model != NULL &&
           (json_object_set_new(reply->model, "paths", paths_outside(call, paths)) == 0 ||
            error_no_memory(error));
}
