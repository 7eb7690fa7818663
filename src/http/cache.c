/* A hash table with a list by age, under one lock that is held only for pointer work; readers share
 * it. What to drop is chosen as by SIEVE (Zhang and others, NSDI 2024): a hand goes from the oldest
 * to the newest, spares what was asked for since it came by, and drops the first that was not. So a
 * flood of questions that nobody asks twice drops itself and leaves what is asked often. */
#include "cache.h"
#include "metrics.h"
#include "respond.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct entry {
    struct entry *next_in_bucket;
    struct entry *newer;
    struct entry *older;
    struct answer *answer;
    uint64_t hash;
    size_t cost;
    size_t key_length;
    char key[];
};

struct cache {
    pthread_rwlock_t lock;
    size_t budget;
    size_t used;
    struct entry *newest;
    struct entry *oldest;
    struct entry *hand; /* the next to look at; NULL: the oldest */
    struct entry *buckets[BUCKETS];
};

/* FNV-1a, 64 bits. */
static uint64_t hash_key(const char *key, size_t length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3u;
    }
    return hash;
}

struct cache *cache_create(size_t budget) {
    struct cache *cache = calloc(1, sizeof(struct cache));
    if (cache != NULL && pthread_rwlock_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    if (cache != NULL) {
        cache->budget = budget;
    }
    return cache;
}

static void unlink_age(struct cache *cache, struct entry *entry) {
    *(entry->newer == NULL ? &cache->newest : &entry->newer->older) = entry->older;
    *(entry->older == NULL ? &cache->oldest : &entry->older->newer) = entry->newer;
}

static void link_newest(struct cache *cache, struct entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest == NULL ? &cache->oldest : &cache->newest->newer) = entry;
    cache->newest = entry;
}

static void drop(struct cache *cache, struct entry *entry) {
    struct entry **place = &cache->buckets[entry->hash % BUCKETS];
    while (*place != entry) {
        place = &(*place)->next_in_bucket;
    }
    *place = entry->next_in_bucket;
    unlink_age(cache, entry);
    cache->hand = cache->hand == entry ? entry->newer : cache->hand;
    cache->used -= entry->cost;
    metrics_add(METRIC_CACHE_BYTES, -(int64_t)entry->cost);
    metrics_add(METRIC_CACHE_ENTRIES, -1);
    answer_drop(entry->answer);
    answer_release(entry->answer);
    free(entry);
}

void cache_free(struct cache *cache) {
    if (cache == NULL) {
        return;
    }
    while (cache->oldest != NULL) {
        drop(cache, cache->oldest);
    }
    (void)pthread_rwlock_destroy(&cache->lock);
    free(cache);
}

static struct entry *find(const struct cache *cache, uint64_t hash, const char *key,
                          size_t length) {
    struct entry *entry = cache->buckets[hash % BUCKETS];
    while (entry != NULL && (entry->hash != hash || entry->key_length != length ||
                             memcmp(entry->key, key, length) != 0)) {
        entry = entry->next_in_bucket;
    }
    return entry;
}

struct answer *cache_get(struct cache *cache, const char *key, size_t length) {
    uint64_t hash = hash_key(key, length);
    (void)pthread_rwlock_rdlock(&cache->lock);
    struct entry *entry = find(cache, hash, key, length);
    struct answer *answer = NULL;
    if (entry != NULL) {
        answer = answer_retain(entry->answer);
        answer_touch(answer);
    }
    (void)pthread_rwlock_unlock(&cache->lock);
    metrics_add(entry != NULL ? METRIC_CACHE_HITS : METRIC_CACHE_MISSES, 1);
    return answer;
}

/* An entry's cost when it comes in: room for the codings that will be made of it is counted from
 * the start. */
static size_t cost_of(const struct answer *answer, size_t key_length) {
    return sizeof(struct entry) + key_length + answer_bytes(answer) + answer_coding_room(answer);
}

/* What to drop; there is an entry. */
static struct entry *victim(struct cache *cache) {
    struct entry *entry = cache->hand == NULL ? cache->oldest : cache->hand;
    while (answer_untouch(entry->answer)) {
        entry = entry->newer == NULL ? cache->oldest : entry->newer;
    }
    cache->hand = entry;
    return entry;
}

struct answer *cache_put(struct cache *cache, const char *key, size_t length,
                         struct answer *answer) {
    size_t cost = cost_of(answer, length);
    struct entry *entry =
        cost > cache->budget / 2 ? NULL : calloc(1, sizeof(struct entry) + length);
    if (entry == NULL) {
        return answer;
    }
    entry->hash = hash_key(key, length);
    entry->key_length = length;
    entry->cost = cost;
    memcpy(entry->key, key, length);
    (void)pthread_rwlock_wrlock(&cache->lock);
    struct entry *first = find(cache, entry->hash, key, length);
    if (first != NULL) {
        struct answer *kept = answer_retain(first->answer);
        (void)pthread_rwlock_unlock(&cache->lock);
        free(entry);
        answer_release(answer);
        return kept;
    }
    entry->answer = answer_retain(answer);
    entry->next_in_bucket = cache->buckets[entry->hash % BUCKETS];
    cache->buckets[entry->hash % BUCKETS] = entry;
    link_newest(cache, entry);
    cache->used += cost;
    metrics_add(METRIC_CACHE_BYTES, (int64_t)cost);
    metrics_add(METRIC_CACHE_ENTRIES, 1);
    while (cache->used > cache->budget) {
        /* The analyser does not know that drop() took the entry out of the list. */
        drop(cache, victim(cache)); // NOLINT(clang-analyzer-unix.Malloc)
        metrics_add(METRIC_CACHE_EVICTIONS, 1);
    }
    (void)pthread_rwlock_unlock(&cache->lock);
    return answer;
}

/* What is asked for comes first. */
static size_t list_touched(const struct cache *cache, bool touched, struct cache_entry *list,
                           size_t count) {
    for (const struct entry *entry = cache->newest; entry != NULL; entry = entry->older) {
        if (answer_is_touched(entry->answer) != touched) {
            continue;
        }
        char *key = malloc(entry->key_length);
        if (key == NULL) {
            break;
        }
        memcpy(key, entry->key, entry->key_length);
        list[count++] = (struct cache_entry){key, entry->key_length, answer_retain(entry->answer)};
    }
    return count;
}

bool cache_list(struct cache *cache, struct cache_entry **out_list, size_t *out_count) {
    (void)pthread_rwlock_rdlock(&cache->lock);
    size_t all = 0;
    for (const struct entry *entry = cache->newest; entry != NULL; entry = entry->older) {
        all++;
    }
    struct cache_entry *list = calloc(all + 1, sizeof(struct cache_entry));
    size_t count = 0;
    if (list != NULL) {
        count = list_touched(cache, true, list, 0);
        count = list_touched(cache, false, list, count);
    }
    (void)pthread_rwlock_unlock(&cache->lock);
    *out_list = list;
    *out_count = count;
    return list != NULL;
}

void cache_list_free(struct cache_entry *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].key);
        answer_release(list[i].answer);
    }
    free(list);
}
