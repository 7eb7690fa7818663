/* What the program serves besides the catalogue, fixed at start: templates, assets, names. Shared
 * by all threads, read-only. */
#ifndef AGENT_SANDBOXES_SITE_H
#define AGENT_SANDBOXES_SITE_H

#include "arena.h"
#include "error.h"
#include "look.h"
#include "template.h"
#include <stdint.h>

struct asset {
    const char *path; /* "/site.css" */
    const char *content_type;
    const void *bytes;
    size_t length;
    char version[17]; /* the start of its XXH3 digest: as ?v=<version> of its address, so that a
                         page never meets the style or script of another version in a cache */
};

struct site_options {
    const char *templates_folder; /* NULL: the built-in ones */
    const char *public_folder;    /* NULL: the built-in ones */
    const char *site_file;        /* name, logo, colours and so on (look.h); NULL: none */
    const char *public_url; /* "https://example.org/guide", without a slash at its end: of canonical
                               links and feeds */
    const char *base_path;  /* "/guide" (see base_path.h); NULL: the site has the host to itself */
};

struct site {
    struct template_set *templates;
    struct asset *assets; /* sorted by path */
    size_t asset_count;
    struct look look;
    const char *public_url; /* ends with base_path */
    const char *base_path;  /* "" where the site has the host to itself */
    int64_t modified; /* seconds since 1970: when program, templates and assets were last changed,
                         for Last-Modified */
    struct arena arena;
};

/* Loads and checks everything. The caller frees with site_free. */
bool site_load(const struct site_options *options, struct site *out_site,
               struct error *error) MUST_USE;
void site_free(struct site *site);

/* Checks the built-in templates: the build calls it, and site_load relies on it. */
bool site_prove_templates(struct error *error) MUST_USE;

/* The asset at a path, or NULL. */
const struct asset *site_asset(const struct site *site, const char *path);

#endif
