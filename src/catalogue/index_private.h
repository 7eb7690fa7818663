/* What the index's own files share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_INDEX_PRIVATE_H
#define AGENT_SANDBOXES_INDEX_PRIVATE_H

#include "catalogue_index.h"

/* index_attribute while the index is being made. */
struct index_attribute *index_attribute_mutable(struct catalogue_index *index, const char *key);

/* A new, empty set of slots; NULL: out of memory. */
slot_set index_new_set(struct catalogue_index *index);

/* Gives a value its number within its attribute, once. */
bool index_add_value(struct index_attribute *attribute, const char *value, size_t length,
                     uint32_t *out_number) MUST_USE;

/* Makes room for every value that has a number. labels: the rows of STATEMENT_ATTRIBUTE_VALUES. */
bool index_allocate_values(struct catalogue_index *index, const json_t *labels) MUST_USE;

/* Fills statuses, kinds, stages, last and the order of names. False: out of memory. */
bool index_make_groups(struct catalogue_index *index) MUST_USE;

/* Reads the facts; everything else of the index is there. */
bool index_load_facts(struct catalogue_index *index, struct catalogue *catalogue,
                      const json_t *labels, struct error *error) MUST_USE;

/* Fills banned and regions; the facts are there. */
bool index_ban_regions(struct catalogue_index *index, struct catalogue *catalogue,
                       struct error *error) MUST_USE;

#endif
