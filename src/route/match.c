#include "limit.h"
#include "route.h"
#include <string.h>

/* The bytes of path that a capture takes, 0 where it cannot match: everything, or up to the literal
 * text that follows the capture in the pattern, but never across a slash. */
static size_t capture_length(const char *after, const char *path, bool is_rest) {
    if (is_rest) {
        return strlen(path);
    }
    size_t segment = strcspn(path, "/");
    size_t literal = strcspn(after, "{");
    if (literal == 0) {
        return segment;
    }
    const char *stop = memmem(path, strlen(path), after, literal);
    return stop == NULL || (size_t)(stop - path) > segment ? 0 : (size_t)(stop - path);
}

/* Matches a path with a pattern. Captures go to storage, one after another. */
static bool pattern_match(const char *pattern, const char *path, struct call *call, char *storage) {
    size_t captures = 0;
    while (*pattern != '\0') {
        if (*pattern != '{') {
            if (*pattern++ != *path++) {
                return false;
            }
            continue;
        }
        const char *end = strchr(pattern, '}');
        size_t length = capture_length(end + 1, path, end[-1] == '.');
        if (length == 0 || captures == CALL_CAPTURES) {
            return false;
        }
        memcpy(storage, path, length);
        storage[length] = '\0';
        call->captures[captures++] = storage;
        storage += length + 1;
        path += length;
        pattern = end + 1;
    }
    return *path == '\0';
}

static bool has_slash_twin(const char *path, char *storage) {
    size_t length = strlen(path);
    struct call ignored = {0};
    char with_slash[LIMIT_TARGET_BYTES + 2];
    if (length == 0 || path[length - 1] == '/' || length > LIMIT_TARGET_BYTES) {
        return false;
    }
    memcpy(with_slash, path, length + 1);
    memcpy(with_slash + length, "/", 2);
    for (size_t i = 0; i < route_count; i++) {
        const char *pattern = route_table[i].pattern;
        if (pattern[strlen(pattern) - 1] == '/' &&
            pattern_match(pattern, with_slash, &ignored, storage)) {
            return true;
        }
    }
    return false;
}

enum route_result route_match(const char *path, unsigned method, struct call *call, char *storage) {
    const struct route *wrong_method = NULL;
    for (size_t i = 0; i < route_count; i++) {
        const struct route *route = &route_table[i];
        bool is_catch_all = route->pattern[1] == '{';
        if (is_catch_all && has_slash_twin(path, storage)) {
            return ROUTE_MOVED;
        }
        if (!pattern_match(route->pattern, path, call, storage)) {
            continue;
        }
        if ((route->methods & method) != 0) {
            call->route = route;
            return ROUTE_FOUND;
        }
        wrong_method = wrong_method == NULL ? route : wrong_method;
    }
    call->route = wrong_method;
    return wrong_method == NULL ? ROUTE_UNKNOWN : ROUTE_WRONG_METHOD;
}

void route_add_allow(const struct route *route, struct buf *out) {
    static const struct {
        enum method method;
        const char *name;
    } methods[] = {{METHOD_GET, "GET"}, {METHOD_HEAD, "HEAD"}, {METHOD_POST, "POST"}};
    const char *separator = "";
    for (size_t i = 0; i < ARRAY_LENGTH(methods); i++) {
        if ((route->methods & methods[i].method) != 0) {
            buf_add_format(out, "%s%s", separator, methods[i].name);
            separator = ", ";
        }
    }
}
