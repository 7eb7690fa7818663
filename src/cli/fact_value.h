/* Values as a maintainer types them. */
#ifndef AGENT_SANDBOXES_CLI_FACT_VALUE_H
#define AGENT_SANDBOXES_CLI_FACT_VALUE_H

#include "error.h"

/* What is typed for an attribute of this type, as the JSON text of fact.value: yes or no; a number;
 * seconds, "24h" or "unlimited"; a word; a list "a,b" ("none" is the empty one);
 * "H100=3.95,T4=0.5". The caller frees it. NULL: it is no such value. */
char *fact_value_read(const char *type, const char *text, struct error *error) MUST_USE;

#endif
