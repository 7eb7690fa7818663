/* The site as a folder of files, for a web server or a network that serves files and nothing else.
 * What is written are the answers of a running server of this program, byte for byte. */
#ifndef AGENT_SANDBOXES_STATIC_H
#define AGENT_SANDBOXES_STATIC_H

#include "error.h"
#include "site.h"
#include <jansson.h>
#include <stddef.h>

struct static_export {
    const char *address;                 /* "127.0.0.1:8080": where the server answers */
    const struct site *site;             /* the one that it serves */
    const struct generation *generation; /* the catalogue that it serves */
    const char *folder;                  /* to be filled; missing or empty */
};

/* What was written. */
struct static_result {
    size_t files; /* without their compressed variants */
    size_t bytes;
    size_t redirects;
};

/* Asks for every address that can be answered without a question, starting with the sitemap and
 * following every link, and writes what comes back: /about/ as about/index.html, /about.md as
 * about.md, /search as search.html, each text also with .gz and .br, and 404.html, _headers and
 * _redirects. A link that leads nowhere is an error that names it. On failure the folder holds what
 * was written so far. */
bool static_export(const struct static_export *job, struct static_result *out_result,
                   struct error *error) MUST_USE;

#endif
