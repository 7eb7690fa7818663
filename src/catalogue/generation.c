/* A generation: an image that passed every check, with its index. */
#include "catalogue_index.h"
#include "check.h"
#include "database.h"
#include "hash.h"
#include "limit.h"
#include "rows.h"
#include "seal.h"
#include "text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A feed looks back over LIMIT_PAST_DAYS days, and at the one before them. */
enum { KEPT_DAYS = LIMIT_PAST_DAYS + 1 };

static const char id_of_overlaid[] = "private-";

struct generation {
    atomic_size_t references;
    struct image image;
    struct generation *same;    /* whose image, index and settings these are; NULL: its own */
    struct generation *beneath; /* the public one that an overlay lies over; NULL: no overlay */
    struct generation *now;     /* of a past day: whose image it shares; NULL otherwise */
    char past[TEXT_DATE_BYTES]; /* that day; "" otherwise */
    struct catalogue_index *index;
    json_t *settings;                   /* key to text */
    json_t *sections;                   /* those that have rows, as keys */
    pthread_mutex_t lock;               /* guards the two below */
    struct generation *kept[KEPT_DAYS]; /* past days of this one; none retains it */
    size_t kept_next;
    int64_t today;
    int64_t modified;
    char last_reviewed[TEXT_DATE_BYTES];
    enum seal seal;
    char id[sizeof(id_of_overlaid) + HASH_XXH3_HEX_BYTES];
};

const char *generation_id(const struct generation *generation) {
    return generation->id;
}

struct generation *generation_beneath(const struct generation *generation) {
    return generation->beneath;
}

int64_t generation_today(const struct generation *generation) {
    return generation->today;
}

int64_t generation_modified(const struct generation *generation) {
    return generation->modified;
}

void generation_set_modified(struct generation *generation, int64_t seconds) {
    generation->modified = seconds;
}

const char *generation_last_reviewed(const struct generation *generation) {
    return generation->last_reviewed;
}

const char *generation_setting(const struct generation *generation, const char *key) {
    return json_string_value(json_object_get(generation->settings, key));
}

bool generation_has(const struct generation *generation, const char *section) {
    return json_object_get(generation->sections, section) != NULL;
}

const struct catalogue_index *generation_index(const struct generation *generation) {
    return generation->index;
}

const struct image *generation_image(const struct generation *generation) {
    return &generation->image;
}

const char *generation_past(const struct generation *generation) {
    return generation->past[0] == '\0' ? NULL : generation->past;
}

struct generation *generation_retain(struct generation *generation) {
    (void)atomic_fetch_add_explicit(&generation->references, 1, memory_order_relaxed);
    return generation;
}

void generation_release(struct generation *generation) {
    if (generation == NULL ||
        atomic_fetch_sub_explicit(&generation->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (generation->same == NULL) {
        index_free(generation->index);
        json_decref(generation->settings);
        json_decref(generation->sections);
        image_free(&generation->image);
    }
    for (size_t i = 0; i < KEPT_DAYS; i++) {
        generation_release(generation->kept[i]);
    }
    generation_release(generation->same);
    generation_release(generation->beneath);
    (void)pthread_mutex_destroy(&generation->lock);
    free(generation);
}

static bool add_setting(void *context, sqlite3_stmt *row, struct error *error) {
    const char *key = row_text(row, 0);
    const char *value = row_text(row, 1);
    if (key == NULL || value == NULL ||
        json_object_set_new(context, key, json_string(value)) != 0) {
        return error_set(error, ERROR_CORRUPT, "a setting of the catalogue is not valid text");
    }
    return true;
}

static bool add_section(void *context, sqlite3_stmt *row, struct error *error) {
    return json_object_set_new(context, row_text(row, 0), json_true()) == 0 ||
           error_no_memory(error);
}

static bool take_last_reviewed(void *context, sqlite3_stmt *row, struct error *error) {
    (void)error;
    struct generation *generation = context;
    const char *day = row_text(row, 0);
    if (day != NULL && strlen(day) < sizeof(generation->last_reviewed)) {
        memcpy(generation->last_reviewed, day, strlen(day) + 1);
    }
    return true;
}

static bool fill(struct generation *generation, bool is_checked, struct error *error) {
    struct catalogue *catalogue = NULL;
    generation->settings = json_object();
    generation->sections = json_object();
    if (generation->settings == NULL || generation->sections == NULL) {
        return error_no_memory(error);
    }
    if (generation->seal == SEAL_BROKEN) {
        return error_set(error, ERROR_CORRUPT,
                         "the catalogue is damaged: its bytes are not those that were sealed");
    }
    if (!catalogue_open_image(&generation->image, generation_past(generation), &catalogue, error)) {
        return false;
    }
    is_checked = is_checked || generation->seal == SEAL_WHOLE;
    bool good = (is_checked || (catalogue_prepare(catalogue, error) &&
                                check_catalogue(catalogue, generation->today, error))) &&
                database_map(catalogue_database(catalogue), error) &&
                rows_each(catalogue, STATEMENT_SETTINGS, NULL, 0, add_setting, generation->settings,
                          error) &&
                rows_each(catalogue, STATEMENT_SECTIONS, NULL, 0, add_section, generation->sections,
                          error) &&
                rows_each(catalogue, STATEMENT_LAST_REVIEWED, NULL, 0, take_last_reviewed,
                          generation, error);
    if (good) {
        generation->index =
            index_create(catalogue, generation->now == NULL ? NULL : generation->now->index, error);
        good = generation->index != NULL;
    }
    catalogue_close(catalogue);
    return good;
}

static struct generation *new_generation(int64_t today, struct error *error) {
    struct generation *generation = calloc(1, sizeof(struct generation));
    if (generation == NULL || pthread_mutex_init(&generation->lock, NULL) != 0) {
        free(generation);
        (void)error_no_memory(error);
        return NULL;
    }
    generation->references = 1;
    generation->today = today;
    return generation;
}

/* Takes over the image and beneath, also on failure. */
static struct generation *create(struct image *image, struct generation *beneath, int64_t today,
                                 struct error *error) {
    struct generation *generation = new_generation(today, error);
    if (generation == NULL) {
        image_free(image);
        generation_release(beneath);
        return NULL;
    }
    char digest[HASH_XXH3_HEX_BYTES];
    generation->image = *image;
    generation->beneath = beneath;
    *image = (struct image){0};
    generation->seal = seal_read(&generation->image, digest);
    (void)snprintf(generation->id, sizeof(generation->id), "%s%s",
                   beneath == NULL ? "" : id_of_overlaid, digest);
    if (!fill(generation, false, error)) {
        generation_release(generation);
        return NULL;
    }
    return generation;
}

struct generation *generation_create(struct image *image, int64_t today, struct error *error) {
    return create(image, NULL, today, error);
}

struct generation *generation_over(struct generation *beneath, struct image *image,
                                   struct error *error) {
    return create(image, beneath, generation_today(beneath), error);
}

/* A generation of a past day that does not retain the one of now. */
static struct generation *make_past(struct generation *now, int64_t day, struct error *error) {
    struct generation *generation = new_generation(day, error);
    if (generation == NULL) {
        return NULL;
    }
    generation->image = now->image;
    generation->image.owned = false;
    generation->now = now;
    text_iso_date(day, generation->past);
    memcpy(generation->last_reviewed, generation->past, sizeof(generation->past));
    memcpy(generation->id, now->id, sizeof(now->id));
    if (!fill(generation, true, error)) {
        generation_release(generation);
        return NULL;
    }
    return generation;
}

/* The kept generation of a day, with one more reference, or NULL. */
static struct generation *find_kept(struct generation *now, int64_t day) {
    struct generation *found = NULL;
    (void)pthread_mutex_lock(&now->lock);
    for (size_t i = 0; found == NULL && i < KEPT_DAYS; i++) {
        if (now->kept[i] != NULL && now->kept[i]->today == day) {
            found = generation_retain(now->kept[i]);
        }
    }
    (void)pthread_mutex_unlock(&now->lock);
    return found;
}

/* Of two threads that make the same day at once, the second one's is used once and dropped. */
struct generation *generation_at(struct generation *now, int64_t day, struct error *error) {
    struct generation *generation = find_kept(now, day);
    if (generation != NULL) {
        return generation;
    }
    generation = make_past(now, day, error);
    if (generation != NULL) {
        (void)pthread_mutex_lock(&now->lock);
        struct generation **place = &now->kept[now->kept_next++ % KEPT_DAYS];
        struct generation *old = *place;
        *place = generation_retain(generation);
        (void)pthread_mutex_unlock(&now->lock);
        generation_release(old);
    }
    return generation;
}

struct generation *generation_share(struct generation *same, int64_t today, struct error *error) {
    struct generation *generation = new_generation(today, error);
    if (generation == NULL) {
        return NULL;
    }
    generation->same = generation_retain(same->same == NULL ? same : same->same);
    generation->image = same->image;
    generation->index = same->index;
    generation->settings = same->settings;
    generation->sections = same->sections;
    generation->seal = same->seal;
    memcpy(generation->last_reviewed, same->last_reviewed, sizeof(same->last_reviewed));
    memcpy(generation->id, same->id, sizeof(same->id));
    return generation;
}
