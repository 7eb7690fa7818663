/* The door for agents (Model Context Protocol over Streamable HTTP), stateless: each POST is
 * answered by itself, from the same handlers as the pages. Private to src/mcp.
 *
 * Two eras share it: 2026-07-28, where each request says its version in params._meta, and the
 * revisions before it, which begin with initialize. */
#ifndef AGENT_SANDBOXES_MCP_H
#define AGENT_SANDBOXES_MCP_H

#include "buf.h"
#include "handler.h"
#include "words.h"

enum mcp_code {
    MCP_PARSE_ERROR = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_METHOD_NOT_FOUND = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL_ERROR = -32603,
    MCP_HEADER_MISMATCH = -32020,
    MCP_UNSUPPORTED_VERSION = -32022,
    MCP_RESOURCE_NOT_FOUND = -32002 /* of the eras before 2026-07-28 */
};

/* Of params._meta, and of the _meta of results. */
#define MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"
#define MCP_META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define MCP_META_SERVER "io.modelcontextprotocol/serverInfo"
#define MCP_STATELESS_VERSION "2026-07-28"

/* An error answer; code 0 is none. */
struct mcp_fault {
    int code;
    int status;   /* of HTTP */
    json_t *data; /* or NULL. Owned */
    char message[256];
};

/* Sets the fault; data is taken over. */
void mcp_fault_set(struct mcp_fault *fault, int status, int code, json_t *data, const char *format,
                   ...) PRINTF_LIKE(5, 6);

/* One request, taken apart. Everything is borrowed. */
struct mcp_request {
    const struct call *call;
    const char *method;
    const json_t *id;     /* NULL: a notification */
    const json_t *params; /* an object, or NULL */
    bool stateless;       /* the era of 2026-07-28 */
};

/* Decides the era of a request and checks what its headers say against it. */
void mcp_classify(struct mcp_request *request, struct mcp_fault *fault);

/* Answers a request. False is a failure of the program; a fault is an answer. *out_result is owned
 * by the caller. */
bool mcp_dispatch(const struct mcp_request *request, json_t **out_result, struct mcp_fault *fault,
                  struct error *error) MUST_USE;

/* A method: the same contract. */
typedef bool mcp_method(const struct mcp_request *request, json_t **out_result,
                        struct mcp_fault *fault, struct error *error);
mcp_method mcp_tools_list;
mcp_method mcp_tools_call;
mcp_method mcp_resources_list;
mcp_method mcp_resource_templates;
mcp_method mcp_resources_read;
mcp_method mcp_prompts_list;
mcp_method mcp_prompts_get;

/* mcp/server.json in the words of the catalogue: instructions, tools, prompts. New reference; NULL
 * is out of memory. */
json_t *mcp_description(const struct call *call, struct error *error) MUST_USE;

/* A name of a tool as it is listed: "find_sandboxes" for "find_{nouns}". Returns out. */
const char *mcp_tool_name(const struct call *call, const char *name, char out[WORDS_BYTES]);

/* Asks a route of this site, as GET would, for its model in a medium (MEDIA_JSON or
 * MEDIA_MARKDOWN). One of *out_model, *out_text and *out_problem is set and owned by the caller:
 * the JSON, the Markdown, or the problem that the route answers. */
struct mcp_asked {
    json_t *model;
    json_t *problem;
    char *text;
};
bool mcp_ask(const struct call *call, const char *target, enum media media, struct mcp_asked *out,
             struct error *error) MUST_USE;
void mcp_asked_free(struct mcp_asked *asked);

/* Appends "key=value" to a target in the making, percent-encoded, after "?" or "&". */
void mcp_add_pair(struct buf *target, const char *key, const char *value);

/* What is wrong with a value by a schema (the keywords that mcp/server.json uses), in words at
 * path; false where nothing is. */
bool mcp_schema_fault(const json_t *schema, const json_t *value, const char *path, char *out,
                      size_t out_bytes);

/* Makes a model short, for an answer without detail=full: facts keep what a receipt needs, what is
 * null or empty goes, so does every key in drop (ended by NULL). New reference. */
json_t *mcp_condense(const json_t *model, const char *const *drop) MUST_USE;

/* Cuts the ends of the lists named (ended by NULL; the first suffers first) until the compact text
 * fits into LIMIT_MCP_BRIEF_BYTES, and counts in left_out what went. */
bool mcp_fit(json_t *answer, const char *const *lists, struct error *error) MUST_USE;

#endif
