/* build: the catalogue as a database file, from SQL text. */
#include "builtin.h"
#include "cli.h"
#include "limit.h"
#include "text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const help =
    "Usage: agent-sandboxes build --out FILE [--seed FILE] [--folder FOLDER]\n"
    "\n"
    "Writes a catalogue for serve --db. Without --seed it is the built-in catalogue; with it, the "
    "SQL text is loaded on the\n"
    "built-in schema, and readfile('NAME') in it reads files below the folder (default: the "
    "current one). The result is checked.\n"
    "\n"
    "  --out FILE       the database file to write; an existing one is replaced whole\n"
    "  --seed FILE      SQL text, such as sql/seed.sql\n"
    "  --folder FOLDER  where readfile() looks\n"
    "  --help           print this\n";

struct build_options {
    const char *out;
    const char *seed;
    const char *folder;
};

static const struct option long_options[] = {
    {"out", required_argument, NULL, 'o'},
    {"seed", required_argument, NULL, 's'},
    {"folder", required_argument, NULL, 'f'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static char *read_text(const char *path, struct error *error) {
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
    (void)fclose(file);
    if (failed || text.failed) {
        buf_free(&text);
        (void)error_set(error, ERROR_IO, "cannot read %s", path);
        return NULL;
    }
    return buf_take(&text);
}

static bool make_image(const struct build_options *options, struct image *out_image,
                       struct error *error) {
    if (options->seed == NULL) {
        const struct builtin_file *file = builtin_catalogue();
        *out_image = (struct image){.bytes = (unsigned char *)file->bytes, .length = file->length};
        return true;
    }
    char *seed = read_text(options->seed, error);
    bool made = seed != NULL && image_build((const char *)builtin_schema()->bytes, seed,
                                            options->folder, out_image, error);
    free(seed);
    return made;
}

static int build(const struct build_options *options) {
    struct error error;
    struct image image = {0};
    if (!make_image(options, &image, &error)) {
        return cli_fail(EXIT_FAULT, &error);
    }
    struct generation *generation = generation_create(&image, text_today(), &error);
    if (generation == NULL || !image_write(generation_image(generation), options->out, &error)) {
        generation_release(generation);
        return cli_fail(EXIT_FAULT, &error);
    }
    (void)printf("%s  generation %s\n", options->out, generation_id(generation));
    generation_release(generation);
    return EXIT_OK;
}

int cli_build(int argc, char **argv) {
    struct build_options options = {.folder = "."};
    optind = 1;
    opterr = 0;
    int code = 0;
    while ((code = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (code == 'h') {
            return fputs(help, stdout) < 0 ? EXIT_FAULT : EXIT_OK;
        }
        if (code == '?' || code == ':') {
            return cli_usage_error("build", code == ':' ? "%s needs a value" : "unknown option %s",
                                   argv[optind - 1]);
        }
        *(code == 'o' ? &options.out : code == 's' ? &options.seed : &options.folder) = optarg;
    }
    if (optind != argc) {
        return cli_usage_error("build", "unexpected argument \"%s\"", argv[optind]);
    }
    if (options.out == NULL) {
        return cli_usage_error("build", "--out is missing");
    }
    return build(&options);
}
