/* libcurl behind fetch.h. */
#include "fetch.h"
#include "libcurl.h"
#include "limit.h"
#include "network_address.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct libcurl *curl; /* loaded by whoever comes first */

static bool load(struct error *error) {
    curl = libcurl_load(error);
    return curl != NULL;
}

struct fetcher {
    struct fetch_options options;
    CURLM *multi;
    struct transfer *transfers;
};

struct transfer {
    struct fetcher *fetcher;
    struct transfer *next;
    CURL *easy;
    struct curl_slist *fields;
    size_t header_bytes;
    bool allow_private;
    bool refused;
    bool overflowed;
    char message[CURL_ERROR_SIZE];
    struct fetch_answer answer;
};

static bool copy_part(CURLU *url, CURLUPart part, unsigned flags, char *out, size_t size) {
    char *text = NULL;
    if (curl->url_get(url, part, &text, flags) != CURLUE_OK) {
        return false;
    }
    int written = snprintf(out, size, "%s", text);
    curl->free(text);
    return written >= 0 && (size_t)written < size;
}

static bool add_query(CURLU *url, struct fetch_address *out) {
    char *query = NULL;
    if (curl->url_get(url, CURLUPART_QUERY, &query, 0) != CURLUE_OK) {
        return true;
    }
    size_t used = strlen(out->target);
    size_t room = sizeof(out->target) - used;
    int written = snprintf(out->target + used, room, "?%s", query);
    curl->free(query);
    return written >= 0 && (size_t)written < room;
}

static bool split(CURLU *url, struct fetch_address *out, struct error *error) {
    char scheme[8];
    char port[8];
    if (!copy_part(url, CURLUPART_SCHEME, 0, scheme, sizeof(scheme)) ||
        (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)) {
        return error_set(error, ERROR_INVALID, "neither http nor https");
    }
    char *name = NULL;
    if (curl->url_get(url, CURLUPART_USER, &name, 0) == CURLUE_OK) {
        curl->free(name);
        return error_set(error, ERROR_INVALID, "the address names a user");
    }
    if (!copy_part(url, CURLUPART_HOST, 0, out->host, sizeof(out->host)) ||
        !copy_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT, port, sizeof(port)) ||
        !copy_part(url, CURLUPART_PATH, 0, out->target, sizeof(out->target)) ||
        !add_query(url, out)) {
        return error_set(error, ERROR_INVALID, "the address is too long");
    }
    for (char *c = out->host; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    (void)snprintf(out->origin, sizeof(out->origin), "%s://%s:%s", scheme, out->host, port);
    return true;
}

bool fetch_split(const char *url, struct fetch_address *out, struct error *error) {
    if (!load(error)) {
        return false;
    }
    CURLU *parts = curl->url();
    if (parts == NULL) {
        return error_no_memory(error);
    }
    bool good = false;
    if (curl->url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) {
        good = split(parts, out, error);
    } else {
        (void)error_set(error, ERROR_INVALID, "no address");
    }
    curl->url_cleanup(parts);
    return good;
}

/* The address is looked at here, after the name was resolved and right before the connection, so
 * that no answer of a name server leads inwards. */
static curl_socket_t open_socket(void *context, curlsocktype purpose,
                                 struct curl_sockaddr *address) {
    struct transfer *transfer = context;
    (void)purpose;
    if (!transfer->allow_private && !network_address_is_public(&address->addr)) {
        transfer->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    struct buf *body = &transfer->answer.body;
    size_t length = size * count;
    size_t room = transfer->fetcher->options.max_bytes - body->length;
    transfer->overflowed = transfer->overflowed || length > room;
    buf_add(body, bytes, length > room ? room : length);
    return body->failed || transfer->overflowed ? 0 : length;
}

/* Of a field that comes twice the last one counts; an interim answer's fields are dropped. */
static void take_field(struct fetch_answer *answer, const char *line, size_t length) {
    const struct {
        const char *name;
        char **text;
    } fields[] = {{"content-type:", &answer->content_type},
                  {"etag:", &answer->etag},
                  {"last-modified:", &answer->last_modified}};
    for (size_t i = 0; i < ARRAY_LENGTH(fields); i++) {
        size_t size = strlen(fields[i].name);
        if (length < size || strncasecmp(line, fields[i].name, size) != 0) {
            continue;
        }
        const char *value = line + size;
        const char *end = line + length;
        while (value < end && (*value == ' ' || *value == '\t')) {
            value++;
        }
        while (end > value && isspace((unsigned char)end[-1])) {
            end--;
        }
        free(*fields[i].text);
        *fields[i].text = strndup(value, (size_t)(end - value));
    }
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t length = size * count;
    transfer->header_bytes += length;
    if (transfer->header_bytes > LIMIT_FETCH_HEADER_BYTES) {
        transfer->overflowed = true;
        return 0;
    }
    take_field(&transfer->answer, bytes, length);
    return length;
}

static bool add_field(struct transfer *transfer, const char *name, const char *value) {
    if (value == NULL) {
        return true;
    }
    struct buf field;
    buf_init(&field, LIMIT_FETCH_HEADER_BYTES);
    buf_add_format(&field, "%s: %s", name, value);
    struct curl_slist *grown =
        field.failed ? NULL : curl->slist_append(transfer->fields, field.data);
    buf_free(&field);
    transfer->fields = grown == NULL ? transfer->fields : grown;
    return grown != NULL;
}

#define SET(easy, option, value) (curl->easy_setopt((easy), (option), (value)) == CURLE_OK)

static bool configure(struct transfer *transfer, const struct fetch_request *request) {
    CURL *easy = transfer->easy;
    const struct fetch_options *options = &transfer->fetcher->options;
    long connect_ms =
        options->timeout_ms < LIMIT_CONNECT_MS ? options->timeout_ms : (long)LIMIT_CONNECT_MS;
    return add_field(transfer, "Accept",
                     "text/html, application/xhtml+xml, text/*;q=0.9, */*;q=0.5") &&
           add_field(transfer, "If-None-Match", request->etag) &&
           add_field(transfer, "If-Modified-Since", request->last_modified) &&
           SET(easy, CURLOPT_URL, request->url) && SET(easy, CURLOPT_PROTOCOLS_STR, "http,https") &&
           SET(easy, CURLOPT_FOLLOWLOCATION, 0L) && SET(easy, CURLOPT_PROXY, "") &&
           SET(easy, CURLOPT_NOSIGNAL, 1L) && SET(easy, CURLOPT_ACCEPT_ENCODING, "") &&
           SET(easy, CURLOPT_USERAGENT, options->user_agent) &&
           SET(easy, CURLOPT_HTTPHEADER, transfer->fields) &&
           SET(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)options->max_bytes) &&
           SET(easy, CURLOPT_TIMEOUT_MS, options->timeout_ms) &&
           SET(easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms) &&
           SET(easy, CURLOPT_ERRORBUFFER, transfer->message) &&
           SET(easy, CURLOPT_PRIVATE, (void *)transfer) &&
           SET(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket) &&
           SET(easy, CURLOPT_OPENSOCKETDATA, (void *)transfer) &&
           SET(easy, CURLOPT_WRITEFUNCTION, take_body) &&
           SET(easy, CURLOPT_WRITEDATA, (void *)transfer) &&
           SET(easy, CURLOPT_HEADERFUNCTION, take_header) &&
           SET(easy, CURLOPT_HEADERDATA, (void *)transfer);
}

static void transfer_free(struct transfer *transfer) {
    if (transfer == NULL) {
        return;
    }
    if (transfer->easy != NULL) {
        (void)curl->multi_remove_handle(transfer->fetcher->multi, transfer->easy);
        curl->easy_cleanup(transfer->easy);
    }
    curl->slist_free_all(transfer->fields);
    fetch_answer_free(&transfer->answer);
    free(transfer);
}

struct fetcher *fetcher_create(const struct fetch_options *options, struct error *error) {
    if (!load(error)) {
        return NULL;
    }
    struct fetcher *fetcher = calloc(1, sizeof(*fetcher));
    if (fetcher == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    fetcher->options = *options;
    if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(fetcher);
        (void)error_set(error, ERROR_INTERNAL, "libcurl does not start");
        return NULL;
    }
    fetcher->multi = curl->multi_init();
    if (fetcher->multi == NULL) {
        fetcher_destroy(fetcher);
        (void)error_no_memory(error);
        return NULL;
    }
    return fetcher;
}

bool fetcher_start(struct fetcher *fetcher, const struct fetch_request *request,
                   struct error *error) {
    struct transfer *transfer = calloc(1, sizeof(*transfer));
    if (transfer == NULL) {
        return error_no_memory(error);
    }
    transfer->fetcher = fetcher;
    transfer->allow_private = request->allow_private;
    transfer->answer.context = request->context;
    buf_init(&transfer->answer.body, fetcher->options.max_bytes);
    transfer->easy = curl->easy_init();
    if (transfer->easy == NULL || !configure(transfer, request) ||
        curl->multi_add_handle(fetcher->multi, transfer->easy) != CURLM_OK) {
        transfer_free(transfer);
        return error_no_memory(error);
    }
    transfer->next = fetcher->transfers;
    fetcher->transfers = transfer;
    return true;
}

static void describe_failure(struct transfer *transfer, CURLcode code) {
    struct fetch_answer *answer = &transfer->answer;
    const char *reason =
        transfer->message[0] == '\0' ? curl->easy_strerror(code) : transfer->message;
    answer->outcome = FETCH_FAILED;
    if (transfer->refused && code == CURLE_COULDNT_CONNECT) {
        answer->outcome = FETCH_REFUSED;
        reason = "the name leads to a private, local or reserved address";
    } else if (transfer->overflowed || code == CURLE_FILESIZE_EXCEEDED) {
        answer->outcome = FETCH_TOO_LARGE;
        reason = "the answer is too large";
    } else if (code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_PEER_FAILED_VERIFICATION ||
               code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT) {
        answer->outcome = FETCH_UNREADABLE;
    }
    (void)snprintf(answer->reason, sizeof(answer->reason), "%s", reason);
}

static void describe_answer(struct transfer *transfer) {
    struct fetch_answer *answer = &transfer->answer;
    char *location = NULL;
    curl_off_t retry_after = 0;
    (void)curl->easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &answer->status);
    if (curl->easy_getinfo(transfer->easy, CURLINFO_REDIRECT_URL, &location) == CURLE_OK &&
        location != NULL) {
        answer->location = strdup(location);
    }
    answer->retry_after = -1;
    if (curl->easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK &&
        retry_after > 0) {
        answer->retry_after = retry_after;
    }
}

static void finish(struct transfer *transfer, CURLcode code, struct fetch_answer *out) {
    struct transfer **link = &transfer->fetcher->transfers;
    while (*link != transfer) {
        link = &(*link)->next;
    }
    *link = transfer->next;
    describe_answer(transfer);
    if (code != CURLE_OK) {
        describe_failure(transfer, code);
    }
    *out = transfer->answer;
    transfer->answer = (struct fetch_answer){0};
    transfer_free(transfer);
}

bool fetcher_wait(struct fetcher *fetcher, int timeout_ms, struct fetch_answer *out, bool *out_any,
                  struct error *error) {
    *out_any = false;
    for (int round = 0; round < 2; round++) {
        int running = 0;
        int queued = 0;
        CURLMcode code = curl->multi_perform(fetcher->multi, &running);
        CURLMsg *message = curl->multi_info_read(fetcher->multi, &queued);
        if (message != NULL && message->msg == CURLMSG_DONE) {
            struct transfer *transfer = NULL;
            CURLcode result = message->data.result;
            (void)curl->easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            finish(transfer, result, out);
            *out_any = true;
            return true;
        }
        if (code == CURLM_OK && round == 0) {
            code = curl->multi_poll(fetcher->multi, NULL, 0, timeout_ms, NULL);
        }
        if (code != CURLM_OK) {
            return error_set(error, ERROR_INTERNAL, "libcurl: %s", curl->multi_strerror(code));
        }
    }
    return true;
}

void fetcher_destroy(struct fetcher *fetcher) {
    if (fetcher == NULL) {
        return;
    }
    while (fetcher->transfers != NULL) {
        struct transfer *transfer = fetcher->transfers;
        fetcher->transfers = transfer->next;
        transfer_free(transfer);
    }
    if (fetcher->multi != NULL) {
        (void)curl->multi_cleanup(fetcher->multi);
    }
    curl->global_cleanup();
    free(fetcher);
}

void fetch_answer_free(struct fetch_answer *answer) {
    free(answer->location);
    free(answer->content_type);
    free(answer->etag);
    free(answer->last_modified);
    buf_free(&answer->body);
    *answer = (struct fetch_answer){0};
}
