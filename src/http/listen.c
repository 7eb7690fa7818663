#include "listen.h"
#include "limit.h"
#include "text.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool server_split_address(const char *address, char *host, size_t host_bytes,
                          const char **out_port) {
    const char *colon = strrchr(address, ':');
    size_t length = colon == NULL ? 0 : (size_t)(colon - address);
    long long port = 0;
    if (colon == NULL || length >= host_bytes || !text_integer(colon + 1, 0, UINT16_MAX, &port)) {
        return false;
    }
    bool is_bracketed = length >= 2 && address[0] == '[' && address[length - 1] == ']';
    (void)snprintf(host, host_bytes, "%.*s", (int)(length - (is_bracketed ? 2 : 0)),
                   address + (is_bracketed ? 1 : 0));
    *out_port = colon + 1;
    return true;
}

int listen_bind(const char *address, struct error *error) {
    char host[SERVER_ADDRESS_BYTES];
    const char *port = NULL;
    if (!server_split_address(address, host, sizeof(host), &port)) {
        (void)error_set(
            error, ERROR_INVALID,
            "the listen address \"%s\" is not ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080",
            address);
        return -1;
    }
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, port, &hints, &found);
    if (code != 0) {
        (void)error_set(error, ERROR_INVALID, "the listen address \"%s\" is not ADDRESS:PORT: %s",
                        address, gai_strerror(code));
        return -1;
    }
    int on = 1;
    int unsent = LIMIT_UNSENT_BYTES; /* accepted sockets inherit it */
    int handle = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool bound =
        handle >= 0 && setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
        setsockopt(handle, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof(unsent)) == 0 &&
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

void listen_write_address(int handle, char out[SERVER_ADDRESS_BYTES]) {
    struct sockaddr_storage bound;
    socklen_t length = sizeof(bound);
    out[0] = '\0';
    char host[INET6_ADDRSTRLEN] = "";
    char port[8] = "";
    if (getsockname(handle, (struct sockaddr *)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr *)&bound, length, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        return;
    }
    (void)snprintf(out, SERVER_ADDRESS_BYTES, bound.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s",
                   host, port);
}
