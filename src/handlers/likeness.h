/* Alternatives in words: what two offerings share, where they differ, what a change gains and
 * loses. */
#ifndef AGENT_SANDBOXES_LIKENESS_H
#define AGENT_SANDBOXES_LIKENESS_H

#include "similarity.h"
#include "view.h"

/* The alternatives to a provider, most alike first. Owns its list; freed by likeness_free. */
struct likeness {
    const struct call *call;
    const struct catalogue_index *index;
    const struct index_provider *provider;
    size_t slot; /* stands for the provider */
    struct similarity *list;
    size_t count;
    size_t detailed; /* of the list, those whose facts were read */
    json_t *facts;   /* by rowid */
    json_t *pairs;   /* curated ones */
};

/* Ranks, and reads the facts of the provider and of the first `detailed` alternatives. Whatever the
 * result, the caller frees with likeness_free. */
bool likeness_load(struct likeness *likeness, const struct call *call,
                   const struct index_provider *provider, size_t detailed,
                   struct error *error) MUST_USE;
void likeness_free(struct likeness *likeness);

/* One alternative in short: {slug, href, name, offering (null: the only one), score, pair,
 * pair_name, more}. New reference. */
json_t *likeness_entry(const struct likeness *likeness, size_t place);

/* The same of one whose facts were read, with lists added: shares and gains and loses, each
 * [{label, text, href}] (href is the fact's row), unknown [{label, href}] (documented for the
 * provider only), and differing [{label, mine, theirs}] with two cells of the view, or NULL view:
 * without differing. New reference. */
json_t *likeness_detail(const struct likeness *likeness, size_t place, struct view *view);

/* The address of the row of a fact on its provider's profile. New reference. */
json_t *likeness_fact_address(const json_t *fact);

#endif
