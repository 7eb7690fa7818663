/* Finished answers: bytes and headers as MHD_Response objects, one per content coding. Private to
 * src/http. */
#ifndef AGENT_SANDBOXES_RESPOND_H
#define AGENT_SANDBOXES_RESPOND_H

#include "cache.h"
#include "catalogue.h"
#include "edition.h"
#include "fields.h"
#include "route.h"
#include <microhttpd.h>

/* What an answer says of itself. Texts are borrowed during the call. */
struct answer_head {
    unsigned status;
    const char *content_type; /* NULL: no body */
    enum cache_policy cache;
    bool is_private;                 /* an overlay is laid over the catalogue: for nobody to keep
                                        or pass on */
    bool negotiated;                 /* depends on Accept */
    bool page;                       /* HTML: carries the content security policy */
    bool framed;                     /* HTML for frames of others; page is false then */
    bool preflight;                  /* says what scripts of other sites may ask for (CORS) */
    int64_t modified;                /* seconds since 1970 */
    const char *location;            /* NULL: none */
    const char *allow;               /* NULL: none */
    const char *link;                /* Link field, NULL: none */
    const char *request_id;          /* NULL: none, as in every answer that may be kept */
    unsigned retry_seconds;          /* Retry-After; 0: none */
    const struct edition_mark *mark; /* what caches in front are told; NULL: nothing */
};

/* Set once at start, before threads: the seconds of Strict-Transport-Security, 0 for none. */
void respond_configure(long long hsts_seconds);

/* Takes ownership of the malloc'd body (also on failure). Returns one reference, or NULL. */
struct answer *answer_create(const struct answer_head *head, char *body, size_t length,
                             struct error *error) MUST_USE;

/* The same for bytes that live as long as the keeper, which the answer retains. They are never
 * coded. */
struct answer *answer_create_kept(const struct answer_head *head, const void *bytes, size_t length,
                                  struct generation *keeper, struct error *error) MUST_USE;

/* Says that the answer was asked for, and (answer_untouch) whether it was since the last time. */
void answer_touch(struct answer *answer);
bool answer_is_touched(const struct answer *answer);
bool answer_untouch(struct answer *answer);

/* Says that the cache has let go of the answer, so that nobody keeps it for others. */
void answer_drop(struct answer *answer);
bool answer_is_dropped(const struct answer *answer);

struct answer *answer_retain(struct answer *answer);
void answer_release(struct answer *answer);

/* Bytes of memory that the answer holds. */
size_t answer_bytes(const struct answer *answer);

/* The status it was made with. */
unsigned answer_status(const struct answer *answer);

/* Bytes of its body before coding. */
size_t answer_length(const struct answer *answer);

/* Bytes of memory to expect for the codings that are not made yet. */
size_t answer_coding_room(const struct answer *answer);

/* Bytes of the longest head that it sends, but for what the library adds. */
size_t answer_head_bytes(const struct answer *answer);

/* Whether a coding is made (identity is from the start), and making it before it is asked for. */
bool answer_has(const struct answer *answer, enum coding coding);
void answer_prepare(struct answer *answer, enum coding coding);

/* Queues the answer in a coding (the best that the client takes), as 304 where the client has it
 * already (RFC 9110 section 13.2.2), as 206 or 416 where is_get and a range is asked for.
 * *out_status is what was sent. */
enum MHD_Result answer_queue(struct answer *answer, struct MHD_Connection *connection,
                             const struct fields *fields, enum coding coding, bool is_get,
                             unsigned *out_status) MUST_USE;

#endif
