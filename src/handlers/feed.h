/* Feeds: one list of entries as Atom (RFC 4287) or as JSON Feed 1.1. Nothing in a feed comes from
 * the clock or names the generation, so that it stays the same bytes until an entry is added. */
#ifndef AGENT_SANDBOXES_FEED_H
#define AGENT_SANDBOXES_FEED_H

#include "handler.h"

struct feed {
    const struct call *call;
    const char *title;
    const char *description;
    const char *page; /* path of the page that it follows, without its query */
    const char *atom; /* path of each form, without its query */
    const char *json;
    const char *updated; /* ISO day of the newest change, also where there is no entry */
    json_t *entries;     /* made by feed_add; owned */
};

/* One entry. Texts are borrowed. */
struct feed_entry {
    const char *key; /* what it is about, for its id: no two entries of a feed share it */
    const char *title;
    const char *day;      /* when it came about; a month or a year becomes its first day */
    const char *summary;  /* one sentence */
    const char *path;     /* of the page that shows more */
    const char *external; /* address of its source; NULL: none, or several */
    const char *tag;      /* a word to sort by: "entered", "event" */
    json_t *lines; /* [{label, text, before (text or null), source (title or null), url (or null),
                      checked (ISO day or null)}]; taken over, NULL fails */
};

/* The address of a source where it is one of the web: a reader of feeds may follow any other. NULL:
 * none. Borrowed. */
json_t *feed_address(const json_t *source);

/* Adds an entry; false: out of memory. */
bool feed_add(struct feed *feed, const struct feed_entry *entry) MUST_USE;

/* An id for what never changes its name (RFC 4151): "tag:example.org,2026:" and the text,
 * percent-encoded. New reference. */
json_t *feed_tag(const struct call *call, const char *text);

/* A line of a fact, the name of its offering in front of its label; before may be null. New
 * reference. */
json_t *feed_fact_line(const char *offering, const char *label, const json_t *fact,
                       const json_t *before);

/* Makes the reply, and frees the entries. */
bool feed_finish(struct feed *feed, struct reply *reply, struct error *error) MUST_USE;

#endif
