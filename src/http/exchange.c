#include "exchange.h"
#include "as_of_links.h"
#include "base_path.h"
#include "guard.h"
#include "handler.h"
#include "hot.h"
#include "limit.h"
#include "log.h"
#include "past_request.h"
#include "represent.h"
#include "respond.h"
#include "route.h"
#include "target.h"
#include "text.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { KEY_MAXIMUM = 2 * LIMIT_TARGET_BYTES };

/* Everything that one answer needs, freed at one place. */
struct work {
    struct exchange *exchange;
    struct MHD_Connection *connection;
    struct edition_slot *slot;
    struct edition *edition;
    struct past *past;
    char as_of[TEXT_DATE_BYTES];
    bool waits; /* for a past day: there is no answer yet */
    struct call call;
    struct reply reply;
    struct buf key; /* of the response cache */
    char *captures;
    const char *raw; /* the target as sent, below the base path */
    unsigned method;
    bool negotiated;
};

void exchange_cut(struct MHD_Connection *connection, unsigned status) {
    char refusal[128];
    const char *reason =
        status == MHD_HTTP_URI_TOO_LONG ? "URI Too Long" : "Request Header Fields Too Large";
    int length = snprintf(refusal, sizeof(refusal),
                          "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                          status, reason);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info != NULL && length > 0) {
        (void)send(info->connect_fd, refusal, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)shutdown(info->connect_fd, SHUT_RDWR);
    }
}

/* Whether the head of an answer fits into what the request left of the connection's memory. */
static bool has_room(const struct exchange *exchange, struct MHD_Connection *connection,
                     const struct answer *answer) {
    const struct fields *fields = &exchange->fields;
    enum {
        PAIR_BYTES = 64,    /* that the library keeps for one header or cookie */
        LIBRARY_BYTES = 384 /* status line, Date and Connection, its own notes, and rounding up */
    };
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    const char *cookie = fields->values[FIELD_COOKIE];
    size_t pairs = fields->total;
    if (cookie != NULL) {
        pairs += (size_t)MHD_get_connection_values(connection, MHD_COOKIE_KIND, NULL, NULL);
    }
    size_t used = (info == NULL ? 0 : info->header_size) + (cookie == NULL ? 0 : strlen(cookie)) +
                  pairs * PAIR_BYTES;
    return used + answer_head_bytes(answer) + LIBRARY_BYTES <= exchange->limits->head_bytes;
}

static enum coding best_coding(const struct exchange *exchange) {
    return negotiate_coding(exchange->fields.values[FIELD_ACCEPT_ENCODING]);
}

static enum MHD_Result queue(struct exchange *exchange, struct MHD_Connection *connection,
                             struct answer *answer, enum coding coding) {
    enum MHD_Result result = MHD_NO;
    if (has_room(exchange, connection, answer)) {
        exchange->length = answer_length(answer);
        bool is_get = strcmp(exchange->method, MHD_HTTP_METHOD_GET) == 0;
        guard_answer(exchange->guarded, exchange->length);
        result =
            answer_queue(answer, connection, &exchange->fields, coding, is_get, &exchange->status);
    } else {
        /* The library would close without a word. */
        exchange->status = MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE;
        exchange_cut(connection, exchange->status);
    }
    answer_release(answer);
    return result;
}

enum MHD_Result exchange_refuse(struct exchange *exchange, struct MHD_Connection *connection,
                                unsigned status, const char *title, const char *detail,
                                const char *allow) {
    struct error error;
    char *body = NULL;
    json_t *problem = json_pack("{s:s, s:s, s:i, s:s}", "type", "about:blank", "title", title,
                                "status", (int)status, "detail", detail);
    if (problem != NULL) {
        body = json_dumps(problem, JSON_INDENT(1));
        json_decref(problem);
    }
    const struct answer_head head = {.status = status,
                                     .content_type = "application/problem+json",
                                     .cache = CACHE_NEVER,
                                     .allow = allow,
                                     .request_id = exchange_id(exchange),
                                     .retry_seconds = exchange->retry_seconds};
    struct answer *answer = body == NULL ? NULL : answer_create(&head, body, strlen(body), &error);
    return answer == NULL ? MHD_NO : queue(exchange, connection, answer, best_coding(exchange));
}

/* --- one step each of the way of a request
 * ------------------------------------------------------------------------ */

/* Chooses the medium: ?format= wins over Accept where the route offers several. */
static bool choose_media(struct work *work, struct error *error) {
    const struct route *route = work->call.route;
    const media_set media = route_media(route);
    work->negotiated = !work->call.is_twin && (media & (media - 1)) != 0;
    work->call.media = work->call.is_twin ? MEDIA_MARKDOWN : route->fallback;
    bool named = false;
    bool asks = !work->call.is_twin && !route->has_own_format &&
                (work->negotiated || route->canonical != NULL);
    if (asks && !route_choose_format(&work->call, &work->call.media, &named, &work->reply, error)) {
        return false;
    }
    if (named || work->reply.status != 0 || !work->negotiated) {
        return true;
    }
    enum media chosen = route->fallback;
    if (!negotiate_media(work->exchange->fields.values[FIELD_ACCEPT], media,
                         route_explicit_only(route), route->fallback, &chosen)) {
        return reply_problem(
            &work->reply, MHD_HTTP_NOT_ACCEPTABLE, "not-acceptable", "Not acceptable",
            "None of the forms that this address has is named in the Accept header.", NULL, error);
    }
    work->call.media = chosen;
    return true;
}

static bool canonicalise(struct work *work, struct error *error) {
    const struct route *route = work->call.route;
    buf_add_format(&work->key, "%s\n%d\n", work->exchange->target.path, (int)work->call.media);
    size_t head = work->key.length;
    bool refused = false;
    if (route->canonical != NULL &&
        !route->canonical(&work->call, &work->key, &work->reply, &refused, error)) {
        return false;
    }
    if (work->key.failed) {
        return error_no_memory(error);
    }
    work->call.query = work->key.data + head;
    return true;
}

/* Finds the route, or sets the reply that says why there is none. */
static bool find_route(struct work *work, char *allow, size_t allow_bytes, struct error *error) {
    work->captures = malloc(2 * strlen(work->exchange->target.path) + ROUTE_STORAGE_BYTES);
    if (work->captures == NULL) {
        return error_no_memory(error);
    }
    work->call.media = MEDIA_HTML;
    work->call.query = "";
    struct buf methods;
    switch (route_match(work->exchange->target.path, work->method, &work->call, work->captures)) {
    case ROUTE_FOUND:
        return true;
    case ROUTE_MOVED: {
        char location[LIMIT_TARGET_BYTES + 2];
        size_t path_length = strcspn(work->raw, "?");
        (void)snprintf(location, sizeof(location), "%.*s/%s", (int)path_length, work->raw,
                       work->raw + path_length);
        return reply_redirect(&work->reply, MHD_HTTP_MOVED_PERMANENTLY, location, error);
    }
    case ROUTE_WRONG_METHOD:
        buf_init(&methods, allow_bytes - 1);
        route_add_allow(work->call.route, &methods);
        (void)snprintf(allow, allow_bytes, "%s", methods.data == NULL ? "" : methods.data);
        buf_free(&methods);
        return reply_problem(
            &work->reply, MHD_HTTP_METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed",
            "This address does not take that method; the Allow header names those it takes.", NULL,
            error);
    case ROUTE_UNKNOWN:
        break;
    }
    return reply_not_found(&work->call, &work->reply, error);
}

/* A problem is answered as a page where the client asks for HTML, and as problem+json otherwise. */
static void choose_problem_media(struct work *work) {
    enum media chosen = MEDIA_JSON;
    if (!negotiate_media(work->exchange->fields.values[FIELD_ACCEPT],
                         MEDIA_BIT(MEDIA_HTML) | MEDIA_BIT(MEDIA_JSON), 0, MEDIA_JSON, &chosen)) {
        chosen = MEDIA_JSON;
    }
    work->call.media = chosen;
    work->negotiated = true;
}

static const char *content_type_of(const struct work *work, bool is_problem) {
    if (work->reply.content_type != NULL) {
        return work->reply.content_type;
    }
    if (work->reply.location != NULL) {
        return NULL;
    }
    if (!is_problem && work->call.route != NULL && work->call.route->content_type != NULL) {
        return work->call.route->content_type;
    }
    return is_problem && work->call.media == MEDIA_JSON ? "application/problem+json"
                                                        : media_content_type(work->call.media);
}

static int64_t modified_of(const struct work *work) {
    enum { SECONDS_PER_DAY = 86400 };
    int64_t day = 0;
    const char *reviewed = generation_last_reviewed(edition_generation(work->edition));
    int64_t catalogue = text_day(reviewed, &day) ? day * SECONDS_PER_DAY : 0;
    return catalogue > work->call.site->modified ? catalogue : work->call.site->modified;
}

/* The Link field of an answer to be made; empty for a problem or a redirect. */
static bool add_links(const struct work *work, struct buf *links) {
    if (work->reply.status != 0) {
        return true;
    }
    const char *base = work->call.site->base_path;
    struct buf at_root;
    buf_init(&at_root, KEY_MAXIMUM);
    route_add_links(&work->call, &at_root);
    bool good =
        !at_root.failed && (at_root.length == 0 || base_path_links(base, at_root.data, links));
    buf_free(&at_root);
    return good;
}

/* A redirect within the site stays below its base path. */
static bool move_location(struct work *work, struct error *error) {
    const char *base = work->call.site->base_path;
    if (work->reply.location == NULL || work->reply.location[0] != '/' || base[0] == '\0') {
        return true;
    }
    struct buf moved;
    buf_init(&moved, (size_t)2 * KEY_MAXIMUM);
    buf_add_text(&moved, base);
    buf_add_text(&moved, work->reply.location);
    char *location = buf_take(&moved);
    if (location == NULL) {
        return error_no_memory(error);
    }
    free(work->reply.location);
    work->reply.location = location;
    return true;
}

/* A redirect within the site stays in its day. */
static bool keep_day(struct work *work, struct error *error) {
    if (work->reply.location == NULL || work->reply.location[0] != '/' ||
        work->call.as_of == NULL) {
        return true;
    }
    struct buf moved;
    buf_init(&moved, (size_t)2 * KEY_MAXIMUM);
    (void)as_of_links_add(&moved, work->reply.location, work->call.as_of);
    char *location = buf_take(&moved);
    if (location == NULL) {
        return error_no_memory(error);
    }
    free(work->reply.location);
    work->reply.location = location;
    return true;
}

/* Where a twin is answered by a redirect to a page, it leads to the twin of that page. */
static bool turn_to_twin(struct work *work, struct error *error) {
    struct buf location;
    buf_init(&location, LIMIT_TARGET_BYTES + sizeof(".md"));
    size_t path_length = strcspn(work->reply.location, "?");
    char *path = strndup(work->reply.location, path_length);
    if (path != NULL) {
        route_add_twin(path, &location);
        buf_add_text(&location, work->reply.location + path_length);
    }
    free(path);
    char *turned = buf_take(&location);
    if (path == NULL || turned == NULL) {
        free(turned);
        return error_no_memory(error);
    }
    free(work->reply.location);
    work->reply.location = turned;
    return true;
}

/* Makes the bytes of a reply. */
static bool make_body(struct work *work, struct buf *body, struct error *error) {
    if ((work->call.is_twin && work->reply.location != NULL && !turn_to_twin(work, error)) ||
        !keep_day(work, error) || !move_location(work, error)) {
        return false;
    }
    return work->reply.of_generation || represent(&work->call, &work->reply, body, error);
}

/* Makes the answer of a reply whose body is made. Takes the bytes out of body. */
static struct answer *finish_answer(struct work *work, const struct answer_head *head,
                                    struct buf *body, struct error *error) {
    if (work->reply.of_generation) {
        return answer_create_kept(head, work->reply.bytes, work->reply.length,
                                  edition_generation(work->edition), error);
    }
    size_t length = body->length;
    char *bytes = buf_take(body);
    if (bytes == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    return answer_create(head, bytes, length, error);
}

/* Makes the answer of a reply. */
static struct answer *make_answer(struct work *work, const char *allow, struct error *error) {
    struct buf body;
    buf_init(&body, LIMIT_ANSWER_BYTES);
    const bool is_problem = work->reply.status >= MHD_HTTP_BAD_REQUEST && work->reply.text == NULL;
    if (is_problem) {
        choose_problem_media(work);
    }
    if (is_problem && work->call.media == MEDIA_HTML && work->reply.page == NULL &&
        !problem_page(&work->call, &work->reply, error)) {
        return NULL;
    }
    if (!make_body(work, &body, error)) {
        buf_free(&body);
        return NULL;
    }
    struct buf links;
    buf_init(&links, KEY_MAXIMUM);
    if (!add_links(work, &links)) {
        buf_free(&links);
        buf_free(&body);
        (void)error_no_memory(error);
        return NULL;
    }
    const bool is_html =
        work->call.media == MEDIA_HTML && work->reply.bytes == NULL && work->reply.text == NULL;
    const bool is_framed = !is_problem && work->call.route != NULL && work->call.route->is_framed;
    const struct answer_head head = {
        .status = work->reply.status == 0 ? MHD_HTTP_OK : (unsigned)work->reply.status,
        .content_type = content_type_of(work, is_problem),
        .cache = is_problem                 ? CACHE_NEVER
                 : work->call.route == NULL ? CACHE_CATALOGUE
                                            : work->call.route->cache,
        .negotiated = work->negotiated,
        .page = is_html && !is_framed,
        .framed = is_html && is_framed,
        .modified = modified_of(work),
        .location = work->reply.location,
        .allow = allow[0] == '\0' ? NULL : allow,
        .link = links.length == 0 ? NULL : links.data,
        .request_id = is_problem ? exchange_id(work->exchange) : NULL,
    };
    struct answer *answer = finish_answer(work, &head, &body, error);
    buf_free(&links);
    return answer;
}

/* Asks the handler and makes the answer; keeps it where it may be kept. */
static struct answer *produce(struct work *work, const char *allow, struct error *error) {
    bool refused = work->reply.status != 0;
    if (!refused && !work->call.route->handler(&work->call, &work->reply, error)) {
        if (error->kind != ERROR_NOT_FOUND || !reply_not_found(&work->call, &work->reply, error)) {
            return NULL;
        }
    }
    struct answer *answer = make_answer(work, allow, error);
    bool keep = answer != NULL && !refused && answer_status(answer) < MHD_HTTP_BAD_REQUEST &&
                work->call.route->cache != CACHE_NEVER;
    return keep ? cache_put(edition_cache(work->edition), work->key.data, work->key.length, answer)
                : answer;
}

/* A load balancer that talks to the program itself need not know the base path. */
static bool is_probe(const char *path) {
    return strcmp(path, "/healthz") == 0 || strcmp(path, "/readyz") == 0;
}

/* Takes the base path off. What lies outside belongs to others: a 404. */
static bool enter_base_path(struct work *work, struct error *error) {
    const char *base = work->call.site->base_path;
    struct target *target = &work->exchange->target;
    work->raw = base_path_rest(base, work->exchange->raw);
    if (work->raw == NULL) {
        work->raw = work->exchange->raw;
        return is_probe(target->path) || reply_not_found(&work->call, &work->reply, error);
    }
    target->path += strlen(base);
    if (target->path[0] != '\0') {
        return true;
    }
    target->path = "/";
    char location[LIMIT_TARGET_BYTES + 2];
    (void)snprintf(location, sizeof(location), "/%s", work->raw);
    return reply_redirect(&work->reply, MHD_HTTP_MOVED_PERMANENTLY, location, error);
}

/* Turns to the day that as_of names: from then on the catalogue is the one of that day. */
static bool enter_past(struct work *work, struct error *error) {
    bool is_asked = false;
    struct past_day day = {0};
    if (!past_applies(work->call.route)) {
        return true;
    }
    if (!past_take_day(&work->call, &work->exchange->target, work->edition, &is_asked, &day,
                       &work->reply, error) ||
        !is_asked) {
        return error->kind == ERROR_NONE;
    }
    struct past_waiter *waiter = &work->exchange->waiter;
    waiter->connection = work->connection;
    switch (past_get(work->past, work->edition, &day, waiter, &work->edition)) {
    case PAST_READY:
        text_iso_date(day.day, work->as_of);
        work->call.as_of = work->as_of;
        work->call.catalogue = edition_slot_open_past(work->slot, work->edition, error);
        return work->call.catalogue != NULL;
    case PAST_WAIT:
        work->waits = true;
        return true;
    case PAST_BUSY:
        return error_set(error, ERROR_BUSY, "Other days are being made ready; ask again soon.");
    case PAST_FAILED:
        break;
    }
    *error = waiter->error;
    return false;
}

static struct hot_request hot_request(const struct exchange *exchange) {
    return (struct hot_request){.method = exchange->method,
                                .target = exchange->raw,
                                .accept = exchange->fields.values[FIELD_ACCEPT],
                                .accept_encoding = exchange->fields.values[FIELD_ACCEPT_ENCODING]};
}

bool exchange_repeats(struct exchange *exchange, struct edition_slot *slot) {
    struct hot *hot = edition_slot_hot(slot);
    const struct hot_request request = hot_request(exchange);
    exchange->repeated = hot == NULL ? NULL : hot_get(hot, &request, &exchange->coding);
    return exchange->repeated != NULL;
}

/* An answer that was asked for twice will be again. */
static void remember(const struct work *work, struct answer *answer) {
    struct hot *hot = edition_slot_hot(work->slot);
    const struct hot_request request = hot_request(work->exchange);
    if (hot != NULL && (work->method & (METHOD_GET | METHOD_HEAD)) != 0) {
        hot_put(hot, &request, answer, best_coding(work->exchange));
    }
}

static struct answer *answer_work(struct work *work, struct error *error) {
    char allow[64] = "";
    work->call.target = &work->exchange->target;
    work->call.path = work->exchange->target.path;
    work->call.query = "";
    if (!enter_base_path(work, error)) {
        return NULL;
    }
    if (work->reply.status == 0 && !find_route(work, allow, sizeof(allow), error)) {
        return NULL;
    }
    if (work->reply.status == 0 && (!enter_past(work, error) || work->waits)) {
        return NULL;
    }
    if (work->reply.status == 0 &&
        (!choose_media(work, error) || (work->reply.status == 0 && !canonicalise(work, error)))) {
        return NULL;
    }
    if (work->reply.status == 0) {
        struct answer *kept =
            cache_get(edition_cache(work->edition), work->key.data, work->key.length);
        if (kept != NULL) {
            remember(work, kept);
            return kept;
        }
    }
    return produce(work, allow, error);
}

static unsigned method_bit(const char *method) {
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0    ? METHOD_GET
           : strcmp(method, MHD_HTTP_METHOD_HEAD) == 0 ? METHOD_HEAD
           : strcmp(method, MHD_HTTP_METHOD_POST) == 0 ? METHOD_POST
                                                       : 0;
}

static enum MHD_Result refuse_error(struct exchange *exchange, struct MHD_Connection *connection,
                                    const struct error *error) {
    if (error->kind == ERROR_INVALID) {
        return exchange_refuse(exchange, connection, MHD_HTTP_BAD_REQUEST, "Bad request",
                               error->message, NULL);
    }
    if (error->kind == ERROR_BUSY) {
        exchange->retry_seconds = LIMIT_PAST_RETRY_SECONDS;
        return exchange_refuse(exchange, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "Busy",
                               error->message, NULL);
    }
    LOG(LOG_ERROR, "request_failed", LOG_STR("id", exchange_id(exchange)),
        LOG_STR("target", exchange->raw), LOG_STR("error", error->message));
    bool no_memory = error->kind == ERROR_NO_MEMORY;
    return exchange_refuse(exchange, connection,
                           no_memory ? MHD_HTTP_SERVICE_UNAVAILABLE
                                     : MHD_HTTP_INTERNAL_SERVER_ERROR,
                           no_memory ? "Out of memory" : "Internal error",
                           "The server could not make this answer.", NULL);
}

static const char *post_header(const struct post *post, const char *name) {
    return MHD_lookup_connection_value(post->connection, MHD_HEADER_KIND, name);
}

enum MHD_Result exchange_answer(struct exchange *exchange, struct MHD_Connection *connection,
                                const char *method, struct edition_slot *slot, struct past *past,
                                const struct site *site) {
    struct error error = {0};
    if (exchange->repeated != NULL) {
        struct answer *repeated = exchange->repeated;
        exchange->repeated = NULL;
        return queue(exchange, connection, repeated, exchange->coding);
    }
    struct work work = {.exchange = exchange,
                        .connection = connection,
                        .method = method_bit(method),
                        .slot = slot,
                        .past = past,
                        .call = {.site = site}};
    const struct post post = {exchange->body.data, exchange->body.length, post_header, connection};
    work.call.post = work.method == METHOD_POST ? &post : NULL;
    buf_init(&work.key, KEY_MAXIMUM);
    struct answer *answer = NULL;
    work.call.catalogue = edition_slot_open(slot, &work.edition, &error);
    if (work.call.catalogue != NULL) {
        answer = answer_work(&work, &error);
    }
    enum MHD_Result result = work.waits ? MHD_YES
                             : answer == NULL
                                 ? refuse_error(exchange, connection, &error)
                                 : queue(exchange, connection, answer, best_coding(exchange));
    reply_free(&work.reply);
    buf_free(&work.key);
    free(work.captures);
    return result;
}
