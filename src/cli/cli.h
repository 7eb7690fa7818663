/* The commands of the program. Each takes its own arguments (argv[0] is the command's name) and
 * returns the exit code. */
#ifndef AGENT_SANDBOXES_CLI_H
#define AGENT_SANDBOXES_CLI_H

#include "catalogue.h"
#include "error.h"
#include <getopt.h>

enum {
    EXIT_OK = 0,
    EXIT_FAULT = 1, /* it did not work; one line on standard error says why */
    EXIT_USAGE = 2  /* the command line is wrong */
};

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

int cli_serve(int argc, char **argv);
int cli_build(int argc, char **argv);
int cli_healthcheck(int argc, char **argv);

/* Prints "agent-sandboxes: message" on standard error and returns the code. */
int cli_fail(int code, const struct error *error);

/* Prints "agent-sandboxes COMMAND: ... (see agent-sandboxes COMMAND --help)" for a wrong command
 * line and returns EXIT_USAGE. */
int cli_usage_error(const char *command, const char *format, ...) PRINTF_LIKE(2, 3);

/* The catalogue named by --db, or the built-in one where path is NULL, as a generation of today. */
struct generation *cli_load_catalogue(const char *path, struct error *error) MUST_USE;

#endif
