/* What the files that make facts share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_FACTS_PRIVATE_H
#define AGENT_SANDBOXES_FACTS_PRIVATE_H

#include "facts.h"

/* What a fact object is made of: texts of a row, borrowed; NULL: none. */
struct fact_parts {
    const char *provider;
    const char *offering;
    const char *attribute;
    const char *state;
    const char *detail;
    const char *note;
    const char *basis;
    const char *checked_on;
    const char *valid_from;
    json_t *value;  /* borrowed */
    json_t *source; /* borrowed */
};

/* Texts that many facts in a row have: those of the fact before, so that the next one need not make
 * them anew. A zeroed one is empty. */
struct fact_texts {
    json_t *state;
    json_t *basis;
    json_t *checked_on;
    json_t *review_by;
    json_t *valid_from;
};

void fact_texts_free(struct fact_texts *texts);

/* The object that facts.h describes. NULL: out of memory, or parts that make no fact. */
json_t *fact_of_parts(const struct generation *generation, const struct fact_parts *parts,
                      struct fact_texts *texts) MUST_USE;

#endif
