/* Strict framing (RFC 9112): libmicrohttpd before 1.0 lets through what a proxy in front may read
 * otherwise, which is how requests are smuggled. Everything odd is refused on the first handler
 * call, which closes the connection. */
#include "exchange.h"
#include <string.h>
#include <strings.h>

struct framing {
    size_t body_bytes; /* that a body may have */
    unsigned hosts;
    unsigned lengths;
    unsigned encodings;
    bool has_body;    /* announces a body of more than no bytes */
    bool is_too_long; /* of more than body_bytes */
    const char *fault;
};

/* tchar of RFC 9110 section 5.6.2. */
static bool is_token(const char *name) {
    static const char allowed[] =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return name[0] != '\0' && name[strspn(name, allowed)] == '\0';
}

/* Whether a plain number is above maximum. */
static bool is_too_long(const char *digits, size_t maximum) {
    unsigned long long length = 0;
    for (; *digits != '\0' && length <= maximum; digits++) {
        length = length * 10 + (unsigned long long)(*digits - '0');
    }
    return length > maximum;
}

static enum MHD_Result look_at_header(void *context, enum MHD_ValueKind kind, const char *name,
                                      const char *value) {
    (void)kind;
    struct framing *framing = context;
    if (!is_token(name)) {
        framing->fault = "a header name is not a token";
        return MHD_NO;
    }
    if (strcasecmp(name, "Host") == 0) {
        framing->hosts++;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        framing->lengths++;
        if (value == NULL || value[0] == '\0' || value[strspn(value, "0123456789")] != '\0') {
            framing->fault = "Content-Length is not a plain number";
            return MHD_NO;
        }
        framing->has_body = value[strspn(value, "0")] != '\0';
        framing->is_too_long = is_too_long(value, framing->body_bytes);
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        framing->encodings++;
    }
    return MHD_YES;
}

const char *framing_fault(const struct exchange *exchange, struct MHD_Connection *connection,
                          const char *method, const char *version, unsigned *out_status) {
    struct framing framing = {.body_bytes = exchange->limits->body_bytes};
    *out_status = MHD_HTTP_BAD_REQUEST;
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, look_at_header, &framing);
    if (framing.fault != NULL) {
        return framing.fault;
    }
    if (framing.hosts > 1) {
        return "Host is repeated";
    }
    if (framing.hosts == 0 && strcmp(version, MHD_HTTP_VERSION_1_1) == 0) {
        return "Host is missing";
    }
    if (framing.encodings > 0) {
        return "Transfer-Encoding is not accepted: no address takes a body of unknown length";
    }
    if (framing.lengths > 1) {
        return "Content-Length is repeated";
    }
    if (framing.is_too_long) {
        *out_status = MHD_HTTP_CONTENT_TOO_LARGE;
        return "the body is too large";
    }
    if (framing.has_body && strcmp(method, MHD_HTTP_METHOD_POST) != 0) {
        *out_status = MHD_HTTP_CONTENT_TOO_LARGE;
        return "a request with this method takes no body";
    }
    return NULL;
}
