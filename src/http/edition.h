/* An edition is a generation with its response cache: what a worker serves from. One is current; a
 * new one replaces it whole. Private to src/http. */
#ifndef AGENT_SANDBOXES_EDITION_H
#define AGENT_SANDBOXES_EDITION_H

#include "cache.h"
#include "catalogue.h"
#include "hot.h"

struct edition;

/* What an edition is called by caches in front of several servers: equal editions have equal keys
 * everywhere; with a newer catalogue, a newer program or a later day the order grows. */
struct edition_mark {
    char key[48];
    char order[24]; /* a whole number of at most 15 digits */
};

/* The mark of a generation, answered by a program that was written at that time (seconds since
 * 1970). */
void edition_mark_write(const struct generation *generation, int64_t program,
                        struct edition_mark *out);

/* Wraps a generation (taking over the caller's reference, also on failure) with an empty cache. The
 * mark is copied; NULL: it has none. Returns one reference, or NULL. */
struct edition *edition_create(struct generation *generation, const struct edition_mark *mark,
                               size_t cache_budget, struct error *error) MUST_USE;

/* Its mark; NULL: none. */
const struct edition_mark *edition_mark(const struct edition *edition);

/* The edition of the public catalogue beneath an overlay, borrowed; NULL: there is no overlay. */
struct edition *edition_beneath(const struct edition *edition);

/* Opens count connections to its generation, which workers then take instead of opening their own:
 * for an edition that comes while requests are waiting. */
bool edition_prepare(struct edition *edition, size_t count, struct error *error) MUST_USE;

struct edition *edition_retain(struct edition *edition);
/* Whether the caller's reference is the only one. */
bool edition_is_unshared(const struct edition *edition);
void edition_release(struct edition *edition);
struct generation *edition_generation(const struct edition *edition);
struct cache *edition_cache(const struct edition *edition);

/* The days on which the catalogue of an edition changed (as_of_days), found once. catalogue is a
 * connection to it. They live as long as the edition. */
bool edition_days(struct edition *edition, struct catalogue *catalogue, const int64_t **out_days,
                  size_t *out_count, struct error *error) MUST_USE;

/* The place of the current edition, shared by all threads. */
struct edition_slot;
struct edition_slot *edition_slot_create(void);
void edition_slot_free(struct edition_slot *slot);

/* The current edition with a reference for the caller; NULL: none yet. */
struct edition *edition_slot_current(struct edition_slot *slot);

/* Makes an edition current, taking over the caller's reference. */
void edition_slot_set(struct edition_slot *slot, struct edition *edition);

/* This thread's connection to the current edition, re-opened when there is a newer one.
 * *out_edition is borrowed until the thread's next call. */
struct catalogue *edition_slot_open(struct edition_slot *slot, struct edition **out_edition,
                                    struct error *error) MUST_USE;

/* Another edition than the current one: of a past day, or beneath the overlay. */
enum edition_side { SIDE_PAST, SIDE_BENEATH, SIDE__COUNT };

/* This thread's connection to such an edition; the last one of each side stays open. The reference
 * of the caller is taken over, also on failure; the thread keeps it until its next call. */
struct catalogue *edition_slot_open_side(struct edition_slot *slot, enum edition_side side,
                                         struct edition *edition, struct error *error) MUST_USE;

/* What this thread answered lately from the current edition; NULL: nothing. */
struct hot *edition_slot_hot(struct edition_slot *slot);

#endif
