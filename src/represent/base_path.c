#include "base_path.h"
#include "base.h"
#include "folder.h"
#include "html_scan.h"
#include "limit.h"
#include "md.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

/* Members that hold an address of this site wherever they stand in an answer. */
static const char *const address_members[] = {"addresses", "href", "instance",  "nearest", "path",
                                              "schema",    "src",  "start_url", "type"};

static bool is_segment_byte(char c) {
    return isalnum((unsigned char)c) != 0 || c == '-' || c == '_' || c == '.';
}

bool base_path_valid(const char *text) {
    const char *at = text;
    while (*at == '/') {
        const char *segment = ++at;
        while (is_segment_byte(*at)) {
            at++;
        }
        if (at == segment || segment[0] == '.') {
            return false;
        }
    }
    return at != text && *at == '\0' && (size_t)(at - text) < BASE_PATH_BYTES;
}

const char *base_path_rest(const char *base, const char *raw) {
    size_t length = strlen(base);
    bool below = strncmp(raw, base, length) == 0 &&
                 (raw[length] == '/' || raw[length] == '?' || raw[length] == '\0');
    return below ? raw + length : NULL;
}

bool base_path_is_own(const char *bytes, size_t length) {
    return length > 0 && bytes[0] == '/' && (length == 1 || bytes[1] != '/');
}

/* How many bytes of an address name the folder of the profiles inside; 0: it lies elsewhere. */
static size_t folder_bytes(const struct outside *outside, const char *bytes, size_t length) {
    static const char inside[] = "/" FOLDER_INSIDE;
    const size_t word = sizeof(inside) - 1;
    bool is_in = outside->folder != NULL && length >= word && memcmp(bytes, inside, word) == 0 &&
                 (length == word || (!is_segment_byte(bytes[word]) || bytes[word] == '.'));
    return is_in ? word : 0;
}

/* Adds what stands in front of the rest of an address inside, and answers how much of it that
 * replaces. */
static size_t add_start(const struct outside *outside, const char *bytes, size_t length,
                        struct buf *out) {
    size_t replaced = folder_bytes(outside, bytes, length);
    buf_add_text(out, outside->base);
    buf_add_text(out, replaced > 0 ? outside->folder : "");
    return replaced;
}

bool outside_address(const struct outside *outside, const char *address, struct buf *out) {
    size_t replaced = add_start(outside, address, strlen(address), out);
    return buf_add_text(out, address + replaced);
}

bool outside_text(const struct outside *outside, const char *bytes, size_t length,
                  struct buf *out) {
    size_t url = strlen(outside->public_url);
    size_t from = 0;
    while (outside->folder != NULL && url > 0) {
        const char *found = memmem(bytes + from, length - from, outside->public_url, url);
        if (found == NULL) {
            break;
        }
        size_t at = (size_t)(found - bytes) + url;
        size_t replaced = folder_bytes(outside, bytes + at, length - at);
        buf_add(out, bytes + from, at - from);
        buf_add_text(out, replaced > 0 ? outside->folder : "");
        from = at + replaced;
    }
    return buf_add(out, bytes + from, length - from);
}

bool outside_html(const struct outside *outside, const char *bytes, size_t length, bool xml,
                  struct buf *out, struct error *error) {
    struct html_scan scan;
    html_scan_start(&scan, xml);
    const char *fault = NULL;
    size_t from = 0;
    size_t at = 0;
    size_t address = 0;
    while (html_scan_next_address(&scan, bytes, length, &at, &address, &fault)) {
        (void)outside_text(outside, bytes + from, address - from, out);
        from = address + add_start(outside, bytes + address, length - address, out);
    }
    if (fault != NULL) {
        return error_set(error, ERROR_INTERNAL, "the page at byte %zu: %s", at, fault);
    }
    return outside_text(outside, bytes + from, length - from, out) || error_no_memory(error);
}

bool outside_markdown(const struct outside *outside, const char *bytes, size_t length,
                      struct buf *out, struct error *error) {
    struct md_scan scan = {0};
    size_t from = 0;
    size_t at = 0;
    size_t address = 0;
    while (md_scan_next_link(&scan, bytes, length, &at, &address)) {
        if (base_path_is_own(bytes + address, length - address)) {
            (void)outside_text(outside, bytes + from, address - from, out);
            from = address + add_start(outside, bytes + address, length - address, out);
        }
    }
    return outside_text(outside, bytes + from, length - from, out) || error_no_memory(error);
}

bool outside_links(const struct outside *outside, const char *links, struct buf *out) {
    for (const char *open = strstr(links, "</"); open != NULL; open = strstr(links, "</")) {
        const char *address = open + 1;
        (void)outside_text(outside, links, (size_t)(address - links), out);
        links = address + add_start(outside, address, strlen(address), out);
    }
    return outside_text(outside, links, strlen(links), out);
}

/* The text of a member outside; NULL: it is the same, or out of memory (then out has failed). */
static json_t *text_outside(const struct outside *outside, const char *name, const char *text,
                            struct buf *out) {
    bool is_address = base_path_is_own(text, strlen(text)) && name != NULL &&
                      text_is_one_of(name, address_members, ARRAY_LENGTH(address_members));
    bool good = is_address ? outside_address(outside, text, out)
                           : outside_text(outside, text, strlen(text), out);
    return !good || out->length == 0 || strcmp(out->data, text) == 0
               ? NULL
               : json_stringn(out->data, out->length);
}

/* own is the name of the member that the node is, or is in; NULL: none. */
static bool turn(const struct outside *outside, const char *own, json_t *node) {
    bool good = true;
    size_t i = 0;
    json_t *member = NULL;
    const char *name = NULL;
    json_array_foreach(node, i, member) {
        struct buf text;
        buf_init(&text, LIMIT_ANSWER_BYTES);
        const char *old = json_string_value(member);
        json_t *new = old == NULL ? NULL : text_outside(outside, own, old, &text);
        good = good && !text.failed && (new == NULL || json_array_set(node, i, new) == 0) &&
               (old != NULL || turn(outside, own, member));
        json_decref(new);
        buf_free(&text);
    }
    json_object_foreach(node, name, member) {
        struct buf text;
        buf_init(&text, LIMIT_ANSWER_BYTES);
        const char *old = json_string_value(member);
        json_t *new = old == NULL ? NULL : text_outside(outside, name, old, &text);
        good = good && !text.failed && (new == NULL || json_object_set(node, name, new) == 0) &&
               (old != NULL || turn(outside, name, member));
        json_decref(new);
        buf_free(&text);
    }
    return good;
}

json_t *outside_model(const struct outside *outside, const json_t *model) {
    json_t *copy = json_deep_copy(model);
    if (copy != NULL && !turn(outside, NULL, copy)) {
        json_decref(copy);
        copy = NULL;
    }
    return copy;
}
