#include "exchange.h"
#include "guard.h"
#include "handler.h"
#include "hot.h"
#include "limit.h"
#include "log.h"
#include "make.h"
#include "respond.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

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

enum MHD_Result exchange_preflight(struct exchange *exchange, struct MHD_Connection *connection) {
    struct error error;
    const struct answer_head head = {.status = MHD_HTTP_NO_CONTENT,
                                     .cache = CACHE_NEVER,
                                     .allow = "GET, HEAD",
                                     .request_id = exchange_id(exchange),
                                     .preflight = true};
    struct answer *answer = answer_create(&head, NULL, 0, &error);
    return answer == NULL ? MHD_NO : queue(exchange, connection, answer, CODING_IDENTITY);
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
    struct work work;
    work_init(&work, exchange, site);
    work.connection = connection;
    work.method = method_bit(method);
    work.slot = slot;
    work.past = past;
    const struct post post = {exchange->body.data, exchange->body.length, post_header, connection};
    work.call.post = work.method == METHOD_POST ? &post : NULL;
    struct answer *answer = NULL;
    work.call.catalogue = edition_slot_open(slot, &work.edition, &error);
    if (work.call.catalogue != NULL) {
        answer = work_answer(&work, &error);
    }
    if (answer != NULL && work.was_kept) {
        remember(&work, answer);
    }
    enum MHD_Result result = work.waits ? MHD_YES
                             : answer == NULL
                                 ? refuse_error(exchange, connection, &error)
                                 : queue(exchange, connection, answer, best_coding(exchange));
    work_free(&work);
    return result;
}
