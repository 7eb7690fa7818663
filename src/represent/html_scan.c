#include "html_scan.h"

#include "base.h"
#include "base_path.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

static const char *const raw_elements[] = {"script", "style",   "title",    "textarea", "xmp",
                                           "iframe", "noembed", "noframes", "plaintext"};

/* Elements in whose attributes no variable may stand: they load code, redirect addresses, or change
 * other attributes. */
static const char *const closed_elements[] = {
    "script", "style",   "base",          "object",           "embed",    "applet", "iframe",
    "frame",  "animate", "animatemotion", "animatetransform", "frameset", "set",    "portal"};

/* Attributes whose value is code, a style, or an address that the template library does not
 * recognise as one. */
static const char *const closed_attributes[] = {
    "style",     "srcset",  "imagesrcset",    "formaction", "srcdoc", "ping",    "poster",
    "archive",   "classid", "manifest",       "codebase",   "code",   "data",    "profile",
    "dynsrc",    "lowsrc",  "attributionsrc", "http-equiv", "nonce",  "sandbox", "allow",
    "integrity", "is"};

static const char *const address_attributes[] = {"href",     "src",    "action",    "cite",
                                                 "longdesc", "usemap", "background"};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void name_add(char name[HTML_NAME_BYTES], char c) {
    size_t length = strlen(name);
    if (length + 1 < HTML_NAME_BYTES) {
        name[length] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        name[length + 1] = '\0';
    }
}

void html_scan_start(struct html_scan *scan, bool xml) {
    memset(scan, 0, sizeof *scan);
    scan->xml = xml;
}

static const char *tag_end(struct html_scan *scan) {
    bool opened = !scan->closing && !(scan->xml || scan->last[0] == '/');
    scan->state = HTML_TEXT;
    if (scan->http_equiv && scan->tag_has_variable) {
        return "a variable in a meta element with http-equiv";
    }
    if (scan->xml) {
        return NULL;
    }
    if (strcmp(scan->element, "pre") == 0) {
        if (opened) {
            scan->preformatted++;
        } else if (scan->closing && scan->preformatted > 0) {
            scan->preformatted--;
        }
    }
    if (opened && text_is_one_of(scan->element, raw_elements, ARRAY_LENGTH(raw_elements))) {
        scan->state = HTML_RAW;
        scan->matched = 0;
    }
    return NULL;
}

static void value_end(struct html_scan *scan) {
    scan->state = HTML_TAG;
    if (strcmp(scan->element, "script") == 0 && strcmp(scan->attribute, "type") == 0) {
        scan->json_script = strcmp(scan->value, "application/ld+json") == 0;
    }
}

static void value_start(struct html_scan *scan, char quote) {
    scan->state = quote == '\0' ? HTML_BARE_VALUE : HTML_VALUE;
    scan->quote = quote;
    scan->value[0] = '\0';
    scan->value_started = false;
    scan->value_anchored = false;
}

static void value_add(struct html_scan *scan, char c) {
    name_add(scan->value, c);
    scan->value_started = true;
    if (c == '/' || c == '#' || c == '?' || strcmp(scan->value, "mailto:") == 0) {
        scan->value_anchored = true;
    }
}

static void attribute_start(struct html_scan *scan, char c) {
    scan->state = HTML_ATTRIBUTE;
    scan->attribute[0] = '\0';
    name_add(scan->attribute, c);
}

static void tag_open_step(struct html_scan *scan, char c) {
    if (c == '/' && !scan->closing) {
        scan->closing = true;
    } else if (is_letter(c)) {
        scan->state = HTML_TAG_NAME;
        scan->element[0] = '\0';
        scan->json_script = false;
        scan->http_equiv = false;
        scan->tag_has_variable = false;
        name_add(scan->element, c);
    } else if ((c == '!' || c == '?') && !scan->closing) {
        scan->state = HTML_DECLARATION;
    } else {
        scan->state = HTML_TEXT;
    }
}

/* Between attributes, after a tag's name, and after an attribute's name. */
static const char *tag_step(struct html_scan *scan, char c) {
    if (c == '>') {
        return tag_end(scan);
    }
    if (c == '=' && scan->attribute[0] != '\0') {
        scan->state = HTML_EQUALS;
    } else if (!is_blank(c) && c != '/') {
        attribute_start(scan, c);
    }
    return NULL;
}

static const char *attribute_step(struct html_scan *scan, char c) {
    if (c != '=' && c != '>' && c != '/' && !is_blank(c)) {
        name_add(scan->attribute, c);
        return NULL;
    }
    if (strcmp(scan->attribute, "http-equiv") == 0) {
        scan->http_equiv = true;
    }
    scan->state = HTML_TAG;
    return tag_step(scan, c);
}

static const char *bare_value_step(struct html_scan *scan, char c) {
    if (c == '>' || is_blank(c)) {
        value_end(scan);
        return tag_step(scan, c);
    }
    value_add(scan, c);
    return NULL;
}

static void equals_step(struct html_scan *scan, char c) {
    if (c == '"' || c == '\'') {
        value_start(scan, c);
    } else if (c == '>') {
        (void)tag_end(scan);
    } else if (!is_blank(c)) {
        value_start(scan, '\0');
        value_add(scan, c);
    }
}

/* Leaves a raw element at its own end tag: "</script" in any case, then a blank, a slash or ">". */
static void raw_step(struct html_scan *scan, char c) {
    size_t length = strlen(scan->element);
    char expected = scan->matched == 0           ? '<'
                    : scan->matched == 1         ? '/'
                    : scan->matched < length + 2 ? scan->element[scan->matched - 2]
                                                 : '\0';
    if (expected == '\0') {
        if (c == '>' || c == '/' || is_blank(c)) {
            scan->closing = true;
            scan->attribute[0] = '\0';
            scan->state = c == '>' ? HTML_TEXT : HTML_TAG;
            return;
        }
    } else if (c == expected || (c >= 'A' && c <= 'Z' && c - 'A' + 'a' == expected)) {
        scan->matched++;
        return;
    }
    scan->matched = c == '<' ? 1 : 0;
}

static void declaration_step(struct html_scan *scan, char c) {
    if (c == '>') {
        scan->state = HTML_TEXT;
    } else if (c == '-' && scan->last[0] == '-' && scan->last[1] == '!') {
        scan->state = HTML_COMMENT;
    }
}

static const char *step(struct html_scan *scan, char c) {
    switch (scan->state) {
    case HTML_TEXT:
        if (c == '<') {
            scan->state = HTML_TAG_OPEN;
            scan->closing = false;
        }
        return NULL;
    case HTML_RAW:
        raw_step(scan, c);
        return NULL;
    case HTML_TAG_OPEN:
        tag_open_step(scan, c);
        return NULL;
    case HTML_TAG_NAME:
        if (c == '>' || c == '/' || is_blank(c)) {
            scan->state = HTML_TAG;
            scan->attribute[0] = '\0';
            return tag_step(scan, c);
        }
        name_add(scan->element, c);
        return NULL;
    case HTML_TAG:
        return tag_step(scan, c);
    case HTML_ATTRIBUTE:
        return attribute_step(scan, c);
    case HTML_EQUALS:
        equals_step(scan, c);
        return NULL;
    case HTML_VALUE:
        if (c == scan->quote) {
            value_end(scan);
        } else {
            value_add(scan, c);
        }
        return NULL;
    case HTML_BARE_VALUE:
        return bare_value_step(scan, c);
    case HTML_DECLARATION:
        declaration_step(scan, c);
        return NULL;
    case HTML_COMMENT:
        if (c == '>' && scan->last[0] == '-' && scan->last[1] == '-') {
            scan->state = HTML_TEXT;
        }
        return NULL;
    }
    return NULL;
}

const char *html_scan_text(struct html_scan *scan, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char *fault = step(scan, bytes[i]);
        if (fault != NULL) {
            return fault;
        }
        memmove(scan->last + 1, scan->last, sizeof scan->last - 1);
        scan->last[0] = bytes[i];
    }
    return NULL;
}

static const char *raw_variable(const struct html_scan *scan, enum html_print print) {
    if (scan->json_script) {
        return print == HTML_JSON
                   ? NULL
                   : "only a name ending in _json, with :x-json, may stand in JSON-LD";
    }
    if (strcmp(scan->element, "title") != 0 && strcmp(scan->element, "textarea") != 0) {
        return "a variable inside a script, a style or another element without markup";
    }
    return print == HTML_ESCAPED ? NULL : "only escaped text may stand in title and textarea";
}

/* A script of this site, whose address only ends in a variable: "/site.js?v=". */
static bool is_own_script(const struct html_scan *scan) {
    return strcmp(scan->element, "script") == 0 && strcmp(scan->attribute, "src") == 0 &&
           scan->value[0] == '/' && isalnum((unsigned char)scan->value[1]) != 0;
}

static const char *value_variable(struct html_scan *scan, enum html_print print) {
    bool started = scan->value_started;
    scan->value_started = true;
    if (print != HTML_ESCAPED) {
        return "only escaped text may stand in an attribute";
    }
    if (scan->xml) {
        return NULL;
    }
    if (scan->closing || (!is_own_script(scan) && text_is_one_of(scan->element, closed_elements,
                                                                 ARRAY_LENGTH(closed_elements)))) {
        return "a variable in an attribute of an element that loads or runs something";
    }
    if (strncmp(scan->attribute, "on", 2) == 0 ||
        text_is_one_of(scan->attribute, closed_attributes, ARRAY_LENGTH(closed_attributes)) ||
        (strchr(scan->attribute, ':') != NULL && strcmp(scan->attribute, "xml:lang") != 0)) {
        return "a variable in an attribute that escaping does not make safe";
    }
    if (started && !scan->value_anchored &&
        text_is_one_of(scan->attribute, address_attributes, ARRAY_LENGTH(address_attributes))) {
        return "a variable in an address must come first or after a literal /, # or ?";
    }
    return NULL;
}

const char *html_scan_variable(struct html_scan *scan, enum html_print print) {
    scan->tag_has_variable = true;
    switch (scan->state) {
    case HTML_TEXT:
        return print == HTML_JSON ? ":x-json outside a JSON-LD script" : NULL;
    case HTML_RAW:
        return raw_variable(scan, print);
    case HTML_VALUE:
        return value_variable(scan, print);
    case HTML_EQUALS:
    case HTML_BARE_VALUE:
        return "a variable in an unquoted attribute value";
    case HTML_DECLARATION:
    case HTML_COMMENT:
        return "a variable inside a comment or a declaration";
    case HTML_TAG_OPEN:
    case HTML_TAG_NAME:
    case HTML_TAG:
    case HTML_ATTRIBUTE:
        break;
    }
    return "a variable as the name of an element or an attribute";
}

bool html_scan_keeps_lines(const struct html_scan *scan) {
    return (scan->state == HTML_TEXT && scan->preformatted > 0) ||
           (scan->state == HTML_RAW && strcmp(scan->element, "textarea") == 0);
}

/* In a tag and ready for another attribute. */
static bool between_attributes(const struct html_scan *scan) {
    return scan->state == HTML_TAG || scan->state == HTML_TAG_NAME || scan->state == HTML_ATTRIBUTE;
}

bool html_scan_same_place(const struct html_scan *start, const struct html_scan *end) {
    if (start->preformatted != end->preformatted) {
        return false;
    }
    if (between_attributes(start) && between_attributes(end)) {
        return strcmp(start->element, end->element) == 0;
    }
    if (start->state != end->state) {
        return false;
    }
    switch (start->state) {
    case HTML_RAW:
        return strcmp(start->element, end->element) == 0 && start->json_script == end->json_script;
    case HTML_VALUE:
        return start->quote == end->quote && strcmp(start->attribute, end->attribute) == 0;
    case HTML_TEXT:
    case HTML_COMMENT:
        return true;
    default:
        return false;
    }
}

void html_scan_leave(struct html_scan *scan, const struct html_scan *start) {
    if (start->state == HTML_VALUE) {
        scan->value_anchored = start->value_anchored;
    }
}

/* Whether a value of an attribute that holds addresses starts here with one of this site. */
static bool own_address_starts(const struct html_scan *scan, const char *bytes, size_t length) {
    static const char *const attributes[] = {"action", "cite", "href", "src"};
    return scan->state == HTML_VALUE && !scan->value_started && base_path_is_own(bytes, length) &&
           text_is_one_of(scan->attribute, attributes, ARRAY_LENGTH(attributes));
}

bool html_scan_next_address(struct html_scan *scan, const char *bytes, size_t length, size_t *at,
                            size_t *out_address, const char **out_fault) {
    *out_fault = NULL;
    bool found = false;
    while (!found && *at < length && *out_fault == NULL) {
        found = own_address_starts(scan, bytes + *at, length - *at);
        *out_address = *at;
        *out_fault = html_scan_text(scan, bytes + *at, 1);
        (*at)++;
    }
    return found && *out_fault == NULL;
}
