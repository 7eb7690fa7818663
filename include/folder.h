/* Where the profiles stand: inside the program always below /sandboxes/, outside below the folder
 * that the catalogue names (its setting "folder"). A request is turned when it comes in, the
 * addresses of an answer when it is finished; nothing between knows of it. */
#ifndef AGENT_SANDBOXES_FOLDER_H
#define AGENT_SANDBOXES_FOLDER_H

#include "buf.h"
#include "handler.h"

#define FOLDER_INSIDE "sandboxes"

/* The folder outside. Never NULL. */
const char *folder_of(const struct call *call);

/* Whether it is another one than inside. */
bool folder_differs(const struct call *call);

/* Whether the text can be a folder: small letters, digits and "-", and no other address of the site
 * begins with it. */
bool folder_valid(const char *text);

/* Writes the path inside for one outside: "/sandboxes/a/" for "/databases/a/". False: there is no
 * such path outside, or it is longer than the bytes of out. */
bool folder_in(const struct call *call, const char *path, char *out, size_t out_bytes) MUST_USE;

/* Appends an answer of any form with its addresses as they are outside. */
bool folder_out(const struct call *call, const char *bytes, size_t length,
                struct buf *out) MUST_USE;

#endif
