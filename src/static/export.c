/* The crawl: a queue of paths, each asked for once. */
#include "../cli/loopback.h"
#include "../represent/html_scan.h"
#include "base_path.h"
#include "folder.h"
#include "limit.h"
#include "route.h"
#include "rules.h"
#include "static.h"
#include "static_folder.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 30 };

enum { STATUS_OK = 200, STATUS_MOVED = 301, STATUS_MOVED_KEEPING_METHOD = 308 };

/* What answers questions or tells of the running server: there is nothing to write. */
static const char *const live_only[] = {"/compare", "/cost",   "/embed/compare", "/healthz",
                                        "/match",   "/oembed", "/readyz"};

struct crawl {
    const struct static_export *job;
    int connection;
    json_t *seen;      /* path: true; also the queue, since it keeps the order */
    json_t *queue;     /* of paths */
    json_t *redirects; /* path: target */
    struct rules rules;
    struct static_result result;
};

/* --- The queue --- */

/* Adds the path of an address, without what follows it. Addresses outside the base path are no
 * business of the crawl. */
static bool add_address(struct crawl *crawl, const char *address, size_t length,
                        struct error *error) {
    char path[LIMIT_TARGET_BYTES];
    size_t base_length = strlen(crawl->job->site->base_path);
    (void)snprintf(path, sizeof(path), "%.*s", (int)length, address);
    path[strcspn(path, "?#")] = '\0';
    if (base_path_rest(crawl->job->site->base_path, path) == NULL || path[base_length] != '/') {
        return true;
    }
    const char *own = path + base_length;
    if (text_is_one_of(own, live_only, ARRAY_LENGTH(live_only)) ||
        json_object_get(crawl->seen, own) != NULL) {
        return true;
    }
    return (json_object_set_new(crawl->seen, own, json_true()) == 0 &&
            json_array_append_new(crawl->queue, json_string(own)) == 0) ||
           error_no_memory(error);
}

static bool add_path(struct crawl *crawl, const char *path, struct error *error) {
    struct buf address;
    buf_init(&address, LIMIT_TARGET_BYTES);
    buf_add_text(&address, crawl->job->site->base_path);
    bool good = buf_add_text(&address, path)
                    ? add_address(crawl, address.data, address.length, error)
                    : error_no_memory(error);
    buf_free(&address);
    return good;
}

/* A route without captures, where it stands outside. */
static bool add_route(struct crawl *crawl, const struct route *route, struct error *error) {
    char folder[FOLDER_BYTES];
    struct buf path;
    (void)snprintf(folder, sizeof(folder), "/%s", folder_of_generation(crawl->job->generation));
    const struct outside outside = {
        .base = "", .folder = folder, .public_url = crawl->job->site->public_url};
    buf_init(&path, LIMIT_TARGET_BYTES);
    bool good = outside_address(&outside, route->pattern, &path) ? add_path(crawl, path.data, error)
                                                                 : error_no_memory(error);
    buf_free(&path);
    return good;
}

/* Addresses that no page need link to: every file, and every route without captures of which the
 * catalogue has anything. */
static bool add_seeds(struct crawl *crawl, struct error *error) {
    bool good = true;
    for (size_t i = 0; good && i < crawl->job->site->asset_count; i++) {
        good = add_path(crawl, crawl->job->site->assets[i].path, error);
    }
    for (size_t i = 0; good && i < route_count; i++) {
        bool is_fixed = strchr(route_table[i].pattern, '{') == NULL;
        bool is_there = (route_table[i].methods & METHOD_GET) != 0 &&
                        route_has_data(&route_table[i], crawl->job->generation);
        good = !is_fixed || !is_there || add_route(crawl, &route_table[i], error);
    }
    return good;
}

/* --- Links --- */

static bool add_page_links(struct crawl *crawl, const char *bytes, size_t length, bool xml,
                           struct error *error) {
    struct html_scan scan;
    html_scan_start(&scan, xml);
    const char *fault = NULL;
    size_t at = 0;
    size_t address = 0;
    bool good = true;
    while (good && html_scan_next_address(&scan, bytes, length, &at, &address, &fault)) {
        good = add_address(crawl, bytes + address, strcspn(bytes + address, "\"'"), error);
    }
    return good && (fault == NULL || error_set(error, ERROR_INTERNAL, "byte %zu: %s", at, fault));
}

/* The sitemap and feeds name whole addresses, as element text. */
static bool add_located(struct crawl *crawl, const char *bytes, struct error *error) {
    static const char element[] = "loc>";
    size_t origin = strlen(crawl->job->site->public_url) - strlen(crawl->job->site->base_path);
    bool good = true;
    for (const char *at = strstr(bytes, element); good && at != NULL; at = strstr(at, element)) {
        bool opens = at > bytes && at[-1] == '<';
        at += strlen(element);
        size_t length = strcspn(at, "<");
        good =
            !opens || length <= origin || add_address(crawl, at + origin, length - origin, error);
    }
    return good;
}

/* A comparison of two has one address; the other order leads there. */
static bool add_other_order(struct crawl *crawl, const char *path, struct error *error) {
    static const char folder[] = "/compare/";
    static const char between[] = "-vs-";
    const char *middle = strstr(path, between);
    if (!text_starts(path, folder) || middle == NULL || path[strlen(path) - 1] != '/') {
        return true;
    }
    const char *one = path + strlen(folder);
    const char *other = middle + strlen(between);
    char turned[LIMIT_TARGET_BYTES];
    (void)snprintf(turned, sizeof(turned), "%s%.*s%s%.*s/", folder, (int)strlen(other) - 1, other,
                   between, (int)(middle - one), one);
    return add_path(crawl, turned, error);
}

/* The Link field: <address>; parameters, ... */
static bool add_head_links(struct crawl *crawl, const char *field, struct error *error) {
    bool good = true;
    for (const char *open = strchr(field, '<'); good && open != NULL; open = strchr(open, '<')) {
        open++;
        size_t length = strcspn(open, ">");
        good = open[0] != '/' || memchr(open, '?', length) != NULL ||
               add_address(crawl, open, length, error);
    }
    return good;
}

static bool add_links(struct crawl *crawl, const struct loopback_answer *answer,
                      const char *content_type, struct error *error) {
    char field[LOOPBACK_FIELD_BYTES];
    loopback_field(answer, "Link", field, sizeof(field));
    bool is_page = text_starts(content_type, "text/html");
    bool is_sitemap = text_starts(content_type, "application/xml");
    return add_head_links(crawl, field, error) &&
           (!is_page ||
            add_page_links(crawl, answer->body.data, answer->body.length, false, error)) &&
           (!is_sitemap || add_located(crawl, answer->body.data, error));
}

/* --- One address --- */

static bool ask(struct crawl *crawl, const char *path, struct loopback_answer *out_answer,
                struct error *error) {
    struct buf target;
    buf_init(&target, (size_t)2 * LIMIT_TARGET_BYTES);
    buf_add_format(&target, "%s%s", crawl->job->site->base_path, path);
    bool good = target.failed ? error_no_memory(error)
                              : loopback_get(crawl->connection, target.data,
                                             "Accept: text/html, */*;q=0.5\r\n", out_answer, error);
    buf_free(&target);
    return good;
}

static bool write_answer(struct crawl *crawl, const char *path, const char *content_type,
                         const struct buf *body, struct error *error) {
    struct buf name;
    buf_init(&name, LIMIT_TARGET_BYTES + sizeof("index.html"));
    bool good = !folder_add_name(path, content_type, &name)
                    ? error_no_memory(error)
                    : folder_write(crawl->job->folder, name.data, content_type,
                                   body->data == NULL ? "" : body->data, body->length, error);
    buf_free(&name);
    crawl->result.files++;
    crawl->result.bytes += body->length;
    return good;
}

static bool keep_redirect(struct crawl *crawl, const char *path,
                          const struct loopback_answer *answer, struct error *error) {
    char location[LOOPBACK_FIELD_BYTES];
    loopback_field(answer, "Location", location, sizeof(location));
    crawl->result.redirects++;
    return (json_object_set_new(crawl->redirects, path, json_string(location)) == 0 ||
            error_no_memory(error)) &&
           add_address(crawl, location, strlen(location), error);
}

static bool take_answer(struct crawl *crawl, const char *path, const struct loopback_answer *answer,
                        struct error *error) {
    char content_type[LOOPBACK_FIELD_BYTES];
    loopback_field(answer, "Content-Type", content_type, sizeof(content_type));
    switch (answer->status) {
    case STATUS_OK:
        return write_answer(crawl, path, content_type, &answer->body, error) &&
               rules_add(&crawl->rules, crawl->job->site->base_path, path, answer, error) &&
               add_links(crawl, answer, content_type, error) && add_other_order(crawl, path, error);
    case STATUS_MOVED:
    case STATUS_MOVED_KEEPING_METHOD:
        return keep_redirect(crawl, path, answer, error);
    default:
        return error_set(error, ERROR_INVALID, "%s is linked to, but answers %u", path,
                         answer->status);
    }
}

static bool follow(struct crawl *crawl, struct error *error) {
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(crawl->queue); i++) {
        const char *path = json_string_value(json_array_get(crawl->queue, i));
        struct loopback_answer answer = {0};
        good = ask(crawl, path, &answer, error) && take_answer(crawl, path, &answer, error);
        loopback_free(&answer);
    }
    return good;
}

/* --- What hosts of static sites read --- */

static bool write_not_found(struct crawl *crawl, struct error *error) {
    struct loopback_answer answer = {0};
    bool good = ask(crawl, "/404", &answer, error) &&
                folder_write(crawl->job->folder, "404.html", "text/html", answer.body.data,
                             answer.body.length, error);
    loopback_free(&answer);
    crawl->result.files++;
    return good;
}

static bool write_redirects(struct crawl *crawl, struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    const char *path = NULL;
    json_t *target = NULL;
    json_object_foreach(crawl->redirects, path, target) {
        buf_add_format(&text, "%s%s %s 301\n", crawl->job->site->base_path, path,
                       json_string_value(target));
    }
    bool good = text.failed ? error_no_memory(error)
                            : folder_write(crawl->job->folder, "_redirects", "",
                                           text.data == NULL ? "" : text.data, text.length, error);
    buf_free(&text);
    return good;
}

static bool write_headers(struct crawl *crawl, struct error *error) {
    const struct buf *text = &crawl->rules.text;
    return folder_write(crawl->job->folder, "_headers", "", text->data, text->length, error);
}

bool static_export(const struct static_export *job, struct static_result *out_result,
                   struct error *error) {
    struct crawl crawl = {.job = job,
                          .connection = loopback_connect(job->address, PATIENCE_SECONDS),
                          .seen = json_object(),
                          .queue = json_array(),
                          .redirects = json_object()};
    rules_init(&crawl.rules);
    bool good = false;
    if (crawl.connection < 0) {
        (void)error_set(error, ERROR_IO, "cannot connect to the own server at %s", job->address);
    } else if (crawl.seen == NULL || crawl.queue == NULL || crawl.redirects == NULL) {
        (void)error_no_memory(error);
    } else {
        good = folder_open(job->folder, error) && add_seeds(&crawl, error) &&
               follow(&crawl, error) && write_not_found(&crawl, error) &&
               write_redirects(&crawl, error) && write_headers(&crawl, error);
    }
    if (crawl.connection >= 0) {
        (void)close(crawl.connection);
    }
    json_decref(crawl.seen);
    json_decref(crawl.queue);
    json_decref(crawl.redirects);
    rules_free(&crawl.rules);
    if (good) {
        *out_result = crawl.result;
    }
    return good;
}
