/* Request targets: whatever is taken keeps every promise of target.h. */
#include "limit.h"
#include "target.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_text(const char *text) {
    size_t length = strlen(text);
    demand(text_is_utf8(text, length));
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        demand(byte >= 0x20 && byte != 0x7F);
    }
}

static void check_path(const char *path) {
    check_text(path);
    demand(path[0] == '/' && strchr(path, '\\') == NULL && strstr(path, "//") == NULL);
    size_t segments = 0;
    for (const char *at = path; *at == '/'; segments++) {
        size_t size = strcspn(++at, "/");
        demand(!(size == 1 && at[0] == '.') && !(size == 2 && memcmp(at, "..", 2) == 0));
        at += size;
    }
    demand(segments <= LIMIT_PATH_SEGMENTS + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct target target = {0};
    struct error error = {0};
    if (!target_parse((const char *)bytes, length, &target, &error)) {
        demand(error.kind == ERROR_INVALID && error.message[0] != '\0');
        demand(target.path == NULL && target.storage == NULL);
        return 0;
    }
    demand(length <= LIMIT_TARGET_BYTES && memchr(bytes, '\0', length) == NULL);
    check_path(target.path);
    demand(target.pair_count <= LIMIT_QUERY_PAIRS);
    for (size_t i = 0; i < target.pair_count; i++) {
        check_text(target.pairs[i].key);
        check_text(target.pairs[i].value);
        demand(target_value(&target, target.pairs[i].key) != NULL);
    }
    target_free(&target);
    demand(target.storage == NULL && target.pair_count == 0);
    return 0;
}
