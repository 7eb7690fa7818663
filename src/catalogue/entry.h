/* How answers name a provider and an offering. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_ENTRY_H
#define AGENT_SANDBOXES_ENTRY_H

#include "catalogue_index.h"

/* The condition that an overlay's banned regions put to every question. */
#define ENTRY_BANNED_REGIONS "a region that the private overlay allows"

/* {slug, name, status, kind}. New reference. */
json_t *entry_provider(const struct index_provider *provider) MUST_USE;

/* {slug (null: the provider is its only offering), name, stage, default}. New reference. */
json_t *entry_offering(const struct catalogue_index *index, size_t slot) MUST_USE;

#endif
