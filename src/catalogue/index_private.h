/* What the index's own files share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_INDEX_PRIVATE_H
#define AGENT_SANDBOXES_INDEX_PRIVATE_H

#include "catalogue_index.h"

/* index_attribute while the index is being made. */
struct index_attribute *index_attribute_mutable(struct catalogue_index *index, const char *key);

#endif
