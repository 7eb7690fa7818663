/* The Link field of an answer (RFC 8288): the other forms that it has, what describes it, and its
 * licence. */
#include "limit.h"
#include "route.h"
#include "text.h"
#include <string.h>

/* What follows the path of an address. NULL: nothing. */
struct tail {
    const char *query;
    const char *format;
    const char *as_of;
};

static const struct tail nothing = {0};

static void add_link(struct buf *out, const char *relation, const char *type, const char *address,
                     const struct tail *tail) {
    char separator = '?';
    buf_add_format(out, "%s<%s", out->length == 0 ? "" : ", ", address);
    if (tail->query != NULL && tail->query[0] != '\0') {
        buf_add_format(out, "?%s", tail->query);
        separator = '&';
    }
    if (tail->format != NULL) {
        buf_add_format(out, "%cformat=%s", separator, tail->format);
        separator = '&';
    }
    if (tail->as_of != NULL) {
        buf_add_format(out, "%cas_of=%s", separator, tail->as_of);
    }
    buf_add_format(out, ">; rel=\"%s\"", relation);
    if (type != NULL) {
        size_t length = strcspn(type, ";");
        buf_add_format(out, "; type=\"%.*s\"", (int)length, type);
    }
}

/* A longer question is not repeated: the headers of an answer have to fit into
 * LIMIT_CONNECTION_BYTES. */
enum { QUERY_BYTES = 1024 };

/* Of a page its Markdown twin, of a twin its page; and where an agent finds everything else. */
static void add_other_form(const struct call *call, const char *query, struct buf *out) {
    bool is_markdown = call->media == MEDIA_MARKDOWN;
    struct buf twin;
    buf_init(&twin, LIMIT_TARGET_BYTES);
    route_add_twin(call->path, &twin);
    if (!twin.failed) {
        add_link(out, is_markdown ? "canonical" : "alternate",
                 media_content_type(is_markdown ? MEDIA_HTML : MEDIA_MARKDOWN),
                 is_markdown ? call->path : twin.data,
                 &(struct tail){.query = query, .as_of = is_markdown ? NULL : call->as_of});
        add_link(out, "describedby", "text/plain", "/llms.txt", &nothing);
    }
    buf_free(&twin);
}

/* The forms of the same address that ?format= chooses. */
static void add_forms(const struct call *call, const char *query, struct buf *out) {
    for (int i = 0; i < MEDIA__COUNT; i++) {
        enum media media = (enum media)i;
        const char *format = media_format_name(media);
        if ((call->route->media & MEDIA_BIT(media)) != 0 && media != call->media &&
            format != NULL) {
            add_link(out, "alternate", media_content_type(media), call->path,
                     &(struct tail){.query = query, .format = format, .as_of = call->as_of});
        }
    }
}

/* The file of the same name with another ending: "/data/facts.csv" of "/data/facts.json",
 * "/compare.feed.json" of "/compare.atom". */
static void add_twin(const struct call *call, const char *query, struct buf *out) {
    const struct route *route = call->route;
    const char *dot = strchr(route->pattern, '.');
    if (dot == NULL || strchr(route->pattern, '{') != NULL) {
        return;
    }
    size_t stem = (size_t)(dot - route->pattern) + 1;
    for (size_t i = 0; i < route_count; i++) {
        const struct route *other = &route_table[i];
        if (other != route && strncmp(other->pattern, route->pattern, stem) == 0 &&
            other->fallback != route->fallback &&
            strcspn(other->pattern + stem, "/{") == strlen(other->pattern + stem)) {
            add_link(out, "alternate",
                     other->content_type != NULL ? other->content_type
                                                 : media_content_type(other->fallback),
                     other->pattern, &(struct tail){.query = query, .as_of = call->as_of});
        }
    }
}

/* The licence of the catalogue, that of the measurements, or of both: pages about measurements
 * compare them with the catalogue, and the database holds both. */
static void add_licences(const struct call *call, struct buf *out) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const char *pattern = call->route->pattern;
    const char *own = generation_setting(generation, "data_licence_url");
    const char *measured = generation_setting(generation, "measurements_url");
    bool is_measured = text_starts(pattern, "/data/measurements.");
    bool has_both =
        text_starts(pattern, "/measurements/") || strcmp(pattern, "/data/catalogue.sqlite") == 0;
    if (text_is_web_address(own) && !is_measured) {
        add_link(out, "license", NULL, own, &nothing);
    }
    if (text_is_web_address(measured) && (is_measured || has_both)) {
        add_link(out, "license", NULL, measured, &nothing);
    }
}

/* The same question in other forms. */
static void add_same(const struct call *call, struct buf *out) {
    if (call->route->has_twin) {
        add_other_form(call, call->query, out);
    }
    add_forms(call, call->query, out);
    if (call->as_of != NULL) {
        add_link(out, "latest-version", NULL, call->path, &(struct tail){.query = call->query});
    }
    add_twin(call, call->query, out);
}

void route_add_links(const struct call *call, struct buf *out) {
    const struct route *route = call->route;
    if (route == NULL || route->cache != CACHE_CATALOGUE || route->pattern[1] == '{') {
        return;
    }
    if (call->query == NULL || strlen(call->query) <= QUERY_BYTES) {
        add_same(call, out);
    }
    if (call->media == MEDIA_JSON && route->schema != NULL) {
        add_link(out, "describedby", "application/schema+json", route->schema, &nothing);
    }
    if (call->media == MEDIA_CSV && text_starts(route->pattern, "/data/")) {
        add_link(out, "describedby", "application/json", "/data/datapackage.json",
                 &(struct tail){.as_of = call->as_of});
    }
    if (strcmp(route->pattern, "/") == 0) {
        add_link(out, "service-desc", "application/vnd.oai.openapi+json", "/openapi.json",
                 &nothing);
        add_link(out, "service-doc", "text/html", "/data/api/", &nothing);
    }
    add_licences(call, out);
}
