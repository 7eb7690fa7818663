/* Any Range field gives a part that lies in the body, or none. */
#include "../../src/http/range.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) {
        return 0;
    }
    size_t length = bytes[0];
    char *field = malloc(size);
    if (field == NULL) {
        return 0;
    }
    memcpy(field, bytes + 1, size - 1);
    field[size - 1] = '\0';
    struct range range = {0};
    if (range_parse(field, length, &range) == RANGE_PART &&
        (range.length == 0 || range.first >= length || range.length > length - range.first)) {
        abort();
    }
    if (range_holds(field, "\"tag\"", 0) && strcmp(field, "\"tag\"") != 0 &&
        strchr(field, ' ') == NULL) {
        abort();
    }
    free(field);
    return 0;
}
