/* libmicrohttpd knows only how long a connection was idle, so a client that sends a byte now and
 * then keeps it for ever. Here each connection has a deadline that its requests move on, and one
 * thread shuts down the sockets that are past theirs. A socket is closed only after it has left the
 * list, under the same lock, so the thread never touches a handle that is somebody else's. */
#include "guard.h"
#include "limit.h"
#include "metrics.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static const int64_t NS_PER_SECOND = 1000000000;

enum phase { PHASE_IDLE, PHASE_HEAD, PHASE_ANSWER, PHASE_CUT };

struct guarded {
    struct guarded *next;
    struct guarded *previous;
    struct address peer;
    struct peer *counted; /* NULL: not counted */
    int handle;
    atomic_int phase;
    atomic_llong deadline_ns;
};

struct guard {
    const struct server_limits *limits;
    const struct proxies *proxies;
    struct peers *peers;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stopping;
    struct guarded *connections;
};

int64_t guard_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* --- the thread --- */

static void cut(struct guarded *guarded) {
    static const char timeout[] =
        "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    int phase = atomic_exchange(&guarded->phase, PHASE_CUT);
    if (phase == PHASE_CUT) {
        return;
    }
    if (phase == PHASE_ANSWER) {
        metrics_add(METRIC_CUT_ANSWER, 1);
    } else {
        metrics_add(METRIC_CUT_HEAD, 1);
        (void)send(guarded->handle, timeout, sizeof(timeout) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    (void)shutdown(guarded->handle, SHUT_RDWR);
}

static void look_around(struct guard *guard, int64_t now) {
    for (struct guarded *at = guard->connections; at != NULL; at = at->next) {
        if (atomic_load_explicit(&at->deadline_ns, memory_order_relaxed) < now) {
            cut(at);
        }
    }
}

static void *watch(void *context) {
    struct guard *guard = context;
    enum { STEP_NS = 200 * 1000 * 1000, STEPS_TO_TIDY = 25 };
    (void)pthread_mutex_lock(&guard->lock);
    for (unsigned step = 1; !guard->stopping; step++) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += STEP_NS;
        until.tv_sec += until.tv_nsec / NS_PER_SECOND;
        until.tv_nsec %= NS_PER_SECOND;
        (void)pthread_cond_timedwait(&guard->wake, &guard->lock, &until);
        int64_t now = guard_now_ns();
        look_around(guard, now);
        if (step % STEPS_TO_TIDY == 0) {
            peers_tidy(guard->peers, now);
        }
        metrics_set(METRIC_ADDRESSES, peers_count(guard->peers));
    }
    (void)pthread_mutex_unlock(&guard->lock);
    return NULL;
}

static bool start(struct guard *guard) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    bool ready = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                 pthread_cond_init(&guard->wake, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    if (!ready) {
        return false;
    }
    if (pthread_mutex_init(&guard->lock, NULL) == 0) {
        if (pthread_create(&guard->thread, NULL, watch, guard) == 0) {
            return true;
        }
        (void)pthread_mutex_destroy(&guard->lock);
    }
    (void)pthread_cond_destroy(&guard->wake);
    return false;
}

struct guard *guard_create(const struct server_limits *limits, const struct proxies *proxies,
                           struct error *error) {
    struct guard *guard = calloc(1, sizeof(struct guard));
    struct peers *peers = peers_create(limits->rate, limits->burst);
    if (guard != NULL && peers != NULL) {
        guard->limits = limits;
        guard->proxies = proxies;
        guard->peers = peers;
        if (start(guard)) {
            return guard;
        }
    }
    peers_free(peers);
    free(guard);
    (void)error_no_memory(error);
    return NULL;
}

void guard_free(struct guard *guard) {
    if (guard == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&guard->lock);
    guard->stopping = true;
    (void)pthread_cond_signal(&guard->wake);
    (void)pthread_mutex_unlock(&guard->lock);
    (void)pthread_join(guard->thread, NULL);
    (void)pthread_cond_destroy(&guard->wake);
    (void)pthread_mutex_destroy(&guard->lock);
    peers_free(guard->peers);
    free(guard);
}

/* --- connections --- */

/* Whether the limit of connections is one for this peer. */
static bool is_limited(const struct guard *guard, const struct address *peer) {
    return guard->limits->address_connections != 0 && !proxies_include(guard->proxies, peer) &&
           (guard->limits->count_loopback || !address_is_loopback(peer));
}

enum MHD_Result guard_accept(void *context, const struct sockaddr *address, socklen_t length) {
    struct guard *guard = context;
    struct address peer;
    (void)length;
    if (address_of_socket(address, &peer) && is_limited(guard, &peer) &&
        peers_connections(guard->peers, &peer) >= guard->limits->address_connections) {
        metrics_add(METRIC_REFUSED_CONNECTIONS, 1);
        return MHD_NO;
    }
    return MHD_YES;
}

static void set(struct guarded *guarded, enum phase phase, int64_t deadline_ns) {
    if (guarded != NULL && atomic_load(&guarded->phase) != PHASE_CUT) {
        atomic_store_explicit(&guarded->deadline_ns, deadline_ns, memory_order_relaxed);
        int before = atomic_load(&guarded->phase);
        (void)(before != PHASE_CUT &&
               atomic_compare_exchange_strong(&guarded->phase, &before, (int)phase));
    }
}

static void open_connection(struct guard *guard, struct MHD_Connection *connection,
                            void **socket_context) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct guarded *guarded = info == NULL ? NULL : calloc(1, sizeof(struct guarded));
    metrics_add(METRIC_CONNECTIONS, 1);
    metrics_add(METRIC_CONNECTIONS_OPEN, 1);
    *socket_context = guarded;
    if (guarded == NULL) {
        return;
    }
    guarded->handle = info->connect_fd;
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info != NULL && address_of_socket(info->client_addr, &guarded->peer) &&
        is_limited(guard, &guarded->peer)) {
        guarded->counted = peers_enter(guard->peers, &guarded->peer);
    }
    set(guarded, PHASE_HEAD, guard_now_ns() + guard->limits->head_seconds * NS_PER_SECOND);
    (void)pthread_mutex_lock(&guard->lock);
    guarded->next = guard->connections;
    if (guarded->next != NULL) {
        guarded->next->previous = guarded;
    }
    guard->connections = guarded;
    (void)pthread_mutex_unlock(&guard->lock);
}

static void close_connection(struct guard *guard, struct guarded *guarded) {
    metrics_add(METRIC_CONNECTIONS_OPEN, -1);
    if (guarded == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&guard->lock);
    *(guarded->previous == NULL ? &guard->connections : &guarded->previous->next) = guarded->next;
    if (guarded->next != NULL) {
        guarded->next->previous = guarded->previous;
    }
    (void)pthread_mutex_unlock(&guard->lock);
    if (guarded->counted != NULL) {
        peers_leave(guard->peers, guarded->counted);
    }
    free(guarded);
}

void guard_notify(void *context, struct MHD_Connection *connection, void **socket_context,
                  enum MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        open_connection(context, connection, socket_context);
    } else {
        close_connection(context, *socket_context);
        *socket_context = NULL;
    }
}

struct guarded *guard_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

void guard_line(const struct guard *guard, struct guarded *guarded) {
    int64_t deadline = guard_now_ns() + guard->limits->head_seconds * NS_PER_SECOND;
    if (guarded != NULL) {
        int64_t before = atomic_load_explicit(&guarded->deadline_ns, memory_order_relaxed);
        set(guarded, PHASE_HEAD, before < deadline ? before : deadline);
    }
}

void guard_head(const struct guard *guard, struct guarded *guarded) {
    set(guarded, PHASE_HEAD, guard_now_ns() + guard->limits->head_seconds * NS_PER_SECOND);
}

void guard_answer(struct guarded *guarded, size_t bytes) {
    set(guarded, PHASE_ANSWER,
        guard_now_ns() +
            (LIMIT_SEND_SECONDS + (int64_t)(bytes / LIMIT_SEND_BYTES_PER_SECOND)) * NS_PER_SECOND);
}

void guard_end(const struct guard *guard, struct guarded *guarded) {
    set(guarded, PHASE_IDLE,
        guard_now_ns() + (LIMIT_IDLE_SECONDS + guard->limits->head_seconds) * NS_PER_SECOND);
}

/* --- clients --- */

enum { FORWARDED_MAXIMUM = 16 };

struct forwarded {
    const char *name;
    const char *texts[FORWARDED_MAXIMUM];
    size_t count;
};

/* Keeps the last fields of the name, which the nearest proxies wrote. */
static enum MHD_Result keep_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    struct forwarded *forwarded = context;
    if (value != NULL && strcasecmp(name, forwarded->name) == 0) {
        if (forwarded->count == FORWARDED_MAXIMUM) {
            memmove(forwarded->texts, forwarded->texts + 1,
                    (FORWARDED_MAXIMUM - 1) * sizeof(forwarded->texts[0]));
            forwarded->count--;
        }
        forwarded->texts[forwarded->count++] = value;
    }
    return MHD_YES;
}

bool guard_trusts(const struct guard *guard, const struct guarded *guarded) {
    return guarded != NULL && proxies_include(guard->proxies, &guarded->peer);
}

struct address guard_client(const struct guard *guard, struct MHD_Connection *connection) {
    const struct guarded *guarded = guard_of(connection);
    struct address client = {.bytes = IN6ADDR_ANY_INIT};
    if (guarded == NULL) {
        return client;
    }
    client = guarded->peer;
    if (guard_trusts(guard, guarded)) {
        struct forwarded forwarded = {.name = guard->proxies->write_forwarded ? "Forwarded"
                                                                              : "X-Forwarded-For"};
        (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, keep_field, &forwarded);
        size_t left = forwarded.count;
        while (left > 0 && proxies_follow(guard->proxies, forwarded.texts[left - 1], &client)) {
            left--;
        }
    }
    return client;
}

unsigned guard_ask(struct guard *guard, const struct address *client) {
    unsigned seconds = peers_ask(guard->peers, client, guard_now_ns());
    metrics_add(METRIC_REFUSED_RATE, seconds != 0);
    return seconds;
}
