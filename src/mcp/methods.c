/* The methods of the protocol. */
#include "builtin.h"
#include "mcp.h"
#include "site.h"
#include "words.h"
#include <ctype.h>
#include <string.h>

enum {
    OK = 200,
    NOT_FOUND = 404,
    CACHE_MILLISECONDS = 300000 /* as long as a page may be kept: respond.c */
};

/* Puts the catalogue's words into every text of a description. */
static bool fill(const struct call *call, json_t *node) {
    const char *key = NULL;
    json_t *member = NULL;
    size_t i = 0;
    bool good = true;
    if (json_is_string(node)) {
        char text[WORDS_BYTES];
        return strchr(json_string_value(node), '{') == NULL ||
               json_string_set(node, words_fill(call, json_string_value(node), text)) == 0;
    }
    json_object_foreach(node, key, member) {
        good = fill(call, member) && good;
    }
    json_array_foreach(node, i, member) {
        good = fill(call, member) && good;
    }
    return good;
}

const char *mcp_tool_name(const struct call *call, const char *name, char out[WORDS_BYTES]) {
    enum { NAME_BYTES = 64 }; /* what clients take */
    (void)words_fill(call, name, out);
    out[NAME_BYTES] = '\0';
    for (char *at = out; *at != '\0'; at++) {
        *at = isalnum((unsigned char)*at) != 0 ? (char)tolower((unsigned char)*at) : '_';
    }
    return out;
}

static bool name_tools(const struct call *call, json_t *tools) {
    size_t i = 0;
    json_t *tool = NULL;
    bool good = true;
    json_array_foreach(tools, i, tool) {
        char name[WORDS_BYTES];
        json_t *given = json_object_get(tool, "name");
        good = json_string_set(given, mcp_tool_name(call, json_string_value(given), name)) == 0 &&
               good;
    }
    return good;
}

json_t *mcp_description(const struct call *call, struct error *error) {
    const struct builtin_file *file = builtin_mcp();
    json_error_t where;
    json_t *description =
        json_loadb((const char *)file->bytes, file->length, JSON_REJECT_DUPLICATES, &where);
    if (description == NULL) {
        (void)error_set(error, ERROR_INTERNAL, "mcp/server.json:%d: %s", where.line, where.text);
    } else if (!name_tools(call, json_object_get(description, "tools")) ||
               !fill(call, description)) {
        json_decref(description);
        description = NULL;
        (void)error_no_memory(error);
    }
    return description;
}

static json_t *server_info(const struct mcp_request *request) {
    const struct generation *generation = catalogue_generation(request->call->catalogue);
    char key[WORDS_BYTES];
    return json_pack("{s:s, s:s, s:s, s:s}", "name", words_key(request->call, key), "title",
                     words_get(request->call, WORD_TITLE), "version",
                     generation_last_reviewed(generation), "websiteUrl",
                     request->call->site->public_url);
}

static json_t *capabilities(void) {
    return json_pack("{s:{}, s:{}, s:{}}", "tools", "resources", "prompts");
}

static json_t *instructions(const struct call *call, struct error *error) {
    json_t *description = mcp_description(call, error);
    json_t *text = json_incref(json_object_get(description, "instructions"));
    json_decref(description);
    return text;
}

static bool discover(const struct mcp_request *request, json_t **out_result,
                     struct mcp_fault *fault, struct error *error) {
    (void)fault;
    *out_result =
        json_pack("{s:[s], s:o, s:o}", "supportedVersions", MCP_STATELESS_VERSION, "capabilities",
                  capabilities(), "instructions", instructions(request->call, error));
    return *out_result != NULL || error_no_memory(error);
}

static bool initialize(const struct mcp_request *request, json_t **out_result,
                       struct mcp_fault *fault, struct error *error) {
    static const char *const versions[] = {"2025-03-26", "2025-06-18", "2025-11-25"};
    const char *wanted = json_string_value(json_object_get(request->params, "protocolVersion"));
    const char *chosen = versions[ARRAY_LENGTH(versions) - 1];
    if (wanted == NULL) {
        mcp_fault_set(fault, OK, MCP_INVALID_PARAMS, NULL, "params needs protocolVersion");
        return true;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
        chosen = strcmp(versions[i], wanted) == 0 ? versions[i] : chosen;
    }
    *out_result = json_pack("{s:s, s:o, s:o, s:o}", "protocolVersion", chosen, "capabilities",
                            capabilities(), "serverInfo", server_info(request), "instructions",
                            instructions(request->call, error));
    return *out_result != NULL || error_no_memory(error);
}

static bool ping(const struct mcp_request *request, json_t **out_result, struct mcp_fault *fault,
                 struct error *error) {
    (void)request;
    (void)fault;
    *out_result = json_object();
    return *out_result != NULL || error_no_memory(error);
}

static const struct {
    const char *name;
    mcp_method *method;
    bool with_sessions; /* before 2026-07-28 */
    bool stateless;
    bool cacheable;
} methods[] = {
    {"initialize", initialize, true, false, false},
    {"ping", ping, true, false, false},
    {"server/discover", discover, false, true, true},
    {"tools/list", mcp_tools_list, true, true, true},
    {"tools/call", mcp_tools_call, true, true, false},
    {"resources/list", mcp_resources_list, true, true, true},
    {"resources/templates/list", mcp_resource_templates, true, true, true},
    {"resources/read", mcp_resources_read, true, true, true},
    {"prompts/list", mcp_prompts_list, true, true, true},
    {"prompts/get", mcp_prompts_get, true, true, false},
};

/* What every result of the stateless era says besides. */
static bool complete(const struct mcp_request *request, json_t *result, bool cacheable,
                     struct error *error) {
    bool good = json_object_set_new(result, "resultType", json_string("complete")) == 0 &&
                json_object_set_new(result, "_meta",
                                    json_pack("{s:o}", MCP_META_SERVER, server_info(request))) == 0;
    if (good && cacheable) {
        good = json_object_set_new(result, "ttlMs", json_integer(CACHE_MILLISECONDS)) == 0 &&
               json_object_set_new(result, "cacheScope", json_string("public")) == 0;
    }
    return good || error_no_memory(error);
}

bool mcp_dispatch(const struct mcp_request *request, json_t **out_result, struct mcp_fault *fault,
                  struct error *error) {
    for (size_t i = 0; i < ARRAY_LENGTH(methods); i++) {
        bool is_known = request->stateless ? methods[i].stateless : methods[i].with_sessions;
        if (!is_known || strcmp(methods[i].name, request->method) != 0) {
            continue;
        }
        if (methods[i].cacheable && json_object_get(request->params, "cursor") != NULL) {
            mcp_fault_set(fault, OK, MCP_INVALID_PARAMS, NULL, "no list here has a second page");
            return true;
        }
        return methods[i].method(request, out_result, fault, error) &&
               (fault->code != 0 || !request->stateless ||
                complete(request, *out_result, methods[i].cacheable, error));
    }
    mcp_fault_set(fault, request->stateless ? NOT_FOUND : OK, MCP_METHOD_NOT_FOUND, NULL,
                  "there is no method \"%.80s\"", request->method);
    return true;
}
