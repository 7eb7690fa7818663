#include "folder.h"
#include "limit.h"
#include "route.h"
#include "site.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

static const char inside[] = "/" FOLDER_INSIDE;

const char *folder_of_generation(const struct generation *generation) {
    const char *folder = generation_setting(generation, "folder");
    return folder == NULL || !folder_valid(folder) ? FOLDER_INSIDE : folder;
}

const char *folder_of(const struct call *call) {
    return folder_of_generation(catalogue_generation(call->catalogue));
}

bool folder_differs(const struct call *call) {
    return strcmp(folder_of(call), FOLDER_INSIDE) != 0;
}

bool folder_valid(const char *text) {
    size_t length = strlen(text);
    if (length == 0 || length > FOLDER_BYTES - 2 ||
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
    char outside[FOLDER_BYTES];
    (void)snprintf(outside, sizeof(outside), "/%s", folder_of(call));
    bool is_in = lies_in(path, outside);
    if (!is_in && lies_in(path, inside)) {
        return false;
    }
    int length = snprintf(out, out_bytes, "%s%s", is_in ? inside : "",
                          is_in ? path + strlen(outside) : path);
    return length >= 0 && (size_t)length < out_bytes;
}

struct outside outside_of(const struct call *call, char folder[FOLDER_BYTES]) {
    (void)snprintf(folder, FOLDER_BYTES, "/%s", folder_of(call));
    return (struct outside){.base = call->site->base_path,
                            .folder = folder_differs(call) ? folder : NULL,
                            .public_url = call->site->public_url};
}

bool folder_out(const struct call *call, const char *address, struct buf *out) {
    char folder[FOLDER_BYTES];
    struct outside outside = outside_of(call, folder);
    outside.base = "";
    return outside_address(&outside, address, out);
}

json_t *folder_text(const struct call *call, const char *address) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    json_t *made = folder_out(call, address, &text) ? json_stringn(text.data, text.length) : NULL;
    buf_free(&text);
    return made;
}
