/* A hash table under one lock, held for pointer work only. Its size is bounded: beyond LIMIT_PEERS
 * addresses, all new ones share one entry and so one bucket. */
#include "peers.h"
#include "limit.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { BUCKETS = 4096, NS_PER_SECOND = 1000000000 };

struct peer {
    struct peer *next;
    struct address address;
    unsigned connections;
    int64_t empty_ns; /* when the bucket was empty, or would have been: it fills from then on */
};

struct peers {
    pthread_mutex_t lock;
    int64_t ns_per_request; /* 0: no limit */
    int64_t burst_ns;
    uint64_t seed;
    unsigned count;
    struct peer crowd;
    struct peer *buckets[BUCKETS];
};

struct peers *peers_create(unsigned rate_per_second, unsigned burst) {
    struct peers *peers = calloc(1, sizeof(struct peers));
    if (peers == NULL || pthread_mutex_init(&peers->lock, NULL) != 0) {
        free(peers);
        return NULL;
    }
    if (getrandom(&peers->seed, sizeof(peers->seed), 0) != sizeof(peers->seed)) {
        peers_free(peers);
        return NULL;
    }
    peers->ns_per_request = rate_per_second == 0 ? 0 : NS_PER_SECOND / (int64_t)rate_per_second;
    peers->burst_ns = peers->ns_per_request * (int64_t)burst;
    return peers;
}

void peers_free(struct peers *peers) {
    if (peers == NULL) {
        return;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        while (peers->buckets[i] != NULL) {
            struct peer *next = peers->buckets[i]->next;
            free(peers->buckets[i]);
            peers->buckets[i] = next;
        }
    }
    (void)pthread_mutex_destroy(&peers->lock);
    free(peers);
}

static struct peer **place_of(struct peers *peers, const struct address *address) {
    uint64_t halves[2];
    memcpy(halves, &address->bytes, sizeof(halves));
    uint64_t hash = (halves[0] ^ peers->seed) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 29) ^ halves[1]) * 0xbf58476d1ce4e5b9u;
    return &peers->buckets[(hash >> 32) % BUCKETS];
}

static struct peer *find(struct peers *peers, const struct address *address) {
    struct peer *peer = *place_of(peers, address);
    while (peer != NULL && memcmp(&peer->address, address, sizeof(*address)) != 0) {
        peer = peer->next;
    }
    return peer;
}

/* The entry of the address, made where there is none; the crowd's where none can be made. */
static struct peer *get(struct peers *peers, const struct address *address) {
    struct peer *peer = find(peers, address);
    if (peer != NULL) {
        return peer;
    }
    peer = peers->count < LIMIT_PEERS ? calloc(1, sizeof(struct peer)) : NULL;
    if (peer == NULL) {
        return &peers->crowd;
    }
    struct peer **place = place_of(peers, address);
    peer->address = *address;
    peer->next = *place;
    *place = peer;
    peers->count++;
    return peer;
}

unsigned peers_connections(struct peers *peers, const struct address *address) {
    const struct address household = address_household(address);
    (void)pthread_mutex_lock(&peers->lock);
    const struct peer *peer = find(peers, &household);
    unsigned connections = peer == NULL ? 0 : peer->connections;
    (void)pthread_mutex_unlock(&peers->lock);
    return connections;
}

struct peer *peers_enter(struct peers *peers, const struct address *address) {
    const struct address household = address_household(address);
    (void)pthread_mutex_lock(&peers->lock);
    struct peer *peer = get(peers, &household);
    peer->connections++;
    (void)pthread_mutex_unlock(&peers->lock);
    return peer;
}

void peers_leave(struct peers *peers, struct peer *peer) {
    (void)pthread_mutex_lock(&peers->lock);
    peer->connections--;
    (void)pthread_mutex_unlock(&peers->lock);
}

unsigned peers_ask(struct peers *peers, const struct address *address, int64_t now_ns) {
    if (peers->ns_per_request == 0) {
        return 0;
    }
    const struct address household = address_household(address);
    (void)pthread_mutex_lock(&peers->lock);
    struct peer *peer = get(peers, &household);
    int64_t full_ns = now_ns - peers->burst_ns;
    int64_t empty_ns = peer->empty_ns > full_ns ? peer->empty_ns : full_ns;
    int64_t next_ns = empty_ns + peers->ns_per_request;
    bool may_ask = next_ns <= now_ns;
    if (may_ask) {
        peer->empty_ns = next_ns;
    }
    (void)pthread_mutex_unlock(&peers->lock);
    return may_ask ? 0 : (unsigned)((next_ns - now_ns + NS_PER_SECOND - 1) / NS_PER_SECOND);
}

void peers_tidy(struct peers *peers, int64_t now_ns) {
    (void)pthread_mutex_lock(&peers->lock);
    for (size_t i = 0; i < BUCKETS; i++) {
        struct peer **place = &peers->buckets[i];
        while (*place != NULL) {
            struct peer *peer = *place;
            if (peer->connections == 0 && peer->empty_ns <= now_ns - peers->burst_ns) {
                *place = peer->next;
                free(peer);
                peers->count--;
            } else {
                place = &peer->next;
            }
        }
    }
    (void)pthread_mutex_unlock(&peers->lock);
}

unsigned peers_count(struct peers *peers) {
    (void)pthread_mutex_lock(&peers->lock);
    unsigned count = peers->count;
    (void)pthread_mutex_unlock(&peers->lock);
    return count;
}
