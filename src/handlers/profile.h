/* The pages about one provider: what their parts share. */
#ifndef AGENT_SANDBOXES_PROFILE_H
#define AGENT_SANDBOXES_PROFILE_H

#include "catalogue_index.h"
#include "provider_record.h"
#include "view.h"

struct profile {
    struct view view;
    const struct call *call;
    const struct catalogue_index *index;
    const struct index_provider *provider;
    json_t *record; /* provider_record; owned by the reply's model */
    struct error *error;
};

/* A text of an object, or NULL. */
const char *profile_text(const json_t *object, const char *key);

/* The provider's name. */
const char *profile_name(const struct profile *profile);

/* The record's fact objects by attribute, of the provider or of one of its offerings (a member of
 * the record's offerings). Borrowed. */
const json_t *profile_facts(const json_t *holder);

/* A number with commas and at most this many decimals, as text. New reference. */
json_t *profile_number(double number, int decimals);

/* profile_facts.c: profile_groups, profile_fact_count, profile_quick, and from a list of references
 * ("gpu", "container/gpu") links to fact rows: [{href, label, text}]. */
void profile_add_quick(struct profile *profile);
void profile_add_groups(struct profile *profile);
json_t *profile_references(struct profile *profile, const json_t *references);

/* profile_offerings.c: profile_offerings, null where the provider has none. */
void profile_add_offerings(struct profile *profile);

/* profile_story.c: profile_conflicts, profile_measured (start_times are those of start_times_read),
 * profile_timeline, profile_ask_* (one for each question that a profile answers) and the JSON-LD.
 */
void profile_add_conflicts(struct profile *profile);
void profile_add_measured(struct profile *profile, const json_t *start_times);
void profile_add_timeline(struct profile *profile);
void profile_add_questions(struct profile *profile);
void profile_add_linked_data(struct profile *profile);

/* profile_others.c: profile_pairs (head-to-heads) and profile_alternatives (the nearest ones). */
bool profile_add_others(struct profile *profile) MUST_USE;

#endif
