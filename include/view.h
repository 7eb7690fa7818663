/* A page in the making: what templates need beside the public model. Handlers of pages build one,
 * and it becomes the reply's page.
 *
 * Its errors are sticky: after a failure every call does nothing, and view_finish reports it.
 * Objects passed in are taken over (json_t "new" references). */
#ifndef AGENT_SANDBOXES_VIEW_H
#define AGENT_SANDBOXES_VIEW_H

#include "catalogue_index.h"
#include "handler.h"

struct view {
    const struct call *call;
    json_t *
        page; /* top-level names of the page: page_title and so on, and whatever the handler adds */
    json_t *numbers;     /* source id to its number on this page */
    json_t *sources;     /* page_sources */
    json_t *linked_data; /* JSON-LD objects */
    size_t receipts;     /* popovers made so far */
    bool failed;
};

/* Starts a page. path is its canonical path ("/sandboxes/e2b/"), title and description are unique
 * to it. */
void view_start(struct view *view, const struct call *call, const char *path, const char *title,
                const char *description);

/* Adds a breadcrumb between the home page and the page itself. */
void view_crumb(struct view *view, const char *label, const char *href);

/* Names another form of what the page shows, for programs that look for one in its head: a feed, an
 * embedding. address is a path with its query, and is taken over. */
void view_alternate(struct view *view, const char *type, const char *title, json_t *address);

/* Sets a top-level name of the page. The value is taken over; NULL fails the view. */
void view_set(struct view *view, const char *name, json_t *value);

/* Adds an object to the page's JSON-LD graph. */
void view_linked_data(struct view *view, json_t *object);

/* The number of a source ({id, url, title, ...}) on this page, listed at its end on first use. 0
 * for null. */
size_t view_source(struct view *view, const json_t *source);

/* A value cell for the part "cell": the fact in words with its mark and its whole receipt. subject
 * is what the fact is about ("E2B"), NULL for a value whose receipt stands elsewhere; fact may be
 * NULL (not documented). New reference. Keys: class
 * ("v", "v v-yes", "v v-no", "v v-part", "v v-na", "v v-nd"), text, label, numeric, stale, href,
 * mark (both null), receipt (null or {number, popover, title, detail, note, basis, source_title,
 * source_url, checked, review_by, stale, correction}). */
json_t *view_cell(struct view *view, const struct index_attribute *attribute, const json_t *fact,
                  const char *subject);

/* A value cell for a page with many: the value leads to its fact on the profile (href), its mark
 * opens the entry of its source (mark: its number), and there is no receipt of its own. Otherwise
 * as view_cell; href and mark are null where the fact has no source. */
json_t *view_cell_linked(struct view *view, const struct index_attribute *attribute,
                         const json_t *fact);

/* Where a fact stands in full: its row on the profile of its provider. New reference. */
json_t *view_fact_address(const json_t *fact);

/* A text with a capital at its start, unless its first word has one of its own (microVM, gVisor).
 * New reference. */
json_t *view_capitalised(const char *text);

/* What a basis is called ("Stated by the vendor"), or NULL. */
const char *view_basis_label(const char *basis);

/* A text of the catalogue for people: days in it as view_date writes them. Data forms have it as it
 * was written. New reference; null for null. */
json_t *view_words(struct view *view, const json_t *text);

/* A date for the part "date": {iso, text ("30 Nov 2026"), age ("today", "3 days ago")}; null for
 * null. New reference. */
json_t *view_date(struct view *view, const char *iso_date);

/* A new object or array that is taken over by later calls; NULL marks the view as failed
 * (json_pack's result goes through this). */
json_t *view_new(struct view *view, json_t *value);

/* A count as text with its thousands apart, for people; and an object of such counts. */
json_t *view_count(struct view *view, const json_t *count);
json_t *view_counts(struct view *view, const json_t *counts);

/* Gives the page to the reply, or reports the failure. Frees the view in any case. */
bool view_finish(struct view *view, struct reply *reply, struct error *error) MUST_USE;

#endif
