/* Every address that is a page, derived from the route table and the catalogue: for the site map
 * and for the nearest addresses of a 404. */
#ifndef AGENT_SANDBOXES_ADDRESSES_H
#define AGENT_SANDBOXES_ADDRESSES_H

#include "catalogue.h"

/* An array of {path, name (of what a page with a slug is about, else null), modified (the day of
 * the last review of what it shows)}, in the order of the route table. A page is a route of HTML
 * whose pattern ends in a slash. The caller owns it. */
json_t *addresses_all(struct catalogue *catalogue, struct error *error) MUST_USE;

/* Up to three paths of addresses near to a path, best first: whole paths that are near, and pages
 * whose slug is near to the path's last segment. The caller owns the array. */
json_t *addresses_near(const json_t *addresses, const char *path, struct error *error) MUST_USE;

#endif
