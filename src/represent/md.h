/* Markdown (CommonMark with GitHub's tables): escaping of values, and the load-time check of where
 * a template puts them. */
#ifndef AGENT_SANDBOXES_MD_H
#define AGENT_SANDBOXES_MD_H

#include <stdbool.h>
#include <stddef.h>

/* The forms of a value in Markdown. Each but MD_RAW yields one line: control bytes become blanks.
 */
enum md_form {
    MD_TEXT, /* running text: shows as it is, whatever it holds; never starts a heading, list or
                quotation */
    MD_CELL, /* a table cell: the same, but for the start of a line */
    MD_CODE, /* between backticks, which the template writes: backticks become apostrophes */
    MD_CODE_CELL, /* the same within a line of a table: pipes are escaped */
    MD_URL, /* the destination of a link: an http, https or mailto address or a relative one, else
               "#" */
    MD_RAW, /* as it is: already Markdown */
};

/* Where escaped bytes go. */
struct md_sink {
    void (*emit)(void *context, const char *bytes, size_t length);
    void *context;
};

void md_escape(enum md_form form, const char *bytes, size_t length, const struct md_sink *sink);

/* Follows the literal text of a template, line by line. Zeroed at the start of a file. */
struct md_scan {
    bool in_line;     /* something stands in the line already */
    bool only_ticks;  /* the line holds nothing but backticks so far */
    bool pipes;       /* the line holds a literal pipe */
    bool in_fence;    /* between lines of three backticks */
    bool fence_line;  /* the line in progress is such a line */
    bool destination; /* between "](" and ")" */
    unsigned ticks;   /* backticks in the line */
    char last;
};

void md_scan_text(struct md_scan *scan, const char *bytes, size_t length);

/* Reads on from the byte at *at to the next destination of a link. Sets *out_destination to where
 * it starts, and *at behind its first byte. False: there is none left, and *at is length. */
bool md_scan_next_link(struct md_scan *scan, const char *bytes, size_t length, size_t *at,
                       size_t *out_destination);

/* Passes a variable. Returns NULL where one of this form may stand here, else why it may not
 * (static text). A MD_CODE in a table's line is changed to MD_CODE_CELL. */
const char *md_scan_variable(struct md_scan *scan, enum md_form *form);

#endif
