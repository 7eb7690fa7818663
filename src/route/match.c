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

bool route_has_data(const struct route *route, const struct generation *generation) {
    return route->section == NULL || generation_has(generation, route->section);
}

media_set route_media(const struct route *route) {
    return route->media | (route->has_twin ? MEDIA_BIT(MEDIA_MARKDOWN) : 0);
}

media_set route_explicit_only(const struct route *route) {
    return route->explicit_only | (route->has_twin ? MEDIA_BIT(MEDIA_MARKDOWN) : 0);
}

/* --- Markdown twins --- */

static const char twin_ending[] = ".md";
static const char twin_of_home[] = "/index";

void route_add_twin(const char *path, struct buf *out) {
    size_t length = strlen(path);
    if (length == 1) {
        buf_add_format(out, "%s%s", twin_of_home, twin_ending);
        return;
    }
    buf_add(out, path, path[length - 1] == '/' ? length - 1 : length);
    buf_add_text(out, twin_ending);
}

static const struct route *find_twin(const char *page, struct call *call, char *storage) {
    for (size_t i = 0; i < route_count; i++) {
        if (route_table[i].has_twin && pattern_match(route_table[i].pattern, page, call, storage)) {
            return &route_table[i];
        }
    }
    return NULL;
}

/* The page that path is the twin of, or NULL. Its path and captures go to storage. */
static const struct route *match_twin(const char *path, struct call *call, char *storage) {
    size_t length = strlen(path);
    size_t ending = strlen(twin_ending);
    if (length <= ending + 1 || strcmp(path + length - ending, twin_ending) != 0 ||
        path[length - ending - 1] == '/') {
        return NULL;
    }
    size_t stem = length - ending;
    bool is_home = stem == strlen(twin_of_home) && memcmp(path, twin_of_home, stem) == 0;
    stem = is_home ? 0 : stem;
    memcpy(storage, path, stem);
    memcpy(storage + stem, "/", 2);
    const struct route *route = find_twin(storage, call, storage + stem + 2);
    if (route == NULL && !is_home) {
        storage[stem] = '\0';
        route = find_twin(storage, call, storage + stem + 2);
    }
    call->path = route == NULL ? path : storage;
    call->is_twin = route != NULL;
    return route;
}

/* --- the whole --- */

bool route_has_past(const struct route *route) {
    bool is_asset = route->pattern[1] == '{';
    return route->cache == CACHE_CATALOGUE && !is_asset;
}

const struct route *route_find(const char *pattern) {
    for (size_t i = 0; i < route_count; i++) {
        if (strcmp(route_table[i].pattern, pattern) == 0) {
            return &route_table[i];
        }
    }
    return NULL;
}

bool route_takes_body(const char *path) {
    const struct route *route = route_find(path);
    return route != NULL && route->takes_body;
}

enum route_result route_match(const char *path, unsigned method, struct call *call, char *storage) {
    call->path = path;
    const struct route *wrong_method = match_twin(path, call, storage);
    if (wrong_method != NULL && (wrong_method->methods & method) != 0) {
        call->route = wrong_method;
        return ROUTE_FOUND;
    }
    for (size_t i = 0; !call->is_twin && i < route_count; i++) {
        const struct route *route = &route_table[i];
        bool is_catch_all = route->pattern[1] == '{';
        if (is_catch_all && wrong_method != NULL) {
            break;
        }
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
