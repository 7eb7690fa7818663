#include "make.h"
#include "as_of_links.h"
#include "base_path.h"
#include "folder.h"
#include "limit.h"
#include "negotiate.h"
#include "past_request.h"
#include "represent.h"
#include "respond.h"
#include "route.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAXIMUM = 2 * LIMIT_TARGET_BYTES, LOCATION_MAXIMUM = 2 * KEY_MAXIMUM, ALLOW_BYTES = 64 };

void work_init(struct work *work, struct exchange *exchange, const struct site *site) {
    *work = (struct work){.exchange = exchange, .raw = exchange->raw, .call = {.site = site}};
    work->call.target = &exchange->target;
    work->call.path = exchange->target.path;
    work->call.query = "";
    buf_init(&work->key, KEY_MAXIMUM);
}

void work_free(struct work *work) {
    reply_free(&work->reply);
    buf_free(&work->key);
    free(work->captures);
}

static bool offers_several(const struct work *work) {
    const media_set media = route_media(work->call.route);
    return !work->call.is_twin && (media & (media - 1)) != 0;
}

/* Chooses the medium: ?format= wins over Accept where the route offers several. */
static bool choose_media(struct work *work, struct error *error) {
    const struct route *route = work->call.route;
    const media_set media = route_media(route);
    work->negotiated = offers_several(work);
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
    struct buf methods;
    switch (route_match(work->exchange->target.path, work->method, &work->call, work->captures)) {
    case ROUTE_FOUND:
        return route_has_data(work->call.route, catalogue_generation(work->call.catalogue)) ||
               reply_not_found(&work->call, &work->reply, error);
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
    char folder[FOLDER_BYTES];
    const struct outside outside = outside_of(&work->call, folder);
    struct buf at_root;
    buf_init(&at_root, KEY_MAXIMUM);
    route_add_links(&work->call, &at_root);
    bool good =
        !at_root.failed && (at_root.length == 0 || outside_links(&outside, at_root.data, links));
    buf_free(&at_root);
    return good;
}

/* Puts another Location in the place of the reply's. */
static bool move_to(struct work *work, struct buf *location, struct error *error) {
    char *moved = buf_take(location);
    if (moved == NULL) {
        return error_no_memory(error);
    }
    free(work->reply.location);
    work->reply.location = moved;
    return true;
}

/* A redirect within the site stays below its base path. */
static bool keep_base(struct work *work, struct error *error) {
    struct buf location;
    buf_init(&location, LOCATION_MAXIMUM);
    buf_add_text(&location, work->call.site->base_path);
    buf_add_text(&location, work->reply.location);
    return move_to(work, &location, error);
}

/* A redirect to a profile leads to the folder that the catalogue names. */
static bool leave_folder(struct work *work, struct error *error) {
    struct buf location;
    buf_init(&location, LOCATION_MAXIMUM);
    const char *inside = work->reply.location;
    return (folder_out(&work->call, inside, &location) || error_no_memory(error)) &&
           move_to(work, &location, error);
}

/* A redirect within the site stays in its day. */
static bool keep_day(struct work *work, struct error *error) {
    struct buf location;
    buf_init(&location, LOCATION_MAXIMUM);
    (void)as_of_links_add(&location, work->reply.location, work->call.as_of);
    return move_to(work, &location, error);
}

/* Where a twin is answered by a redirect to a page, it leads to the twin of that page. */
static bool turn_to_twin(struct work *work, struct error *error) {
    size_t path_length = strcspn(work->reply.location, "?");
    char *path = strndup(work->reply.location, path_length);
    if (path == NULL) {
        return error_no_memory(error);
    }
    struct buf location;
    buf_init(&location, LOCATION_MAXIMUM);
    route_add_twin(path, &location);
    buf_add_text(&location, work->reply.location + path_length);
    free(path);
    return move_to(work, &location, error);
}

/* Makes the Location of a handler, which knows neither twins, days nor the base path, the one to
 * send. */
static bool finish_location(struct work *work, struct error *error) {
    if (work->reply.location == NULL || work->reply.location[0] != '/') {
        return true;
    }
    return (!folder_differs(&work->call) || leave_folder(work, error)) &&
           (!work->call.is_twin || turn_to_twin(work, error)) &&
           (work->call.as_of == NULL || keep_day(work, error)) &&
           (work->call.site->base_path[0] == '\0' || keep_base(work, error));
}

/* Makes the bytes of a reply. */
static bool make_body(struct work *work, struct buf *body, struct error *error) {
    if (!finish_location(work, error)) {
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
        .is_private = generation_beneath(edition_generation(work->edition)) != NULL,
        .negotiated = work->negotiated,
        .page = is_html && !is_framed,
        .framed = is_html && is_framed,
        .modified = modified_of(work),
        .location = work->reply.location,
        .allow = allow[0] == '\0' ? NULL : allow,
        .link = links.length == 0 ? NULL : links.data,
        .request_id = is_problem ? exchange_id(work->exchange) : NULL,
        .mark = work->mark,
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

/* Turns to the public catalogue where that is asked for: an overlay has no past. */
static bool enter_beneath(struct work *work, struct error *error) {
    const struct route *route = work->call.route;
    struct edition *beneath = edition_beneath(work->edition);
    bool is_wanted =
        route->is_public || (route_has_past(route) && past_is_asked(&work->exchange->target));
    if (beneath == NULL || !is_wanted) {
        return true;
    }
    work->call.catalogue =
        edition_slot_open_side(work->slot, SIDE_BENEATH, edition_retain(beneath), error);
    work->edition = beneath;
    return work->call.catalogue != NULL;
}

/* Turns a path below the folder of the catalogue to the one inside. */
static bool enter_folder(struct work *work, struct error *error) {
    struct target *target = &work->exchange->target;
    if (work->reply.status != 0 || !folder_differs(&work->call)) {
        return true;
    }
    if (!folder_in(&work->call, target->path, work->path, sizeof(work->path))) {
        return reply_not_found(&work->call, &work->reply, error);
    }
    target->path = work->path;
    return true;
}

/* Turns to the day that as_of names: from then on the catalogue is the one of that day. */
static bool enter_past(struct work *work, struct error *error) {
    bool is_asked = false;
    struct past_day day = {0};
    if (!route_has_past(work->call.route)) {
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
        work->call.catalogue = edition_slot_open_side(work->slot, SIDE_PAST, work->edition, error);
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

struct answer *work_answer(struct work *work, struct error *error) {
    char allow[ALLOW_BYTES] = "";
    work->mark = edition_mark(work->edition);
    if (!enter_base_path(work, error) || !enter_folder(work, error)) {
        return NULL;
    }
    if (work->reply.status == 0 && !find_route(work, allow, sizeof(allow), error)) {
        return NULL;
    }
    if (work->reply.status == 0 &&
        (!enter_beneath(work, error) || !enter_past(work, error) || work->waits)) {
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
            work->was_kept = true;
            return kept;
        }
    }
    return produce(work, allow, error);
}

struct answer *work_answer_again(struct work *work, enum media media,
                                 const struct cache_entry *entry, struct error *error) {
    char allow[ALLOW_BYTES] = "";
    work->mark = edition_mark(work->edition);
    if (!find_route(work, allow, sizeof(allow), error) || work->reply.status != 0) {
        return NULL;
    }
    work->negotiated = offers_several(work);
    work->call.media = media;
    if (!canonicalise(work, error) || work->reply.status != 0 ||
        work->key.length != entry->key_length ||
        memcmp(work->key.data, entry->key, entry->key_length) != 0) {
        return NULL;
    }
    return produce(work, allow, error);
}
