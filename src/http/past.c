#include "past.h"
#include "as_of.h"
#include "limit.h"
#include "log.h"
#include "text.h"
#include "thread.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct past_edition {
    struct past_day day;
    struct edition *edition;
    uint64_t used; /* the clock when it was last asked for */
};

struct past {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* there is something to make, or to stop for */
    pthread_t thread;
    bool has_thread;
    bool stopping;
    uint64_t clock;
    struct generation *present; /* whose past is kept; NULL: none yet */
    struct past_edition kept[LIMIT_PAST_EDITIONS];
    size_t kept_count;
    struct past_day
        wanted[LIMIT_PAST_WANTED]; /* of different last changes; the first is being made */
    size_t wanted_count;
    struct past_waiter *waiters[LIMIT_PAST_WAITERS];
    size_t waiter_count;
};

/* --- what is kept (the caller holds the lock) --- */

static void drop(struct past *past, size_t place) {
    edition_release(past->kept[place].edition);
    past->kept[place] = past->kept[--past->kept_count];
}

static void turn_to(struct past *past, struct generation *present) {
    if (past->present == present) {
        return;
    }
    while (past->kept_count > 0) {
        drop(past, 0);
    }
    generation_release(past->present);
    past->present = present == NULL ? NULL : generation_retain(present);
}

/* The kept edition with the same last change, or NULL. */
static const struct past_edition *like(const struct past *past, int64_t last) {
    for (size_t i = 0; i < past->kept_count; i++) {
        if (past->kept[i].day.last == last) {
            return &past->kept[i];
        }
    }
    return NULL;
}

static size_t bytes_kept(const struct past *past) {
    size_t bytes = 0;
    for (size_t i = 0; i < past->kept_count; i++) {
        const struct past_edition *kept = &past->kept[i];
        bool is_first = like(past, kept->day.last) == kept;
        bytes += is_first ? generation_image(edition_generation(kept->edition))->length : 0;
    }
    return bytes;
}

static void drop_oldest(struct past *past) {
    size_t oldest = 0;
    for (size_t i = 1; i < past->kept_count; i++) {
        oldest = past->kept[i].used < past->kept[oldest].used ? i : oldest;
    }
    drop(past, oldest);
}

static void keep(struct past *past, struct past_day day, struct edition *edition) {
    if (past->kept_count == LIMIT_PAST_EDITIONS) {
        drop_oldest(past);
    }
    past->kept[past->kept_count++] =
        (struct past_edition){.day = day, .edition = edition, .used = ++past->clock};
    while (past->kept_count > 1 && bytes_kept(past) > LIMIT_PAST_BYTES) {
        drop_oldest(past);
    }
}

/* Resumes those who wait for a last change, or everybody. */
static void resume(struct past *past, const int64_t *last, const struct error *error) {
    size_t left = 0;
    for (size_t i = 0; i < past->waiter_count; i++) {
        struct past_waiter *waiter = past->waiters[i];
        if (last != NULL && waiter->last != *last) {
            past->waiters[left++] = waiter;
            continue;
        }
        waiter->error = *error;
        MHD_resume_connection(waiter->connection);
    }
    past->waiter_count = left;
}

/* --- the thread --- */

static struct edition *make(struct generation *present, const struct past_day *day,
                            struct error *error) {
    struct generation *generation = as_of_create(present, day->last, day->day, error);
    return generation == NULL ? NULL
                              : edition_create(generation, NULL, LIMIT_PAST_CACHE_BYTES, error);
}

static void make_first(struct past *past) {
    const struct past_day day = past->wanted[0];
    struct generation *present = past->present == NULL ? NULL : generation_retain(past->present);
    struct error error = {0};
    (void)pthread_mutex_unlock(&past->lock);
    struct edition *edition = present == NULL ? NULL : make(present, &day, &error);
    char text[TEXT_DATE_BYTES];
    text_iso_date(day.last, text);
    if (error.kind != ERROR_NONE) {
        LOG(LOG_ERROR, "past_failed", LOG_STR("day", text), LOG_STR("error", error.message));
    } else if (edition != NULL) {
        LOG(LOG_INFO, "past_loaded", LOG_STR("day", text));
    }
    (void)pthread_mutex_lock(&past->lock);
    past->wanted_count--;
    memmove(past->wanted, past->wanted + 1, past->wanted_count * sizeof(past->wanted[0]));
    if (edition != NULL && past->present == present) {
        keep(past, day, edition);
    } else {
        edition_release(edition);
    }
    generation_release(present);
    resume(past, &day.last, &error);
}

static void *run(void *context) {
    struct past *past = context;
    thread_step_back();
    (void)pthread_mutex_lock(&past->lock);
    while (!past->stopping) {
        if (past->wanted_count == 0) {
            (void)pthread_cond_wait(&past->changed, &past->lock);
        } else {
            make_first(past);
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    return NULL;
}

struct past *past_create(void) {
    struct past *past = calloc(1, sizeof(struct past));
    if (past != NULL && (pthread_mutex_init(&past->lock, NULL) != 0 ||
                         pthread_cond_init(&past->changed, NULL) != 0)) {
        free(past);
        return NULL;
    }
    return past;
}

bool past_start(struct past *past, struct error *error) {
    past->has_thread = pthread_create(&past->thread, NULL, run, past) == 0;
    return past->has_thread ||
           error_set(error, ERROR_INTERNAL, "cannot start the thread of past days");
}

void past_forget(struct past *past) {
    (void)pthread_mutex_lock(&past->lock);
    turn_to(past, NULL);
    (void)pthread_mutex_unlock(&past->lock);
}

void past_stop(struct past *past) {
    (void)pthread_mutex_lock(&past->lock);
    past->stopping = true;
    (void)pthread_cond_signal(&past->changed);
    (void)pthread_mutex_unlock(&past->lock);
    if (past->has_thread) {
        (void)pthread_join(past->thread, NULL);
        past->has_thread = false;
    }
    const struct error stopped = {.kind = ERROR_INTERNAL, .message = "the server stops"};
    (void)pthread_mutex_lock(&past->lock);
    resume(past, NULL, &stopped);
    (void)pthread_mutex_unlock(&past->lock);
}

void past_free(struct past *past) {
    if (past == NULL) {
        return;
    }
    past_stop(past);
    turn_to(past, NULL);
    (void)pthread_cond_destroy(&past->changed);
    (void)pthread_mutex_destroy(&past->lock);
    free(past);
}

/* --- asking --- */

/* The edition of a day that is kept, or made of one with the same last change; NULL: there is none.
 */
static struct edition *find(struct past *past, const struct past_day *day) {
    for (size_t i = 0; i < past->kept_count; i++) {
        if (past->kept[i].day.day == day->day) {
            past->kept[i].used = ++past->clock;
            return edition_retain(past->kept[i].edition);
        }
    }
    struct error ignored;
    const struct past_edition *same = like(past, day->last);
    struct generation *generation =
        same == NULL ? NULL
                     : generation_share(edition_generation(same->edition), day->day, &ignored);
    struct edition *edition =
        generation == NULL ? NULL
                           : edition_create(generation, NULL, LIMIT_PAST_CACHE_BYTES, &ignored);
    if (edition != NULL) {
        keep(past, *day, edition_retain(edition));
    }
    return edition;
}

/* Puts a day on the list of those to make. False: the list is full. */
static bool want(struct past *past, const struct past_day *day) {
    for (size_t i = 0; i < past->wanted_count; i++) {
        if (past->wanted[i].last == day->last) {
            return true;
        }
    }
    if (past->wanted_count == LIMIT_PAST_WANTED) {
        return false;
    }
    past->wanted[past->wanted_count++] = *day;
    (void)pthread_cond_signal(&past->changed);
    return true;
}

static enum past_state wait_for(struct past *past, const struct past_day *day,
                                struct past_waiter *waiter) {
    if (past->stopping || waiter->has_waited || past->waiter_count == LIMIT_PAST_WAITERS ||
        !want(past, day)) {
        return PAST_BUSY;
    }
    waiter->last = day->last;
    waiter->has_waited = true;
    past->waiters[past->waiter_count++] = waiter;
    MHD_suspend_connection(waiter->connection);
    return PAST_WAIT;
}

enum past_state past_get(struct past *past, struct edition *present, const struct past_day *day,
                         struct past_waiter *waiter, struct edition **out_edition) {
    if (waiter->error.kind != ERROR_NONE) {
        return PAST_FAILED;
    }
    (void)pthread_mutex_lock(&past->lock);
    turn_to(past, edition_generation(present));
    struct edition *edition = find(past, day);
    enum past_state state = edition == NULL ? wait_for(past, day, waiter) : PAST_READY;
    (void)pthread_mutex_unlock(&past->lock);
    if (edition != NULL) {
        *out_edition = edition;
    }
    return state;
}
