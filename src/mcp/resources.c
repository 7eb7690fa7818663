/* Guides and glossary as resources: the Markdown twins of their pages. */
#include "buf.h"
#include "folder.h"
#include "limit.h"
#include "mcp.h"
#include "site.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

enum { OK = 200 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool add_rows(const struct call *call, json_t *list, const char *folder, const char *title,
                     enum statement statement, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, statement, NULL, 0, error);
    bool good = rows != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *entry = json_pack(
            "{s:o, s:O, s:O, s:O, s:s}", "uri",
            json_sprintf("%s/%s/%s.md", call->site->public_url, folder, string_of(row, "slug")),
            "name", json_object_get(row, "slug"), "title", json_object_get(row, title),
            "description", json_object_get(row, "description"), "mimeType", "text/markdown");
        good = good && (json_array_append_new(list, entry) == 0 || error_no_memory(error));
    }
    json_decref(rows);
    return good;
}

bool mcp_resources_list(const struct mcp_request *request, json_t **out_result,
                        struct mcp_fault *fault, struct error *error) {
    (void)fault;
    json_t *list = json_array();
    if (!add_rows(request->call, list, "guides", "title", STATEMENT_GUIDES, error) ||
        !add_rows(request->call, list, "glossary", "term", STATEMENT_TERMS, error)) {
        json_decref(list);
        return false;
    }
    *out_result = json_pack("{s:o}", "resources", list);
    return *out_result != NULL || error_no_memory(error);
}

bool mcp_resource_templates(const struct mcp_request *request, json_t **out_result,
                            struct mcp_fault *fault, struct error *error) {
    (void)fault;
    json_t *description = mcp_description(request->call, error);
    json_t *templates = json_object_get(description, "resourceTemplates");
    bool good = description != NULL;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(templates, i, entry) {
        good = good && (json_object_set_new(entry, "uriTemplate",
                                            json_sprintf("%s%s", request->call->site->public_url,
                                                         string_of(entry, "uriTemplate"))) == 0 ||
                        error_no_memory(error));
    }
    *out_result = good ? json_pack("{s:O}", "resourceTemplates", templates) : NULL;
    json_decref(description);
    return good && (*out_result != NULL || error_no_memory(error));
}

/* The path of an address of this site that is a Markdown twin, or NULL. */
static const char *twin_path(const struct call *call, const char *uri) {
    size_t length = strlen(call->site->public_url);
    size_t whole = strlen(uri);
    bool is_ours = text_starts(uri, call->site->public_url) && uri[length] == '/';
    bool is_twin = whole > strlen(".md") && strcmp(uri + whole - strlen(".md"), ".md") == 0;
    return is_ours && is_twin && strchr(uri, '?') == NULL ? uri + length : NULL;
}

bool mcp_resources_read(const struct mcp_request *request, json_t **out_result,
                        struct mcp_fault *fault, struct error *error) {
    const char *uri = string_of(request->params, "uri");
    if (uri == NULL) {
        mcp_fault_set(fault, OK, MCP_INVALID_PARAMS, NULL, "params needs uri");
        return true;
    }
    struct mcp_asked asked = {0};
    char path[LIMIT_TARGET_BYTES + sizeof(FOLDER_INSIDE)];
    const char *twin = twin_path(request->call, uri);
    if (twin != NULL && folder_in(request->call, twin, path, sizeof(path)) &&
        !mcp_ask(request->call, path, MEDIA_MARKDOWN, &asked, error)) {
        return false;
    }
    if (asked.text == NULL) {
        mcp_fault_set(fault, OK, request->stateless ? MCP_INVALID_PARAMS : MCP_RESOURCE_NOT_FOUND,
                      json_pack("{s:s}", "uri", uri), "there is no such resource");
        mcp_asked_free(&asked);
        return true;
    }
    *out_result = json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", uri, "mimeType",
                            "text/markdown", "text", asked.text);
    mcp_asked_free(&asked);
    return *out_result != NULL || error_no_memory(error);
}
