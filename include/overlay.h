/* A private overlay: what an organisation knows or decides for itself, laid over the public
 * catalogue (docs/overlay.md). It changes a copy, never the catalogue, and whatever it puts there
 * says so of itself: facts have the basis and their sources the kind "private", identifiers begin
 * with "private-", and the names of the providers that it touches say so too, so that nothing that
 * is computed from a private value can be shown without the mark. */
#ifndef AGENT_SANDBOXES_OVERLAY_H
#define AGENT_SANDBOXES_OVERLAY_H

#include "catalogue.h"

enum overlay_form { OVERLAY_SQL, OVERLAY_JSON };

/* The form that the name of a file tells (.sql, .json). */
bool overlay_form_of(const char *path, enum overlay_form *out_form, struct error *error) MUST_USE;

/* Lays the text of an overlay over a generation (taking over the caller's reference, also on
 * failure). What it says is refused as a whole where any of it is wrong; the message names the line
 * (SQL) or the place (a JSON pointer), and how to mend it. Returns one reference, or NULL. */
struct generation *overlay_lay(struct generation *public, enum overlay_form form, const char *text,
                               struct error *error) MUST_USE;

#endif
