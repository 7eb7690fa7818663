/* Any robots.txt is read, and any path gets an answer. The text and the path part at the first NUL.
 */
#include "robots.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char *text = malloc(length + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    size_t used = strlen(text);
    const char *path = used < length ? text + used + 1 : "/";
    struct robots *robots = robots_parse(text, used, "ExampleBot");
    if (robots == NULL || !(robots_delay(robots) >= 0)) {
        abort();
    }
    bool allowed = robots_allow(robots, path);
    if (allowed != robots_allow(robots, path)) {
        abort();
    }
    robots_free(robots);
    free(text);
    return 0;
}
