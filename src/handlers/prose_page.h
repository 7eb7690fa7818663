/* What pages of prose share. */
#ifndef AGENT_SANDBOXES_PROSE_PAGE_H
#define AGENT_SANDBOXES_PROSE_PAGE_H

#include "prose.h"

/* Takes the first paragraph out of the prose: the quick answer at the page's head. New reference;
 * JSON null where the prose begins with something else. */
json_t *prose_page_answer(struct prose *prose);

/* Sets the names of the parts "prose" and "related": the blocks, and the guides and terms that the
 * prose links to or that related (an array of slugs of terms, or NULL) names; not path itself. For
 * a twin, markdown (what the prose was made of) becomes prose_markdown. */
bool prose_page_fill(struct view *view, const struct prose *prose, const char *path,
                     const char *markdown, const json_t *related, struct error *error) MUST_USE;

/* The words of an array joined by ", "; JSON null for an empty one. New reference. */
json_t *prose_page_join(const json_t *words);

#endif
