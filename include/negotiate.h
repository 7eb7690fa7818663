/* Content negotiation and conditional requests (RFC 9110 sections 12 and 13). Every text may be
 * NULL: header absent. */
#ifndef AGENT_SANDBOXES_NEGOTIATE_H
#define AGENT_SANDBOXES_NEGOTIATE_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum media {
    MEDIA_HTML,
    MEDIA_JSON,
    MEDIA_CSV,
    MEDIA_MARKDOWN,
    MEDIA_ATOM,
    MEDIA_SVG,
    MEDIA_TEXT,
    MEDIA_XML,
    MEDIA__COUNT
};

/* A set of media, as bits. */
typedef unsigned media_set;
#define MEDIA_BIT(media) (1u << (media))

/* The Content-Type of a medium, with its charset ("text/html; charset=utf-8"). */
const char *media_content_type(enum media media);

/* The short name used by ?format= ("html", "json", "csv", "md", "atom"), or NULL for those that
 * have none. */
const char *media_format_name(enum media media);

/* Chooses by an Accept header with real q-values (RFC 9110 section 12.5.1): the most specific range
 * decides a medium's q; q=0 refuses. The fallback is taken where the header is absent, names none
 * of the offered, or names several alike and the fallback is one of them. A medium of explicit_only
 * is taken only where its exact type is named (Markdown, CSV: wildcards never), and Markdown only
 * with at least HTML's q. HTML beats the fallback only where text/html is named. False: every
 * offered medium is refused (406). */
bool negotiate_media(const char *accept, media_set offered, media_set explicit_only,
                     enum media fallback, enum media *out_media) MUST_USE;

enum coding { CODING_IDENTITY, CODING_GZIP, CODING_BROTLI, CODING_ZSTD, CODING__COUNT };

/* The token of a content coding ("identity", "gzip", "br", "zstd"). */
const char *coding_name(enum coding coding);

/* The best coding that Accept-Encoding allows (RFC 9110 section 12.5.3): highest q first, then br,
 * zstd, gzip. Identity where the header is absent, empty or allows nothing else (we never answer
 * 406 for a coding). */
enum coding negotiate_coding(const char *accept_encoding);

/* Whether If-None-Match names this entity tag (quotes included) by weak comparison, or is "*" (RFC
 * 9110 section 13.1.2). */
bool negotiate_none_match(const char *if_none_match, const char *entity_tag);

/* Whether If-Modified-Since (a valid date) is not before modified, in seconds since 1970 (RFC 9110
 * section 13.1.3). */
bool negotiate_not_modified_since(const char *if_modified_since, int64_t modified);

#endif
