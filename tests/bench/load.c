/* The load: connections that each send the next request when the answer to the last has come whole.
 * usage: load PORT CONNECTIONS REQUESTS METHOD FILE [FIELD ...]
 *   asks for the targets in FILE, one a line, in turn; prints one line of JSON.
 * usage: load PORT CONNECTIONS idle METHOD FILE
 *   asks once on each connection, prints a line, and holds them all until its input ends. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, HEAD_BYTES = 16384, TARGETS = 200000, READ_BYTES = 262144 };

struct connection {
    int handle;
    int64_t started_ns;
    long left; /* bytes of the body; -1: in the head */
    unsigned status;
    size_t head_length;
    char head[HEAD_BYTES];
};

struct load {
    int poll;
    const char *method;
    const char *fields;
    char **targets;
    size_t target_count;
    size_t next;
    size_t wanted;
    size_t sent;
    size_t done;
    size_t failed;
    size_t bytes;
    int64_t *times;
};

static int64_t now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void ask(struct load *load, struct connection *connection) {
    char request[HEAD_BYTES];
    if (load->sent >= load->wanted) {
        return;
    }
    load->sent++;
    const char *target = load->targets[load->next++ % load->target_count];
    int length = snprintf(request, sizeof(request), "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n",
                          load->method, target, load->fields);
    connection->left = -1;
    connection->head_length = 0;
    connection->started_ns = now_ns();
    if (send(connection->handle, request, (size_t)length, MSG_NOSIGNAL) != length) {
        fail("send");
    }
}

static void join(struct load *load, struct connection *connection, unsigned short port) {
    int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    connection->handle = socket(AF_INET, SOCK_STREAM, 0);
    if (connection->handle < 0 ||
        connect(connection->handle, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fail("connect");
    }
    (void)setsockopt(connection->handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = connection}};
    if (epoll_ctl(load->poll, EPOLL_CTL_ADD, connection->handle, &event) != 0) {
        fail("epoll_ctl");
    }
}

/* Takes in the head when it is whole; answers the bytes of the body that came with it. */
static size_t take_head(const struct load *load, struct connection *connection) {
    connection->head[connection->head_length] = '\0';
    char *end = strstr(connection->head, "\r\n\r\n");
    if (end == NULL) {
        return 0;
    }
    size_t head = (size_t)(end - connection->head) + 4;
    connection->status = (unsigned)strtoul(connection->head + strlen("HTTP/1.1 "), NULL, 10);
    const char *length = strcasestr(connection->head, "\r\nContent-Length:");
    bool has_body = length != NULL && length < end && connection->status != 304 &&
                    strcmp(load->method, "HEAD") != 0;
    connection->left = has_body ? strtol(length + strlen("\r\nContent-Length:"), NULL, 10) : 0;
    return connection->head_length - head;
}

static void take(struct load *load, struct connection *connection) {
    static char bytes[READ_BYTES];
    size_t got = 0;
    if (connection->left < 0) {
        ssize_t count = recv(connection->handle, connection->head + connection->head_length,
                             HEAD_BYTES - 1 - connection->head_length, 0);
        if (count <= 0) {
            fail("the server closed a connection");
        }
        load->bytes += (size_t)count;
        connection->head_length += (size_t)count;
        got = take_head(load, connection);
    } else {
        ssize_t count = recv(connection->handle, bytes, sizeof(bytes), 0);
        if (count <= 0) {
            fail("the server closed a connection");
        }
        load->bytes += (size_t)count;
        got = (size_t)count;
    }
    if (connection->left < 0) {
        return;
    }
    connection->left -= (long)got;
    if (connection->left <= 0) {
        load->times[load->done++] = now_ns() - connection->started_ns;
        load->failed += connection->status >= 400;
        ask(load, connection);
    }
}

static int compare(const void *one, const void *other) {
    int64_t left = *(const int64_t *)one;
    int64_t right = *(const int64_t *)other;
    return left < right ? -1 : left > right;
}

static void read_targets(struct load *load, const char *path) {
    char line[HEAD_BYTES];
    FILE *file = fopen(path, "r");
    load->targets = calloc(TARGETS, sizeof(char *));
    if (file == NULL || load->targets == NULL) {
        fail(path);
    }
    while (load->target_count < TARGETS && fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        load->targets[load->target_count++] = strdup(line);
    }
    (void)fclose(file);
}

static void run(struct load *load) {
    while (load->done < load->wanted) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(load->poll, events, EVENTS, 30000);
        if (count == 0) {
            (void)fprintf(stderr, "no answer for 30 s after %zu of %zu\n", load->done,
                          load->wanted);
            exit(1);
        }
        for (int i = 0; i < count; i++) {
            take(load, events[i].data.ptr);
        }
    }
}

static double share(const struct load *load, double part) {
    size_t place = (size_t)((double)(load->done - 1) * part);
    return (double)load->times[place] / 1e6;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        (void)fprintf(stderr,
                      "usage: load PORT CONNECTIONS REQUESTS|idle METHOD FILE [FIELD ...]\n");
        return 2;
    }
    char fields[HEAD_BYTES] = "";
    for (int i = 6; i < argc; i++) {
        size_t length = strlen(fields);
        (void)snprintf(fields + length, sizeof(fields) - length, "%s\r\n", argv[i]);
    }
    bool idle = strcmp(argv[3], "idle") == 0;
    size_t count = strtoul(argv[2], NULL, 10);
    struct load load = {.poll = epoll_create1(0),
                        .method = argv[4],
                        .fields = fields,
                        .wanted = idle ? count : strtoul(argv[3], NULL, 10)};
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    read_targets(&load, argv[5]);
    struct connection *connections = calloc(count, sizeof(struct connection));
    load.times = calloc(load.wanted, sizeof(int64_t));
    if (connections == NULL || load.times == NULL) {
        fail("memory");
    }
    for (size_t i = 0; i < count; i++) {
        join(&load, &connections[i], (unsigned short)strtoul(argv[1], NULL, 10));
    }
    int64_t started = now_ns();
    for (size_t i = 0; i < count; i++) {
        ask(&load, &connections[i]);
    }
    run(&load);
    double seconds = (double)(now_ns() - started) / 1e9;
    qsort(load.times, load.done, sizeof(int64_t), compare);
    (void)printf(
        "{\"requests\": %zu, \"failed\": %zu, \"seconds\": %.6f, \"bytes\": %zu, \"p50\": %.4f, "
        "\"p99\": %.4f, \"p999\": %.4f, \"max\": %.4f}\n",
        load.done, load.failed, seconds, load.bytes, share(&load, 0.5), share(&load, 0.99),
        share(&load, 0.999), share(&load, 1));
    (void)fflush(stdout);
    while (idle && getchar() != EOF) {
    }
    return 0;
}
