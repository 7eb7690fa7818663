/* Byte ranges (RFC 9110 section 14). Private to src/http. */
#ifndef AGENT_SANDBOXES_RANGE_H
#define AGENT_SANDBOXES_RANGE_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum range_result {
    RANGE_NONE,         /* no Range, another unit, several ranges, or not well-formed: the whole is
                           answered */
    RANGE_PART,         /* *out is set */
    RANGE_UNSATISFIABLE /* 416 */
};

struct range {
    size_t first;
    size_t length; /* at least one byte */
};

/* Reads a Range field (NULL: absent) for a body of length bytes. */
enum range_result range_parse(const char *field, size_t length, struct range *out) MUST_USE;

/* Whether If-Range (NULL: absent, then true) names exactly this strong entity tag, or this
 * Last-Modified date in seconds since 1970 (RFC 9110 section 13.1.5). */
bool range_holds(const char *if_range, const char *entity_tag, int64_t modified) MUST_USE;

#endif
