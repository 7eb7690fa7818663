/* The site below a path of a host: with the base path "/guide" the page /about/ is at
 * /guide/about/. The program inside knows nothing of it: a request loses the base path when it
 * comes in, and the addresses of an answer get it when the answer is finished. */
#ifndef AGENT_SANDBOXES_BASE_PATH_H
#define AGENT_SANDBOXES_BASE_PATH_H

#include "buf.h"
#include "error.h"
#include <jansson.h>

enum { BASE_PATH_BYTES = 128 }; /* the longest, with its NUL: it is repeated in every link */

/* Whether the text can be a base path: "/" and a name, once or several times, of letters, digits,
 * "-", "_" and "."; no slash at the end, no dot segment, below BASE_PATH_BYTES. */
bool base_path_valid(const char *text);

/* The rest of a raw request target below the base path: "/about/" of "/guide/about/", "" or a query
 * where the target is the base path itself. NULL: the target lies outside. */
const char *base_path_rest(const char *base, const char *raw);

/* Whether the bytes start with a path of this site: one slash, for two name another host. */
bool base_path_is_own(const char *bytes, size_t length);

/* Adds HTML or XML to out, with the base path in front of each address of this site ("/...") in a
 * href, src, action or cite attribute. */
bool base_path_html(const char *base, const char *bytes, size_t length, bool xml, struct buf *out,
                    struct error *error) MUST_USE;

/* Adds Markdown to out, with the base path in front of each link to this site. Code is left alone.
 */
bool base_path_markdown(const char *base, const char *bytes, size_t length, struct buf *out,
                        struct error *error) MUST_USE;

/* Adds the value of a Link field (RFC 8288) to out, likewise. */
bool base_path_links(const char *base, const char *links, struct buf *out) MUST_USE;

/* A copy of a model with the base path in front of its addresses: the members of any object that
 * are named as such ("path", "href", "type" of a problem, ...). NULL: out of memory. */
json_t *base_path_model(const char *base, const json_t *model) MUST_USE;

#endif
