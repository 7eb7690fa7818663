/* Parameters of the simple pages: one value each, refused with words where it is none. */
#ifndef AGENT_SANDBOXES_PARAMETER_H
#define AGENT_SANDBOXES_PARAMETER_H

#include "buf.h"
#include "handler.h"

/* Makes the reply a 400 about one parameter. allowed (an array of texts, or NULL) is taken over;
 * the nearest of its texts to value is named. */
bool parameter_refuse(struct reply *reply, const char *parameter, const char *value,
                      const char *detail, json_t *allowed, struct error *error) MUST_USE;

/* The same of a parameter that names a provider, which there is not. */
bool parameter_refuse_provider(const struct call *call, struct reply *reply, const char *parameter,
                               const char *slug, struct error *error) MUST_USE;

/* Reads provider= of a request: *out_slug is NULL where it is absent or empty. An unknown slug
 * makes the reply a problem: then *out_refused is set. */
bool parameter_provider(const struct call *call, const char **out_slug, struct reply *reply,
                        bool *out_refused, struct error *error) MUST_USE;

/* The value of a parameter, or NULL where it is absent or empty: forms send empty ones. */
const char *parameter_text(const struct call *call, const char *name);

/* Appends "&name=value", or "name=value" at the start of a query, percent-encoded; nothing where
 * value is NULL. start is the length of out before the query. */
void parameter_add(struct buf *out, size_t start, const char *name, const char *value);

/* The options of a provider field: [{value, label, chosen}]. New reference; NULL: out of memory. */
json_t *parameter_provider_options(const struct call *call, const char *chosen) MUST_USE;

#endif
