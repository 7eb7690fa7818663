/* Which era a request belongs to, and whether its headers say the same as its body. The body
 * decides; headers are checked against it. */
#include "limit.h"
#include "mcp.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAD_REQUEST = 400 };

static const char *const sessions[] = {"2025-03-26", "2025-06-18", "2025-11-25"};

static bool is_known_session(const char *version) {
    for (size_t i = 0; i < ARRAY_LENGTH(sessions); i++) {
        if (strcmp(sessions[i], version) == 0) {
            return true;
        }
    }
    return false;
}

static const char *header(const struct mcp_request *request, const char *name) {
    return request->call->post->header(request->call->post, name);
}

/* --- Mcp-Name --- */

static int sextet(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

/* Decodes padded Base64; false where it is none. */
static bool decode_base64(const char *text, size_t length, struct buf *out) {
    if (length % 4 != 0) {
        return false;
    }
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0;
        size_t bytes = 3;
        for (size_t j = 0; j < 4; j++) {
            bool is_padding = text[i + j] == '=' && i + 4 == length && j >= 2;
            int value = is_padding ? 0 : sextet(text[i + j]);
            if (value < 0 || (bytes < 3 && !is_padding)) {
                return false;
            }
            bytes -= is_padding ? 1 : 0;
            bits = bits << 6 | (unsigned)value;
        }
        const char decoded[] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
        buf_add(out, decoded, bytes);
    }
    return !out->failed;
}

/* A name that is not plain ASCII travels as =?base64?...?=. Blanks around a field are not of it. */
static bool says(const char *field, const char *expected) {
    static const char start[] = "=?base64?";
    static const char end[] = "?=";
    field += strspn(field, " \t");
    size_t length = strlen(field);
    while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t')) {
        length--;
    }
    size_t cut = strlen(start) + strlen(end);
    if (!text_starts(field, start) || length < cut ||
        memcmp(field + length - strlen(end), end, strlen(end)) != 0) {
        return strlen(expected) == length && memcmp(field, expected, length) == 0;
    }
    struct buf decoded;
    buf_init(&decoded, LIMIT_CONNECTION_BYTES);
    bool same = decode_base64(field + strlen(start), length - cut, &decoded) &&
                decoded.length == strlen(expected) &&
                (decoded.length == 0 || memcmp(decoded.data, expected, decoded.length) == 0);
    buf_free(&decoded);
    return same;
}

/* The member of params that Mcp-Name repeats, or NULL. */
static const char *named_member(const char *method) {
    if (strcmp(method, "tools/call") == 0 || strcmp(method, "prompts/get") == 0) {
        return "name";
    }
    return strcmp(method, "resources/read") == 0 ? "uri" : NULL;
}

/* --- the eras --- */

static void mismatch(struct mcp_fault *fault, const char *field, const char *what) {
    mcp_fault_set(fault, BAD_REQUEST, MCP_HEADER_MISMATCH, NULL, "%s %s", field, what);
}

static void unsupported(struct mcp_fault *fault, const char *requested, bool stateless) {
    json_t *supported = json_array();
    bool good = json_array_append_new(supported, json_string(MCP_STATELESS_VERSION)) == 0;
    for (size_t i = ARRAY_LENGTH(sessions); good && !stateless && i > 0; i--) {
        good = json_array_append_new(supported, json_string(sessions[i - 1])) == 0;
    }
    mcp_fault_set(fault, BAD_REQUEST, MCP_UNSUPPORTED_VERSION,
                  json_pack("{s:o, s:s}", "supported", supported, "requested", requested),
                  "this version of the protocol is not supported");
}

static void check_stateless_headers(const struct mcp_request *request, struct mcp_fault *fault) {
    const char *method = header(request, "Mcp-Method");
    const char *named = header(request, "Mcp-Name");
    const char *member = named_member(request->method);
    const char *wanted =
        member == NULL ? NULL : json_string_value(json_object_get(request->params, member));
    bool is_notification = request->id == NULL;
    if (method == NULL ? !is_notification : strcmp(method, request->method) != 0) {
        mismatch(fault, "Mcp-Method", method == NULL ? "is missing" : "is not the body's method");
    } else if (wanted != NULL && (named == NULL || !says(named, wanted))) {
        mismatch(fault, "Mcp-Name", named == NULL ? "is missing" : "is not the name in the body");
    }
}

static void classify_stateless(struct mcp_request *request, const json_t *meta,
                               struct mcp_fault *fault) {
    const char *field = header(request, "MCP-Protocol-Version");
    const json_t *version = json_object_get(meta, MCP_META_VERSION);
    bool is_notification = request->id == NULL;
    request->stateless = true;
    if (!is_notification || version != NULL) {
        const char *missing =
            !json_is_string(version) ? MCP_META_VERSION
            : !is_notification && !json_is_object(json_object_get(meta, MCP_META_CAPABILITIES))
                ? MCP_META_CAPABILITIES
                : NULL;
        if (missing != NULL) {
            mcp_fault_set(fault, BAD_REQUEST, MCP_INVALID_PARAMS, NULL, "params._meta needs %s",
                          missing);
            return;
        }
        if (field == NULL || strcmp(field, json_string_value(version)) != 0) {
            mismatch(fault, "MCP-Protocol-Version",
                     field == NULL ? "is missing" : "is not the version in params._meta");
            return;
        }
        if (strcmp(field, MCP_STATELESS_VERSION) != 0) {
            unsupported(fault, field, true);
            return;
        }
    }
    check_stateless_headers(request, fault);
}

void mcp_classify(struct mcp_request *request, struct mcp_fault *fault) {
    const char *field = header(request, "MCP-Protocol-Version");
    const json_t *meta = json_object_get(request->params, "_meta");
    bool has_claim = json_object_get(meta, MCP_META_VERSION) != NULL;
    bool names_stateless = field != NULL && strcmp(field, MCP_STATELESS_VERSION) == 0;
    if (!has_claim && strcmp(request->method, "initialize") == 0 && names_stateless) {
        mismatch(fault, "MCP-Protocol-Version", "names a version without initialize");
    } else if (has_claim || names_stateless || strcmp(request->method, "server/discover") == 0) {
        classify_stateless(request, meta, fault);
    } else if (field != NULL && !is_known_session(field) &&
               strcmp(request->method, "initialize") != 0) {
        unsupported(fault, field, false);
    }
}
