/* HTML and Markdown templates: Google ctemplate behind a door for C. Implemented by
 * src/represent/template.cc, the only C++ file.
 *
 * A set of templates is loaded once; after that template_render may be called from any thread.
 *
 * A template is fed from a Jansson value, by these rules (the model is the truth, a template names
 * what it shows):
 *   {{name}}            a string, number or boolean of the current object; null shows as nothing
 *   {{#name}}..{{/name}}  object: once, inside it; array: once per element, inside it; true, a
 * number, a non-empty string: once, still in the same object; false, null, "", [], {}: not at all.
 * A scalar element of an array is shown by {{item}}.
 *   {{#no_name}}        shown where {{#name}} is not
 *   {{#name_separator}} between the items of section name
 *   {{>part}}           the file part.html (or part.md, part.xml) of the same folder, spliced in at
 *                       load: it sees the current object. A file that is used as a part cannot be
 *                       rendered by itself.
 *   {{site_x}}          a value of the model's top-level object (its key is "site_x"), from any
 *                       depth; sections too. Nothing else is ever inherited: a name that a template
 *                       uses and the current object lacks is an error of the render, never an empty
 *                       place or someone else's value. That holds for {{#name}} and {{#no_name}}
 *                       too. What stands in a section that is not shown is not asked for.
 *   {{! comment}}       leaves nothing behind
 * A line that holds only section, part and comment markers leaves nothing behind.
 *
 * HTML files must have {{%AUTOESCAPE context="HTML"}} as their first line, XML files the same with
 * context="XML", parts included.
 *
 * In HTML every value is escaped for its place; in pre and textarea its line breaks are kept. Two
 * modifiers are allowed: :x-html on a name ending in _html, between tags (markup made by cmark or a
 * drawing, never by input), and :x-json on a name ending in _json, in
 * <script type="application/ld+json"> (finished JSON text without a raw "<").
 * No variable may stand in a script or style, in a comment, as a name, in an unquoted value, or in
 * an attribute that escaping does not make safe: on*, style, srcset, formaction, xlink:href and the
 * like; in an address (href, src, ...) it comes first or after a literal "/", "#" or "?". A section
 * must end in the kind of place where it began.
 *
 * Every {{name}} in a Markdown file must carry a modifier: :x-md escapes for running text, :x-cell
 * for a table cell, :x-code between backticks, :x-url for a link's destination (an address that is
 * not http, https, mailto or relative becomes "#"), :x-raw for text that already is Markdown. */
#ifndef AGENT_SANDBOXES_TEMPLATE_H
#define AGENT_SANDBOXES_TEMPLATE_H

#include "buf.h"
#include "error.h"
#include <jansson.h>

#ifdef __cplusplus
extern "C" {
#endif

struct template_set;

/* A template file: its name relative to the templates folder ("html/page_home.html") and its bytes,
 * borrowed during the call. */
struct template_file {
    const char *name;
    const char *bytes;
    size_t length;
};

/* Loads, checks and freezes all files. NULL: the error names the file and what is wrong with it. */
struct template_set *template_load(const struct template_file *files, size_t count,
                                   struct error *error) MUST_USE;

/* The same of files that template_load has accepted before, as the build makes sure of those built
 * in: each is read when it is first rendered, so their names and bytes must outlive the set. That a
 * part cannot be rendered by itself is not noticed. */
struct template_set *template_load_proved(const struct template_file *files, size_t count,
                                          struct error *error) MUST_USE;

/* Frees a set; NULL is fine. */
void template_free(struct template_set *set);

/* Expands a template with a model into out. On failure nothing is added to out. */
bool template_render(struct template_set *set, const char *name, const json_t *model,
                     struct buf *out, struct error *error) MUST_USE;

#ifdef __cplusplus
}
#endif

#endif
