#include "builtin.h"
#include "cli.h"
#include "text.h"
#include <stdarg.h>
#include <stdio.h>

int cli_fail(int code, const struct error *error) {
    (void)fprintf(stderr, "agent-sandboxes: %s\n", error->message);
    return code;
}

int cli_usage_error(const char *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "agent-sandboxes %s: ", command);
    (void)vfprintf(stderr, format, arguments);
    (void)fprintf(stderr, " (see agent-sandboxes %s --help)\n", command);
    va_end(arguments);
    return EXIT_USAGE;
}

struct generation *cli_load_catalogue(const char *path, struct error *error) {
    struct image image = {0};
    if (path == NULL) {
        const struct builtin_file *file = builtin_catalogue();
        image = (struct image){
            .bytes = (unsigned char *)file->bytes, .length = file->length, .owned = false};
    } else if (!image_read(path, &image, error)) {
        return NULL;
    }
    return generation_create(&image, text_today(), error);
}
