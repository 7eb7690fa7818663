#include "base_path.h"
#include "base.h"
#include "html_scan.h"
#include "md.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

/* Members that hold an address of this site wherever they stand in an answer. */
static const char *const address_members[] = {"href", "instance",  "path", "schema",
                                              "src",  "start_url", "type"};

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

bool base_path_html(const char *base, const char *bytes, size_t length, bool xml, struct buf *out,
                    struct error *error) {
    struct html_scan scan;
    html_scan_start(&scan, xml);
    const char *fault = NULL;
    size_t from = 0;
    size_t at = 0;
    size_t address = 0;
    while (html_scan_next_address(&scan, bytes, length, &at, &address, &fault)) {
        buf_add(out, bytes + from, address - from);
        buf_add_text(out, base);
        from = address;
    }
    if (fault != NULL) {
        return error_set(error, ERROR_INTERNAL, "the page at byte %zu: %s", at, fault);
    }
    return buf_add(out, bytes + from, length - from) || error_no_memory(error);
}

bool base_path_markdown(const char *base, const char *bytes, size_t length, struct buf *out,
                        struct error *error) {
    struct md_scan scan = {0};
    size_t from = 0;
    size_t at = 0;
    size_t address = 0;
    while (md_scan_next_link(&scan, bytes, length, &at, &address)) {
        if (base_path_is_own(bytes + address, length - address)) {
            buf_add(out, bytes + from, address - from);
            buf_add_text(out, base);
            from = address;
        }
    }
    return buf_add(out, bytes + from, length - from) || error_no_memory(error);
}

bool base_path_links(const char *base, const char *links, struct buf *out) {
    for (const char *open = strstr(links, "</"); open != NULL; open = strstr(links, "</")) {
        buf_add(out, links, (size_t)(open + 1 - links));
        buf_add_text(out, base);
        links = open + 1;
    }
    return buf_add_text(out, links);
}

static bool add_base(const char *base, json_t *node) {
    size_t length = json_array_size(node);
    bool good = true;
    for (size_t i = 0; good && i < length; i++) {
        good = add_base(base, json_array_get(node, i));
    }
    if (!json_is_object(node)) {
        return good;
    }
    const char *name = NULL;
    json_t *member = NULL;
    json_object_foreach(node, name, member) {
        const char *text = json_string_value(member);
        if (text == NULL) {
            good = good && add_base(base, member);
        } else if (base_path_is_own(text, strlen(text)) &&
                   text_is_one_of(name, address_members, ARRAY_LENGTH(address_members))) {
            json_t *below = json_sprintf("%s%s", base, text);
            good = good && json_object_set_new(node, name, below) == 0;
        }
    }
    return good;
}

json_t *base_path_model(const char *base, const json_t *model) {
    json_t *copy = json_deep_copy(model);
    if (copy != NULL && !add_base(base, copy)) {
        json_decref(copy);
        copy = NULL;
    }
    return copy;
}
