#include "folder.h"
#include "route.h"
#include "site.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char inside[] = "/" FOLDER_INSIDE;

const char *folder_of(const struct call *call) {
    const char *folder = generation_setting(catalogue_generation(call->catalogue), "folder");
    return folder == NULL || !folder_valid(folder) ? FOLDER_INSIDE : folder;
}

bool folder_differs(const struct call *call) {
    return strcmp(folder_of(call), FOLDER_INSIDE) != 0;
}

bool folder_valid(const char *text) {
    size_t length = strlen(text);
    if (length == 0 || length > 64 ||
        text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') {
        return false;
    }
    for (size_t i = 0; i < route_count; i++) {
        const char *first = route_table[i].pattern + 1;
        if (strcspn(first, "/.") == length && strncmp(first, text, length) == 0) {
            return strcmp(text, FOLDER_INSIDE) == 0;
        }
    }
    return true;
}

/* Whether a path lies in the folder "/x": it ends there, or a slash or an ending follows. */
static bool lies_in(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 &&
           (path[length] == '\0' || path[length] == '/' || path[length] == '.');
}

bool folder_in(const struct call *call, const char *path, char *out, size_t out_bytes) {
    char outside[80];
    (void)snprintf(outside, sizeof(outside), "/%s", folder_of(call));
    bool is_in = lies_in(path, outside);
    if (!is_in && lies_in(path, inside)) {
        return false;
    }
    int length = snprintf(out, out_bytes, "%s%s", is_in ? inside : "",
                          is_in ? path + strlen(outside) : path);
    return length >= 0 && (size_t)length < out_bytes;
}

/* Whether an address of this site begins at the byte: behind the site's own origin or base path, or
 * behind what opens an address in HTML, Markdown, JSON, XML and header fields. */
static bool begins_address(const struct site *site, const char *bytes, size_t at) {
    size_t url = strlen(site->public_url);
    size_t base = strlen(site->base_path);
    if (at >= url && memcmp(bytes + at - url, site->public_url, url) == 0) {
        return true;
    }
    if (at >= base && memcmp(bytes + at - base, site->base_path, base) == 0) {
        at -= base;
    }
    return at == 0 || strchr("\"'(<>` =", bytes[at - 1]) != NULL;
}

bool folder_out(const struct call *call, const char *bytes, size_t length, struct buf *out) {
    const char *folder = folder_of(call);
    size_t word = strlen(inside);
    size_t from = 0;
    for (size_t at = 0; at + word <= length;) {
        const char *found = memmem(bytes + at, length - at, inside, word);
        if (found == NULL) {
            break;
        }
        at = (size_t)(found - bytes);
        bool ends = at + word == length || strchr("/.?#\"') >`", bytes[at + word]) != NULL;
        if (ends && begins_address(call->site, bytes, at)) {
            buf_add(out, bytes + from, at - from);
            buf_add_format(out, "/%s", folder);
            from = at + word;
        }
        at += word;
    }
    return buf_add(out, bytes + from, length - from);
}
