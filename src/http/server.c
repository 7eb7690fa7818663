/* The only MHD_start_daemon: options, callbacks, drain. */
#include "server.h"
#include "admin.h"
#include "base_path.h"
#include "confine.h"
#include "edition.h"
#include "exchange.h"
#include "guard.h"
#include "limit.h"
#include "listen.h"
#include "log.h"
#include "metrics.h"
#include "refill.h"
#include "respond.h"
#include "route.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct server {
    struct MHD_Daemon *daemon;
    struct admin *admin; /* NULL: none */
    struct guard *guard;
    struct edition_slot *slot;
    struct edition *before; /* the one that was current before, kept by the last swap; NULL: none */
    struct past *past;
    const struct site *site;
    size_t cache_bytes;
    bool is_marked; /* answers tell caches in front of which edition they are */
    int64_t program_modified;
    unsigned workers;
    struct server_limits limits;
    struct proxies proxies;
    atomic_uint in_flight; /* requests between their request line and their last byte */
    char address[SERVER_ADDRESS_BYTES];
};

struct server_limits server_default_limits(void) {
    return (struct server_limits){.connections = LIMIT_CONNECTIONS,
                                  .address_connections = LIMIT_ADDRESS_CONNECTIONS,
                                  .head_seconds = LIMIT_HEAD_SECONDS,
                                  .head_bytes = LIMIT_CONNECTION_BYTES,
                                  .target_bytes = LIMIT_TARGET_BYTES,
                                  .body_bytes = LIMIT_BODY_BYTES};
}

/* --- callbacks of libmicrohttpd --- */

/* libmicrohttpd makes a record of every pair of a query in the connection's memory, which nobody
 * reads; where they do not fit, 0.9.75 queues a refusal that it never sends, and the client waits.
 * So the query ends here for the library: its text is that of the connection, and exchange->raw has
 * the whole. */
static void hide_query(const char *target) {
    char *query = strchr((char *)target, '?');
    if (query != NULL) {
        query[1] = '\0';
    }
}

static void *on_target(void *context, const char *target, struct MHD_Connection *connection) {
    struct server *server = context;
    struct exchange *exchange = exchange_create(target);
    if (exchange == NULL) {
        return NULL;
    }
    confine_worker();
    hide_query(target);
    if (strlen(exchange->raw) > (size_t)2 * LIMIT_TARGET_BYTES) {
        /* It leaves the library no memory to refuse with. */
        exchange_cut(connection, MHD_HTTP_URI_TOO_LONG);
    }
    exchange->started_ns = guard_now_ns();
    exchange->limits = &server->limits;
    exchange->guarded = guard_of(connection);
    guard_line(server->guard, exchange->guarded);
    buf_init(&exchange->body, server->limits.body_bytes);
    (void)atomic_fetch_add(&server->in_flight, 1);
    metrics_add(METRIC_REQUESTS_OPEN, 1);
    return exchange;
}

static void log_exchange(struct exchange *exchange, int64_t microseconds) {
    if (!log_enabled(LOG_INFO)) {
        return;
    }
    char client[ADDRESS_TEXT_BYTES];
    address_write(&exchange->client, client);
    LOG(LOG_INFO, "request", LOG_STR("id", exchange_id(exchange)),
        LOG_STR("method", exchange->method), LOG_STR("target", exchange->raw),
        LOG_INT("status", exchange->status), LOG_INT("bytes", (int64_t)exchange->length),
        LOG_STR("client", client), LOG_INT("microseconds", microseconds));
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
    (void)connection;
    (void)code;
    struct server *server = context;
    struct exchange *exchange = *state;
    if (exchange == NULL) {
        return;
    }
    enum { NS_PER_MICROSECOND = 1000 };
    int64_t microseconds = (guard_now_ns() - exchange->started_ns) / NS_PER_MICROSECOND;
    guard_end(server->guard, exchange->guarded);
    metrics_answer(exchange->status, exchange->length, microseconds);
    log_exchange(exchange, microseconds);
    (void)atomic_fetch_sub(&server->in_flight, 1);
    metrics_add(METRIC_REQUESTS_OPEN, -1);
    exchange_free(exchange);
    *state = NULL;
}

/* Leaves everything encoded: targets are decoded by target.c from the raw text. */
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

static const char *known_method(const char *method) {
    static const char *const methods[] = {"GET",    "HEAD",    "POST",  "PUT",    "PATCH",
                                          "DELETE", "OPTIONS", "TRACE", "CONNECT"};
    for (size_t i = 0; i < ARRAY_LENGTH(methods); i++) {
        if (strcmp(method, methods[i]) == 0) {
            return methods[i];
        }
    }
    return "-";
}

static enum MHD_Result refuse(struct exchange *exchange, struct MHD_Connection *connection,
                              unsigned status, const char *title, const char *detail) {
    return exchange_refuse(exchange, connection, status, title, detail, NULL);
}

/* The first call of a request sees its headers: what is refused here closes the connection, so
 * nothing behind it is ever parsed. */
static enum MHD_Result admit(struct server *server, struct exchange *exchange,
                             struct MHD_Connection *connection, const char *url, const char *method,
                             const char *version) {
    unsigned status = 0;
    exchange->method = known_method(method);
    exchange->client = guard_client(server->guard, connection);
    fields_read(connection, exchange->raw, url, version, &exchange->fields);
    if (guard_trusts(server->guard, exchange->guarded)) {
        exchange_name(exchange, connection);
    }
    const char *fault = framing_fault(exchange, method, version, &status);
    if (fault != NULL) {
        return refuse(exchange, connection, status, "Bad request", fault);
    }
    size_t length = strlen(exchange->raw);
    if (length > server->limits.target_bytes) {
        return refuse(exchange, connection, MHD_HTTP_URI_TOO_LONG, "Address too long",
                      "The request target is too long.");
    }
    exchange->retry_seconds = guard_ask(server->guard, &exchange->client);
    if (exchange->retry_seconds != 0) {
        return refuse(exchange, connection, MHD_HTTP_TOO_MANY_REQUESTS, "Too many requests",
                      "This address asks too often; Retry-After has the seconds to wait.");
    }
    struct error error;
    if (!exchange_repeats(exchange, server->slot) &&
        !target_parse(exchange->raw, length, &exchange->target, &error)) {
        bool no_memory = error.kind == ERROR_NO_MEMORY;
        return refuse(exchange, connection,
                      no_memory ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_BAD_REQUEST,
                      no_memory ? "Out of memory" : "Bad request", error.message);
    }
    guard_head(server->guard, exchange->guarded);
    exchange->admitted = true;
    return MHD_YES;
}

static bool is_preflight(const struct exchange *exchange, struct MHD_Connection *connection) {
    return strcmp(exchange->method, MHD_HTTP_METHOD_OPTIONS) == 0 &&
           MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ORIGIN) !=
               NULL &&
           MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
                                       "Access-Control-Request-Method") != NULL;
}

/* A request that waited is answered from its start: the first try changed its target. */
static bool parse_again(struct exchange *exchange) {
    target_free(&exchange->target);
    return target_parse(exchange->raw, strlen(exchange->raw), &exchange->target, NULL);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_bytes, void **state) {
    struct server *server = context;
    struct exchange *exchange = *state;
    if (exchange == NULL) {
        return MHD_NO;
    }
    if (!exchange->admitted) {
        return admit(server, exchange, connection, url, method, version);
    }
    if (*upload_bytes != 0) {
        const char *path = exchange->repeated != NULL
                               ? NULL
                               : base_path_rest(server->site->base_path, exchange->target.path);
        if (path != NULL && route_takes_body(path)) {
            buf_add(&exchange->body, upload, *upload_bytes);
        }
        *upload_bytes = 0;
        return MHD_YES;
    }
    if (exchange->body.failed) {
        return refuse(exchange, connection, MHD_HTTP_SERVICE_UNAVAILABLE, "Out of memory",
                      "There is no room for this body.");
    }
    if (is_preflight(exchange, connection)) {
        return exchange_preflight(exchange, connection);
    }
    if (exchange->waiter.has_waited && !parse_again(exchange)) {
        return MHD_NO;
    }
    return exchange_answer(exchange, connection, method, server->slot, server->past, server->site);
}

static void on_library_log(void *context, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

static void on_library_log(void *context, const char *format, va_list arguments) {
    (void)context;
    char message[ERROR_MESSAGE_BYTES];
    (void)vsnprintf(message, sizeof(message), format, arguments);
    message[strcspn(message, "\n")] = '\0';
    LOG(LOG_DEBUG, "libmicrohttpd", LOG_STR("message", message));
}

/* --- start and stop --- */

static struct MHD_Daemon *start_daemon(struct server *server, int handle, unsigned workers) {
    const struct MHD_OptionItem pool[] = {{MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)workers, NULL},
                                          {MHD_OPTION_END, 0, NULL}};
    const struct MHD_OptionItem single[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG | MHD_ALLOW_SUSPEND_RESUME,
        0, guard_accept, server->guard, on_request, server, MHD_OPTION_NOTIFY_CONNECTION,
        guard_notify, server->guard, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL,
        MHD_OPTION_LISTEN_SOCKET, handle, MHD_OPTION_URI_LOG_CALLBACK, on_target, server,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, server, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_encoded, NULL, MHD_OPTION_CONNECTION_LIMIT, server->limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)LIMIT_IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, server->limits.head_bytes,
#if MHD_VERSION >= 0x00097701
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#else
        /* The strict mode of 0.9.75 answers a missing Host with its head sent twice. framing.c and
         * target.c refuse all that it refuses, and more. */
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
#endif
        MHD_OPTION_ARRAY, workers > 1 ? pool : single, MHD_OPTION_END);
}

static unsigned worker_count(unsigned wanted) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return wanted != 0 ? wanted : processors < 1 ? 1 : (unsigned)processors;
}

static void forget_before(struct server *server) {
    edition_release(server->before);
    server->before = NULL;
}

static void server_free(struct server *server) {
    admin_stop(server->admin);
    guard_free(server->guard);
    past_free(server->past);
    forget_before(server);
    edition_slot_free(server->slot);
    free(server);
}

/* Everything but the socket; takes over the generation. */
static struct server *server_create(const struct server_options *options, const struct site *site,
                                    struct generation *generation, struct error *error) {
    struct server *server = calloc(1, sizeof(struct server));
    struct edition_slot *slot = edition_slot_create();
    if (server == NULL || slot == NULL) {
        edition_slot_free(slot);
        free(server);
        generation_release(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    server->site = site;
    server->slot = slot;
    server->cache_bytes = options->cache_bytes;
    server->is_marked = options->surrogate_keys;
    server->program_modified = options->program_modified;
    server->workers = worker_count(options->workers);
    server->limits = options->limits;
    respond_configure(options->hsts_seconds);
    server->past = past_create();
    if (server->past == NULL) {
        server_free(server);
        generation_release(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    if (!server_swap(server, generation, error) ||
        !proxies_parse(options->trusted_proxies, &server->proxies, error)) {
        server_free(server);
        return NULL;
    }
    server->proxies.write_forwarded = options->proxies_write_forwarded;
    return server;
}

struct sockets {
    int public;
    int admin; /* -1: none */
};

static bool bind_sockets(const struct server_options *options, struct sockets *out,
                         struct error *error) {
    *out = (struct sockets){.public = listen_bind(options->listen, error), .admin = -1};
    if (out->public < 0) {
        return false;
    }
    if (options->admin != NULL && (out->admin = listen_bind(options->admin, error)) < 0) {
        (void)close(out->public);
        return false;
    }
    return true;
}

/* Starts the threads; takes over the sockets. */
static bool run(struct server *server, const struct server_options *options,
                const struct sockets *sockets, struct error *error) {
    server->guard = guard_create(&server->limits, &server->proxies, error);
    bool ready = server->guard != NULL && past_start(server->past, error);
    if (sockets->admin >= 0 && ready) {
        server->admin = admin_start(sockets->admin, error);
        ready = server->admin != NULL;
    } else if (sockets->admin >= 0) {
        (void)close(sockets->admin);
    }
    if (ready) {
        listen_write_address(sockets->public, server->address);
        server->daemon = start_daemon(server, sockets->public, server->workers);
        ready = server->daemon != NULL ||
                error_set(error, ERROR_IO, "cannot start the HTTP server on %s", options->listen);
    }
    if (!ready) {
        (void)close(sockets->public);
    }
    return ready;
}

struct server *server_start(const struct server_options *options, const struct site *site,
                            struct generation *generation, struct error *error) {
    struct server *server = server_create(options, site, generation, error);
    struct sockets sockets;
    if (server == NULL) {
        return NULL;
    }
    if (!bind_sockets(options, &sockets, error)) {
        server_free(server);
        return NULL;
    }
    if (options->bound != NULL) {
        options->bound(options->bound_context);
    }
    if (!run(server, options, &sockets, error)) {
        server_free(server);
        return NULL;
    }
    metrics_set(METRIC_STARTED, (int64_t)time(NULL));
    return server;
}

const char *server_address(const struct server *server) {
    return server->address;
}

const char *server_admin_address(const struct server *server) {
    return admin_address(server->admin);
}

bool server_swap(struct server *server, struct generation *generation, struct error *error) {
    struct edition_mark mark;
    edition_mark_write(generation, server->program_modified, &mark);
    struct edition *edition =
        edition_create(generation, server->is_marked ? &mark : NULL, server->cache_bytes, error);
    /* The first edition comes before the workers, and they need not wait for all connections. */
    if (edition == NULL ||
        (server->daemon != NULL && !edition_prepare(edition, server->workers, error))) {
        edition_release(edition);
        return false;
    }
    forget_before(server);
    server->before = edition_slot_current(server->slot);
    if (server->before != NULL) {
        refill(edition, server->before, server->site);
    }
    metrics_generation(generation_id(generation));
    metrics_set(METRIC_GENERATION_LOADED, (int64_t)time(NULL));
    metrics_add(METRIC_RELOADS, 1);
    edition_slot_set(server->slot, edition);
    past_forget(server->past);
    return true;
}

void server_tidy(struct server *server) {
    if (server->before != NULL && edition_is_unshared(server->before)) {
        forget_before(server);
    }
}

unsigned server_stop(struct server *server) {
    admin_drain(server->admin);
    MHD_socket listener = MHD_quiesce_daemon(server->daemon);
    enum { STEP_NS = 10 * 1000 * 1000, STEPS = LIMIT_DRAIN_SECONDS * 100 };
    for (int i = 0; i < STEPS && atomic_load(&server->in_flight) > 0; i++) {
        const struct timespec step = {.tv_nsec = STEP_NS};
        (void)nanosleep(&step, NULL);
    }
    unsigned cut = atomic_load(&server->in_flight);
    past_stop(server->past);
    MHD_stop_daemon(server->daemon);
    if (listener != MHD_INVALID_SOCKET) {
        (void)close(listener);
    }
    server_free(server);
    return cut;
}
