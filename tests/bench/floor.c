/* The floor: one thread, epoll, and the same bytes for whatever was asked, with no parsing beyond
 * counting the blank lines that end heads. usage: floor PORT FILE */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 128, REQUEST_BYTES = 8192, ANSWER_BYTES = 4 * 1024 * 1024 };

static void watch(int poll, int handle) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = handle}};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, handle, &event) != 0) {
        perror("epoll_ctl");
        exit(1);
    }
}

static int listen_at(const char *port) {
    int on = 1;
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)strtoul(port, NULL, 10)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    (void)setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(handle, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(handle, SOMAXCONN) != 0) {
        perror("listen");
        exit(1);
    }
    return handle;
}

/* Answers what has arrived. A peer that reads too slowly for one send is cut: this is a bench. */
static void serve(int handle, const char *answer, size_t length) {
    char request[REQUEST_BYTES];
    ssize_t got = recv(handle, request, sizeof(request), 0);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            (void)close(handle);
        }
        return;
    }
    size_t sent = 0;
    while (sent < length) {
        ssize_t count = send(handle, answer + sent, length - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN) {
            (void)close(handle);
            return;
        }
        sent += count < 0 ? 0 : (size_t)count;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        (void)fprintf(stderr, "usage: floor PORT FILE\n");
        return 2;
    }
    char *answer = malloc(ANSWER_BYTES);
    FILE *file = fopen(argv[2], "rb");
    if (answer == NULL || file == NULL) {
        perror(argv[2]);
        return 1;
    }
    size_t length = fread(answer, 1, ANSWER_BYTES, file);
    (void)fclose(file);
    int listener = listen_at(argv[1]);
    int poll = epoll_create1(0);
    watch(poll, listener);
    for (;;) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != listener) {
                serve(events[i].data.fd, answer, length);
                continue;
            }
            int on = 1;
            int handle = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
            if (handle >= 0) {
                (void)setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
                watch(poll, handle);
            }
        }
    }
}
