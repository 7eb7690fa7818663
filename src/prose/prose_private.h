/* What the parts of src/prose share. */
#ifndef AGENT_SANDBOXES_PROSE_PRIVATE_H
#define AGENT_SANDBOXES_PROSE_PRIVATE_H

#include "markdown.h"
#include "prose.h"
#include "question.h"

/* A mark taken apart. The texts live in storage. */
enum mark_kind { MARK_SOURCE, MARK_FACT, MARK_TABLE, MARK_DIAGRAM };

struct mark {
    enum mark_kind kind;
    const char *provider; /* of a fact */
    const char *offering; /* NULL: of the provider */
    const char *attribute;
    const char *name;  /* source id, query, or the diagram's name */
    const char *words; /* of a fact: instead of its value, or NULL. Of the others: the caption */
    char *storage;
};

/* Takes apart what markdown.h calls a mark. The caller frees with mark_free. */
bool mark_parse(const char *text, struct mark *out_mark, struct error *error) MUST_USE;
void mark_free(struct mark *mark);

/* Tables and diagrams are paragraphs of their own. text is for the error. */
bool mark_stands_right(const struct mark *mark, const char *text, bool is_paragraph,
                       struct error *error) MUST_USE;

/* The title of the page is the only heading of the first level, and three levels are enough. */
bool heading_is_right(const struct markdown_block *block, struct error *error) MUST_USE;

/* Where prose goes as Markdown, and who writes what stands for a mark. */
struct mark_hooks {
    void *context;
    bool (*mark)(void *context, const struct mark *mark, struct error *error);
    struct buf *out; /* of the text around the marks */
};

/* Copies markdown to hooks->out, with raw HTML made text, and hands over its marks in order. */
bool mark_walk(const char *markdown, const struct mark_hooks *hooks, struct error *error) MUST_USE;

/* What a mark of a fact says, or NULL where there is no such fact. Borrowed. */
const char *mark_words(const json_t *facts, const struct mark *mark, struct error *error) MUST_USE;

/* Appends words as they are, escaped for running text and cells. */
void mark_add_words(const char *words, struct buf *out);

/* Parses the query of a table as it would stand behind "?". The caller frees target and question,
 * zeroed before, whatever the result. */
bool prose_ask(const struct catalogue_index *index, const json_t *use_cases, const char *query,
               struct target *target, struct question *question, struct error *error) MUST_USE;

/* The template of a diagram, relative to templates/. */
enum { PROSE_DIAGRAM_BYTES = 128 };
bool prose_diagram_file(const char *name, char out[PROSE_DIAGRAM_BYTES],
                        struct error *error) MUST_USE;

/* A table drawn from the catalogue, for the part "table" and the parts around it; number is its
 * place on the page. Keys beside those of part_table: full (address of the whole table), left_out
 * (names of those that cannot be decided, or null). */
json_t *prose_table(struct view *view, const char *query, const char *caption, size_t number,
                    struct error *error) MUST_USE;

#endif
