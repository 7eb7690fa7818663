/* Hashes of the files below /data/, made as their addresses make the bytes, once a generation. */
#include "data_digest.h"
#include "data_file.h"
#include "limit.h"
#include "represent.h"
#include "route.h"
#include "warm.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    FILES_MAXIMUM = 32,
    KEPT = 2 /* while one generation takes over from another, both are asked */
};

struct digests {
    char generation[HASH_HEX_BYTES]; /* "" where the place is free */
    int64_t today;
    struct data_digest files[FILES_MAXIMUM];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct digests kept[KEPT];
static size_t next;

const struct route *data_route(const char *path) {
    for (size_t i = 0; i < route_count; i++) {
        if (strcmp(route_table[i].pattern, path) == 0) {
            return &route_table[i];
        }
    }
    return NULL;
}

static bool make_digest(const struct call *call, const char *path, struct data_digest *out,
                        struct error *error) {
    struct call inner = *call;
    inner.route = data_route(path);
    if (inner.route == NULL) {
        return error_set(error, ERROR_INTERNAL, "%s is no route", path);
    }
    inner.media = inner.route->fallback;
    out->media = inner.media;
    struct reply reply = {0};
    struct buf body;
    buf_init(&body, LIMIT_ANSWER_BYTES);
    bool good = inner.route->handler(&inner, &reply, error);
    if (good && reply.bytes != NULL) {
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
static const struct digests *digests_of(const struct call *call, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    for (size_t i = 0; i < KEPT; i++) {
        if (strcmp(kept[i].generation, generation_id(generation)) == 0 &&
            kept[i].today == generation_today(generation)) {
            return &kept[i];
        }
    }
    struct digests *made = &kept[next];
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
    made->today = generation_today(generation);
    next = (next + 1) % KEPT;
    return made;
}

bool data_digest_of(const struct call *call, size_t file, struct data_digest *out,
                    struct error *error) {
    (void)pthread_mutex_lock(&lock);
    const struct digests *digests = digests_of(call, error);
    if (digests != NULL) {
        *out = digests->files[file];
    }
    (void)pthread_mutex_unlock(&lock);
    return digests != NULL;
}

bool warm_generation(struct generation *generation, const struct site *site, struct error *error) {
    struct catalogue *catalogue = catalogue_open(generation, error);
    if (catalogue == NULL) {
        return false;
    }
    const struct call call = {.catalogue = catalogue, .site = site, .query = "", .path = "/data/"};
    struct data_digest first;
    bool good = data_digest_of(&call, 0, &first, error);
    catalogue_close(catalogue);
    return good;
}
