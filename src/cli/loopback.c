#include "loopback.h"
#include "limit.h"
#include "server.h"
#include "text.h"
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { HEAD_BYTES = 64 * 1024, CHUNK_BYTES = 64 * 1024 };

int loopback_connect(const char *address, unsigned seconds) {
    char host[256];
    const char *port = NULL;
    if (!server_split_address(address, host, sizeof(host), &port)) {
        return -1;
    }
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    const struct timeval patience = {.tv_sec = (time_t)seconds};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, port, &hints, &found) != 0) {
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

static bool send_all(int handle, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(handle, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        bytes += sent > 0 ? sent : 0;
        length -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* Receives up to wanted bytes more; false where the connection ends or fails. */
static bool receive(int handle, size_t wanted, struct buf *out) {
    char chunk[CHUNK_BYTES];
    ssize_t got = 0;
    do {
        got = recv(handle, chunk, wanted < sizeof(chunk) ? wanted : sizeof(chunk), 0);
    } while (got < 0 && errno == EINTR);
    return got > 0 && buf_add(out, chunk, (size_t)got);
}

/* The head is received with what follows it; that is moved to the body. */
static bool receive_head(int handle, struct loopback_answer *answer) {
    static const char end[] = "\r\n\r\n";
    const char *found = NULL;
    while ((found = answer->head.data == NULL ? NULL : strstr(answer->head.data, end)) == NULL) {
        if (!receive(handle, CHUNK_BYTES, &answer->head)) {
            return false;
        }
    }
    size_t length = (size_t)(found - answer->head.data) + strlen(end);
    bool good = buf_add(&answer->body, answer->head.data + length, answer->head.length - length);
    answer->head.length = length;
    answer->head.data[length] = '\0';
    return good;
}

/* The status of "HTTP/1.1 200 OK". */
static bool read_status(const char *head, unsigned *out_status) {
    static const char version[] = "HTTP/1.1 ";
    char digits[4];
    long long status = 0;
    if (!text_starts(head, version)) {
        return false;
    }
    (void)snprintf(digits, sizeof(digits), "%s", head + strlen(version));
    bool good = text_integer(digits, 100, 599, &status);
    *out_status = (unsigned)status;
    return good;
}

static bool receive_answer(int handle, struct loopback_answer *answer) {
    char length_text[24];
    long long length = 0;
    if (!receive_head(handle, answer) || !read_status(answer->head.data, &answer->status)) {
        return false;
    }
    loopback_field(answer, "Content-Length", length_text, sizeof(length_text));
    if (!text_integer(length_text, 0, LIMIT_ANSWER_BYTES, &length)) {
        return false;
    }
    while (answer->body.length < (size_t)length) {
        if (!receive(handle, (size_t)length - answer->body.length, &answer->body)) {
            return false;
        }
    }
    return answer->body.length == (size_t)length;
}

bool loopback_get(int handle, const char *target, const char *fields,
                  struct loopback_answer *out_answer, struct error *error) {
    struct loopback_answer answer = {0};
    struct buf request;
    buf_init(&answer.head, HEAD_BYTES + CHUNK_BYTES);
    buf_init(&answer.body, LIMIT_ANSWER_BYTES);
    buf_init(&request, HEAD_BYTES);
    bool good =
        buf_add_format(&request, "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", target, fields) &&
        send_all(handle, request.data, request.length) && receive_answer(handle, &answer);
    buf_free(&request);
    *out_answer = answer;
    return good ||
           error_set(error, ERROR_IO, "the server gave no complete answer to GET %s", target);
}

void loopback_field(const struct loopback_answer *answer, const char *name, char *out,
                    size_t out_bytes) {
    size_t name_length = strlen(name);
    out[0] = '\0';
    const char *line = strstr(answer->head.data, "\r\n");
    while (line != NULL) {
        line += 2;
        const char *end = strstr(line, "\r\n");
        if (end != NULL && strncasecmp(line, name, name_length) == 0 && line[name_length] == ':') {
            const char *value = line + name_length + 1;
            value += strspn(value, " ");
            (void)snprintf(out, out_bytes, "%.*s", (int)(end - value), value);
            return;
        }
        line = end;
    }
}

void loopback_free(struct loopback_answer *answer) {
    buf_free(&answer->head);
    buf_free(&answer->body);
}
