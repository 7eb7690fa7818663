/* The index of a generation: what filters, facets and rankings read. Arrays in catalogue order,
 * immutable, shared by all threads.
 *
 * A *slot* is one thing on sale: an offering, or a provider without offerings. Every slot has an
 * answer to every attribute: its own fact, else the one that it inherits from its provider, else
 * none (which counts as not documented). */
#ifndef AGENT_SANDBOXES_CATALOGUE_INDEX_H
#define AGENT_SANDBOXES_CATALOGUE_INDEX_H

#include "arena.h"
#include "catalogue.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum attribute_type {
    TYPE_BOOL,
    TYPE_NUMBER,
    TYPE_MONEY,
    TYPE_DURATION,
    TYPE_ENUM,
    TYPE_SET,
    TYPE_TEXT,
    TYPE_MONEY_MAP,
    TYPE__COUNT
};

enum fact_state { STATE_NOT_DOCUMENTED, STATE_NOT_APPLICABLE, STATE_DOCUMENTED };

enum provider_status { STATUS_ACTIVE, STATUS_WINDING_DOWN, STATUS_DISCONTINUED };
enum { STATUS_COUNT = STATUS_DISCONTINUED + 1 };

enum better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

/* A set of slots, one bit each. */
typedef uint64_t *slot_set;

/* A value that slots have, with those that have it. Booleans have "true" and "false", money maps
 * their names. */
struct index_value {
    const char *value; /* as in data and questions */
    const char *label; /* for people */
    slot_set slots;    /* NULL for text attributes: see index_attribute.texts */
    double *amounts;   /* money maps: per slot, valid where slots has it. NULL for other types */
};

struct index_attribute {
    const char *key;
    const char *label;
    const char *group_key;
    const char *unit;     /* NULL: none */
    const char *glossary; /* NULL: none */
    const char *description;
    enum attribute_type type;
    enum better better;
    bool headline;
    bool filterable;
    bool closed; /* its values are a fixed vocabulary */
    int review_days;
    struct index_value *values; /* enum, set, bool, money map and text: every value allowed or in
                                   use, vocabulary first */
    size_t value_count;
    json_t *value_numbers; /* value to its place in values */
    slot_set documented;
    slot_set not_documented; /* neither in documented nor here: does not apply */
    uint32_t *texts;    /* text: per slot, one more than the place of its value; 0 is none. NULL for
                           other types */
    double *numbers;    /* number, money, duration, and of a money map its cheapest entry: per slot;
                           INFINITY is unlimited, NAN is none. NULL for other types */
    int64_t *facts;     /* per slot: the rowid of the fact that answers, 0 is none */
    int64_t *review_by; /* per slot: the day after which that fact is stale; INT64_MAX where there
                           is none */
};

struct index_provider {
    const char *slug;
    const char *name;
    const char *kind;
    enum provider_status status;
    size_t first_slot;
    size_t slot_count; /* at least one */
    bool has_offerings;
    size_t name_place; /* its place in catalogue_index.by_name */
};

struct index_slot {
    size_t provider;
    const char *offering; /* NULL: the provider has no offerings */
    const char *name;     /* the offering's, else the provider's */
    const char *stage;    /* NULL: not documented */
    bool is_default;
};

struct catalogue_index {
    struct index_attribute *attributes; /* by position */
    size_t attribute_count;
    struct index_provider *providers; /* by slug */
    size_t provider_count;
    struct index_slot *slots; /* by provider, then position */
    size_t slot_count;
    size_t set_words;                      /* 64-bit words of a slot_set */
    const struct index_provider **by_name; /* upper and lower case alike */
    slot_set last;                         /* the last slot of each provider */
    slot_set statuses[STATUS_COUNT];
    struct index_value *kinds; /* of providers: every one in use */
    size_t kind_count;
    struct index_value *stages; /* of offerings: every one in use */
    size_t stage_count;
    slot_set banned; /* slots all of whose documented regions an overlay bans; NULL: it bans none */
    const struct index_attribute *regions; /* the attribute by which it does; NULL: there is none */
    slot_set stage_unknown;                /* slots whose stage is not documented */
    json_t *attribute_numbers;             /* key to its place in attributes */
    json_t *provider_numbers;              /* slug to its place in providers */
    struct arena arena;                    /* owns everything above but the JSON maps */
};

/* Reads the whole catalogue once. Every value that known (may be NULL: the index of the same
 * catalogue on another day) has is one here too, in use or not. The caller frees with index_free.
 */
struct catalogue_index *index_create(struct catalogue *catalogue,
                                     const struct catalogue_index *known,
                                     struct error *error) MUST_USE;
void index_free(struct catalogue_index *index);

/* The attribute, provider or slot with this name, or NULL. */
const struct index_attribute *index_attribute(const struct catalogue_index *index, const char *key);
const struct index_provider *index_provider(const struct catalogue_index *index, const char *slug);
const struct index_slot *index_slot(const struct catalogue_index *index,
                                    const struct index_provider *provider, const char *offering);

/* The value of an attribute with this name, or NULL. */
const struct index_value *index_value(const struct index_attribute *attribute, const char *value);

/* The name of a type ("money-map"). */
const char *attribute_type_name(enum attribute_type type);

/* Whether the attribute's values are single numbers: number, money, duration. */
bool attribute_is_numeric(const struct index_attribute *attribute);

static inline bool slot_set_has(const uint64_t *set, size_t slot) {
    return (set[slot / 64] >> (slot % 64)) & 1u;
}

/* Whether an overlay bans every region of a slot. */
static inline bool index_is_banned(const struct catalogue_index *index, size_t slot) {
    return index->banned != NULL && slot_set_has(index->banned, slot);
}

static inline void slot_set_add(uint64_t *set, size_t slot) {
    set[slot / 64] |= (uint64_t)1 << (slot % 64);
}

static inline void slot_set_remove(uint64_t *set, size_t slot) {
    set[slot / 64] &= ~((uint64_t)1 << (slot % 64));
}

#endif
