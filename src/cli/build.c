/* build: the catalogue as a database file, from SQL text. */
#include "cli.h"
#include "hash.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

struct build_options {
    const char *out;
    const char *db;
    const char *seed;
    const char *folder;
    const char *sums;
};

/* One line, as sha256sum writes it and --check reads it, of the file that was written. */
static bool write_sums(const struct build_options *options, struct error *error) {
    struct image image = {0};
    char line[4096];
    char digest[HASH_HEX_BYTES];
    const char *slash = strrchr(options->out, '/');
    if (!image_read(options->out, &image, error)) {
        return false;
    }
    hash_sha256_hex(image.bytes, image.length, digest);
    image_free(&image);
    int length =
        snprintf(line, sizeof(line), "%s  %s\n", digest, slash == NULL ? options->out : slash + 1);
    return length > 0 && (size_t)length < sizeof(line)
               ? cli_write(options->sums, line, (size_t)length, error)
               : error_set(error, ERROR_INVALID, "the name of --out is too long");
}

static int build(const struct build_options *options) {
    struct error error;
    struct image image = {0};
    if (!(options->seed == NULL
              ? cli_read_image(options->db, &image, &error)
              : cli_build_image(options->seed, options->folder, &image, &error))) {
        return cli_fail(EXIT_FAULT, &error);
    }
    struct generation *generation = generation_create(&image, text_today(), &error);
    if (generation == NULL ||
        !image_write_sealed(generation_image(generation), options->out, &error) ||
        (options->sums != NULL && !write_sums(options, &error))) {
        generation_release(generation);
        return cli_fail(EXIT_FAULT, &error);
    }
    (void)printf("%s  generation %s\n", options->out, generation_id(generation));
    generation_release(generation);
    return EXIT_OK;
}

int cli_build(int argc, char **argv) {
    struct build_options options = {.folder = "."};
    const struct cli_option accepted[] = {
        {"out", "FILE", "the database file to write; an existing one is replaced whole", NULL,
         &options.out},
        {"db", "FILE", "a catalogue that another program edited, to be checked and sealed", NULL,
         &options.db},
        {"seed", "FILE", "SQL text, such as sql/seed.sql", NULL, &options.seed},
        {"folder", "FOLDER", "where readfile() looks (default: the current folder)", NULL,
         &options.folder},
        {"sums", "FILE", "write its SHA-256 there, as sha256sum does, to be signed", NULL,
         &options.sums},
    };
    const struct cli_line line = {
        .command = "build",
        .synopsis = "--out FILE [--db FILE | --seed FILE] [options]",
        .about = "Writes a catalogue for serve --db. Without --db and --seed it is the built-in "
                 "catalogue. With --seed,\n"
                 "the SQL text is loaded on the built-in schema, and readfile('NAME') in it reads "
                 "files below the folder.\n"
                 "The result is checked and sealed, so that serve need not check it again.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.out == NULL) {
        return cli_usage_error("build", "--out is missing");
    }
    return options.db != NULL && options.seed != NULL
               ? cli_usage_error("build", "--db and --seed exclude each other")
               : build(&options);
}
