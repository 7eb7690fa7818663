/* The header fields that the program looks at, found in one pass. Private to src/http. */
#ifndef AGENT_SANDBOXES_FIELDS_H
#define AGENT_SANDBOXES_FIELDS_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

enum field {
    FIELD_ACCEPT,
    FIELD_ACCEPT_ENCODING,
    FIELD_CONTENT_LENGTH,
    FIELD_COOKIE,
    FIELD_HOST,
    FIELD_IF_MODIFIED_SINCE,
    FIELD_IF_NONE_MATCH,
    FIELD_IF_RANGE,
    FIELD_RANGE,
    FIELD_TRANSFER_ENCODING,
    FIELD__COUNT
};

struct fields {
    const char *values[FIELD__COUNT]; /* of repeated ones the first; NULL: absent. Borrowed from the
                                         connection until the request is over */
    unsigned counts[FIELD__COUNT];
    size_t total;        /* fields of any name */
    bool has_odd_name;   /* one that is no token */
    bool has_odd_length; /* a Content-Length that is no plain number */
    bool has_odd_line; /* one that ends otherwise than by CR LF, goes on in the next line, or holds
                          a NUL */
    const char *end;   /* of the last line that was read */
};

/* Reads the head of the connection's request. The three texts are the library's own: target is what
 * was sent, url the library's view of it. */
void fields_read(struct MHD_Connection *connection, const char *target, const char *url,
                 const char *version, struct fields *out_fields);

#endif
