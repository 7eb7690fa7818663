/* Strict framing (RFC 9112): libmicrohttpd before 1.0 lets through what a proxy in front may read
 * otherwise, which is how requests are smuggled. Everything odd is refused on the first handler
 * call, which closes the connection. */
#include "exchange.h"
#include <string.h>

/* Whether a plain number is above maximum. */
static bool is_too_long(const char *digits, size_t maximum) {
    unsigned long long length = 0;
    for (; *digits != '\0' && length <= maximum; digits++) {
        length = length * 10 + (unsigned long long)(*digits - '0');
    }
    return length > maximum;
}

/* A name or an address, and a port (RFC 3986 section 3.2.2); or nothing. */
static bool is_host(const char *text) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-._~!$&'()*+,;=%:[]";
    return text[strspn(text, allowed)] == '\0';
}

const char *framing_fault(const struct exchange *exchange, const char *method, const char *version,
                          unsigned *out_status) {
    const struct fields *fields = &exchange->fields;
    const char *length = fields->values[FIELD_CONTENT_LENGTH];
    *out_status = MHD_HTTP_BAD_REQUEST;
    if (fields->has_odd_line) {
        return "a line of the head goes on in the next one, holds a NUL, or does not end by CR LF";
    }
    if (fields->has_odd_name) {
        return "a header name is not a token";
    }
    if (fields->has_odd_length) {
        return "Content-Length is not a plain number";
    }
    if (fields->counts[FIELD_HOST] > 1) {
        return "Host is repeated";
    }
    if (fields->counts[FIELD_HOST] == 1 && !is_host(fields->values[FIELD_HOST])) {
        return "Host is no name or address";
    }
    if (fields->counts[FIELD_HOST] == 0 && strcmp(version, MHD_HTTP_VERSION_1_1) == 0) {
        return "Host is missing";
    }
    if (fields->counts[FIELD_TRANSFER_ENCODING] > 0) {
        return "Transfer-Encoding is not accepted: no address takes a body of unknown length";
    }
    if (fields->counts[FIELD_CONTENT_LENGTH] > 1) {
        return "Content-Length is repeated";
    }
    if (length != NULL && is_too_long(length, exchange->limits->body_bytes)) {
        *out_status = MHD_HTTP_CONTENT_TOO_LARGE;
        return "the body is too large";
    }
    if (length != NULL && length[strspn(length, "0")] != '\0' &&
        strcmp(method, MHD_HTTP_METHOD_POST) != 0) {
        *out_status = MHD_HTTP_CONTENT_TOO_LARGE;
        return "a request with this method takes no body";
    }
    return NULL;
}
