/* The files of an exported site. Private to src/static. */
#ifndef AGENT_SANDBOXES_STATIC_STATIC_FOLDER_H
#define AGENT_SANDBOXES_STATIC_STATIC_FOLDER_H

#include "buf.h"
#include "error.h"
#include <stddef.h>

/* Makes the folder, or makes sure that it is empty. */
bool folder_open(const char *folder, struct error *error) MUST_USE;

/* The name of the file that answers a path, added to out: "about/index.html" of "/about/". */
bool folder_add_name(const char *path, const char *content_type, struct buf *out);

/* Writes folder/name and, of a text that gains by it, folder/name.gz and folder/name.br. Makes the
 * folders in between. */
bool folder_write(const char *folder, const char *name, const char *content_type, const char *bytes,
                  size_t length, struct error *error) MUST_USE;

#endif
