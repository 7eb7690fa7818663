#include "edition.h"
#include "as_of.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct edition {
    atomic_size_t references;
    struct generation *generation;
    struct edition_mark mark; /* key "": none */
    struct cache *cache;
    struct edition *beneath; /* of the public catalogue beneath an overlay; NULL: none */
    pthread_mutex_t lock;    /* guards the days */
    int64_t *days;           /* NULL until they are asked for */
    size_t day_count;
    struct catalogue **ready; /* connections that no worker has taken yet; guarded by the slot's
                                 lock once it is current */
    size_t ready_count;
};

struct edition_slot {
    pthread_mutex_t lock;
    pthread_key_t worker_key; /* struct worker of each thread, freed when the thread ends */
    struct edition *current;
    atomic_size_t
        number; /* counts the editions, so that a worker sees a new one without the lock */
};

struct worker {
    struct edition *edition;
    struct catalogue *catalogue;
    struct hot *hot; /* NULL: out of memory */
    size_t number;
    struct {
        struct edition *edition; /* the last one, with its connection; NULL: none */
        struct catalogue *catalogue;
    } sides[SIDE__COUNT];
};

void edition_mark_write(const struct generation *generation, int64_t program,
                        struct edition_mark *out) {
    /* The id of an overlaid generation begins with a word. */
    enum { DAYS = 100 * 1000, ID_CHARS = 12, ID_CHARS_OVERLAID = 20 };
    const int chars = generation_beneath(generation) == NULL ? ID_CHARS : ID_CHARS_OVERLAID;
    int64_t day = generation_today(generation);
    int64_t modified = generation_modified(generation);
    (void)snprintf(out->key, sizeof(out->key), "%.*s-%" PRId64 "-%" PRIx64, chars,
                   generation_id(generation), day, (uint64_t)program);
    (void)snprintf(out->order, sizeof(out->order), "%" PRId64,
                   (modified + program) * DAYS + day % DAYS);
}

struct edition *edition_create(struct generation *generation, const struct edition_mark *mark,
                               size_t cache_budget, struct error *error) {
    struct edition *edition = calloc(1, sizeof(struct edition));
    struct cache *cache = cache_create(cache_budget);
    if (edition == NULL || cache == NULL || pthread_mutex_init(&edition->lock, NULL) != 0) {
        free(edition);
        cache_free(cache);
        generation_release(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    edition->references = 1;
    edition->generation = generation;
    edition->cache = cache;
    if (mark != NULL) {
        edition->mark = *mark;
    }
    struct generation *beneath = generation_beneath(generation);
    if (beneath != NULL) {
        edition->beneath = edition_create(generation_retain(beneath), mark, cache_budget, error);
    }
    if (beneath != NULL && edition->beneath == NULL) {
        edition_release(edition);
        return NULL;
    }
    return edition;
}

struct edition *edition_beneath(const struct edition *edition) {
    return edition->beneath;
}

bool edition_prepare(struct edition *edition, size_t count, struct error *error) {
    edition->ready = calloc(count, sizeof(struct catalogue *));
    if (edition->ready == NULL) {
        return error_no_memory(error);
    }
    while (edition->ready_count < count) {
        struct catalogue *catalogue = catalogue_open(edition->generation, error);
        if (catalogue == NULL) {
            return false;
        }
        edition->ready[edition->ready_count++] = catalogue;
        if (!catalogue_prepare(catalogue, error)) {
            return false;
        }
    }
    return true;
}

bool edition_is_unshared(const struct edition *edition) {
    return atomic_load_explicit(&edition->references, memory_order_acquire) == 1;
}

struct edition *edition_retain(struct edition *edition) {
    (void)atomic_fetch_add_explicit(&edition->references, 1, memory_order_relaxed);
    return edition;
}

void edition_release(struct edition *edition) {
    if (edition == NULL ||
        atomic_fetch_sub_explicit(&edition->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    while (edition->ready_count > 0) {
        catalogue_close(edition->ready[--edition->ready_count]);
    }
    free(edition->ready);
    cache_free(edition->cache);
    edition_release(edition->beneath);
    generation_release(edition->generation);
    (void)pthread_mutex_destroy(&edition->lock);
    free(edition->days);
    free(edition);
}

struct generation *edition_generation(const struct edition *edition) {
    return edition->generation;
}

const struct edition_mark *edition_mark(const struct edition *edition) {
    return edition->mark.key[0] == '\0' ? NULL : &edition->mark;
}

struct cache *edition_cache(const struct edition *edition) {
    return edition->cache;
}

bool edition_days(struct edition *edition, struct catalogue *catalogue, const int64_t **out_days,
                  size_t *out_count, struct error *error) {
    (void)pthread_mutex_lock(&edition->lock);
    bool good =
        edition->days != NULL || as_of_days(catalogue, &edition->days, &edition->day_count, error);
    *out_days = edition->days;
    *out_count = edition->day_count;
    (void)pthread_mutex_unlock(&edition->lock);
    return good;
}

static void worker_forget(struct worker *worker, enum edition_side side) {
    catalogue_close(worker->sides[side].catalogue);
    edition_release(worker->sides[side].edition);
    worker->sides[side].catalogue = NULL;
    worker->sides[side].edition = NULL;
}

static void worker_clear(struct worker *worker) {
    hot_free(worker->hot);
    worker_forget(worker, SIDE_PAST);
    worker_forget(worker, SIDE_BENEATH);
    catalogue_close(worker->catalogue);
    edition_release(worker->edition);
    *worker = (struct worker){0};
}

static void worker_free(void *worker) {
    worker_clear(worker);
    free(worker);
}

struct edition_slot *edition_slot_create(void) {
    struct edition_slot *slot = calloc(1, sizeof(struct edition_slot));
    if (slot == NULL || pthread_mutex_init(&slot->lock, NULL) != 0) {
        free(slot);
        return NULL;
    }
    if (pthread_key_create(&slot->worker_key, worker_free) != 0) {
        (void)pthread_mutex_destroy(&slot->lock);
        free(slot);
        return NULL;
    }
    return slot;
}

void edition_slot_free(struct edition_slot *slot) {
    if (slot == NULL) {
        return;
    }
    edition_release(slot->current);
    (void)pthread_key_delete(slot->worker_key);
    (void)pthread_mutex_destroy(&slot->lock);
    free(slot);
}

struct edition *edition_slot_current(struct edition_slot *slot) {
    (void)pthread_mutex_lock(&slot->lock);
    struct edition *current = slot->current == NULL ? NULL : edition_retain(slot->current);
    (void)pthread_mutex_unlock(&slot->lock);
    return current;
}

void edition_slot_set(struct edition_slot *slot, struct edition *edition) {
    (void)pthread_mutex_lock(&slot->lock);
    struct edition *old = slot->current;
    slot->current = edition;
    (void)atomic_fetch_add_explicit(&slot->number, 1, memory_order_release);
    (void)pthread_mutex_unlock(&slot->lock);
    edition_release(old);
}

static struct worker *worker_of_thread(struct edition_slot *slot) {
    struct worker *worker = pthread_getspecific(slot->worker_key);
    if (worker != NULL) {
        return worker;
    }
    worker = calloc(1, sizeof(struct worker));
    if (worker != NULL && pthread_setspecific(slot->worker_key, worker) != 0) {
        free(worker);
        return NULL;
    }
    return worker;
}

struct catalogue *edition_slot_open(struct edition_slot *slot, struct edition **out_edition,
                                    struct error *error) {
    struct worker *worker = worker_of_thread(slot);
    if (worker == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    if (worker->catalogue == NULL ||
        worker->number != atomic_load_explicit(&slot->number, memory_order_acquire)) {
        worker_clear(worker);
        (void)pthread_mutex_lock(&slot->lock);
        worker->number = atomic_load_explicit(&slot->number, memory_order_relaxed);
        struct edition *current = edition_retain(slot->current);
        struct catalogue *ready =
            current->ready_count == 0 ? NULL : current->ready[--current->ready_count];
        (void)pthread_mutex_unlock(&slot->lock);
        worker->edition = current;
        worker->hot = hot_create();
        worker->catalogue = ready != NULL ? ready : catalogue_open(current->generation, error);
        if (worker->catalogue == NULL) {
            worker_clear(worker);
            return NULL;
        }
    }
    *out_edition = worker->edition;
    return worker->catalogue;
}

struct catalogue *edition_slot_open_side(struct edition_slot *slot, enum edition_side side,
                                         struct edition *edition, struct error *error) {
    struct worker *worker = worker_of_thread(slot);
    if (worker == NULL) {
        edition_release(edition);
        (void)error_no_memory(error);
        return NULL;
    }
    if (worker->sides[side].edition == edition) {
        edition_release(edition);
        return worker->sides[side].catalogue;
    }
    worker_forget(worker, side);
    struct catalogue *catalogue = catalogue_open(edition->generation, error);
    if (catalogue == NULL) {
        edition_release(edition);
        return NULL;
    }
    worker->sides[side].edition = edition;
    worker->sides[side].catalogue = catalogue;
    return catalogue;
}

struct hot *edition_slot_hot(struct edition_slot *slot) {
    const struct worker *worker = pthread_getspecific(slot->worker_key);
    bool is_current = worker != NULL && worker->catalogue != NULL &&
                      worker->number == atomic_load_explicit(&slot->number, memory_order_acquire);
    return is_current ? worker->hot : NULL;
}
