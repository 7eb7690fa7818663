/* POST /mcp: from bytes to a JSON-RPC message and back. */
#include "mcp.h"
#include "../handlers/handlers.h"
#include "limit.h"
#include "negotiate.h"
#include "site.h"
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    ACCEPTED = 202,
    BAD_REQUEST = 400,
    FORBIDDEN = 403,
    NOT_ACCEPTABLE = 406,
    TOO_LARGE = 413,
    WRONG_TYPE = 415
};

void mcp_fault_set(struct mcp_fault *fault, int status, int code, json_t *data, const char *format,
                   ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->message, sizeof(fault->message), format, arguments);
    va_end(arguments);
    fault->status = status;
    fault->code = code;
    json_decref(fault->data);
    fault->data = data;
}

static const char *header(const struct call *call, const char *name) {
    return call->post->header(call->post, name);
}

/* --- who may ask --- */

/* Whether authority ("host", "host:port", "[::1]:port") has this host, whatever its port. */
static bool has_host(const char *authority, const char *host) {
    size_t length = authority[0] == '[' ? strcspn(authority, "]") + 1 : strcspn(authority, ":");
    return strlen(host) == length && strncasecmp(authority, host, length) == 0;
}

static bool is_loopback(const char *authority) {
    return has_host(authority, "localhost") || has_host(authority, "127.0.0.1") ||
           has_host(authority, "[::1]");
}

/* The public address without its path: a browser's Origin has none. */
static size_t public_origin_length(const struct call *call) {
    const char *host = strstr(call->site->public_url, "://");
    return host == NULL ? 0 : (size_t)(host - call->site->public_url) + 3 + strcspn(host + 3, "/");
}

/* Whether text is what stands between two bytes of the public address. */
static bool is_public_part(const struct call *call, size_t start, const char *text) {
    size_t end = public_origin_length(call);
    return end > start && strlen(text) == end - start &&
           strncasecmp(text, call->site->public_url + start, end - start) == 0;
}

/* A name that some attacker's name server could point here is refused: only the public name and
 * plain addresses are taken. */
static bool is_own_host(const struct call *call, const char *authority) {
    const char *public_name = strstr(call->site->public_url, "://");
    const char *end = authority[0] == '[' ? "]" : ":";
    size_t length = strcspn(authority, end);
    bool is_address =
        authority[0] == '[' || (length > 0 && strspn(authority, "0123456789.") == length);
    return is_address || is_loopback(authority) ||
           (public_name != NULL &&
            is_public_part(call, (size_t)(public_name - call->site->public_url) + 3, authority));
}

static bool is_own_origin(const struct call *call, const char *origin, const char *host) {
    if (is_public_part(call, 0, origin)) {
        return true;
    }
    const char *authority = strstr(origin, "://");
    bool is_web = text_starts(origin, "http://") || text_starts(origin, "https://");
    return is_web && is_loopback(authority + 3) && is_loopback(host);
}

static void check_asker(const struct call *call, struct mcp_fault *fault) {
    const char *host = header(call, "Host");
    const char *origin = header(call, "Origin");
    const char *type = header(call, "Content-Type");
    enum media chosen = MEDIA_JSON;
    size_t type_length = type == NULL ? 0 : strcspn(type, "; \t");
    if (host != NULL && !is_own_host(call, host)) {
        mcp_fault_set(fault, FORBIDDEN, MCP_INVALID_REQUEST, NULL, "Host names another site");
    } else if (origin != NULL && !is_own_origin(call, origin, host == NULL ? "" : host)) {
        mcp_fault_set(fault, FORBIDDEN, MCP_INVALID_REQUEST, NULL, "Origin is another site");
    } else if (type_length != strlen("application/json") ||
               strncasecmp(type, "application/json", type_length) != 0) {
        mcp_fault_set(fault, WRONG_TYPE, MCP_INVALID_REQUEST, NULL,
                      "Content-Type must be application/json");
    } else if (!negotiate_media(header(call, "Accept"), MEDIA_BIT(MEDIA_JSON), 0, MEDIA_JSON,
                                &chosen)) {
        mcp_fault_set(fault, NOT_ACCEPTABLE, MCP_INVALID_REQUEST, NULL,
                      "answers are application/json, and Accept refuses it");
    } else if (call->post->length > LIMIT_BODY_BYTES) {
        mcp_fault_set(fault, TOO_LARGE, MCP_INVALID_REQUEST, NULL, "the body is too large");
    }
}

/* --- the message --- */

/* How deep brackets nest outside of strings. */
static size_t depth_of(const char *bytes, size_t length) {
    size_t depth = 0;
    size_t deepest = 0;
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        char c = bytes[i];
        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = ++depth > deepest ? depth : deepest;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return deepest;
}

static json_t *parse(const struct call *call, struct mcp_fault *fault) {
    const char *bytes = call->post->length == 0 ? "" : call->post->body;
    size_t length = call->post->length;
    json_error_t where;
    if (!text_is_utf8(bytes, length)) {
        mcp_fault_set(fault, BAD_REQUEST, MCP_PARSE_ERROR, NULL, "the body is not UTF-8");
        return NULL;
    }
    if (depth_of(bytes, length) > LIMIT_BODY_DEPTH) {
        mcp_fault_set(fault, BAD_REQUEST, MCP_PARSE_ERROR, NULL,
                      "the body nests deeper than %d levels", LIMIT_BODY_DEPTH);
        return NULL;
    }
    json_t *message = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &where);
    if (message == NULL) {
        mcp_fault_set(fault, BAD_REQUEST, MCP_PARSE_ERROR, NULL,
                      "the body is not JSON: line %d: %s", where.line, where.text);
    }
    return message;
}

static bool is_reply(const json_t *message) {
    return json_object_get(message, "method") == NULL &&
           (json_object_get(message, "result") != NULL ||
            json_object_get(message, "error") != NULL);
}

/* Takes a message apart. */
static void read_message(const json_t *message, struct mcp_request *request,
                         struct mcp_fault *fault) {
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    const json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    request->method = json_string_value(json_object_get(message, "method"));
    const char *wrong = json_is_array(message)     ? "a batch: send one message at a time"
                        : !json_is_object(message) ? "the body is no JSON object"
                        : version == NULL || strcmp(version, "2.0") != 0 ? "jsonrpc must be \"2.0\""
                        : id != NULL && !json_is_string(id) && !json_is_integer(id)
                            ? "id must be a text or a whole number"
                        : request->method == NULL                   ? "method is missing"
                        : params != NULL && !json_is_object(params) ? "params must be an object"
                                                                    : NULL;
    bool has_id = json_is_string(id) || json_is_integer(id);
    request->id = has_id ? id : NULL;
    request->params = params;
    if (wrong != NULL) {
        mcp_fault_set(fault, BAD_REQUEST, MCP_INVALID_REQUEST, NULL, "%s", wrong);
    }
}

/* --- the answer --- */

static json_t *error_message(const struct mcp_fault *fault, const json_t *id) {
    json_t *error = json_pack("{s:i, s:s}", "code", fault->code, "message", fault->message);
    if (fault->data != NULL && json_object_set(error, "data", fault->data) != 0) {
        json_decref(error);
        return NULL;
    }
    return json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id",
                     id == NULL ? json_null() : json_deep_copy(id), "error", error);
}

/* Takes over message. */
static bool give(struct reply *reply, int status, json_t *message, struct error *error) {
    reply->status = status;
    reply->content_type = "application/json";
    reply->text = message == NULL ? NULL : json_dumps(message, JSON_COMPACT);
    json_decref(message);
    return reply->text != NULL || error_no_memory(error);
}

static bool answer(const struct mcp_request *request, struct reply *reply, struct mcp_fault *fault,
                   struct error *error) {
    json_t *result = NULL;
    if (!mcp_dispatch(request, &result, fault, error)) {
        return false;
    }
    if (fault->code != 0) {
        json_decref(result);
        return true;
    }
    enum { OK = 200 };
    return give(reply, OK,
                json_pack("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", json_deep_copy(request->id),
                          "result", result),
                error);
}

static bool accept_quietly(struct reply *reply, struct error *error) {
    reply->status = ACCEPTED;
    reply->content_type = "application/json";
    reply->text = strdup("");
    return reply->text != NULL || error_no_memory(error);
}

bool handle_mcp(const struct call *call, struct reply *reply, struct error *error) {
    struct mcp_fault fault = {0};
    struct mcp_request request = {.call = call};
    json_t *message = NULL;
    bool good = true;
    check_asker(call, &fault);
    if (fault.code == 0) {
        message = parse(call, &fault);
    }
    bool is_answer = is_reply(message);
    if (fault.code == 0 && !is_answer) {
        read_message(message, &request, &fault);
    }
    if (fault.code == 0 && !is_answer) {
        mcp_classify(&request, &fault);
    }
    if (fault.code == 0 && (is_answer || request.id == NULL)) {
        good = accept_quietly(reply, error);
    } else if (fault.code == 0) {
        good = answer(&request, reply, &fault, error);
    }
    if (good && fault.code != 0) {
        good = give(reply, fault.status, error_message(&fault, request.id), error);
    }
    json_decref(fault.data);
    json_decref(message);
    return good;
}
