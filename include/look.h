/* How one deployment shows the catalogue: its name, logo, colours, footer and the language of its
 * dates, from the site file (docs/own-site.md). What the catalogue is about is the catalogue's own
 * to say (words.h). */
#ifndef AGENT_SANDBOXES_LOOK_H
#define AGENT_SANDBOXES_LOOK_H

#include "arena.h"
#include "builtin.h"
#include "error.h"

struct text_language;

enum { LOOK_FILES = 2, LOOK_COLOUR_BYTES = 8 };

/* Everything lives in the arena that it was loaded into. Zeroed: the program's own look. */
struct look {
    const char *name;                     /* NULL: the catalogue's title */
    const char *short_name;               /* for a device's screen; NULL: the name */
    const struct text_language *language; /* of dates; NULL: English */
    const char *footer;                   /* Markdown; NULL: none */
    const char *footer_html;
    const char *logo;              /* its name as an asset, "logo.svg" or "logo.png"; NULL: none */
    bool has_colours;              /* then there is an asset LOOK_SHEET */
    char paper[LOOK_COLOUR_BYTES]; /* "#fcfcfa", of the light scheme */
    char accent[LOOK_COLOUR_BYTES];
    struct builtin_file files[LOOK_FILES]; /* the assets that it brings */
    size_t file_count;
};

#define LOOK_SHEET "colours.css"

/* Reads the site file, and the logo that it names. Where it has no colour, the one of the style
 * sheet holds; every pair that text is shown in must have the contrast of WCAG 2.2 AA. file may be
 * NULL: the program's own look. */
bool look_load(const char *file, const struct builtin_file *sheet, struct arena *arena,
               struct look *out, struct error *error) MUST_USE;

#endif
