/* Follows the markup of an HTML or XML template far enough to say where a variable stands, so that
 * the template loader can refuse the places that escaping does not make safe. It reads the
 * template's own literal text only, once, at load.
 *
 * The text of all branches is read as it stands in the file, one after the other. That is sound
 * because the loader demands, with html_scan_same_place, that each section ends in the place where
 * it began. */
#ifndef AGENT_SANDBOXES_HTML_SCAN_H
#define AGENT_SANDBOXES_HTML_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum html_state {
    HTML_TEXT, /* between tags */
    HTML_RAW,  /* inside an element whose text holds no tags: script, style, title, textarea, ... */
    HTML_TAG_OPEN,    /* right after "<" */
    HTML_TAG_NAME,    /* in a tag's name */
    HTML_TAG,         /* in a tag, between attributes */
    HTML_ATTRIBUTE,   /* in an attribute's name */
    HTML_EQUALS,      /* after the equals sign */
    HTML_VALUE,       /* in a quoted value */
    HTML_BARE_VALUE,  /* in an unquoted value */
    HTML_DECLARATION, /* <!doctype, <?xml, <![CDATA[ */
    HTML_COMMENT,
};

/* How a variable is to be printed. */
enum html_print {
    HTML_ESCAPED,
    HTML_MARKUP, /* :x-html, as it is */
    HTML_JSON,   /* :x-json, as it is */
};

enum { HTML_NAME_BYTES = 32 };

struct html_scan {
    bool xml;
    enum html_state state;
    char quote;                      /* of the value in progress */
    bool closing;                    /* the tag is an end tag */
    char element[HTML_NAME_BYTES];   /* name of the tag in progress, or of the raw element; cut when
                                        longer */
    char attribute[HTML_NAME_BYTES]; /* name of the last attribute */
    char value[HTML_NAME_BYTES];     /* literal start of the value in progress */
    char last[3];                    /* the last bytes read, newest first */
    size_t matched;                  /* bytes of the raw element's end tag seen so far */
    bool json_script;                /* the script in progress is JSON-LD */
    bool http_equiv;                 /* the tag in progress has the attribute http-equiv */
    bool tag_has_variable;
    bool value_started;  /* something, a variable or literal text, stands in the value already */
    bool value_anchored; /* literal text that fixes the kind of address stands in the value already
                          */
    unsigned preformatted; /* open pre elements */
};

/* Starts at the beginning of a document. */
void html_scan_start(struct html_scan *scan, bool xml);

/* Reads literal text. Returns NULL, or what is wrong with a tag that has ended in it (static text).
 */
const char *html_scan_text(struct html_scan *scan, const char *bytes, size_t length);

/* Passes a variable. Returns NULL where one printed in this way may stand here, else why it may not
 * (static text). */
const char *html_scan_variable(struct html_scan *scan, enum html_print print);

/* Reads a finished document on to its next address of this site ("/...", but not "//...") in an
 * action, cite, href or src attribute. bytes and length are the whole document, *at how much of it
 * is read. True: the address starts at *out_address. False: there is none left, or *out_fault says
 * what is wrong with the document (static text). */
bool html_scan_next_address(struct html_scan *scan, const char *bytes, size_t length, size_t *at,
                            size_t *out_address, const char **out_fault);

/* Whether line breaks of text standing here are shown: inside pre and textarea. */
bool html_scan_keeps_lines(const struct html_scan *scan);

/* Whether a section that began at one place may end at the other. */
bool html_scan_same_place(const struct html_scan *start, const struct html_scan *end);

/* Leaves a section: what its literal text made certain inside is not certain after it. */
void html_scan_leave(struct html_scan *scan, const struct html_scan *start);

#endif
