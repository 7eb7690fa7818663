/* Text without locale: numbers, days, UTF-8, nearest names. */
#ifndef AGENT_SANDBOXES_TEXT_H
#define AGENT_SANDBOXES_TEXT_H

#include "base.h"
#include "buf.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the bytes are well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates). */
bool text_is_utf8(const char *bytes, size_t length);

/* Whether text starts with prefix. */
bool text_starts(const char *text, const char *prefix);

/* Whether text is an absolute http or https address of visible ASCII without quotes and angle
 * brackets, so that it may stand in a header. NULL is none. */
bool text_is_web_address(const char *text);

/* Makes an identifier of a text: its ASCII letters and digits in lower case, and one "-" for
 * whatever stands between them. Cut to what out holds; "" where there is no letter. */
void text_slug(const char *text, char *out, size_t out_bytes);

/* Whether text ends with suffix. */
bool text_ends(const char *text, const char *suffix);

/* Whether the texts are equal, or both NULL. */
bool text_same(const char *one, const char *other);

/* Whether text is one of count words. */
bool text_is_one_of(const char *text, const char *const *words, size_t count);

/* Parses a whole text as a finite decimal number ("0.05", "12", "1e3"; no hex, no inf, no nan, no
 * blanks). */
bool text_number(const char *text, double *out_number) MUST_USE;

/* Parses a whole text as a decimal integer within [low, high]. */
bool text_integer(const char *text, long long low, long long high, long long *out_integer) MUST_USE;

/* Parses seconds as a plain number, or with one of the units s, m, h, d ("90m", "24h", "7d"). */
bool text_duration(const char *text, double *out_seconds) MUST_USE;

/* Appends a number in its shortest decimal form that reads back the same ("0.0504", "1500", never
 * "1e-05"). */
void text_add_number(struct buf *buf, double number);

/* The same, with a comma between thousands ("1,500"). */
void text_add_number_grouped(struct buf *buf, double number);

/* Appends a text as it stands in a query: all but letters, digits and "-._~" is percent-encoded. */
void text_add_encoded(struct buf *buf, const char *text);

/* Appends seconds in words ("45 seconds", "24 hours", "7 days", "1 hour 30 minutes"). */
void text_add_duration(struct buf *buf, double seconds);

/* A day as the number of days since 1970-01-01. */
bool text_day(const char *iso_date, int64_t *out_day) MUST_USE;

enum { TEXT_DATE_BYTES = 32 };

/* Writes day number as ISO 8601 ("2026-11-30"). */
void text_iso_date(int64_t day, char out[TEXT_DATE_BYTES]);

struct text_language;

/* The language of dates with this code ("de"): English, French, German, Dutch or Spanish. NULL: no
 * other. */
const struct text_language *text_language_find(const char *code);

/* Its code; "en" for NULL. */
const char *text_language_code(const struct text_language *language);

/* Writes an ISO date, month or year for people ("30 Nov 2026", "Nov 2026", "2026"), in English for
 * NULL. False: not such a text. */
bool text_human_date(const struct text_language *language, const char *iso_date,
                     char out[TEXT_DATE_BYTES]);

/* Appends a text for people: each day in it that stands alone ("on 2026-05-05;", not
 * "v2026-05-05" nor "2026-05-05-beta") as text_human_date writes it. */
void text_add_with_dates(struct buf *buf, const struct text_language *language, const char *text);

/* Writes seconds since 1970 as an HTTP date (RFC 9110 section 5.6.7), "Mon, 30 Nov 2026 00:00:00
 * GMT". */
void text_http_date(int64_t seconds, char out[TEXT_DATE_BYTES]);

/* Parses an HTTP date in its three historic forms (RFC 9110 section 5.6.7). */
bool text_parse_http_date(const char *text, int64_t *out_seconds) MUST_USE;

/* Today in UTC, as a day number. */
int64_t text_today(void);

/* How many edits (insert, delete, replace, swap of neighbours) turn one text into the other, but at
 * most limit + 1. */
size_t text_distance(const char *one, const char *other, size_t limit);

/* Of count names, the one nearest to text, or NULL where none is within about a third of its
 * length. */
const char *text_nearest(const char *text, const char *const *names, size_t count);

#endif
