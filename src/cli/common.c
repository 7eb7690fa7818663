#include "builtin.h"
#include "cli.h"
#include "limit.h"
#include "overlay.h"
#include "text.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

bool cli_read_image(const char *path, struct image *out_image, struct error *error) {
    if (path != NULL) {
        return image_read(path, out_image, error);
    }
    const struct builtin_file *file = builtin_catalogue();
    *out_image = (struct image){.bytes = (unsigned char *)file->bytes, .length = file->length};
    return true;
}

int64_t cli_modified(const char *path) {
    struct stat status;
    return stat(path == NULL ? "/proc/self/exe" : path, &status) == 0 ? status.st_mtim.tv_sec : 0;
}

struct generation *cli_load_catalogue(const char *path, struct error *error) {
    struct image image = {0};
    /* Asked before: of a file that is replaced meanwhile, the next look tells more. */
    int64_t modified = cli_modified(path);
    struct generation *generation =
        cli_read_image(path, &image, error) ? generation_create(&image, text_today(), error) : NULL;
    if (generation != NULL) {
        generation_set_modified(generation, modified);
    }
    return generation;
}

/* The text of an overlay file. Its bytes are all of it: a NUL byte would end it early. */
static char *read_overlay(const char *path, struct error *error) {
    struct stat status;
    char *text = cli_read_text(path, error);
    if (text == NULL) {
        return NULL;
    }
    if (stat(path, &status) != 0 || status.st_size != (off_t)strlen(text) ||
        status.st_size > LIMIT_OVERLAY_BYTES) {
        free(text);
        (void)error_set(error, ERROR_INVALID,
                        "it is no text, or longer than %d bytes, or being written",
                        LIMIT_OVERLAY_BYTES);
        return NULL;
    }
    return text;
}

struct generation *cli_load_overlaid(const char *path, const char *overlay, struct error *error) {
    enum overlay_form form = OVERLAY_JSON;
    if (overlay == NULL) {
        return cli_load_catalogue(path, error);
    }
    if (!overlay_form_of(overlay, &form, error)) {
        return NULL;
    }
    struct generation *public = cli_load_catalogue(path, error);
    if (public == NULL) {
        return NULL;
    }
    struct error fault = {0};
    struct generation *overlaid = NULL;
    int64_t modified = cli_modified(overlay);
    char *text = read_overlay(overlay, &fault);
    if (text == NULL) {
        generation_release(public);
    } else {
        overlaid = overlay_lay(public, form, text, &fault);
    }
    free(text);
    if (overlaid != NULL) {
        int64_t beneath = generation_modified(generation_beneath(overlaid));
        generation_set_modified(overlaid, modified > beneath ? modified : beneath);
    } else {
        (void)error_set(error, fault.kind, "the overlay %.200s is refused: %s", overlay,
                        fault.message);
    }
    return overlaid;
}

char *cli_read_text(const char *path, struct error *error) {
    FILE *file = fopen(path, "rbe");
    char chunk[8192];
    struct buf text;
    buf_init(&text, LIMIT_CATALOGUE_BYTES);
    if (file == NULL) {
        (void)error_set(error, ERROR_IO, "cannot open %s: %s", path, strerrordesc_np(errno));
        return NULL;
    }
    size_t length = 0;
    while ((length = fread(chunk, 1, sizeof(chunk), file)) > 0) {
        buf_add(&text, chunk, length);
    }
    bool failed = ferror(file) != 0;
    int reason = errno;
    (void)fclose(file);
    errno = reason;
    if (failed || text.failed) {
        buf_free(&text);
        (void)error_set(error, ERROR_IO, "cannot read %s: %s", path,
                        failed ? strerrordesc_np(errno) : "it is too large");
        return NULL;
    }
    return buf_take(&text);
}

bool cli_build_image(const char *seed, const char *folder, struct image *out_image,
                     struct error *error) {
    char *text = cli_read_text(seed, error);
    bool made = text != NULL &&
                (strcasestr(text, "insert") != NULL ||
                 error_set(error, ERROR_INVALID, "%s is no seed: it inserts nothing", seed)) &&
                image_build((const char *)builtin_schema()->bytes, text, folder, out_image, error);
    free(text);
    return made;
}

bool cli_write(const char *path, const char *bytes, size_t length, struct error *error) {
    if (path != NULL) {
        const struct image file = {.bytes = (unsigned char *)bytes, .length = length};
        return image_write(&file, path, error);
    }
    if (fwrite(bytes, 1, length, stdout) != length || fflush(stdout) != 0) {
        return error_set(error, ERROR_IO, "cannot write: %s", strerrordesc_np(errno));
    }
    return true;
}

bool cli_take_day(const char *command, const char *text, int64_t *out_day, int *out_code) {
    *out_day = text_today();
    if (text != NULL && !text_day(text, out_day)) {
        *out_code =
            cli_usage_error(command, "--on takes a day such as 2026-11-30, not \"%s\"", text);
        return false;
    }
    return true;
}

int cli_print_json(const json_t *value) {
    enum { INDENT = 2 };
    bool written = json_dumpf(value, stdout, JSON_INDENT(INDENT)) == 0 && putchar('\n') == '\n';
    return written ? EXIT_OK : EXIT_FAULT;
}
