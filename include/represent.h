/* From a reply to bytes. */
#ifndef AGENT_SANDBOXES_REPRESENT_H
#define AGENT_SANDBOXES_REPRESENT_H

#include "buf.h"
#include "handler.h"
#include "site.h"

/* Adds the answer's bytes in the medium of the call to out: the model as JSON, through its
 * template, or finished bytes as they are. */
bool represent(const struct call *call, const struct reply *reply, struct buf *out,
               struct error *error) MUST_USE;

#endif
