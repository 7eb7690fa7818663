/* What /changes/ and its feeds are made of. */
#ifndef AGENT_SANDBOXES_CHANGES_DATA_H
#define AGENT_SANDBOXES_CHANGES_DATA_H

#include "handler.h"

/* Fills the public model of /changes/: announced, events, values and reviews, of one provider or
 * (NULL) of all. */
bool changes_fill(struct catalogue *catalogue, const char *provider, json_t *model,
                  struct error *error) MUST_USE;

#endif
