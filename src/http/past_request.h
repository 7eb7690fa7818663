/* as_of in a request. Private to src/http. */
#ifndef AGENT_SANDBOXES_PAST_REQUEST_H
#define AGENT_SANDBOXES_PAST_REQUEST_H

#include "edition.h"
#include "handler.h"
#include "past.h"

/* Whether a target has the parameter as_of. */
bool past_is_asked(const struct target *target);

/* Takes as_of out of a target's parameters and reads it. A day that is none, or of which nothing is
 * known, sets reply to a problem that says what is allowed; *out_is_asked is false then, and where
 * there is no as_of. present is the edition that call->catalogue is connected to. */
bool past_take_day(const struct call *call, struct target *target, struct edition *present,
                   bool *out_is_asked, struct past_day *out_day, struct reply *reply,
                   struct error *error) MUST_USE;

#endif
