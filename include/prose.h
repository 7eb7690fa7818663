/* Prose of guides and glossary terms: Markdown with marks that hang on the catalogue.
 *
 *   - text.[^source-id]: the number of a source, listed at the page's end
 *   - [[slug:attribute]], [[slug/offering:attribute]], either with |words: what a fact says (or the
 *     words), linked to its receipt
 *   - [[table QUERY | Caption]], a paragraph of its own: a table drawn from the catalogue, QUERY as
 *     in question.h
 *   - [[diagram NAME | Caption]], a paragraph of its own: html/diagram_NAME.html
 *   - pipe tables of text
 *
 * Raw HTML and script addresses come out as nothing, pictures as their words. A mark that names
 * what the catalogue does not have is an error, which names the prose and the mark. */
#ifndef AGENT_SANDBOXES_PROSE_H
#define AGENT_SANDBOXES_PROSE_H

#include "buf.h"
#include "view.h"

/* The finished prose. Freed by prose_free. */
struct prose {
    json_t *blocks;   /* for the part "prose", in order */
    json_t *contents; /* [{id, text}]: the headings of the second level */
    json_t *links;    /* {address: true}: where its links of this site lead, in order */
    json_t *facts;    /* those that its marks name, by their id */
    size_t words;     /* of its running text; tables drawn from the catalogue are not counted */
};

/* Makes the blocks of markdown for the page of view, numbering sources in their order. name is for
 * errors ("guide what-is-an-agent-sandbox"). On failure nothing is left to free. */
bool prose_build(struct view *view, const char *name, const char *markdown, struct prose *out,
                 struct error *error) MUST_USE;

/* Frees what prose_build made; a zeroed prose is fine. */
void prose_free(struct prose *prose);

/* What the prose leans on, in its order: {facts: [{provider, offering (or null), attribute}],
 * sources: [id], tables: [query], diagrams: [name], links: [address]}. Nothing is looked up. The
 * caller owns it. */
json_t *prose_references(const char *name, const char *markdown, struct error *error) MUST_USE;

/* Whether the tables and diagrams of references (as of prose_references) can be drawn: fails with
 * ERROR_INVALID at a table whose query is no question, at a diagram that this program lacks, and at
 * one that is drawn twice. use_cases: the rows of STATEMENT_USE_CASES. */
bool prose_can_draw(const struct catalogue_index *index, const json_t *use_cases,
                    const json_t *references, struct error *error) MUST_USE;

/* The fact that a reference means, of facts keyed by their id (facts.h): what the offering states,
 * else what its provider does. offering may be NULL. Borrowed; NULL where neither states it. */
const json_t *prose_fact(const json_t *facts, const char *provider, const char *offering,
                         const char *attribute);

/* What prose may name, each an object whose keys are the names: facts by their id. */
struct prose_names {
    json_t *facts;
    json_t *sources;
    json_t *providers;
};

/* Appends markdown with each mark that names anything else made words: a fact is its own words, or
 * "(not known that day)", the mark of a source goes, and a table keeps the providers that are
 * there. *out_changed says whether there was any such mark. */
bool prose_known(const struct prose_names *names, const char *markdown, struct buf *out,
                 bool *out_changed, struct error *error) MUST_USE;

/* The prose as Markdown for the twin of its page, after prose_build: [{text, table}], one of each
 * pair null. Facts stand in words, sources as \[n\], tables as the blocks' own. The caller owns it.
 */
json_t *prose_twin(const struct view *view, const struct prose *prose, const char *markdown,
                   struct error *error) MUST_USE;

/* Appends markdown with its marks made plain: facts in words, tables as a link to their question
 * below base ("https://example.org"), sources as footnotes [^id] without their definitions. facts
 * are keyed by their id. */
bool prose_plain(const json_t *facts, const char *base, const char *markdown, struct buf *out,
                 struct error *error) MUST_USE;

#endif
