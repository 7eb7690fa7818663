/* diff: what changed between two catalogues, in words. */
#include "changes.h"
#include "cli.h"
#include "options.h"
#include <string.h>

static bool read_side(const char *path, const char *folder, struct image *out_image,
                      struct error *error) {
    size_t length = strlen(path);
    bool is_text = length > 4 && strcmp(path + length - 4, ".sql") == 0;
    return is_text ? cli_build_image(path, folder, out_image, error)
                   : cli_read_image(strcmp(path, "built-in") == 0 ? NULL : path, out_image, error);
}

int cli_diff(int argc, char **argv) {
    const char *sides[2] = {NULL, NULL};
    const char *folder = ".";
    bool json = false;
    bool markdown = false;
    const struct cli_option accepted[] = {
        {"folder", "FOLDER", "where readfile() looks (default: the current folder)", NULL, &folder},
        {"markdown", NULL, "print a Markdown list", &markdown, NULL},
        {"json", NULL, "print JSON", &json, NULL},
    };
    const struct cli_argument arguments[] = {{"A", &sides[0], false}, {"B", &sides[1], false}};
    const struct cli_line line = {
        .command = "diff",
        .synopsis = "A B [--json | --markdown]",
        .about = "Says what changed from catalogue A to B. Each is a database file, SQL text "
                 "(NAME.sql), or the word built-in. Of facts\n"
                 "only what holds now is compared. Exits with 0 whether or not they differ.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    struct error error;
    struct image images[2] = {{0}, {0}};
    json_t *changes = NULL;
    if (read_side(sides[0], folder, &images[0], &error) &&
        read_side(sides[1], folder, &images[1], &error)) {
        changes = diff_images(&images[0], &images[1], &error);
    }
    code = changes == NULL ? cli_fail(EXIT_FAULT, &error)
                           : changes_print(changes, json       ? CHANGES_JSON
                                                    : markdown ? CHANGES_MARKDOWN
                                                               : CHANGES_TEXT);
    json_decref(changes);
    image_free(&images[0]);
    image_free(&images[1]);
    return code;
}
