/* HTML to words, by the states of the HTML standard's tokenizer that a text can tell apart. */
#include "page_text.h"
#include "hash.h"
#include "text.h"
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 16, REFERENCE_BYTES = 32 };

struct reader {
    const char *at;
    const char *end;
    enum page_reading reading;
    bool in_word;
    struct buf *out;
};

/* What stands in these is no text of the page. */
static const char *const dropped[] = {"iframe", "noembed", "noframes", "script", "style"};

/* What stands in these is text even where it looks like a tag. */
static const char *const verbatim[] = {"textarea", "title", "xmp"};

/* These do not part a word. */
static const char *const joining[] = {
    "a",      "abbr",   "b",   "bdi", "bdo",  "big",  "cite", "code", "data", "del",   "dfn",
    "em",     "font",   "i",   "ins", "kbd",  "mark", "q",    "s",    "samp", "small", "span",
    "strike", "strong", "sub", "sup", "time", "tt",   "u",    "var",  "wbr"};

/* The character references that need no semicolon. None is a letter or digit of ASCII. */
static const char *const short_references[] = {
    "AElig",  "AMP",    "Aacute", "Acirc",  "Agrave", "Aring",  "Atilde", "Auml",   "COPY",
    "Ccedil", "ETH",    "Eacute", "Ecirc",  "Egrave", "Euml",   "GT",     "Iacute", "Icirc",
    "Igrave", "Iuml",   "LT",     "Ntilde", "Oacute", "Ocirc",  "Ograve", "Oslash", "Otilde",
    "Ouml",   "QUOT",   "REG",    "THORN",  "Uacute", "Ucirc",  "Ugrave", "Uuml",   "Yacute",
    "aacute", "acirc",  "acute",  "aelig",  "agrave", "amp",    "aring",  "atilde", "auml",
    "brvbar", "ccedil", "cedil",  "cent",   "copy",   "curren", "deg",    "divide", "eacute",
    "ecirc",  "egrave", "eth",    "euml",   "frac12", "frac14", "frac34", "gt",     "iacute",
    "icirc",  "iexcl",  "igrave", "iquest", "iuml",   "laquo",  "lt",     "macr",   "micro",
    "middot", "nbsp",   "not",    "ntilde", "oacute", "ocirc",  "ograve", "ordf",   "ordm",
    "oslash", "otilde", "ouml",   "para",   "plusmn", "pound",  "quot",   "raquo",  "reg",
    "sect",   "shy",    "sup1",   "sup2",   "sup3",   "szlig",  "thorn",  "times",  "uacute",
    "ucirc",  "ugrave", "uml",    "uuml",   "yacute", "yen",    "yuml"};

/* In two parts, since no markup is written here. */
static const char comment[] = "<"
                              "!--";

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static void part(struct reader *reader) {
    reader->in_word = false;
}

static void add(struct reader *reader, char c) {
    if (!is_letter(c) && !is_digit(c)) {
        part(reader);
        return;
    }
    if (!reader->in_word && reader->out->length > 0) {
        buf_add_char(reader->out, ' ');
    }
    reader->in_word = true;
    buf_add_char(reader->out, lower(c));
}

static size_t left(const struct reader *reader) {
    return (size_t)(reader->end - reader->at);
}

static bool ahead(const struct reader *reader, const char *text) {
    size_t length = strlen(text);
    return left(reader) >= length && strncasecmp(reader->at, text, length) == 0;
}

/* Moves past the next such text, or to the end. */
static void skip_past(struct reader *reader, const char *text) {
    size_t length = strlen(text);
    const char *found = memmem(reader->at, left(reader), text, length);
    reader->at = found == NULL ? reader->end : found + length;
}

static int digit_of(char c, unsigned base) {
    int value = is_digit(c) ? c - '0' : -1;
    if (base == 16 && lower(c) >= 'a' && lower(c) <= 'f') {
        value = lower(c) - 'a' + 10;
    }
    return value;
}

/* "&#65;", "&#x41;": the digits, then a semicolon where there is one. */
static bool take_number(struct reader *reader) {
    enum { DECIMAL = 10, HEX = 16, ASCII = 0x80 };
    const char *at = reader->at + 2;
    unsigned base = at < reader->end && lower(*at) == 'x' ? HEX : DECIMAL;
    at += base == HEX;
    const char *digits = at;
    uint32_t number = 0;
    for (; at < reader->end && digit_of(*at, base) >= 0; at++) {
        /* Anything beyond ASCII is no part of a word, so it need not be exact. */
        number = number >= ASCII ? ASCII : number * base + (uint32_t)digit_of(*at, base);
    }
    if (at == digits) {
        return false;
    }
    add(reader, number < ASCII ? (char)number : ' ');
    reader->at = at + (at < reader->end && *at == ';');
    return true;
}

/* "&eacute;" and, for some names, "&eacute". Of the 2,231 names only fjlig stands for letters of
 * ASCII, so what is written like a name, with its semicolon, is taken for one. */
static bool take_name(struct reader *reader) {
    const char *name = reader->at + 1;
    size_t length = 0;
    while (name + length < reader->end && length < REFERENCE_BYTES &&
           (is_letter(name[length]) || is_digit(name[length]))) {
        length++;
    }
    if (length > 0 && name + length < reader->end && name[length] == ';') {
        if (length == strlen("fjlig") && memcmp(name, "fjlig", length) == 0) {
            add(reader, 'f');
            add(reader, 'j');
        } else {
            part(reader);
        }
        reader->at = name + length + 1;
        return true;
    }
    size_t longest = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(short_references); i++) {
        size_t size = strlen(short_references[i]);
        if (size <= length && size > longest && memcmp(name, short_references[i], size) == 0) {
            longest = size;
        }
    }
    if (longest > 0) {
        part(reader);
        reader->at = name + longest;
    }
    return longest > 0;
}

static void take_text(struct reader *reader) {
    if (*reader->at == '&' && left(reader) > 1 &&
        (reader->at[1] == '#' ? take_number(reader) : take_name(reader))) {
        return;
    }
    add(reader, *reader->at);
    reader->at++;
}

static void take_tag_name(struct reader *reader, char name[NAME_BYTES]) {
    size_t length = 0;
    for (; reader->at < reader->end && !is_blank(*reader->at) && *reader->at != '/' &&
           *reader->at != '>';
         reader->at++) {
        /* A name that is cut is none that is known. */
        if (length + 1 < NAME_BYTES) {
            name[length++] = lower(*reader->at);
        }
    }
    name[length] = '\0';
}

static void skip_attributes(struct reader *reader) {
    bool after_equals = false;
    while (reader->at < reader->end && *reader->at != '>') {
        char c = *reader->at++;
        if (after_equals && (c == '"' || c == '\'')) {
            const char quote[] = {c, '\0'};
            skip_past(reader, quote);
            after_equals = false;
        } else if (!is_blank(c)) {
            after_equals = c == '=';
        }
    }
    reader->at += reader->at < reader->end;
}

/* Moves to the end tag of an element whose content holds no tags, or to the end. */
static void take_raw(struct reader *reader, const char *name, bool keep) {
    size_t length = strlen(name);
    while (reader->at < reader->end) {
        if (*reader->at == '<' && left(reader) > length + 2 && reader->at[1] == '/' &&
            strncasecmp(reader->at + 2, name, length) == 0 &&
            (is_blank(reader->at[length + 2]) || reader->at[length + 2] == '/' ||
             reader->at[length + 2] == '>')) {
            return;
        }
        if (keep) {
            take_text(reader);
        } else {
            const char *next = memchr(reader->at + 1, '<', left(reader) - 1);
            reader->at = next == NULL ? reader->end : next;
        }
    }
}

static void take_tag(struct reader *reader) {
    bool closing = reader->at[1] == '/';
    char name[NAME_BYTES];
    reader->at += closing ? 2 : 1;
    take_tag_name(reader, name);
    skip_attributes(reader);
    if (reader->reading != PAGE_INLINE || !text_is_one_of(name, joining, ARRAY_LENGTH(joining))) {
        part(reader);
    }
    if (!closing && text_is_one_of(name, dropped, ARRAY_LENGTH(dropped))) {
        take_raw(reader, name, false);
    } else if (!closing && text_is_one_of(name, verbatim, ARRAY_LENGTH(verbatim))) {
        take_raw(reader, name, true);
    }
}

static void skip_comment(struct reader *reader) {
    reader->at += strlen(comment);
    if (reader->reading != PAGE_INLINE) {
        part(reader);
    }
    if (ahead(reader, ">") || ahead(reader, "->")) {
        skip_past(reader, ">");
        return;
    }
    for (const char *dashes = reader->at;; dashes++) {
        dashes = memmem(dashes, (size_t)(reader->end - dashes), "--", 2);
        if (dashes == NULL) {
            reader->at = reader->end;
            return;
        }
        reader->at = dashes + 2;
        if (ahead(reader, ">") || ahead(reader, "!>")) {
            skip_past(reader, ">");
            return;
        }
    }
}

static void take_markup(struct reader *reader) {
    char next = left(reader) > 1 ? reader->at[1] : ' ';
    char after = left(reader) > 2 ? reader->at[2] : ' ';
    if (is_letter(next) || (next == '/' && is_letter(after))) {
        take_tag(reader);
    } else if (ahead(reader, comment)) {
        skip_comment(reader);
    } else if (next == '!' || next == '?' || next == '/') {
        part(reader);
        skip_past(reader, ">");
    } else {
        add(reader, *reader->at);
        reader->at++;
    }
}

static bool take_all(const char *bytes, size_t length, enum page_reading reading, struct buf *out) {
    struct reader reader = {bytes, bytes + length, reading, false, out};
    while (reader.at < reader.end && !out->failed) {
        if (reading == PAGE_PLAIN) {
            add(&reader, *reader.at++);
        } else if (*reader.at == '<') {
            take_markup(&reader);
        } else {
            take_text(&reader);
        }
    }
    return !out->failed;
}

/* The ASCII of a UTF-16 text; every other unit becomes one byte that is no part of a word. */
static bool narrow(const unsigned char *bytes, size_t length, struct buf *out) {
    enum { ASCII = 0x80, OTHER = 0xFF };
    bool little = bytes[0] == OTHER;
    for (size_t i = 2; i + 1 < length; i += 2) {
        unsigned unit = little ? bytes[i] | (unsigned)bytes[i + 1] << 8
                               : bytes[i + 1] | (unsigned)bytes[i] << 8;
        buf_add_char(out, (char)(unit < ASCII ? unit : OTHER));
    }
    return !out->failed;
}

bool page_words(const char *bytes, size_t length, enum page_reading reading, struct buf *out) {
    if (length < 2 || (memcmp(bytes, "\xFF\xFE", 2) != 0 && memcmp(bytes, "\xFE\xFF", 2) != 0)) {
        return take_all(bytes, length, reading, out);
    }
    struct buf narrowed;
    buf_init(&narrowed, length);
    bool good = narrow((const unsigned char *)bytes, length, &narrowed) &&
                (narrowed.length == 0 || take_all(narrowed.data, narrowed.length, reading, out));
    buf_free(&narrowed);
    return good;
}

bool page_words_hold(const struct buf *words, size_t count, const char *sha256) {
    if (words->data == NULL || count == 0) {
        return false;
    }
    const char *start = words->data;
    const char *limit = words->data + words->length;
    const char *end = start; /* past the last word of the window */
    for (size_t held = 0; end <= limit;) {
        const char *blank = memchr(end, ' ', (size_t)(limit - end));
        end = blank == NULL ? limit : blank;
        if (++held == count) {
            char digest[HASH_HEX_BYTES];
            hash_sha256_hex(start, (size_t)(end - start), digest);
            if (strcmp(digest, sha256) == 0) {
                return true;
            }
            const char *next = memchr(start, ' ', (size_t)(limit - start));
            start = next == NULL ? limit : next + 1;
            held--;
        }
        end++;
    }
    return false;
}
