/* JSON as answers have it: each member on a line of its own, indented by one space. Private to
 * src/represent. */
#ifndef AGENT_SANDBOXES_JSON_TEXT_H
#define AGENT_SANDBOXES_JSON_TEXT_H

#include "buf.h"
#include <jansson.h>

/* Appends a value, byte for byte as Jansson writes it with JSON_INDENT(1), JSON_REAL_PRECISION(15)
 * and JSON_ENCODE_ANY, in a fifth of the time: Jansson notes the address of each object it is in,
 * to find circles, which models do not have. False: out of memory. */
bool json_text_add(struct buf *out, const json_t *value);

#endif
