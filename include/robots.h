/* robots.txt (RFC 9309). */
#ifndef AGENT_SANDBOXES_ROBOTS_H
#define AGENT_SANDBOXES_ROBOTS_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>

struct robots;

/* Reads what the text says to the crawler of this product token (letters, "-" and "_"), or, where
 * no group names it, to all. Any bytes are fine. The caller frees it; NULL: no memory. */
struct robots *robots_parse(const char *text, size_t length, const char *product) MUST_USE;

/* Whether the path (with its query, starting with "/") may be fetched: the longest rule that
 * matches decides, and of two as long the one that allows. */
bool robots_allow(const struct robots *robots, const char *path);

/* Seconds to wait between two requests, or 0 (Crawl-delay, which is not in the RFC). */
double robots_delay(const struct robots *robots);

/* NULL is fine. */
void robots_free(struct robots *robots);

#endif
