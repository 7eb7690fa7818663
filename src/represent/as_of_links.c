#include "as_of_links.h"
#include "base_path.h"
#include "html_scan.h"
#include "md.h"
#include <string.h>

static void add_with(struct buf *out, const char *address, size_t length, const char *day,
                     const char *ampersand) {
    const char *hash = memchr(address, '#', length);
    size_t before = hash == NULL ? length : (size_t)(hash - address);
    const char *separator = memchr(address, '?', before) == NULL ? "?" : ampersand;
    buf_add(out, address, before);
    buf_add_format(out, "%sas_of=%s", separator, day);
    buf_add(out, address + before, length - before);
}

bool as_of_links_add(struct buf *out, const char *address, const char *day) {
    add_with(out, address, strlen(address), day, "&");
    return !out->failed;
}

static bool is_own(const char *bytes, size_t length) {
    return base_path_is_own(bytes, length) || (length > 0 && bytes[0] == '?');
}

/* What is known of the tag in progress. */
struct tag {
    bool to_present;
    bool to_form; /* a link element that leads to another form of the page */
};

static void follow(struct tag *tag, const struct html_scan *scan, const char *rest, size_t length) {
    static const char alternate[] = "alternate";
    if (scan->state == HTML_TAG_OPEN) {
        *tag = (struct tag){0};
    } else if (strcmp(scan->attribute, "data-present") == 0) {
        tag->to_present = true;
    } else if (scan->state == HTML_VALUE && !scan->value_started &&
               strcmp(scan->attribute, "rel") == 0) {
        tag->to_form =
            length >= sizeof(alternate) - 1 && memcmp(rest, alternate, sizeof(alternate) - 1) == 0;
    }
}

static bool is_link(const struct tag *tag, const struct html_scan *scan) {
    bool is_followed =
        strcmp(scan->element, "a") == 0 || (strcmp(scan->element, "link") == 0 && tag->to_form);
    return scan->state == HTML_VALUE && !scan->value_started && is_followed && !tag->to_present &&
           strcmp(scan->attribute, "href") == 0;
}

bool as_of_links_html(const char *day, const char *bytes, size_t length, struct buf *out,
                      struct error *error) {
    struct html_scan scan;
    struct tag tag = {0};
    size_t from = 0;
    html_scan_start(&scan, false);
    for (size_t i = 0; i < length; i++) {
        follow(&tag, &scan, bytes + i, length - i);
        const char *end = is_link(&tag, &scan) && i >= from && is_own(bytes + i, length - i)
                              ? memchr(bytes + i, scan.quote, length - i)
                              : NULL;
        if (end != NULL) {
            buf_add(out, bytes + from, i - from);
            add_with(out, bytes + i, (size_t)(end - bytes) - i, day, "&amp;");
            from = (size_t)(end - bytes);
        }
        const char *fault = html_scan_text(&scan, bytes + i, 1);
        if (fault != NULL) {
            return error_set(error, ERROR_INTERNAL, "the page at byte %zu: %s", i, fault);
        }
    }
    return buf_add(out, bytes + from, length - from) || error_no_memory(error);
}

bool as_of_links_markdown(const char *day, const char *bytes, size_t length, struct buf *out,
                          struct error *error) {
    static const char to_present[] = " \"present\"";
    struct md_scan scan = {0};
    size_t from = 0;
    size_t at = 0;
    size_t address = 0;
    while (md_scan_next_link(&scan, bytes, length, &at, &address)) {
        size_t end = address;
        while (end < length && strchr(") \n", bytes[end]) == NULL) {
            end++;
        }
        bool is_to_present = length - end >= sizeof(to_present) &&
                             memcmp(bytes + end, to_present, sizeof(to_present) - 1) == 0;
        if (is_own(bytes + address, length - address) && !is_to_present) {
            buf_add(out, bytes + from, address - from);
            add_with(out, bytes + address, end - address, day, "&");
            from = end;
        }
    }
    return buf_add(out, bytes + from, length - from) || error_no_memory(error);
}
