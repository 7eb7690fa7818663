/* The request target (RFC 9112 section 3.2, origin form): a path and a query, strictly decoded. */
#ifndef AGENT_SANDBOXES_TARGET_H
#define AGENT_SANDBOXES_TARGET_H

#include "error.h"
#include <stddef.h>

/* One pair of a query, decoded: UTF-8 without NUL or control characters. */
struct pair {
    const char *key;
    const char *value; /* "" where the pair has no "=" */
};

struct target {
    const char *path; /* decoded, starts with "/" */
    struct pair *pairs;
    size_t pair_count;
    char *storage; /* owns all texts above */
};

/* Parses a raw target of length bytes. Refuses (ERROR_INVALID, with words for the client): anything
 * that is not origin form, over LIMIT_TARGET_BYTES, bad percent escapes, NUL and control
 * characters, invalid UTF-8, an encoded slash or backslash in the path, a backslash, dot segments,
 * empty segments ("//"), more than LIMIT_PATH_SEGMENTS segments or LIMIT_QUERY_PAIRS pairs, a
 * fragment. In the query "+" is a blank (the form encoding that browsers send). On success the
 * caller frees with target_free. */
bool target_parse(const char *raw, size_t length, struct target *out_target,
                  struct error *error) MUST_USE;

/* Frees what target_parse made; a zeroed target is fine. */
void target_free(struct target *target);

/* The value of the first pair with this key, or NULL. */
const char *target_value(const struct target *target, const char *key);

#endif
