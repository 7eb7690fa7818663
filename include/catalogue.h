/* The catalogue: a checked, read-only SQLite image, its generation, and the queries on it. The only
 * door to SQLite.
 *
 *   image       the bytes of a database file, made from SQL text or read from a file
 *   generation  an image that passed every check, with its index and its id; immutable, reference
 * counted, shared by all threads catalogue   one thread's connection to a generation, with its
 * prepared statements
 */
#ifndef AGENT_SANDBOXES_CATALOGUE_H
#define AGENT_SANDBOXES_CATALOGUE_H

#include "error.h"
#include "hash.h"
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a database file (rollback-journal form). Owned: freed by image_free; borrowed images
 * have owned = false. */
struct image {
    unsigned char *bytes;
    size_t length;
    bool owned;
    char digest[HASH_XXH3_HEX_BYTES]; /* of a file found as it was sealed; "" otherwise */
};

/* Runs schema and seed (SQL text) in a new database and takes its image. The SQL function
 * readfile(name) reads files below folder, and only those (no absolute name, no ".."); folder may
 * be NULL: then there is no such function. */
bool image_build(const char *schema_sql, const char *seed_sql, const char *folder,
                 struct image *out_image, struct error *error) MUST_USE;

/* Reads the database file at path as one consistent state, whatever its journal mode. Refuses a
 * file that is missing, unreadable, not a database, not a catalogue (application id), or of another
 * schema version (older and newer are told apart). */
bool image_read(const char *path, struct image *out_image, struct error *error) MUST_USE;

/* Writes the image to a new file at path; an existing file is replaced by rename. */
bool image_write(const struct image *image, const char *path, struct error *error) MUST_USE;

/* Writes an image that passed generation_create, with a seal: as long as the file is byte for byte
 * the same, loading it needs no checks. */
bool image_write_sealed(const struct image *image, const char *path, struct error *error) MUST_USE;

/* Frees the bytes where they are owned, and zeroes the image. */
void image_free(struct image *image);

struct generation;
struct catalogue_index;

/* Checks the image (integrity, foreign keys, application id, schema version, the rules of
 * check.h; of one that is as it was sealed only the version; one whose seal is broken is
 * refused), indexes it, and takes ownership of its bytes in any case. today is the day by
 * which facts are stale or not. Returns one reference, or NULL. */
struct generation *generation_create(struct image *image, int64_t today,
                                     struct error *error) MUST_USE;

/* The generation as the catalogue stood at the end of a past day: the facts that held then, and the
 * providers and offerings of which a fact had been recorded by then; day is its today. Names, texts
 * and statuses are those of now, for they have no history. It shares the image of now,
 * which has to outlive it, and which keeps as many of the days made last as a feed looks at
 * (LIMIT_PAST_DAYS and the one before). Its own connections (catalogue_open) see that day too.
 * Returns one reference, or NULL. */
struct generation *generation_at(struct generation *now, int64_t day, struct error *error) MUST_USE;

/* A generation that differs from another in its day alone, by which facts are stale or not, and
 * shares the rest with it. Returns one reference, or NULL. */
struct generation *generation_share(struct generation *same, int64_t today,
                                    struct error *error) MUST_USE;

/* A generation of an image that an overlay made of another one (overlay.h), taking over its bytes
 * and the reference to the public generation beneath, also on failure. The day is that of the one
 * beneath. Returns one reference, or NULL. */
struct generation *generation_over(struct generation *beneath, struct image *image,
                                   struct error *error) MUST_USE;

/* Takes and gives back a reference; the last one frees. generation_release accepts NULL. */
struct generation *generation_retain(struct generation *generation);
void generation_release(struct generation *generation);

/* Its id: a digest of the image's bytes but for the seal, as hex (XXH3, 128 bits). */
const char *generation_id(const struct generation *generation);

/* The public generation over which a private overlay is laid (overlay.h), borrowed; NULL: there is
 * no overlay, all of it is public. The id of an overlaid one begins with "private-". */
struct generation *generation_beneath(const struct generation *generation);

/* The day (since 1970-01-01) by which staleness is judged. */
int64_t generation_today(const struct generation *generation);

/* When its bytes were written, in seconds since 1970; 0: not known. It is set before the generation
 * is shared. */
int64_t generation_modified(const struct generation *generation);
void generation_set_modified(struct generation *generation, int64_t seconds);

/* The day of the newest review in the catalogue ("2026-11-30"). */
const char *generation_last_reviewed(const struct generation *generation);

/* A setting of the catalogue, or NULL. */
const char *generation_setting(const struct generation *generation, const char *key);

/* Whether the catalogue has any rows for a part of the site that lives from them: "guides",
 * "glossary", "rankings", "overall" (the ranking of the home page), "pricing" or "measurements". */
bool generation_has(const struct generation *generation, const char *section);

/* Its index; lives as long as the generation. */
const struct catalogue_index *generation_index(const struct generation *generation);

/* Its image, borrowed: for connections and for the download of the whole database. */
const struct image *generation_image(const struct generation *generation);

/* The statements, listed with their SQL in catalogue/statements.c. */
enum statement {
    STATEMENT_SETTINGS,
    STATEMENT_SECTIONS,
    STATEMENT_LAST_REVIEWED,
    STATEMENT_DAYS,
    STATEMENT_GROUPS,
    STATEMENT_ATTRIBUTES,
    STATEMENT_ATTRIBUTE_VALUES,
    STATEMENT_INDEX_PROVIDERS,
    STATEMENT_INDEX_OFFERINGS,
    STATEMENT_INDEX_FACTS,
    STATEMENT_BANNED_REGIONS,
    STATEMENT_COUNTS,
    STATEMENT_BASIS_COUNTS,
    STATEMENT_VOLATILITIES,
    STATEMENT_PROVIDERS,
    STATEMENT_PROVIDER,
    STATEMENT_OFFERINGS,
    STATEMENT_FACTS_OF_PROVIDER,
    STATEMENT_FACTS_BY_ROWID,
    STATEMENT_CLAIMS,
    STATEMENT_CONFLICTS,
    STATEMENT_EVENTS,
    STATEMENT_EVENTS_RECENT,
    STATEMENT_REVIEWS,
    STATEMENT_SOURCES_OF_PROVIDER,
    STATEMENT_SOURCES,
    STATEMENT_SOURCE_USES,
    STATEMENT_MEASUREMENTS_NEWEST,
    STATEMENT_MEASUREMENTS_OF_PROVIDER,
    STATEMENT_MEASUREMENTS,
    STATEMENT_COST_GPUS,
    STATEMENT_COST_RATES,
    STATEMENT_COST_SIZES,
    STATEMENT_COST_RULES,
    STATEMENT_COST_PLANS,
    STATEMENT_COST_PRESETS,
    STATEMENT_USE_CASES,
    STATEMENT_CRITERIA,
    STATEMENT_PAIRS,
    STATEMENT_TERMS,
    STATEMENT_TERM,
    STATEMENT_TERM_FACTS,
    STATEMENT_GUIDES,
    STATEMENT_GUIDE,
    STATEMENT_GUIDE_FACTS,
    STATEMENT_SEARCH,
    STATEMENT_SEARCH_PROVIDERS,
    STATEMENT_LAST_REVIEWS,
    STATEMENT_ALL_REVIEWS,
    STATEMENT_FACT_CHANGES,
    STATEMENT_BODIES,
    STATEMENT_MEASURED_PROVIDERS,
    STATEMENT_FACT_HISTORY,
    STATEMENT_STALE,
    STATEMENT_CHANGE_DAYS,
    STATEMENT_PROVIDERS_ADDED,
    STATEMENT_REVIEWS_DUE,
    STATEMENT_ENDS,
    STATEMENT__COUNT
};

struct catalogue;

/* Opens this thread's connection: read-only, defensive. It holds a reference to the generation. */
struct catalogue *catalogue_open(struct generation *generation, struct error *error) MUST_USE;
void catalogue_close(struct catalogue *catalogue);

/* Prepares every statement now, not each when it is first run. */
bool catalogue_prepare(struct catalogue *catalogue, struct error *error) MUST_USE;

/* The index of a past day (see generation_at) with the statements of an open catalogue, which
 * has to outlive it: verdicts, matches and facts by their rowid are of that day, every other
 * statement is of now. Cheap where the day is kept. Closed with catalogue_close. */
struct catalogue *catalogue_at(const struct catalogue *now, int64_t day,
                               struct error *error) MUST_USE;

/* The generation that it is connected to. */
const struct generation *catalogue_generation(const struct catalogue *catalogue);

/* A value bound to a statement, in the order of its parameters ?1, ?2, ... The text is borrowed
 * during the call. */
struct binding {
    enum { BINDING_TEXT, BINDING_INTEGER } type;
    const char *text; /* NULL binds NULL */
    int64_t integer;
};

#define BIND_TEXT(value) ((struct binding){.type = BINDING_TEXT, .text = (value)})
#define BIND_INTEGER(value) ((struct binding){.type = BINDING_INTEGER, .integer = (value)})

/* All rows of a statement as an array of objects, one key per column. A column named "x:json" holds
 * JSON text and becomes its value, "x:bool" becomes true or false; NULL becomes null. The caller
 * owns the array. NULL on failure. */
json_t *catalogue_rows(struct catalogue *catalogue, enum statement statement,
                       const struct binding *bindings, size_t binding_count,
                       struct error *error) MUST_USE;

/* The first row, or an ERROR_NOT_FOUND. The caller owns the object. */
json_t *catalogue_row(struct catalogue *catalogue, enum statement statement,
                      const struct binding *bindings, size_t binding_count,
                      struct error *error) MUST_USE;

/* catalogue_rows with its bindings in place. */
#define CATALOGUE_ROWS(catalogue, statement, error, ...)                                           \
    catalogue_rows((catalogue), (statement), (const struct binding[]){__VA_ARGS__},                \
                   sizeof((const struct binding[]){__VA_ARGS__}) / sizeof(struct binding),         \
                   (error))

#define CATALOGUE_ROW(catalogue, statement, error, ...)                                            \
    catalogue_row((catalogue), (statement), (const struct binding[]){__VA_ARGS__},                 \
                  sizeof((const struct binding[]){__VA_ARGS__}) / sizeof(struct binding), (error))

#endif
