/* Content negotiation: quality values as whole thousandths, ranges by how exactly they name a
 * medium. */
#include "negotiate.h"

#include "text.h"

#include <string.h>
#include <strings.h>

enum {
    QUALITY_UNNAMED = -1,
    QUALITY_REFUSED = 0,
    QUALITY_FULL = 1000,
};

/* A piece of a header, not NUL-terminated. */
struct slice {
    const char *start;
    size_t length;
};

/* One element of Accept or Accept-Encoding. */
struct element {
    struct slice type;    /* the coding, or what stands before the slash */
    struct slice subtype; /* empty in Accept-Encoding */
    int quality;
    int parameters; /* before q */
    int charsets;   /* those of the parameters that are charset=utf-8 */
};

static const struct {
    const char *content_type;
    const char *type;
    const char *subtype;
    const char *format;
} media_table[MEDIA__COUNT] = {
    [MEDIA_HTML] = {"text/html; charset=utf-8", "text", "html", "html"},
    /* RFC 8259 section 11 defines no charset for JSON: it is UTF-8. */
    [MEDIA_JSON] = {"application/json", "application", "json", "json"},
    [MEDIA_CSV] = {"text/csv; charset=utf-8", "text", "csv", "csv"},
    [MEDIA_MARKDOWN] = {"text/markdown; charset=utf-8", "text", "markdown", "md"},
    [MEDIA_ATOM] = {"application/atom+xml; charset=utf-8", "application", "atom+xml", "atom"},
    [MEDIA_SVG] = {"image/svg+xml; charset=utf-8", "image", "svg+xml", NULL},
    [MEDIA_TEXT] = {"text/plain; charset=utf-8", "text", "plain", NULL},
    [MEDIA_XML] = {"application/xml; charset=utf-8", "application", "xml", NULL},
};

const char *media_content_type(enum media media) {
    return media_table[media].content_type;
}

const char *media_format_name(enum media media) {
    return media_table[media].format;
}

static bool slice_is(struct slice slice, const char *text) {
    return slice.length == strlen(text) && strncasecmp(slice.start, text, slice.length) == 0;
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t");
}

/* RFC 9110 section 5.6.2 */
static bool take_token(const char **at, struct slice *out) {
    static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    *out = (struct slice){.start = *at, .length = strspn(*at, token)};
    *at += out->length;
    return out->length > 0;
}

/* The inside of a quoted string, its escapes left as they are (RFC 9110 section 5.6.4). */
static bool take_quoted(const char **at, struct slice *out) {
    const char *end = *at + 1;
    while (*end != '"') {
        if (*end == '\\' && end[1] != '\0') {
            end++;
        }
        if (*end == '\0') {
            return false;
        }
        end++;
    }
    *out = (struct slice){.start = *at + 1, .length = (size_t)(end - *at - 1)};
    *at = end + 1;
    return true;
}

/* RFC 9110 section 12.4.2: "0" to "1" with up to three decimals, in thousandths. */
static bool parse_quality(struct slice slice, int *out_quality) {
    if (slice.length < 1 || slice.length > 5 || (slice.start[0] != '0' && slice.start[0] != '1') ||
        (slice.length > 1 && slice.start[1] != '.')) {
        return false;
    }
    int quality = slice.start[0] == '1' ? QUALITY_FULL : 0;
    int weight = 100;
    for (size_t i = 2; i < slice.length; i++) {
        char digit = slice.start[i];
        if (digit < '0' || digit > '9') {
            return false;
        }
        quality += (digit - '0') * weight;
        weight /= 10;
    }
    if (quality > QUALITY_FULL) {
        return false;
    }
    *out_quality = quality;
    return true;
}

/* One ";name=value". What follows q belongs to no range and is passed over. */
static bool take_parameter(const char **at, struct element *element, bool *after_quality) {
    struct slice name;
    struct slice value = {.start = "", .length = 0};
    if (!take_token(at, &name)) {
        /* RFC 9110 section 5.6.6 allows an empty parameter. */
        return **at == ';' || **at == ',' || **at == '\0';
    }
    if (**at == '=') {
        ++*at;
        bool taken = **at == '"' ? take_quoted(at, &value) : take_token(at, &value);
        if (!taken) {
            return false;
        }
    }
    if (*after_quality) {
        return true;
    }
    if (slice_is(name, "q")) {
        *after_quality = true;
        return parse_quality(value, &element->quality);
    }
    element->parameters++;
    element->charsets += slice_is(name, "charset") && slice_is(value, "utf-8");
    return true;
}

static bool take_element(const char **at, bool with_subtype, struct element *element) {
    *element = (struct element){.quality = QUALITY_FULL};
    if (!take_token(at, &element->type)) {
        return false;
    }
    if (with_subtype) {
        if (**at != '/') {
            return false;
        }
        ++*at;
        if (!take_token(at, &element->subtype)) {
            return false;
        }
    }
    bool after_quality = false;
    *at = skip_blanks(*at);
    while (**at == ';') {
        *at = skip_blanks(*at + 1);
        if (!take_parameter(at, element, &after_quality)) {
            return false;
        }
        *at = skip_blanks(*at);
    }
    return **at == ',' || **at == '\0';
}

/* Moves to the comma that ends a malformed element, past commas within quotes. A quote that never
 * closes takes all. */
static const char *skip_element(const char *at) {
    while (*at != '\0' && *at != ',') {
        struct slice inside;
        if (*at != '"') {
            at++;
        } else if (!take_quoted(&at, &inside)) {
            return at + strlen(at);
        }
    }
    return at;
}

/* The next well-formed element of a list; malformed ones count as not sent. */
static bool next_element(const char **at, bool with_subtype, struct element *element) {
    for (;;) {
        *at += strspn(*at, " \t,");
        if (**at == '\0') {
            return false;
        }
        const char *start = *at;
        if (take_element(at, with_subtype, element)) {
            return true;
        }
        *at = skip_element(start);
    }
}

/* What an Accept header says of one medium. */
struct wish {
    int quality;
    int exactness; /* 0: any, 1: type and any subtype, 2: the type itself, 3: and its charset */
    size_t place;  /* of the range in the header */
};

enum { EXACTNESS_NAMED = 2 };

/* How exactly an element names a medium; -1: not at all. */
static int element_exactness(const struct element *element, enum media media) {
    if (element->parameters != element->charsets) {
        return -1;
    }
    int charset = element->charsets > 0;
    if (slice_is(element->subtype, "*")) {
        if (slice_is(element->type, "*")) {
            return 0;
        }
        return slice_is(element->type, media_table[media].type) ? 1 : -1;
    }
    bool named = slice_is(element->type, media_table[media].type) &&
                 slice_is(element->subtype, media_table[media].subtype);
    return named ? EXACTNESS_NAMED + charset : -1;
}

static void read_wishes(const char *accept, struct wish wishes[MEDIA__COUNT]) {
    for (int media = 0; media < MEDIA__COUNT; media++) {
        wishes[media] = (struct wish){.quality = QUALITY_UNNAMED, .exactness = -1};
    }
    struct element element;
    const char *at = accept;
    for (size_t place = 0; next_element(&at, true, &element); place++) {
        for (int media = 0; media < MEDIA__COUNT; media++) {
            struct wish *wish = &wishes[media];
            int exactness = element_exactness(&element, (enum media)media);
            bool better = exactness > wish->exactness ||
                          (exactness == wish->exactness && element.quality > wish->quality);
            if (exactness >= 0 && better) {
                *wish = (struct wish){element.quality, exactness, place};
            }
        }
    }
}

static bool is_named(const struct wish *wish) {
    return wish->exactness >= EXACTNESS_NAMED;
}

/* Whether the header lets a medium compete. */
static bool may_win(const struct wish wishes[MEDIA__COUNT], enum media media,
                    media_set explicit_only, enum media fallback) {
    const struct wish *wish = &wishes[media];
    if (wish->quality <= QUALITY_REFUSED) {
        return false;
    }
    if (is_named(wish) || media == fallback) {
        return true;
    }
    if (explicit_only & MEDIA_BIT(media)) {
        return false;
    }
    return media != MEDIA_HTML || wishes[fallback].quality == QUALITY_REFUSED;
}

/* Whether one wish comes before another: by quality, then named before wildcards, then the
 * fallback, then by place. */
static bool is_before(const struct wish wishes[MEDIA__COUNT], enum media one, enum media other,
                      enum media fallback) {
    const struct wish *first = &wishes[one];
    const struct wish *second = &wishes[other];
    if (first->quality != second->quality) {
        return first->quality > second->quality;
    }
    if (is_named(first) != is_named(second)) {
        return is_named(first);
    }
    if (one == fallback || other == fallback) {
        return one == fallback;
    }
    return first->place < second->place;
}

/* Where nothing that the header names is offered: the fallback, else any other that is not refused.
 */
static bool take_unnamed(const struct wish wishes[MEDIA__COUNT], media_set offered,
                         media_set explicit_only, enum media fallback, enum media *out_media) {
    if (wishes[fallback].quality != QUALITY_REFUSED) {
        *out_media = fallback;
        return true;
    }
    for (int media = 0; media < MEDIA__COUNT; media++) {
        bool allowed = (offered & ~explicit_only & MEDIA_BIT(media)) != 0;
        if (allowed && wishes[media].quality != QUALITY_REFUSED) {
            *out_media = (enum media)media;
            return true;
        }
    }
    return false;
}

bool negotiate_media(const char *accept, media_set offered, media_set explicit_only,
                     enum media fallback, enum media *out_media) {
    struct wish wishes[MEDIA__COUNT];
    read_wishes(accept != NULL ? accept : "", wishes);
    int best = -1;
    for (int media = 0; media < MEDIA__COUNT; media++) {
        if ((offered & MEDIA_BIT(media)) &&
            may_win(wishes, (enum media)media, explicit_only, fallback) &&
            (best < 0 || is_before(wishes, (enum media)media, (enum media)best, fallback))) {
            best = media;
        }
    }
    if (best < 0) {
        return take_unnamed(wishes, offered, explicit_only, fallback, out_media);
    }
    /* Who names Markdown beside HTML, alike, reads Markdown: browsers never name it. */
    const struct wish *markdown = &wishes[MEDIA_MARKDOWN];
    if (best == MEDIA_HTML && (offered & MEDIA_BIT(MEDIA_MARKDOWN)) && is_named(markdown) &&
        markdown->quality >= wishes[MEDIA_HTML].quality) {
        best = MEDIA_MARKDOWN;
    }
    *out_media = (enum media)best;
    return true;
}

static const char *const coding_names[CODING__COUNT] = {[CODING_IDENTITY] = "identity",
                                                        [CODING_GZIP] = "gzip",
                                                        [CODING_BROTLI] = "br",
                                                        [CODING_ZSTD] = "zstd"};

const char *coding_name(enum coding coding) {
    return coding_names[coding];
}

static int coding_of(struct slice name) {
    for (int coding = 0; coding < CODING__COUNT; coding++) {
        if (slice_is(name, coding_names[coding])) {
            return coding;
        }
    }
    /* RFC 9110 section 8.4.1.3 */
    return slice_is(name, "x-gzip") ? CODING_GZIP : -1;
}

enum coding negotiate_coding(const char *accept_encoding) {
    int qualities[CODING__COUNT] = {QUALITY_UNNAMED, QUALITY_UNNAMED, QUALITY_UNNAMED,
                                    QUALITY_UNNAMED};
    int others = QUALITY_UNNAMED;
    struct element element;
    const char *at = accept_encoding != NULL ? accept_encoding : "";
    while (next_element(&at, false, &element)) {
        int coding = coding_of(element.type);
        int *quality = slice_is(element.type, "*") ? &others
                       : coding >= 0               ? &qualities[coding]
                                                   : NULL;
        if (quality != NULL && element.quality > *quality) {
            *quality = element.quality;
        }
    }
    static const enum coding preference[] = {CODING_BROTLI, CODING_ZSTD, CODING_GZIP,
                                             CODING_IDENTITY};
    enum coding best = CODING_IDENTITY;
    int best_quality = QUALITY_REFUSED;
    for (size_t i = 0; i < ARRAY_LENGTH(preference); i++) {
        int quality = qualities[preference[i]];
        if (quality == QUALITY_UNNAMED) {
            quality = others;
        }
        if (quality > best_quality) {
            best_quality = quality;
            best = preference[i];
        }
    }
    return best;
}

/* RFC 9110 section 8.8.3: the opaque part of an entity tag, quotes included. */
static bool take_entity_tag(const char **at, struct slice *out) {
    const char *start = text_starts(*at, "W/") ? *at + 2 : *at;
    if (*start != '"') {
        return false;
    }
    const char *end = start + 1;
    while (*end == 0x21 || (unsigned char)*end >= 0x80 || (*end >= 0x23 && *end <= 0x7E)) {
        end++;
    }
    if (*end != '"') {
        return false;
    }
    *out = (struct slice){.start = start, .length = (size_t)(end + 1 - start)};
    *at = end + 1;
    return true;
}

bool negotiate_none_match(const char *if_none_match, const char *entity_tag) {
    if (if_none_match == NULL) {
        return false;
    }
    const char *at = skip_blanks(if_none_match);
    if (*at == '*') {
        return *skip_blanks(at + 1) == '\0';
    }
    struct slice ours;
    if (entity_tag == NULL || !take_entity_tag(&entity_tag, &ours)) {
        return false;
    }
    for (;;) {
        at += strspn(at, " \t,");
        if (*at == '\0') {
            return false;
        }
        struct slice theirs;
        if (!take_entity_tag(&at, &theirs)) {
            at += strcspn(at, ",");
        } else if (theirs.length == ours.length &&
                   memcmp(theirs.start, ours.start, ours.length) == 0) {
            return true;
        }
    }
}

bool negotiate_not_modified_since(const char *if_modified_since, int64_t modified) {
    int64_t since;
    return if_modified_since != NULL && text_parse_http_date(if_modified_since, &since) &&
           since >= modified;
}
