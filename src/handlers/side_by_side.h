/* Two to LIMIT_COMPARED providers side by side, attribute by attribute. */
#ifndef AGENT_SANDBOXES_SIDE_BY_SIDE_H
#define AGENT_SANDBOXES_SIDE_BY_SIDE_H

#include "limit.h"
#include "view.h"

/* How the providers' own answers to one attribute stand to each other. */
enum side_relation {
    SIDE_DIFFERENT, /* those that document it say different things */
    SIDE_PARTLY,    /* some document it, and agree; the others do not */
    SIDE_SAME,
    SIDE_NEITHER, /* nobody documents it */
    SIDE__COUNT
};

struct sides {
    json_t *records[LIMIT_COMPARED]; /* provider records, owned */
    size_t count;
    const struct catalogue_index *index;
    enum side_relation *relations; /* per attribute of the index, owned */
    size_t counts[SIDE__COUNT];
};

/* The name of a relation in data ("different"). */
const char *side_relation_name(enum side_relation relation);

/* Whether two slugs are in the order of their page's address: as curated in pairs, the rows of
 * STATEMENT_PAIRS, else by slug. */
bool sides_in_order(const json_t *pairs, const char *a, const char *b);

/* Reads the records of these providers and relates their answers. The caller frees with sides_free,
 * whatever the result. */
bool sides_open(struct sides *sides, struct catalogue *catalogue, const char *const *slugs,
                size_t count, struct error *error) MUST_USE;
void sides_free(struct sides *sides);

/* The public part of the model: {providers: [{slug, name, status, path}], counts, different,
 * partly, same, neither: arrays of attribute keys}. New reference, NULL: out of memory. */
json_t *sides_model(const struct sides *sides);

/* Sets what the parts "sides" and "side_banners" show, as top-level names of the page:
 * side_columns, side_banners, side_tables, side_neither, side_only_differences, and side_offerings
 * (for the part "table", or null). only_differences leaves out what is the same and what nobody
 * documents. */
bool sides_show(const struct sides *sides, struct view *view, bool only_differences,
                struct error *error) MUST_USE;

/* A row of value cells, one a provider: {key, label, glossary, cells}. New reference. */
json_t *sides_row(const struct sides *sides, struct view *view,
                  const struct index_attribute *attribute);

/* A provider's own fact, NULL where there is none. Borrowed. */
const json_t *sides_fact(const struct sides *sides, size_t side, const char *attribute);

/* A provider's name or slug. Borrowed. */
const char *sides_name(const struct sides *sides, size_t side);
const char *sides_slug(const struct sides *sides, size_t side);

#endif
