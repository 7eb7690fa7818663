/* What the files of /match share. */
#ifndef AGENT_SANDBOXES_MATCH_VIEW_H
#define AGENT_SANDBOXES_MATCH_VIEW_H

#include "match.h"
#include "view.h"

/* Reads the requirements of a call. Faulty ones make the reply a problem: then *out_refused is set.
 * The caller frees the requirements in any case. */
bool match_parse(const struct call *call, struct requirements *requirements, struct reply *reply,
                 bool *out_refused, struct error *error) MUST_USE;

/* Sets match_fields, match_more, match_hidden, match_uses, match_statuses and match_stages: the
 * form that asks for these requirements again. */
void match_show_form(struct view *view, const struct requirements *requirements);

/* Gives the reply, whose model is a match, what its page and its decision record show. */
bool match_page(const struct call *call, const struct requirements *requirements,
                struct reply *reply, struct error *error) MUST_USE;

#endif
