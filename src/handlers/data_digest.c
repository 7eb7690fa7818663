/* Hashes of the files below /data/, made as their addresses make the bytes, once a generation. */
#include "data_digest.h"
#include "data_file.h"
#include "limit.h"
#include "represent.h"
#include "route.h"
#include "text.h"
#include "warm.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    FILES_MAXIMUM = 32,
    KEPT = 2 /* while one generation takes over from another, both are asked */
};

struct digests {
    char as_of[TEXT_DATE_BYTES];     /* "" of the present */
    char generation[HASH_HEX_BYTES]; /* "" where the place is free */
    int64_t today;
    struct data_digest files[FILES_MAXIMUM];
};

/* The days of the past have a shelf of their own: who goes through them does not push the present
 * out, nor hold it up. */
static struct shelf {
    pthread_mutex_t lock;
    struct digests kept[KEPT];
    size_t next;
} present = {.lock = PTHREAD_MUTEX_INITIALIZER}, past = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool make_digest(const struct call *call, const char *path, struct data_digest *out,
                        struct error *error) {
    struct call inner = *call;
    inner.route = route_find(path);
    if (inner.route == NULL) {
        return error_set(error, ERROR_INTERNAL, "%s is no route", path);
    }
    inner.media = inner.route->fallback;
    out->media = inner.media;
    struct reply reply = {0};
    struct buf body;
    buf_init(&body, LIMIT_ANSWER_BYTES);
    bool good = inner.route->handler(&inner, &reply, error);
    out->hex[0] = '\0';
    if (good && reply.status != 0) {
        out->length = 0;
    } else if (good && reply.bytes != NULL) {
        out->length = reply.length;
        hash_sha256_hex(reply.bytes, reply.length, out->hex);
    } else if (good) {
        good = represent(&inner, &reply, &body, error);
        out->length = body.length;
        hash_sha256_hex(body.data == NULL ? "" : body.data, body.length, out->hex);
    }
    buf_free(&body);
    reply_free(&reply);
    return good;
}

/* Under the lock: those of the call's generation, made where they are missing. NULL: error is set.
 */
static const struct digests *digests_of(const struct call *call, struct shelf *shelf,
                                        struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const char *as_of = call->as_of == NULL ? "" : call->as_of;
    for (size_t i = 0; i < KEPT; i++) {
        if (strcmp(shelf->kept[i].generation, generation_id(generation)) == 0 &&
            shelf->kept[i].today == generation_today(generation) &&
            strcmp(shelf->kept[i].as_of, as_of) == 0) {
            return &shelf->kept[i];
        }
    }
    struct digests *made = &shelf->kept[shelf->next];
    made->generation[0] = '\0';
    if (data_file_count > FILES_MAXIMUM) {
        (void)error_set(error, ERROR_INTERNAL, "more than %d files", FILES_MAXIMUM);
        return NULL;
    }
    for (size_t i = 0; i < data_file_count; i++) {
        if (!make_digest(call, data_files[i].path, &made->files[i], error)) {
            return NULL;
        }
    }
    (void)snprintf(made->generation, sizeof(made->generation), "%s", generation_id(generation));
    (void)snprintf(made->as_of, sizeof(made->as_of), "%s", as_of);
    made->today = generation_today(generation);
    shelf->next = (shelf->next + 1) % KEPT;
    return made;
}

bool data_digest_of(const struct call *call, size_t file, struct data_digest *out,
                    struct error *error) {
    struct shelf *shelf = call->as_of == NULL ? &present : &past;
    (void)pthread_mutex_lock(&shelf->lock);
    const struct digests *digests = digests_of(call, shelf, error);
    if (digests != NULL) {
        *out = digests->files[file];
    }
    (void)pthread_mutex_unlock(&shelf->lock);
    return digests != NULL;
}

bool warm_generation(struct generation *generation, const struct site *site, struct error *error) {
    struct generation *beneath = generation_beneath(generation);
    struct catalogue *catalogue = catalogue_open(beneath == NULL ? generation : beneath, error);
    if (catalogue == NULL) {
        return false;
    }
    const struct call call = {.catalogue = catalogue, .site = site, .query = "", .path = "/data/"};
    struct data_digest first;
    bool good = data_digest_of(&call, 0, &first, error);
    catalogue_close(catalogue);
    return good;
}
