/* What a value of a model is in a template: whether a section shows for it, and how it is written.
 */
#ifndef AGENT_SANDBOXES_TEMPLATE_VALUE_H
#define AGENT_SANDBOXES_TEMPLATE_VALUE_H

#include "base.h"
#include <jansson.h>
#include <stdbool.h>

/* Whether {{#name}} shows for it: see template.h. */
bool template_value_shows(const json_t *value);

enum { TEMPLATE_VALUE_BYTES = 512 };

/* Writes a number or a boolean; null is nothing. false: out of memory. */
bool template_value_write(const json_t *value, char out[TEMPLATE_VALUE_BYTES]) MUST_USE;

#endif
