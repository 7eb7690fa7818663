/* The only MHD_start_daemon: options, callbacks, drain. */
#include "server.h"
#include "edition.h"
#include "exchange.h"
#include "limit.h"
#include "log.h"
#include "route.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct server {
    struct MHD_Daemon *daemon;
    struct edition_slot *slot;
    const struct site *site;
    size_t cache_bytes;
    atomic_uint in_flight; /* requests between their request line and their last byte */
    char address[SERVER_ADDRESS_BYTES];
};

static int64_t monotonic_ns(void) {
    struct timespec now;
    enum { NS_PER_SECOND = 1000000000 };
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* --- callbacks of libmicrohttpd
 * ----------------------------------------------------------------------------------- */

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
    struct exchange *exchange = calloc(1, sizeof(struct exchange));
    if (exchange == NULL) {
        return NULL;
    }
    exchange->raw = strdup(target);
    if (exchange->raw == NULL) {
        free(exchange);
        return NULL;
    }
    hide_query(target);
    if (strlen(exchange->raw) > (size_t)2 * LIMIT_TARGET_BYTES) {
        /* It leaves the library no memory to refuse with. */
        exchange_cut(connection, MHD_HTTP_URI_TOO_LONG);
    }
    exchange->started_ns = monotonic_ns();
    exchange->method = "-";
    buf_init(&exchange->body, LIMIT_BODY_BYTES);
    exchange->in_flight = true;
    (void)atomic_fetch_add(&server->in_flight, 1);
    return exchange;
}

static void log_exchange(const struct exchange *exchange, struct MHD_Connection *connection) {
    if (!log_enabled(LOG_INFO)) {
        return;
    }
    char client[INET6_ADDRSTRLEN] = "-";
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info != NULL && info->client_addr != NULL) {
        socklen_t length = info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                    : sizeof(struct sockaddr_in);
        (void)getnameinfo(info->client_addr, length, client, sizeof(client), NULL, 0,
                          NI_NUMERICHOST);
    }
    enum { NS_PER_MICROSECOND = 1000 };
    LOG(LOG_INFO, "request", LOG_STR("method", exchange->method), LOG_STR("target", exchange->raw),
        LOG_INT("status", exchange->status), LOG_INT("bytes", (int64_t)exchange->length),
        LOG_STR("client", client),
        LOG_INT("microseconds", (monotonic_ns() - exchange->started_ns) / NS_PER_MICROSECOND));
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code) {
    (void)code;
    struct server *server = context;
    struct exchange *exchange = *state;
    if (exchange == NULL) {
        return;
    }
    log_exchange(exchange, connection);
    (void)atomic_fetch_sub(&server->in_flight, 1);
    target_free(&exchange->target);
    buf_free(&exchange->body);
    free(exchange->raw);
    free(exchange);
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

/* The first call of a request sees its headers: what is refused here closes the connection, so
 * nothing behind it is ever parsed. */
static enum MHD_Result admit(struct exchange *exchange, struct MHD_Connection *connection,
                             const char *method, const char *version) {
    unsigned status = 0;
    exchange->method = known_method(method);
    const char *fault = framing_fault(connection, method, version, &status);
    if (fault != NULL) {
        return exchange_refuse(exchange, connection, status, "Bad request", fault, NULL);
    }
    size_t length = strlen(exchange->raw);
    if (length > LIMIT_TARGET_BYTES) {
        return exchange_refuse(exchange, connection, MHD_HTTP_URI_TOO_LONG, "Address too long",
                               "The request target is too long.", NULL);
    }
    struct error error;
    if (!target_parse(exchange->raw, length, &exchange->target, &error)) {
        return exchange_refuse(exchange, connection, MHD_HTTP_BAD_REQUEST, "Bad request",
                               error.message, NULL);
    }
    exchange->admitted = true;
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_bytes, void **state) {
    (void)url;
    struct server *server = context;
    struct exchange *exchange = *state;
    if (exchange == NULL) {
        return MHD_NO;
    }
    if (!exchange->admitted) {
        return admit(exchange, connection, method, version);
    }
    if (*upload_bytes != 0) {
        if (route_takes_body(exchange->target.path)) {
            buf_add(&exchange->body, upload, *upload_bytes);
        }
        *upload_bytes = 0;
        return MHD_YES;
    }
    return exchange_answer(exchange, connection, method, server->slot, server->site);
}

static void on_library_log(void *context, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

static void on_library_log(void *context, const char *format, va_list arguments) {
    (void)context;
    char message[ERROR_MESSAGE_BYTES];
    (void)vsnprintf(message, sizeof(message), format, arguments);
    message[strcspn(message, "\n")] = '\0';
    LOG(LOG_DEBUG, "libmicrohttpd", LOG_STR("message", message));
}

/* --- start and stop
 * -----------------------------------------------------------------------------------------------
 */

/* Splits "host:port" or "[host]:port" and binds it. */
static int bind_address(const char *address, struct error *error) {
    char host[SERVER_ADDRESS_BYTES];
    const char *colon = strrchr(address, ':');
    size_t host_length = colon == NULL ? 0 : (size_t)(colon - address);
    bool bracketed = host_length >= 2 && address[0] == '[' && address[host_length - 1] == ']';
    if (colon == NULL || host_length >= sizeof(host) || colon[1] == '\0') {
        (void)error_set(
            error, ERROR_INVALID,
            "the listen address \"%s\" is not ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080",
            address);
        return -1;
    }
    (void)snprintf(host, sizeof(host), "%.*s", (int)(host_length - (bracketed ? 2 : 0)),
                   address + (bracketed ? 1 : 0));
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, colon + 1, &hints, &found);
    if (code != 0) {
        (void)error_set(error, ERROR_INVALID, "the listen address \"%s\" is not ADDRESS:PORT: %s",
                        address, gai_strerror(code));
        return -1;
    }
    int on = 1;
    int handle = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool bound =
        handle >= 0 && setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
        bind(handle, found->ai_addr, found->ai_addrlen) == 0 && listen(handle, SOMAXCONN) == 0;
    int failure = errno;
    freeaddrinfo(found);
    if (!bound) {
        if (handle >= 0) {
            (void)close(handle);
        }
        (void)error_set(error, ERROR_IO, "cannot listen on %s: %s", address,
                        strerrordesc_np(failure));
        return -1;
    }
    return handle;
}

static void write_address(struct server *server, int handle) {
    struct sockaddr_storage bound;
    socklen_t length = sizeof(bound);
    char host[INET6_ADDRSTRLEN] = "";
    char port[8] = "";
    if (getsockname(handle, (struct sockaddr *)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr *)&bound, length, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return;
    }
    (void)snprintf(server->address, sizeof(server->address),
                   bound.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

static struct MHD_Daemon *start_daemon(struct server *server, int handle, unsigned workers) {
    const struct MHD_OptionItem pool[] = {{MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)workers, NULL},
                                          {MHD_OPTION_END, 0, NULL}};
    const struct MHD_OptionItem single[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request,
        server, MHD_OPTION_EXTERNAL_LOGGER, on_library_log, NULL, MHD_OPTION_LISTEN_SOCKET, handle,
        MHD_OPTION_URI_LOG_CALLBACK, on_target, server, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
        server, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)LIMIT_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)LIMIT_IDLE_SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_CONNECTION_BYTES,
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

struct server *server_start(const struct server_options *options, const struct site *site,
                            struct generation *generation, struct error *error) {
    struct server *server = calloc(1, sizeof(struct server));
    if (server == NULL) {
        generation_release(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    server->site = site;
    server->cache_bytes = options->cache_bytes;
    server->slot = edition_slot_create();
    if (server->slot == NULL) {
        free(server);
        generation_release(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    int handle = -1;
    if (server_swap(server, generation, error) &&
        (handle = bind_address(options->listen, error)) >= 0) {
        write_address(server, handle);
        server->daemon = start_daemon(server, handle, worker_count(options->workers));
        if (server->daemon != NULL) {
            return server;
        }
        (void)close(handle);
        (void)error_set(error, ERROR_IO, "cannot start the HTTP server on %s", options->listen);
    }
    edition_slot_free(server->slot);
    free(server);
    return NULL;
}

const char *server_address(const struct server *server) {
    return server->address;
}

bool server_swap(struct server *server, struct generation *generation, struct error *error) {
    struct edition *edition = edition_create(generation, server->cache_bytes, error);
    if (edition == NULL) {
        return false;
    }
    edition_slot_set(server->slot, edition);
    return true;
}

unsigned server_stop(struct server *server) {
    MHD_socket listener = MHD_quiesce_daemon(server->daemon);
    enum { STEP_NS = 10 * 1000 * 1000, STEPS = LIMIT_DRAIN_SECONDS * 100 };
    for (int i = 0; i < STEPS && atomic_load(&server->in_flight) > 0; i++) {
        const struct timespec step = {.tv_nsec = STEP_NS};
        (void)nanosleep(&step, NULL);
    }
    unsigned cut = atomic_load(&server->in_flight);
    MHD_stop_daemon(server->daemon);
    if (listener != MHD_INVALID_SOCKET) {
        (void)close(listener);
    }
    edition_slot_free(server->slot);
    free(server);
    return cut;
}
