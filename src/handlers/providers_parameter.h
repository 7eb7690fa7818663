/* providers=a,b: any set of providers, in any order and case, by comma or repetition. */
#ifndef AGENT_SANDBOXES_PROVIDERS_PARAMETER_H
#define AGENT_SANDBOXES_PROVIDERS_PARAMETER_H

#include "buf.h"
#include "handler.h"

/* The slugs, sorted and once each; *out_slugs is NULL where the parameter is absent or empty. One
 * that is unknown makes the reply a problem: then *out_refused is set. The caller frees the array.
 */
bool providers_parameter(const struct call *call, json_t **out_slugs, struct reply *reply,
                         bool *out_refused, struct error *error) MUST_USE;

/* Whether a slug is one of them; of NULL every one is. */
bool providers_parameter_has(const json_t *slugs, const char *slug);

/* Appends "providers=a,b". */
void providers_parameter_add(const json_t *slugs, struct buf *out);

#endif
