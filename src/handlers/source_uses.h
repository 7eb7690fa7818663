/* What rests on each source. */
#ifndef AGENT_SANDBOXES_SOURCE_USES_H
#define AGENT_SANDBOXES_SOURCE_USES_H

#include "catalogue.h"
#include "text.h"

/* {source id: [{subject ("E2B", "Glossary"), provider (slug or null), items: [{label, href}]}]} for
 * every source that a fact, event, status, measurement, term or guide cites. The caller owns it. */
json_t *source_uses(struct catalogue *catalogue, const struct text_language *language,
                    struct error *error) MUST_USE;

#endif
