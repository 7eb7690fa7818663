/* The commands of the program. Each takes its own arguments (argv[0] is the command's name) and
 * returns the exit code. */
#ifndef AGENT_SANDBOXES_CLI_H
#define AGENT_SANDBOXES_CLI_H

#include "catalogue.h"
#include "error.h"

enum {
    EXIT_OK = 0,
    EXIT_FAULT = 1, /* it did not work; one line on standard error says why */
    EXIT_USAGE = 2, /* the command line is wrong */
    EXIT_FOUND = 3  /* it worked, and found work: a late fact, a verdict or prose to read again */
};

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

int cli_add(int argc, char **argv);
int cli_build(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_diff(int argc, char **argv);
int cli_dump(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_healthcheck(int argc, char **argv);
int cli_history(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_new(int argc, char **argv);
int cli_review(int argc, char **argv);
int cli_serve(int argc, char **argv);
int cli_set(int argc, char **argv);
int cli_sources(int argc, char **argv);
int cli_stale(int argc, char **argv);
int cli_unset(int argc, char **argv);
int cli_verify(int argc, char **argv);

/* Prints "agent-sandboxes: message" on standard error and returns the code. */
int cli_fail(int code, const struct error *error);

/* Prints "agent-sandboxes COMMAND: ... (see agent-sandboxes COMMAND --help)" for a wrong command
 * line and returns EXIT_USAGE. */
int cli_usage_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* When the file was written, in seconds since 1970, or the program itself where path is NULL; 0:
 * that cannot be seen. */
int64_t cli_modified(const char *path);

/* The catalogue named by --db, or the built-in one where path is NULL, as a generation of today. */
struct generation *cli_load_catalogue(const char *path, struct error *error) MUST_USE;

/* The same with the overlay file laid over it; overlay NULL: none. An error names the file. */
struct generation *cli_load_overlaid(const char *path, const char *overlay,
                                     struct error *error) MUST_USE;

/* The image of the catalogue named by --db, or of the built-in one where path is NULL, unchecked.
 */
bool cli_read_image(const char *path, struct image *out_image, struct error *error) MUST_USE;

/* The image that a seed file makes on the built-in schema, unchecked; folder as in image_build. */
bool cli_build_image(const char *seed, const char *folder, struct image *out_image,
                     struct error *error) MUST_USE;

/* The bytes of a file as a text; the caller frees them. NULL: it cannot be read, or is too large.
 */
char *cli_read_text(const char *path, struct error *error) MUST_USE;

/* Writes bytes to the file at path, whole or not at all, or to standard output where it is NULL. */
bool cli_write(const char *path, const char *bytes, size_t length, struct error *error) MUST_USE;

/* Reads --on into out_day: a day, or today where text is NULL. False: *out_code is set. */
bool cli_take_day(const char *command, const char *text, int64_t *out_day, int *out_code) MUST_USE;

/* Checks --public-url and --base-path, each NULL where it was not given: the base path is named by
 * either, or by both alike. Sets *out_base to it (NULL: none) and returns EXIT_OK, or reports a
 * usage error of the command. */
int cli_take_public_url(const char *command, const char *public_url, const char *base_path,
                        const char **out_base);

/* Prints a value as JSON on standard output and returns the exit code. */
int cli_print_json(const json_t *value);

#endif
