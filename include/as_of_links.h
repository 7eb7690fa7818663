/* Links of a page of a past day stay in that day. */
#ifndef AGENT_SANDBOXES_AS_OF_LINKS_H
#define AGENT_SANDBOXES_AS_OF_LINKS_H

#include "buf.h"
#include "error.h"

/* Adds an address with as_of=day as its last parameter, in front of a fragment. */
bool as_of_links_add(struct buf *out, const char *address, const char *day);

/* Adds HTML to out, each link to this site ("/..." or "?..." of an a, and of a link to another form
 * of the page) with as_of. A link whose tag has data-present leads to the present. Forms have a
 * hidden field of their own (part_as_of). */
bool as_of_links_html(const char *day, const char *bytes, size_t length, struct buf *out,
                      struct error *error) MUST_USE;

/* The same for the links of Markdown; one with the title "present" leads to the present. */
bool as_of_links_markdown(const char *day, const char *bytes, size_t length, struct buf *out,
                          struct error *error) MUST_USE;

#endif
