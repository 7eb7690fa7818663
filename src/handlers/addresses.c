#include "addresses.h"
#include "route.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

/* Where the slugs of a pattern come from, by the literal text before its capture. */
struct family {
    const char *prefix;
    enum statement statement;
    const char *slug;
    const char *name;
    const char *modified; /* column of the day; NULL: the newest review of the catalogue */
};

static const struct family families[] = {
    {"/sandboxes/", STATEMENT_LAST_REVIEWS, "slug", "name", "last_reviewed"},
    {"/alternatives/", STATEMENT_LAST_REVIEWS, "slug", "name", "last_reviewed"},
    {"/best/", STATEMENT_USE_CASES, "slug", "title", NULL},
    {"/compare/", STATEMENT_PAIRS, NULL, NULL, NULL},
    {"/glossary/", STATEMENT_TERMS, "slug", "term", "reviewed_on"},
    {"/guides/", STATEMENT_GUIDES, "slug", "title", "reviewed_on"},
    {"/measurements/", STATEMENT_MEASURED_PROVIDERS, "slug", "name", "last_day"},
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool add_address(json_t *list, json_t *path, const char *name, const char *modified,
                        struct error *error) {
    json_t *entry = json_pack("{s:o, s:s?, s:s}", "path", path, "name", name, "modified", modified);
    return json_array_append_new(list, entry) == 0 || error_no_memory(error);
}

static bool add_row(json_t *list, const struct family *family, const json_t *row,
                    const char *catalogue_day, struct error *error) {
    const char *day = family->modified == NULL ? NULL : string_of(row, family->modified);
    day = day == NULL ? catalogue_day : day;
    if (family->slug == NULL) {
        const char *one = string_of(row, "a");
        const char *other = string_of(row, "b");
        return add_address(list, json_sprintf("%s%s-vs-%s/", family->prefix, one, other), NULL, day,
                           error);
    }
    return add_address(list, json_sprintf("%s%s/", family->prefix, string_of(row, family->slug)),
                       string_of(row, family->name), day, error);
}

static bool add_family(struct catalogue *catalogue, json_t *list, const char *pattern,
                       const char *day, struct error *error) {
    size_t literal = strcspn(pattern, "{");
    for (size_t i = 0; i < ARRAY_LENGTH(families); i++) {
        if (strlen(families[i].prefix) != literal ||
            strncmp(families[i].prefix, pattern, literal) != 0) {
            continue;
        }
        json_t *rows = catalogue_rows(catalogue, families[i].statement, NULL, 0, error);
        bool good = rows != NULL;
        size_t j = 0;
        json_t *row = NULL;
        json_array_foreach(rows, j, row) {
            good = good && add_row(list, &families[i], row, day, error);
        }
        json_decref(rows);
        return good;
    }
    return true; /* tests/http/site.test.mjs finds a family that is missing here */
}

json_t *addresses_all(struct catalogue *catalogue, struct error *error) {
    const char *day = generation_last_reviewed(catalogue_generation(catalogue));
    json_t *list = json_array();
    bool good = list != NULL || error_no_memory(error);
    for (size_t i = 0; good && i < route_count; i++) {
        const char *pattern = route_table[i].pattern;
        bool is_page = (route_table[i].media & MEDIA_BIT(MEDIA_HTML)) != 0 &&
                       pattern[strlen(pattern) - 1] == '/';
        if (!route_has_data(&route_table[i], catalogue_generation(catalogue))) {
            continue;
        }
        if (is_page && strchr(pattern, '{') == NULL) {
            good = add_address(list, json_string(pattern), NULL, day, error);
        } else if (is_page) {
            good = add_family(catalogue, list, pattern, day, error);
        }
    }
    if (!good) {
        json_decref(list);
        return NULL;
    }
    return list;
}

/* --- near ones --- */

enum { SEGMENT_BYTES = 64, NEAR_ADDRESSES = 3 };

/* The last segment of a path, without slashes and in lower case; "" where it is too long for a
 * slug. */
static void last_segment(const char *path, char out[SEGMENT_BYTES]) {
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') {
        end--;
    }
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    size_t length = end - start < SEGMENT_BYTES ? end - start : 0;
    for (size_t i = 0; i < length; i++) {
        char byte = path[start + i];
        out[i] = byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
    }
    out[length] = '\0';
}

/* How far an address is from a path, in edits, or SIZE_MAX where it is not near. */
static size_t distance_to(const char *address, const char *path, const char *segment) {
    size_t length = strlen(path);
    size_t limit = length / 4 + 1;
    size_t best =
        length > (size_t)SEGMENT_BYTES * 2 ? SIZE_MAX : text_distance(path, address, limit);
    best = best > limit ? SIZE_MAX : best;
    char slug[SEGMENT_BYTES];
    last_segment(address, slug);
    size_t slug_limit = strlen(segment) / 4;
    size_t slug_distance =
        segment[0] == '\0' || slug[0] == '\0' ? SIZE_MAX : text_distance(segment, slug, slug_limit);
    if (slug_distance <= slug_limit && slug_distance + 1 < best) {
        best = slug_distance + 1;
    }
    return best;
}

json_t *addresses_near(const json_t *addresses, const char *path, struct error *error) {
    char segment[SEGMENT_BYTES];
    last_segment(path, segment);
    const char *near[NEAR_ADDRESSES + 1] = {0};
    size_t distances[NEAR_ADDRESSES + 1] = {0};
    size_t count = 0;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(addresses, i, entry) {
        const char *address = string_of(entry, "path");
        size_t distance = distance_to(address, path, segment);
        size_t place = distance == SIZE_MAX ? NEAR_ADDRESSES : count;
        for (; place > 0 && distance != SIZE_MAX && distances[place - 1] > distance; place--) {
            near[place] = near[place - 1];
            distances[place] = distances[place - 1];
        }
        if (place < NEAR_ADDRESSES) {
            near[place] = address;
            distances[place] = distance;
            count += count < NEAR_ADDRESSES ? 1 : 0;
        }
    }
    json_t *list = json_array();
    for (size_t j = 0; j < count; j++) {
        if (json_array_append_new(list, json_string(near[j])) != 0) {
            json_decref(list);
            (void)error_no_memory(error);
            return NULL;
        }
    }
    return list;
}
