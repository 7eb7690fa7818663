#include "respond.h"
#include "coding.h"
#include "hash.h"
#include "range.h"
#include "text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ETAG_HASH_CHARS = 24,
    ETAG_BYTES = 40,
    CONTENT_RANGE_BYTES = 80,
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
    atomic_bool touched;
    atomic_bool dropped;
    pthread_mutex_t lock;      /* guards the making of variants */
    struct answer_head head;   /* its texts point into texts */
    char *texts[4];            /* location, allow, link, request_id */
    struct edition_mark mark;  /* where the head has one */
    const char *body;          /* of the identity response, or of the keeper, which owns it */
    struct generation *keeper; /* NULL: none */
    size_t length;
    size_t head_bytes;
    char hash[ETAG_HASH_CHARS + 1];
    struct variant variants[CODING__COUNT];
    atomic_bool ready[CODING__COUNT]; /* the variant is made, and stays as it is */
};

static const char *cache_control(enum cache_policy policy, bool is_private) {
    switch (policy) {
    case CACHE_NEVER:
        return "no-store";
    case CACHE_CATALOGUE:
        return is_private ? "private, max-age=300"
                          : "public, max-age=300, stale-while-revalidate=86400";
    }
    return "no-store";
}

#define CONTENT_SECURITY_POLICY                                                                    \
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; "   \
    "connect-src 'self'; "                                                                         \
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "           \
    "require-trusted-types-for 'script'; trusted-types 'none'"

#define PERMISSIONS_POLICY                                                                         \
    "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), "        \
    "gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"

/* A table for the pages of others: no script, no form, any frame. */
#define FRAME_SECURITY_POLICY                                                                      \
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "                      \
    "form-action 'none'; frame-ancestors *"

static bool add_header(struct MHD_Response *response, const char *name, const char *value) {
    return value == NULL || MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Whether an answer has validators, and may be answered as 304 and in parts. */
static bool is_validated(const struct answer *answer) {
    return answer->head.status == MHD_HTTP_OK && answer->head.cache != CACHE_NEVER;
}

static bool has_ranges(const struct answer *answer) {
    return is_validated(answer) && !answer->head.page;
}

/* Whether other codings than identity may be made. */
static bool is_coded(const struct answer *answer) {
    return answer->length >= CODING_MINIMUM_BYTES && answer->keeper == NULL;
}

static const char *vary_of(const struct answer *answer) {
    bool coded = is_coded(answer);
    return answer->head.negotiated ? (coded ? "Accept, Accept-Encoding" : "Accept")
           : coded                 ? "Accept-Encoding"
                                   : NULL;
}

static char transport_security[48]; /* empty: none */

void respond_configure(long long hsts_seconds) {
    if (hsts_seconds > 0) {
        (void)snprintf(transport_security, sizeof(transport_security),
                       "max-age=%lld; includeSubDomains", hsts_seconds);
    }
}

static bool add_page_headers(struct MHD_Response *response) {
    return add_header(response, "Cross-Origin-Resource-Policy", "same-origin") &&
           add_header(response, "Cross-Origin-Opener-Policy", "same-origin") &&
           add_header(response, "Permissions-Policy", PERMISSIONS_POLICY) &&
           add_header(response, "Content-Security-Policy", CONTENT_SECURITY_POLICY);
}

/* What an overlay touches is for its own site alone: pages elsewhere, open in the same browser,
 * must not read it. */
static bool add_data_headers(struct MHD_Response *response, const struct answer_head *head) {
    return add_header(response, "Cross-Origin-Resource-Policy",
                      head->is_private ? "same-origin" : "cross-origin") &&
           add_header(response, "Access-Control-Allow-Origin", head->is_private ? NULL : "*") &&
           add_header(response, "Access-Control-Expose-Headers",
                      head->is_private ? NULL : "ETag, Link, Content-Range, Accept-Ranges") &&
           add_header(response, "Content-Security-Policy",
                      head->framed ? FRAME_SECURITY_POLICY
                                   : "default-src 'none'; frame-ancestors 'none'; sandbox");
}

/* All may be read, by no other methods. A browser may keep that for a day. */
static bool add_preflight_headers(struct MHD_Response *response) {
    return add_header(response, "Access-Control-Allow-Methods", "GET, HEAD") &&
           add_header(response, "Access-Control-Allow-Headers",
                      "Accept, If-Modified-Since, If-None-Match, If-Range, Range") &&
           add_header(response, "Access-Control-Max-Age", "86400");
}

static bool add_headers(const struct answer *answer, enum coding coding, struct variant *variant) {
    const struct answer_head *head = &answer->head;
    struct MHD_Response *response = variant->response;
    char modified[TEXT_DATE_BYTES];
    text_http_date(head->modified, modified);
    char retry[16];
    (void)snprintf(retry, sizeof(retry), "%u", head->retry_seconds);
    bool validated = is_validated(answer);
    return add_header(response, "Content-Type", head->content_type) &&
           add_header(response, "Content-Encoding",
                      coding == CODING_IDENTITY ? NULL : coding_name(coding)) &&
           add_header(response, "Vary", vary_of(answer)) &&
           add_header(response, "Cache-Control", cache_control(head->cache, head->is_private)) &&
           add_header(response, "ETag", validated ? variant->etag : NULL) &&
           add_header(response, "Last-Modified", validated ? modified : NULL) &&
           add_header(response, "Location", head->location) &&
           add_header(response, "Allow", head->allow) && add_header(response, "Link", head->link) &&
           add_header(response, "X-Request-Id", head->request_id) &&
           add_header(response, "Retry-After", head->retry_seconds == 0 ? NULL : retry) &&
           add_header(response, "Strict-Transport-Security",
                      transport_security[0] == '\0' ? NULL : transport_security) &&
           add_header(response, "Surrogate-Key", head->mark == NULL ? NULL : head->mark->key) &&
           add_header(response, "Surrogate-Order", head->mark == NULL ? NULL : head->mark->order) &&
           add_header(response, "X-Content-Type-Options", "nosniff") &&
           add_header(response, "Referrer-Policy", "strict-origin-when-cross-origin") &&
           add_header(response, "Accept-Ranges", has_ranges(answer) ? "bytes" : NULL) &&
           (!head->preflight || add_preflight_headers(response)) &&
           add_header(response, "Catalogue-Overlay", head->is_private ? "private" : NULL) &&
           (head->page ? add_page_headers(response) : add_data_headers(response, head));
}

/* Makes the response of one coding. The malloc'd bytes belong to it from then on (also on failure,
 * when they are freed), unless the answer has a keeper. */
static bool make_variant(struct answer *answer, enum coding coding, void *bytes, size_t length) {
    struct variant made = {.length = length};
    bool kept = answer->keeper != NULL;
    made.response = MHD_create_response_from_buffer(
        length, bytes, kept ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (made.response == NULL) {
        free(kept ? NULL : bytes);
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
    atomic_store_explicit(&answer->ready[coding], true, memory_order_release);
    return true;
}

static enum MHD_Result add_length(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    enum { SEPARATORS = 4 };
    size_t *bytes = context;
    *bytes += strlen(name) + (value == NULL ? 0 : strlen(value)) + SEPARATORS;
    return MHD_YES;
}

/* Bytes of the longest head that the answer's variants have. */
static size_t measure_head(const struct answer *answer) {
    static const char coding[] = "Content-Encoding: gzip\r\n";
    size_t bytes = sizeof(coding) - 1;
    (void)MHD_get_response_headers(answer->variants[CODING_IDENTITY].response, add_length, &bytes);
    return bytes;
}

static char *keep_text(const char **text) {
    char *copy = *text == NULL ? NULL : strdup(*text);
    *text = copy;
    return copy;
}

static bool keep_texts(struct answer *answer) {
    const struct answer_head wanted = answer->head;
    if (wanted.mark != NULL) {
        answer->mark = *wanted.mark;
        answer->head.mark = &answer->mark;
    }
    answer->texts[0] = keep_text(&answer->head.location);
    answer->texts[1] = keep_text(&answer->head.allow);
    answer->texts[2] = keep_text(&answer->head.link);
    answer->texts[3] = keep_text(&answer->head.request_id);
    return (wanted.location == NULL || answer->texts[0] != NULL) &&
           (wanted.allow == NULL || answer->texts[1] != NULL) &&
           (wanted.link == NULL || answer->texts[2] != NULL) &&
           (wanted.request_id == NULL || answer->texts[3] != NULL);
}

/* body is malloc'd unless there is a keeper. */
static struct answer *create(const struct answer_head *head, char *body, size_t length,
                             struct generation *keeper, struct error *error) {
    struct answer *answer = calloc(1, sizeof(struct answer));
    if (answer == NULL || pthread_mutex_init(&answer->lock, NULL) != 0) {
        free(keeper == NULL ? body : NULL);
        free(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    char hash[HASH_XXH3_HEX_BYTES];
    answer->references = 1;
    answer->length = length;
    answer->head = *head;
    answer->body = body;
    answer->keeper = keeper == NULL ? NULL : generation_retain(keeper);
    hash_xxh3_hex(body == NULL ? "" : body, length, hash);
    memcpy(answer->hash, hash, ETAG_HASH_CHARS);
    bool kept = keep_texts(answer);
    if (!make_variant(answer, CODING_IDENTITY, body, length) || !kept) {
        answer_release(answer);
        (void)error_no_memory(error);
        return NULL;
    }
    answer->head_bytes = measure_head(answer);
    return answer;
}

struct answer *answer_create(const struct answer_head *head, char *body, size_t length,
                             struct error *error) {
    return create(head, body, length, NULL, error);
}

struct answer *answer_create_kept(const struct answer_head *head, const void *bytes, size_t length,
                                  struct generation *keeper, struct error *error) {
    return create(head, (char *)bytes, length, keeper, error);
}

void answer_touch(struct answer *answer) {
    /* Mostly it is already: reading leaves the line with every processor that has it. */
    if (!atomic_load_explicit(&answer->touched, memory_order_relaxed)) {
        atomic_store_explicit(&answer->touched, true, memory_order_relaxed);
    }
}

bool answer_is_touched(const struct answer *answer) {
    return atomic_load_explicit(&answer->touched, memory_order_relaxed);
}

bool answer_untouch(struct answer *answer) {
    return atomic_exchange_explicit(&answer->touched, false, memory_order_relaxed);
}

void answer_drop(struct answer *answer) {
    atomic_store_explicit(&answer->dropped, true, memory_order_relaxed);
}

bool answer_is_dropped(const struct answer *answer) {
    return atomic_load_explicit(&answer->dropped, memory_order_relaxed);
}

size_t answer_head_bytes(const struct answer *answer) {
    return answer->head_bytes;
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
    generation_release(answer->keeper);
    (void)pthread_mutex_destroy(&answer->lock);
    free(answer);
}

size_t answer_bytes(const struct answer *answer) {
    return sizeof(struct answer) + (answer->keeper == NULL ? answer->length : 0);
}

unsigned answer_status(const struct answer *answer) {
    return answer->head.status;
}

size_t answer_length(const struct answer *answer) {
    return answer->length;
}

size_t answer_coding_room(const struct answer *answer) {
    return is_coded(answer) ? answer->length / 2 : 0;
}

/* The variant of a coding, made on first use. A coding that fails or saves nothing leaves identity.
 */
static const struct variant *variant_get(struct answer *answer, enum coding coding) {
    const struct variant *variant = &answer->variants[CODING_IDENTITY];
    if (coding == CODING_IDENTITY || !is_coded(answer)) {
        return variant;
    }
    if (atomic_load_explicit(&answer->ready[coding], memory_order_acquire)) {
        return &answer->variants[coding];
    }
    (void)pthread_mutex_lock(&answer->lock);
    void *bytes = NULL;
    size_t length = 0;
    struct error ignored;
    if (answer->variants[coding].response != NULL ||
        (coding_encode(coding, answer->body, answer->length, &bytes, &length, &ignored) &&
         make_variant(answer, coding, bytes, length))) {
        variant = &answer->variants[coding];
    }
    (void)pthread_mutex_unlock(&answer->lock);
    return variant;
}

bool answer_has(const struct answer *answer, enum coding coding) {
    return atomic_load_explicit(&answer->ready[coding], memory_order_acquire);
}

void answer_prepare(struct answer *answer, enum coding coding) {
    (void)variant_get(answer, coding);
}

static bool client_has_it(const struct answer *answer, const struct variant *variant,
                          const struct fields *fields) {
    if (!is_validated(answer)) {
        return false;
    }
    const char *none_match = fields->values[FIELD_IF_NONE_MATCH];
    if (none_match != NULL) {
        return negotiate_none_match(none_match, variant->etag);
    }
    return negotiate_not_modified_since(fields->values[FIELD_IF_MODIFIED_SINCE],
                                        answer->head.modified);
}

/* --- parts --- */

static void release_part(void *answer) {
    answer_release(answer);
}

/* Queues a response made for this connection only, and lets go of it. */
static enum MHD_Result queue_once(struct MHD_Connection *connection, unsigned status,
                                  struct MHD_Response *response, const char *content_range) {
    enum MHD_Result result = MHD_NO;
    if (add_header(response, "Content-Range", content_range)) {
        result = MHD_queue_response(connection, status, response);
    }
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result queue_part(struct answer *answer, struct MHD_Connection *connection,
                                  const struct range *range) {
    struct variant part = {.length = range->length};
    /* The library's parameter is not const, but it only reads. */
    part.response = MHD_create_response_from_buffer_with_free_callback_cls(
        range->length, (void *)(answer->body + range->first), release_part, answer);
    if (part.response == NULL) {
        return MHD_NO;
    }
    (void)answer_retain(answer);
    memcpy(part.etag, answer->variants[CODING_IDENTITY].etag, sizeof(part.etag));
    if (!add_headers(answer, CODING_IDENTITY, &part)) {
        MHD_destroy_response(part.response);
        return MHD_NO;
    }
    char content_range[CONTENT_RANGE_BYTES];
    (void)snprintf(content_range, sizeof(content_range), "bytes %zu-%zu/%zu", range->first,
                   range->first + range->length - 1, answer->length);
    return queue_once(connection, MHD_HTTP_PARTIAL_CONTENT, part.response, content_range);
}

static enum MHD_Result queue_unsatisfiable(const struct answer *answer,
                                           struct MHD_Connection *connection) {
    static char body[] = "{\n \"type\": \"/problems/range-not-satisfiable\",\n"
                         " \"title\": \"Range not satisfiable\",\n \"status\": 416,\n"
                         " \"detail\": \"The range begins after the end; Content-Range has the "
                         "length.\"\n}\n";
    char content_range[CONTENT_RANGE_BYTES];
    (void)snprintf(content_range, sizeof(content_range), "bytes */%zu", answer->length);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof(body) - 1, body, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        return MHD_NO;
    }
    if (!add_header(response, "Content-Type", "application/problem+json") ||
        !add_header(response, "Cache-Control", cache_control(CACHE_NEVER, false)) ||
        !add_header(response, "X-Content-Type-Options", "nosniff") ||
        !add_data_headers(response, &answer->head)) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return queue_once(connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, response, content_range);
}

/* What Range asks of the identity form: only GET has ranges, and only where If-Range holds. */
static enum range_result range_of(const struct answer *answer, const struct fields *fields,
                                  bool is_get, struct range *out) {
    const char *field = is_get && has_ranges(answer) ? fields->values[FIELD_RANGE] : NULL;
    enum range_result result = range_parse(field, answer->length, out);
    bool holds = result != RANGE_NONE &&
                 range_holds(fields->values[FIELD_IF_RANGE], answer->variants[CODING_IDENTITY].etag,
                             answer->head.modified);
    return holds ? result : RANGE_NONE;
}

enum MHD_Result answer_queue(struct answer *answer, struct MHD_Connection *connection,
                             const struct fields *fields, enum coding coding, bool is_get,
                             unsigned *out_status) {
    struct range range = {0};
    enum range_result ranged = range_of(answer, fields, is_get, &range);
    /* A part is always one of the identity form. */
    const struct variant *variant =
        variant_get(answer, ranged != RANGE_NONE ? CODING_IDENTITY : coding);
    if (client_has_it(answer, variant, fields)) {
        *out_status = MHD_HTTP_NOT_MODIFIED;
    } else if (ranged == RANGE_PART) {
        *out_status = MHD_HTTP_PARTIAL_CONTENT;
        return queue_part(answer, connection, &range);
    } else if (ranged == RANGE_UNSATISFIABLE) {
        *out_status = MHD_HTTP_RANGE_NOT_SATISFIABLE;
        return queue_unsatisfiable(answer, connection);
    } else {
        *out_status = answer->head.status;
    }
    return MHD_queue_response(connection, *out_status, variant->response);
}
