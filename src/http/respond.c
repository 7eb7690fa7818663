#include "respond.h"
#include "coding.h"
#include "hash.h"
#include "text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ETAG_HASH_CHARS = 24,
    ETAG_BYTES = 40,
    /* Below this a coding saves nothing that a packet would notice. */
    CODING_MINIMUM_BYTES = 512
};

struct variant {
    struct MHD_Response *response; /* NULL: not made yet */
    char etag[ETAG_BYTES];
    size_t length;
};

struct answer {
    atomic_size_t references;
    pthread_mutex_t lock;    /* guards the making of variants */
    struct answer_head head; /* its texts point into texts */
    char *texts[3];          /* location, allow, link */
    const char *body;        /* of the identity response, which owns it */
    size_t length;
    atomic_size_t coded_bytes;
    char hash[ETAG_HASH_CHARS + 1];
    struct variant variants[CODING__COUNT];
};

static const char *cache_control(enum cache_policy policy) {
    switch (policy) {
    case CACHE_NEVER:
        return "no-store";
    case CACHE_CATALOGUE:
        return "public, max-age=300, stale-while-revalidate=86400";
    case CACHE_FOREVER:
        return "public, max-age=31536000, immutable";
    }
    return "no-store";
}

#define CONTENT_SECURITY_POLICY                                                                    \
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; "   \
    "connect-src 'self'; "                                                                         \
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

static bool add_header(struct MHD_Response *response, const char *name, const char *value) {
    return value == NULL || MHD_add_response_header(response, name, value) == MHD_YES;
}

static bool add_headers(const struct answer *answer, enum coding coding, struct variant *variant) {
    const struct answer_head *head = &answer->head;
    struct MHD_Response *response = variant->response;
    char modified[TEXT_DATE_BYTES];
    text_http_date(head->modified, modified);
    bool validated = head->status == MHD_HTTP_OK && head->cache != CACHE_NEVER;
    bool coded = answer->length >= CODING_MINIMUM_BYTES;
    const char *vary = head->negotiated ? (coded ? "Accept, Accept-Encoding" : "Accept")
                       : coded          ? "Accept-Encoding"
                                        : NULL;
    return add_header(response, "Content-Type", head->content_type) &&
           add_header(response, "Content-Encoding",
                      coding == CODING_IDENTITY ? NULL : coding_name(coding)) &&
           add_header(response, "Vary", vary) &&
           add_header(response, "Cache-Control", cache_control(head->cache)) &&
           add_header(response, "ETag", validated ? variant->etag : NULL) &&
           add_header(response, "Last-Modified", validated ? modified : NULL) &&
           add_header(response, "Location", head->location) &&
           add_header(response, "Allow", head->allow) && add_header(response, "Link", head->link) &&
           add_header(response, "X-Content-Type-Options", "nosniff") &&
           add_header(response, "Referrer-Policy", "strict-origin-when-cross-origin") &&
           add_header(response, "Cross-Origin-Resource-Policy",
                      head->page ? "same-origin" : "cross-origin") &&
           add_header(response, "Access-Control-Allow-Origin", head->page ? NULL : "*") &&
           add_header(response, "Cross-Origin-Opener-Policy", head->page ? "same-origin" : NULL) &&
           add_header(response, "Permissions-Policy",
                      head->page ? "camera=(), geolocation=(), microphone=()" : NULL) &&
           add_header(response, "Content-Security-Policy",
                      head->page ? CONTENT_SECURITY_POLICY : "default-src 'none'; sandbox");
}

/* Makes the response of one coding. The malloc'd bytes belong to it from then on (also on failure,
 * when they are freed). */
static bool make_variant(struct answer *answer, enum coding coding, void *bytes, size_t length) {
    struct variant made = {.length = length};
    made.response = MHD_create_response_from_buffer(length, bytes, MHD_RESPMEM_MUST_FREE);
    if (made.response == NULL) {
        free(bytes);
        return false;
    }
    (void)snprintf(made.etag, sizeof(made.etag), "\"%s%s%s\"", answer->hash,
                   coding == CODING_IDENTITY ? "" : "-",
                   coding == CODING_IDENTITY ? "" : coding_name(coding));
    if (!add_headers(answer, coding, &made)) {
        MHD_destroy_response(made.response);
        return false;
    }
    answer->variants[coding] = made;
    return true;
}

static char *keep_text(const char **text) {
    char *copy = *text == NULL ? NULL : strdup(*text);
    *text = copy;
    return copy;
}

struct answer *answer_create(const struct answer_head *head, char *body, size_t length,
                             struct error *error) {
    struct answer *answer = calloc(1, sizeof(struct answer));
    if (answer == NULL) {
        free(body);
        (void)error_no_memory(error);
        return NULL;
    }
    char hash[HASH_HEX_BYTES];
    answer->references = 1;
    answer->length = length;
    answer->head = *head;
    answer->texts[0] = keep_text(&answer->head.location);
    answer->texts[1] = keep_text(&answer->head.allow);
    answer->texts[2] = keep_text(&answer->head.link);
    hash_sha256_hex(body == NULL ? "" : body, length, hash);
    memcpy(answer->hash, hash, ETAG_HASH_CHARS);
    bool lost = (head->location != NULL && answer->texts[0] == NULL) ||
                (head->allow != NULL && answer->texts[1] == NULL) ||
                (head->link != NULL && answer->texts[2] == NULL);
    if (pthread_mutex_init(&answer->lock, NULL) != 0) {
        free(body);
        free(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    answer->body = body;
    if (!make_variant(answer, CODING_IDENTITY, body, length) || lost) {
        answer_release(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    return answer;
}

struct answer *answer_retain(struct answer *answer) {
    (void)atomic_fetch_add_explicit(&answer->references, 1, memory_order_relaxed);
    return answer;
}

void answer_release(struct answer *answer) {
    if (answer == NULL ||
        atomic_fetch_sub_explicit(&answer->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    for (int i = 0; i < CODING__COUNT; i++) {
        if (answer->variants[i].response != NULL) {
            MHD_destroy_response(answer->variants[i].response);
        }
    }
    for (size_t i = 0; i < ARRAY_LENGTH(answer->texts); i++) {
        free(answer->texts[i]);
    }
    (void)pthread_mutex_destroy(&answer->lock);
    free(answer);
}

size_t answer_bytes(const struct answer *answer) {
    return sizeof(struct answer) + answer->length +
           atomic_load_explicit(&answer->coded_bytes, memory_order_relaxed);
}

unsigned answer_status(const struct answer *answer) {
    return answer->head.status;
}

size_t answer_length(const struct answer *answer) {
    return answer->length;
}

/* The variant of a coding, made on first use. A coding that fails or saves nothing leaves identity.
 */
static const struct variant *variant_get(struct answer *answer, enum coding coding) {
    const struct variant *variant = &answer->variants[CODING_IDENTITY];
    if (coding == CODING_IDENTITY || answer->length < CODING_MINIMUM_BYTES) {
        return variant;
    }
    (void)pthread_mutex_lock(&answer->lock);
    void *bytes = NULL;
    size_t length = 0;
    struct error ignored;
    if (answer->variants[coding].response == NULL &&
        coding_encode(coding, answer->body, answer->length, &bytes, &length, &ignored) &&
        make_variant(answer, coding, bytes, length)) {
        (void)atomic_fetch_add_explicit(&answer->coded_bytes, length, memory_order_relaxed);
    }
    if (answer->variants[coding].response != NULL) {
        variant = &answer->variants[coding];
    }
    (void)pthread_mutex_unlock(&answer->lock);
    return variant;
}

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool client_has_it(const struct answer *answer, const struct variant *variant,
                          struct MHD_Connection *connection) {
    if (answer->head.status != MHD_HTTP_OK || answer->head.cache == CACHE_NEVER) {
        return false;
    }
    const char *none_match = header(connection, "If-None-Match");
    if (none_match != NULL) {
        return negotiate_none_match(none_match, variant->etag);
    }
    return negotiate_not_modified_since(header(connection, "If-Modified-Since"),
                                        answer->head.modified);
}

enum MHD_Result answer_queue(struct answer *answer, struct MHD_Connection *connection,
                             unsigned *out_status) {
    const struct variant *variant =
        variant_get(answer, negotiate_coding(header(connection, "Accept-Encoding")));
    *out_status =
        client_has_it(answer, variant, connection) ? MHD_HTTP_NOT_MODIFIED : answer->head.status;
    return MHD_queue_response(connection, *out_status, variant->response);
}
