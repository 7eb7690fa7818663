/* iCalendar (RFC 5545): content lines, escaped and folded. */
#ifndef AGENT_SANDBOXES_ICAL_H
#define AGENT_SANDBOXES_ICAL_H

#include "buf.h"

/* Appends "NAME:value" as content lines of at most 75 octets that never cut a character, each ended
 * by CRLF. The value is taken as it is. */
void ical_add(struct buf *out, const char *name, const char *value);

/* The same for a text: backslash, comma, semicolon and line break are escaped. */
void ical_add_text(struct buf *out, const char *name, const char *text);

/* The first and the last line of a component ("VEVENT"). */
void ical_begin(struct buf *out, const char *component);
void ical_end(struct buf *out, const char *component);

#endif
