/* healthcheck: asks a running server for /healthz, for containers that have no other HTTP client.
 */
#include "cli.h"
#include "text.h"
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const char *const help =
    "Usage: agent-sandboxes healthcheck [--address HOST:PORT]\n"
    "\n"
    "Exits with 0 when GET /healthz there answers 200 within two seconds, otherwise with 1.\n"
    "\n"
    "  --address HOST:PORT  the server (default 127.0.0.1:8080)\n"
    "  --help               print this\n";

static const struct option long_options[] = {
    {"address", required_argument, NULL, 'a'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

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
    optind = 1;
    opterr = 0;
    int code = 0;
    while ((code = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (code == 'h') {
            return fputs(help, stdout) < 0 ? EXIT_FAULT : EXIT_OK;
        }
        if (code != 'a') {
            return cli_usage_error("healthcheck",
                                   code == ':' ? "%s needs a value" : "unknown option %s",
                                   argv[optind - 1]);
        }
        address = optarg;
    }
    if (optind != argc) {
        return cli_usage_error("healthcheck", "unexpected argument \"%s\"", argv[optind]);
    }
    if (!is_healthy(address)) {
        struct error error;
        (void)error_set(&error, ERROR_IO, "no healthy server answers at %s", address);
        return cli_fail(EXIT_FAULT, &error);
    }
    return EXIT_OK;
}
