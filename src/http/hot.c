/* A table with one place for each hash: what comes later takes the place. An answer that the cache
 * has dropped must not live on here, so each put also looks at a few other places. */
#include "hot.h"
#include "metrics.h"
#include "respond.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = 512,
    KEY_BYTES = 512, /* longer ones are not remembered */
    TIDIED = 64      /* places looked at by each put */
};

struct place {
    struct answer *answer; /* NULL: empty */
    char *key;
    uint64_t hash;
    uint32_t length;
    enum coding coding;
};

struct hot {
    size_t next_tidied;
    struct place places[PLACES];
};

struct key {
    uint64_t hash;
    size_t length;
    char bytes[KEY_BYTES];
};

static bool add(struct key *key, const char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    /* In front stands the length: absent and empty are told apart. */
    const uint16_t mark = text == NULL ? UINT16_MAX : (uint16_t)length;
    if (length + sizeof(mark) > KEY_BYTES - key->length) {
        return false;
    }
    memcpy(key->bytes + key->length, &mark, sizeof(mark));
    memcpy(key->bytes + key->length + sizeof(mark), text == NULL ? "" : text, length);
    key->length += sizeof(mark) + length;
    return true;
}

/* Eight bytes at a time: multiply, fold. */
static uint64_t hash_bytes(const char *bytes, size_t length) {
    uint64_t hash = length;
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, length - i < sizeof(word) ? length - i : sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool make_key(const struct hot_request *request, struct key *key) {
    key->length = 0;
    if (!add(key, request->method) || !add(key, request->target) || !add(key, request->accept) ||
        !add(key, request->accept_encoding)) {
        return false;
    }
    key->hash = hash_bytes(key->bytes, key->length);
    return true;
}

struct hot *hot_create(void) {
    return calloc(1, sizeof(struct hot));
}

static void clear(struct place *place) {
    answer_release(place->answer);
    free(place->key);
    *place = (struct place){0};
}

void hot_free(struct hot *hot) {
    for (size_t i = 0; hot != NULL && i < PLACES; i++) {
        clear(&hot->places[i]);
    }
    free(hot);
}

struct answer *hot_get(struct hot *hot, const struct hot_request *request,
                       enum coding *out_coding) {
    struct key key;
    if (!make_key(request, &key)) {
        return NULL;
    }
    struct place *place = &hot->places[key.hash % PLACES];
    if (place->answer == NULL || place->hash != key.hash || place->length != key.length ||
        memcmp(place->key, key.bytes, key.length) != 0) {
        return NULL;
    }
    if (answer_is_dropped(place->answer)) {
        clear(place);
        return NULL;
    }
    metrics_add(METRIC_CACHE_HITS, 1);
    *out_coding = place->coding;
    answer_touch(place->answer);
    return answer_retain(place->answer);
}

static void tidy(struct hot *hot) {
    for (size_t i = 0; i < TIDIED; i++) {
        struct place *place = &hot->places[hot->next_tidied++ % PLACES];
        if (place->answer != NULL && answer_is_dropped(place->answer)) {
            clear(place);
        }
    }
}

void hot_put(struct hot *hot, const struct hot_request *request, struct answer *answer,
             enum coding coding) {
    struct key key;
    tidy(hot);
    char *bytes = make_key(request, &key) ? malloc(key.length) : NULL;
    if (bytes == NULL) {
        return;
    }
    memcpy(bytes, key.bytes, key.length);
    struct place *place = &hot->places[key.hash % PLACES];
    clear(place);
    *place = (struct place){.answer = answer_retain(answer),
                            .key = bytes,
                            .hash = key.hash,
                            .length = (uint32_t)key.length,
                            .coding = coding};
}
