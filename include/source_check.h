/* Whether the pages of the catalogue's sources still say what was read there. */
#ifndef AGENT_SANDBOXES_SOURCE_CHECK_H
#define AGENT_SANDBOXES_SOURCE_CHECK_H

#include "crawl.h"
#include "text.h"
#include <jansson.h>

enum source_state {
    SOURCE_VERIFIED,    /* the passage is among the words of the page */
    SOURCE_REACHABLE,   /* the page is there; there is no passage to look for, or no text to look in
                         */
    SOURCE_CHANGED,     /* the page is there, the passage is not */
    SOURCE_REDIRECTED,  /* the page has moved for good */
    SOURCE_BLOCKED,     /* it is refused to us, or robots.txt asks to stay out */
    SOURCE_GONE,        /* 404 or 410 */
    SOURCE_UNREACHABLE, /* anything else; the reason says what */
    SOURCE_EXEMPT,      /* not asked for, for the reason that the catalogue gives */
    SOURCE__COUNT
};

/* "verified", "reachable", ... */
extern const char *const source_state_names[SOURCE__COUNT];

/* The state that a result names. */
enum source_state source_result_state(const json_t *result);

/* A result is an object with these keys:
 *   source, url      of the catalogue
 *   state            one of the above
 *   passage          "found", "missing", "none" (no fingerprint is kept) or "unread" (no text to
 *                    look in)
 *   status           the last HTTP status, or null
 *   read             where the answer came from, or null
 *   moved_to         where permanent redirects lead, or null
 *   reason           in words, or null
 *   checked_on       the day of asking, or of not asking
 *   seen_on          the day on which the passage was last found by this program, or null
 *   not_modified     whether the answer was that nothing changed since the remembered result
 *   etag, last_modified, quote_sha256   what the next run needs; null where there is none
 */

/* Writes the address at which a source is read: without its fragment, and of a file shown on
 * github.com the file itself. The caller frees it; NULL: no memory. */
char *source_reading_address(const char *url) MUST_USE;

struct source_check_options {
    struct crawl_options crawl;
    const json_t *sources; /* rows of the table source */
    const char *journal;   /* the file that remembers, or NULL */
    bool fresh;            /* ask for every page anew, whatever is remembered */
    int64_t today;
    /* Called before the first and after each page; may be NULL. */
    void (*progress)(void *context, size_t done, size_t all, const char *url);
    void *context;
};

/* Asks for every page once and answers one result per source, in the sources' order; the caller
 * owns them. With a journal, each result is written as it comes; a run that was stopped within the
 * last day goes on where it was. */
json_t *source_check(const struct source_check_options *options, struct error *error) MUST_USE;

#endif
