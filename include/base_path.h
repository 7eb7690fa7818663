/* Addresses outside, where they differ from those inside. The site may lie below a path of a host:
 * with the base path "/guide" the page /about/ is at /guide/about/. And the profiles may have
 * another folder than /sandboxes/ (folder.h). The program inside knows nothing of either: a request
 * is turned when it comes in, and the addresses of an answer when the answer is finished, only
 * where markup says that an address stands; text that looks like one is left alone. */
#ifndef AGENT_SANDBOXES_BASE_PATH_H
#define AGENT_SANDBOXES_BASE_PATH_H

#include "buf.h"
#include "error.h"
#include <jansson.h>

struct outside {
    const char *base;       /* "": the site has the whole host */
    const char *folder;     /* of the profiles, as "/databases"; NULL: as inside */
    const char *public_url; /* that whole addresses of this site begin with; it has the base path */
};

enum { BASE_PATH_BYTES = 128 }; /* the longest, with its NUL: it is repeated in every link */

/* Whether the text can be a base path: "/" and a name, once or several times, of letters, digits,
 * "-", "_" and "."; no slash at the end, no dot segment, below BASE_PATH_BYTES. */
bool base_path_valid(const char *text);

/* The rest of a raw request target below the base path: "/about/" of "/guide/about/", "" or a query
 * where the target is the base path itself. NULL: the target lies outside. */
const char *base_path_rest(const char *base, const char *raw);

/* Whether the bytes start with a path of this site: one slash, for two name another host. */
bool base_path_is_own(const char *bytes, size_t length);

/* Adds the address outside of one inside ("/..."). */
bool outside_address(const struct outside *outside, const char *address, struct buf *out);

/* Adds text to out in which nothing but a whole address is known to be one. */
bool outside_text(const struct outside *outside, const char *bytes, size_t length, struct buf *out);

/* Adds HTML or XML to out: the addresses of this site ("/...") in a href, src, action or cite
 * attribute, and whole ones anywhere. */
bool outside_html(const struct outside *outside, const char *bytes, size_t length, bool xml,
                  struct buf *out, struct error *error) MUST_USE;

/* Adds Markdown to out: the links to this site, and whole addresses anywhere. Code is left alone.
 */
bool outside_markdown(const struct outside *outside, const char *bytes, size_t length,
                      struct buf *out, struct error *error) MUST_USE;

/* Adds the value of a Link field (RFC 8288) to out, likewise. */
bool outside_links(const struct outside *outside, const char *links, struct buf *out) MUST_USE;

/* A copy of a model with the addresses outside: the members of any object that are named as such
 * ("path", "href", "type" of a problem, ...), and whole ones in any text. NULL: out of memory. */
json_t *outside_model(const struct outside *outside, const json_t *model) MUST_USE;

#endif
