/* Where the profiles stand: inside the program always below /sandboxes/, outside below the folder
 * that the catalogue names (its setting "folder"). A request is turned when it comes in, the
 * addresses of an answer when it is finished (base_path.h); between the two, only what shows an
 * address as text knows of it. */
#ifndef AGENT_SANDBOXES_FOLDER_H
#define AGENT_SANDBOXES_FOLDER_H

#include "base_path.h"
#include "buf.h"
#include "handler.h"

#define FOLDER_INSIDE "sandboxes"

enum { FOLDER_BYTES = 66 }; /* of the longest, with its slash and NUL */

/* The folder outside. Never NULL. */
const char *folder_of_generation(const struct generation *generation);
const char *folder_of(const struct call *call);

/* Whether it is another one than inside. */
bool folder_differs(const struct call *call);

/* Whether the text can be a folder: small letters, digits and "-", and no other address of the site
 * begins with it. */
bool folder_valid(const char *text);

/* Writes the path inside for one outside: "/sandboxes/a/" for "/databases/a/". False: there is no
 * such path outside, or it is longer than the bytes of out. */
bool folder_in(const struct call *call, const char *path, char *out, size_t out_bytes) MUST_USE;

/* How addresses differ outside. The folder is written to the bytes given, and must live as long. */
struct outside outside_of(const struct call *call, char folder[FOLDER_BYTES]);

/* Appends an address or the pattern of one ("/sandboxes/{slug}/") with the folder outside; the base
 * path is not added. */
bool folder_out(const struct call *call, const char *address, struct buf *out) MUST_USE;

/* The same as a text of JSON. NULL: out of memory. */
json_t *folder_text(const struct call *call, const char *address) MUST_USE;

#endif
