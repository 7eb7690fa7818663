/* dump: the canonical text of a catalogue. */
#include "dump.h"
#include "as_of.h"
#include "cli.h"
#include "limit.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dump_options {
    const char *db;
    const char *out;
    const char *folder;
    const char *as_of;
    const char *overlay;
    bool inside;
};

/* Whether the prose file below the folder holds these bytes; says so on standard error where not.
 */
static bool is_prose_file(void *context, const char *name, const char *body, size_t length) {
    const char *folder = context;
    char path[4096];
    int written = snprintf(path, sizeof(path), "%s/%s", folder, name);
    char *text = written < 0 || (size_t)written >= sizeof(path) ? NULL : cli_read_text(path, NULL);
    bool same = text != NULL && strlen(text) == length && memcmp(text, body, length) == 0;
    if (!same) {
        (void)fprintf(stderr, "agent-sandboxes dump: %s %s, so its text is written in place\n",
                      name, text == NULL ? "is not there" : "says something else");
    }
    free(text);
    return same;
}

/* Puts the catalogue of a day in the place of the present one. */
static bool go_back(const char *as_of, struct image *image, struct error *error) {
    int64_t day = 0;
    struct image past = {0};
    if (as_of == NULL) {
        return true;
    }
    if (!text_day(as_of, &day)) {
        return error_set(error, ERROR_INVALID, "--as-of takes a day such as 2026-11-30, not \"%s\"",
                         as_of);
    }
    if (!as_of_image(image, day, &past, error)) {
        return false;
    }
    image_free(image);
    *image = past;
    return true;
}

static int dump(const struct dump_options *options) {
    struct error error;
    struct image image = {0};
    struct buf text;
    buf_init(&text, LIMIT_CATALOGUE_BYTES);
    bool good = cli_read_image(options->db, &image, &error) &&
                go_back(options->as_of, &image, &error) &&
                dump_image(&image, options->inside ? NULL : is_prose_file, (void *)options->folder,
                           &text, &error) &&
                cli_write(options->out, text.data, text.length, &error);
    buf_free(&text);
    image_free(&image);
    return good ? EXIT_OK : cli_fail(EXIT_FAULT, &error);
}

int cli_dump(int argc, char **argv) {
    struct dump_options options = {.folder = "."};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"out", "FILE", "write there instead of to standard output", NULL, &options.out},
        {"folder", "FOLDER", "where sql/prose is (default: the current folder)", NULL,
         &options.folder},
        {"as-of", "DAY", "the catalogue as it was known that day", NULL, &options.as_of},
        {"overlay", "FILE", "refused: what is private is never written to a catalogue", NULL,
         &options.overlay},
        {"inline", NULL, "write every body in place, and look at no prose file", &options.inside,
         NULL},
    };
    const struct cli_line line = {
        .command = "dump",
        .synopsis = "[--db FILE] [--out FILE] [options]",
        .about = "Writes a catalogue as SQL text in its canonical form, the one of sql/seed.sql: "
                 "one catalogue, one text.\n"
                 "The body of a guide or term is a readfile() of its prose file where that file "
                 "says the same.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    return options.overlay != NULL
               ? cli_usage_error("dump",
                                 "an overlay is private: only the public catalogue is written")
               : dump(&options);
}
