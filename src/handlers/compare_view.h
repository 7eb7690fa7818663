/* What the files of the page /compare/ share. */
#ifndef AGENT_SANDBOXES_COMPARE_VIEW_H
#define AGENT_SANDBOXES_COMPARE_VIEW_H

#include "comparison.h"
#include "view.h"

/* Adds to a list; a failure is the view's. */
void compare_append(struct view *view, json_t *list, json_t *entry);

/* --- a question in words and as an address (compare_words.c) --- */

/* A condition in words: "microVM or gVisor", "at most $0.05". New reference. */
json_t *compare_condition_words(const struct condition *condition);

/* The address of a question at this path ("/compare/"). format may be NULL. New reference. */
json_t *compare_address(const struct question *question, const char *path, const char *format);

/* The question's parts that can be taken away one by one: [{label, words, href}]. */
json_t *compare_chips(struct view *view, const struct question *question);

/* Calls function with each question that has one part less, and that part's words. */
typedef void compare_part_function(void *context, const struct question *without, const char *label,
                                   json_t *words);
void compare_each_part(struct view *view, const struct question *question,
                       compare_part_function *function, void *context);

/* --- the form (compare_form.c) --- */

/* Sets compare_form: the form that asks this question again. facets is the comparison's. */
void compare_show_form(struct view *view, const struct question *question, const json_t *facets);

/* --- the lists (compare_lists.c) --- */

/* Sets compare_table, compare_undecided, compare_excluded and compare_pages. */
void compare_show_lists(struct view *view, const struct question *question,
                        const json_t *comparison);

/* --- side by side (compare_sides.c) --- */

/* Whether a question does nothing but name two or more providers. */
bool compare_is_side_by_side(const struct question *question);

/* The page of two to LIMIT_COMPARED providers side by side; a problem where there are more. */
bool compare_side_page(const struct call *call, const struct question *question,
                       struct reply *reply, struct error *error) MUST_USE;

/* --- the page (compare_page.c) --- */

/* Gives the reply, whose model is the comparison, its page. */
bool compare_page(const struct call *call, const struct question *question, struct reply *reply,
                  struct error *error) MUST_USE;

/* Sets compare_atom, and names the feeds of the answer in the page's head. */
void compare_show_feeds(struct view *view, const struct question *question);

/* Sets embed_snippet, and names the embedding in the page's head. */
void compare_show_embed(struct view *view, const struct question *question);

/* Gives a 400 problem about a question a page with a form that keeps what was good. */
bool compare_fault_page(const struct call *call, struct reply *reply, struct error *error) MUST_USE;

#endif
