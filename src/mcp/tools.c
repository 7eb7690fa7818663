/* tools/list and tools/call. */
#include "tools.h"
#include "limit.h"
#include "site.h"
#include <stdlib.h>
#include <string.h>

enum { OK = 200, ALLOWED_NAMES = 40 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The slugs of the rankings: the catalogue knows them, mcp/server.json does not. */
static json_t *use_case_slugs(struct catalogue *catalogue, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    json_t *slugs = rows == NULL ? NULL : json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        (void)json_array_append(slugs, json_object_get(row, "slug"));
    }
    json_decref(rows);
    return slugs;
}

/* Whether the catalogue has what the tool answers from. */
static bool is_offered(const struct call *call, const struct tool *tool) {
    return tool->section == NULL ||
           generation_has(catalogue_generation(call->catalogue), tool->section);
}

/* The tool of a name as it is listed, or NULL. */
static const struct tool *find_tool(const struct call *call, const char *name) {
    for (size_t i = 0; i < tool_count; i++) {
        char own[WORDS_BYTES];
        if (is_offered(call, &tools[i]) &&
            strcmp(mcp_tool_name(call, tools[i].name, own), name) == 0) {
            return &tools[i];
        }
    }
    return NULL;
}

/* Takes away the tools that have nothing to answer from. */
static void drop_tools(const struct call *call, json_t *list) {
    for (size_t i = json_array_size(list); i > 0; i--) {
        if (find_tool(call, string_of(json_array_get(list, i - 1), "name")) == NULL) {
            (void)json_array_remove(list, i - 1);
        }
    }
}

/* The tools as they are listed. New reference. */
static json_t *listed(const struct call *call, struct error *error) {
    json_t *description = mcp_description(call, error);
    json_t *slugs = description == NULL ? NULL : use_case_slugs(call->catalogue, error);
    json_t *list = slugs == NULL ? NULL : json_incref(json_object_get(description, "tools"));
    size_t i = 0;
    json_t *tool = NULL;
    drop_tools(call, list);
    json_array_foreach(list, i, tool) {
        json_t *properties = json_object_get(json_object_get(tool, "inputSchema"), "properties");
        json_t *use_case = json_object_get(properties, "use_case");
        if (use_case != NULL && json_array_size(slugs) == 0) {
            (void)json_object_del(properties, "use_case");
        } else if (use_case != NULL) {
            (void)json_object_set(use_case, "enum", slugs);
        }
    }
    json_decref(slugs);
    json_decref(description);
    return list;
}

bool mcp_tools_list(const struct mcp_request *request, json_t **out_result, struct mcp_fault *fault,
                    struct error *error) {
    (void)fault;
    json_t *list = listed(request->call, error);
    if (list == NULL) {
        return false;
    }
    *out_result = json_pack("{s:o}", "tools", list);
    return *out_result != NULL || error_no_memory(error);
}

/* --- results --- */

static bool give_text(json_t **out_result, const char *text, struct error *error) {
    *out_result =
        json_pack("{s:[{s:s, s:s}], s:b}", "content", "type", "text", "text", text, "isError", 1);
    return *out_result != NULL || error_no_memory(error);
}

/* A problem in words: what was wrong, the nearest known name, what is allowed. */
static bool give_problem(json_t **out_result, const json_t *problem, struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_MCP_BRIEF_BYTES);
    const char *detail = string_of(problem, "detail");
    const char *parameter = string_of(problem, "parameter");
    const char *nearest = string_of(problem, "nearest");
    const json_t *allowed = json_object_get(problem, "allowed");
    if (parameter != NULL) {
        buf_add_format(&text, "%s: ", parameter);
    }
    buf_add_text(&text, detail == NULL ? "The question cannot be answered." : detail);
    if (nearest != NULL) {
        buf_add_format(&text, " Nearest known: %s.", nearest);
    }
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach((json_t *)allowed, i, name) {
        if (json_is_string(name) && i < ALLOWED_NAMES) {
            buf_add_format(&text, "%s%s", i == 0 ? " Allowed: " : ", ", json_string_value(name));
        }
    }
    bool good = text.failed ? error_no_memory(error) : give_text(out_result, text.data, error);
    buf_free(&text);
    return good;
}

static json_t *about(const struct call *call, const char *target, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *description = mcp_description(call, error);
    json_t *result =
        description == NULL
            ? NULL
            : json_pack("{s:O, s:s, s:s, s:o}", "notice", json_object_get(description, "notice"),
                        "generation", generation_id(generation), "last_reviewed",
                        generation_last_reviewed(generation), "url",
                        json_sprintf("%s%s", call->site->public_url, target));
    json_decref(description);
    return result;
}

/* The answer of a tool, from the model of the route that it asked. New reference. */
static json_t *make_answer(const struct call *call, const struct tool *tool, const char *target,
                           json_t *model, bool is_full, struct error *error) {
    static const char *const always[] = {"query",      "generation", "last_reviewed", "facets",
                                         "facets_cut", "columns",    "schema",        "licence"};
    for (size_t i = 0; i < ARRAY_LENGTH(always); i++) {
        (void)json_object_del(model, always[i]);
    }
    json_t *rest = is_full ? json_incref(model) : mcp_condense(model, tool->drop);
    json_t *answer = json_pack("{s:o}", "about", about(call, target, error));
    bool good = rest != NULL && answer != NULL && json_object_update(answer, rest) == 0;
    json_decref(rest);
    if (!good) {
        json_decref(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    if (!is_full && !mcp_fit(answer, tool->lists, error)) {
        json_decref(answer);
        return NULL;
    }
    return answer;
}

/* Takes over answer. */
static bool give_answer(json_t **out_result, json_t *answer, struct error *error) {
    char *text = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(6));
    *out_result = text == NULL ? NULL
                               : json_pack("{s:[{s:s, s:s}], s:O}", "content", "type", "text",
                                           "text", text, "structuredContent", answer);
    free(text);
    json_decref(answer);
    return *out_result != NULL || error_no_memory(error);
}

/* --- the call --- */

static bool ask(const struct call *call, const struct tool *tool, const json_t *arguments,
                const char *target, json_t **out_result, struct error *error) {
    const char *detail = string_of(arguments, "detail");
    bool is_full = detail != NULL && strcmp(detail, "full") == 0;
    struct mcp_asked asked = {0};
    if (!mcp_ask(call, target, MEDIA_JSON, &asked, error)) {
        return false;
    }
    bool good = true;
    if (asked.problem != NULL) {
        good = give_problem(out_result, asked.problem, error);
    } else {
        good = tool->shape == NULL || tool->shape(call, arguments, is_full, asked.model, error);
        json_t *answer = good ? make_answer(call, tool, target, asked.model, is_full, error) : NULL;
        good = answer != NULL && give_answer(out_result, answer, error);
    }
    mcp_asked_free(&asked);
    return good;
}

static bool call_tool(const struct call *call, const struct tool *tool, const json_t *arguments,
                      json_t **out_result, struct error *error) {
    struct buf target;
    struct buf what;
    /* One byte more than a target may have: mcp_ask says that it is too long. */
    buf_init(&target, (size_t)2 * LIMIT_TARGET_BYTES);
    buf_init(&what, LIMIT_TARGET_BYTES);
    bool good = true;
    if (tool->target(call, arguments, &target, &what, error)) {
        good = target.failed ? give_text(out_result, "The question is too long.", error)
                             : ask(call, tool, arguments, target.data, out_result, error);
    } else {
        good = what.length > 0 && give_text(out_result, what.data, error);
    }
    buf_free(&target);
    buf_free(&what);
    return good;
}

/* What is wrong with the arguments, by the tool's own schema. */
static bool find_fault(const json_t *list, const char *name, const json_t *arguments, char *out,
                       size_t out_bytes) {
    size_t i = 0;
    json_t *tool = NULL;
    json_array_foreach((json_t *)list, i, tool) {
        if (strcmp(string_of(tool, "name"), name) == 0) {
            return mcp_schema_fault(json_object_get(tool, "inputSchema"), arguments, "arguments",
                                    out, out_bytes);
        }
    }
    return false;
}

bool mcp_tools_call(const struct mcp_request *request, json_t **out_result, struct mcp_fault *fault,
                    struct error *error) {
    const char *name = string_of(request->params, "name");
    const struct tool *tool = name == NULL ? NULL : find_tool(request->call, name);
    if (tool == NULL) {
        mcp_fault_set(fault, OK, MCP_INVALID_PARAMS, NULL, "there is no tool \"%.80s\"",
                      name == NULL ? "" : name);
        return true;
    }
    json_t *arguments = json_object_get(request->params, "arguments");
    json_t *none = json_object();
    json_t *list = listed(request->call, error);
    arguments = arguments == NULL ? none : arguments;
    char wrong[512];
    bool good = list != NULL && none != NULL;
    if (good && find_fault(list, name, arguments, wrong, sizeof(wrong))) {
        good = give_text(out_result, wrong, error);
    } else if (good) {
        good = call_tool(request->call, tool, arguments, out_result, error);
    }
    json_decref(list);
    json_decref(none);
    return good;
}
