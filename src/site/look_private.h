#ifndef AGENT_SANDBOXES_LOOK_PRIVATE_H
#define AGENT_SANDBOXES_LOOK_PRIVATE_H

#include "look.h"
#include <jansson.h>

/* Reads a whole file of up to LIMIT_FILE_BYTES into the arena, with a NUL behind it. */
bool site_read_file(struct arena *arena, const char *path, struct builtin_file *file,
                    struct error *error) MUST_USE;

/* The member "colours": checks them with those of the sheet, and adds the sheet LOOK_SHEET. */
bool look_colours(const json_t *colours, const struct builtin_file *sheet, struct arena *arena,
                  struct look *look, struct error *error) MUST_USE;

/* The member "footer": Markdown to HTML. */
bool look_footer(const char *markdown, struct arena *arena, struct look *look,
                 struct error *error) MUST_USE;

#endif
