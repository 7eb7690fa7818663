/* The page of costs. */
#ifndef AGENT_SANDBOXES_COST_VIEW_H
#define AGENT_SANDBOXES_COST_VIEW_H

#include "cost.h"
#include "handler.h"

/* Makes the page of a reply whose model is a cost answer. */
bool cost_show(const struct call *call, const struct cost_question *question, struct reply *reply,
               struct error *error) MUST_USE;

#endif
