/* healthcheck: asks a running server for /healthz, for containers that have no other HTTP client.
 */
#include "cli.h"
#include "options.h"
#include "text.h"
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int open_connection(const char *address) {
    char host[256];
    const char *colon = strrchr(address, ':');
    if (colon == NULL || (size_t)(colon - address) >= sizeof(host)) {
        return -1;
    }
    (void)snprintf(host, sizeof(host), "%.*s", (int)(colon - address), address);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    const struct timeval patience = {.tv_sec = 2};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0) {
        return -1;
    }
    int handle = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected =
        handle >= 0 &&
        setsockopt(handle, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) == 0 &&
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
        connect(handle, found->ai_addr, found->ai_addrlen) == 0;
    freeaddrinfo(found);
    if (!connected && handle >= 0) {
        (void)close(handle);
        handle = -1;
    }
    return handle;
}

static bool is_healthy(const char *address) {
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    static const char expected[] = "HTTP/1.1 200 ";
    char answer[sizeof(expected)];
    int handle = open_connection(address);
    if (handle < 0) {
        return false;
    }
    bool healthy = send(handle, request, sizeof(request) - 1, MSG_NOSIGNAL) ==
                       (ssize_t)(sizeof(request) - 1) &&
                   recv(handle, answer, sizeof(expected) - 1, MSG_WAITALL) ==
                       (ssize_t)(sizeof(expected) - 1) &&
                   memcmp(answer, expected, sizeof(expected) - 1) == 0;
    (void)close(handle);
    return healthy;
}

int cli_healthcheck(int argc, char **argv) {
    const char *address = "127.0.0.1:8080";
    const struct cli_option accepted[] = {
        {"address", "HOST:PORT", "the server (default 127.0.0.1:8080)", NULL, &address},
    };
    const struct cli_line line = {
        .command = "healthcheck",
        .synopsis = "[--address HOST:PORT]",
        .about = "Exits with 0 when GET /healthz there answers 200 within two seconds, otherwise "
                 "with 1.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (!is_healthy(address)) {
        struct error error;
        (void)error_set(&error, ERROR_IO, "no healthy server answers at %s", address);
        return cli_fail(EXIT_FAULT, &error);
    }
    return EXIT_OK;
}
