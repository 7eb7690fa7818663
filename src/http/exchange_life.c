/* The beginning, the name and the end of an exchange. */
#include "exchange.h"
#include "respond.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exchange *exchange_create(const char *raw) {
    size_t bytes = strlen(raw) + 1;
    struct exchange *exchange = malloc(sizeof(struct exchange) + bytes);
    if (exchange != NULL) {
        *exchange = (struct exchange){.raw = (char *)(exchange + 1), .method = "-"};
        memcpy(exchange->raw, raw, bytes);
    }
    return exchange;
}

void exchange_free(struct exchange *exchange) {
    answer_release(exchange->repeated);
    target_free(&exchange->target);
    buf_free(&exchange->body);
    free(exchange);
}

static bool is_id(const char *text) {
    static const char allowed[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.";
    size_t length = strspn(text, allowed);
    return length > 0 && length < REQUEST_ID_BYTES && text[length] == '\0';
}

void exchange_name(struct exchange *exchange, struct MHD_Connection *connection) {
    const char *given = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Request-Id");
    if (given != NULL && is_id(given)) {
        (void)snprintf(exchange->id, sizeof(exchange->id), "%s", given);
    }
}

const char *exchange_id(struct exchange *exchange) {
    static atomic_ullong number;
    if (exchange->id[0] == '\0') {
        /* Told apart within a run by the number, between runs by the clock. */
        (void)snprintf(exchange->id, sizeof(exchange->id), "%012llx-%llx",
                       (unsigned long long)exchange->started_ns / 1000000u & 0xffffffffffffu,
                       (unsigned long long)atomic_fetch_add(&number, 1));
    }
    return exchange->id;
}
