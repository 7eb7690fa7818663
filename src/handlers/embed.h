/* What others put into their pages: a table in a frame. */
#ifndef AGENT_SANDBOXES_EMBED_H
#define AGENT_SANDBOXES_EMBED_H

#include "view.h"

enum { EMBED_WIDTH = 760, EMBED_HEIGHT = 480 };

/* What makes a question about providers show them, active or not, with everything they sell. */
extern const char embed_whatever[];

/* The markup of a frame that shows /embed/compare with this query. New reference; NULL: the error
 * is set. */
json_t *embed_markup(const struct call *call, const char *query, const char *title, int width,
                     int height, struct error *error) MUST_USE;

/* Sets embed_snippet, and names the address of the page for oEmbed in its head. page is the path of
 * the page with its query, query that of the table. */
void embed_show(struct view *view, const char *page, const char *query, const char *title);

#endif
