#include "admin.h"
#include "limit.h"
#include "listen.h"
#include "metrics.h"
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct admin {
    struct MHD_Daemon *daemon;
    atomic_bool draining;
    char address[SERVER_ADDRESS_BYTES];
};

enum { METRICS_MAXIMUM = 256 * 1024, CONNECTIONS = 64 };

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type,
                              char *body, size_t length, enum MHD_ResponseMemoryMode mode) {
    struct MHD_Response *response = MHD_create_response_from_buffer(length, body, mode);
    if (response == NULL) {
        if (mode == MHD_RESPMEM_MUST_FREE) {
            free(body);
        }
        return MHD_NO;
    }
    enum MHD_Result result = MHD_NO;
    if (MHD_add_response_header(response, "Content-Type", type) == MHD_YES &&
        MHD_add_response_header(response, "Cache-Control", "no-store") == MHD_YES &&
        MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES) {
        result = MHD_queue_response(connection, status, response);
    }
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, unsigned status,
                                   const char *text) {
    return answer(connection, status, "text/plain; charset=utf-8", (char *)text, strlen(text),
                  MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer_metrics(struct MHD_Connection *connection) {
    struct buf text;
    buf_init(&text, METRICS_MAXIMUM);
    metrics_write(&text);
    size_t length = text.length;
    char *body = buf_take(&text);
    if (body == NULL) {
        return answer_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory\n");
    }
    return answer(connection, MHD_HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", body, length,
                  MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload,
                                  size_t *upload_bytes, void **state) {
    (void)version;
    (void)upload;
    static const char seen;
    struct admin *admin = context;
    /* What is queued on the first call closes the connection, which is right for refusals only. */
    bool is_read =
        strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    if (!is_read || *upload_bytes != 0) {
        return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET only\n");
    }
    if (*state == NULL) {
        *state = (void *)&seen;
        return MHD_YES;
    }
    if (strcmp(url, "/metrics") == 0) {
        return answer_metrics(connection);
    }
    if (strcmp(url, "/healthz") == 0) {
        return answer_text(connection, MHD_HTTP_OK, "ok\n");
    }
    if (strcmp(url, "/readyz") == 0) {
        bool draining = atomic_load(&admin->draining);
        return answer_text(connection, draining ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_OK,
                           draining ? "stopping\n" : "ready\n");
    }
    return answer_text(connection, MHD_HTTP_NOT_FOUND, "/metrics, /healthz and /readyz are here\n");
}

struct admin *admin_start(int handle, struct error *error) {
    struct admin *admin = calloc(1, sizeof(struct admin));
    if (admin == NULL) {
        (void)close(handle);
        (void)error_no_memory(error);
        return NULL;
    }
    listen_write_address(handle, admin->address);
    admin->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, admin, MHD_OPTION_LISTEN_SOCKET,
        handle, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)LIMIT_IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)LIMIT_CONNECTION_BYTES, MHD_OPTION_END);
    if (admin->daemon == NULL) {
        (void)close(handle);
        free(admin);
        (void)error_set(error, ERROR_IO, "cannot start the listener for metrics");
        return NULL;
    }
    return admin;
}

void admin_stop(struct admin *admin) {
    if (admin != NULL) {
        /* It closes the listening socket too. */
        MHD_stop_daemon(admin->daemon);
        free(admin);
    }
}

const char *admin_address(const struct admin *admin) {
    return admin == NULL ? "" : admin->address;
}

void admin_drain(struct admin *admin) {
    if (admin != NULL) {
        atomic_store(&admin->draining, true);
    }
}
