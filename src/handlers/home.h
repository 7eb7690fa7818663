/* The two home pages. Private to src/handlers. */
#ifndef AGENT_SANDBOXES_HOME_H
#define AGENT_SANDBOXES_HOME_H

#include "handler.h"

/* The one of a catalogue without an overall ranking. */
bool home_plain(const struct call *call, struct reply *reply, struct error *error) MUST_USE;

#endif
