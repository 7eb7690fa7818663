/* The command line of a command: one description gives its parser and its --help. */
#ifndef AGENT_SANDBOXES_CLI_OPTIONS_H
#define AGENT_SANDBOXES_CLI_OPTIONS_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>

/* One long option. Exactly one of flag and text is set; --help is understood everywhere and not
 * listed. */
struct cli_option {
    const char *name;     /* "db" */
    const char *argument; /* what --help calls its value ("FILE"); NULL for a flag */
    const char *help;
    bool *flag;
    const char **text; /* borrowed from argv */
};

/* A plain argument, filled in order. */
struct cli_argument {
    const char *name; /* "PROVIDER" */
    const char **text;
    bool optional;
};

struct cli_line {
    const char *command;  /* "build" */
    const char *synopsis; /* what follows the name in the first line of --help */
    const char *about;    /* sentences, each paragraph ending in a line feed */
    const struct cli_option *options;
    size_t option_count;
    const struct cli_argument *arguments;
    size_t argument_count;
    const char ***rest; /* NULL, or receives the arguments after those, borrowed from argv */
    size_t *rest_count;
};

/* Fills the targets of a command line. False: do not go on but return *out_code, since --help was
 * printed or a usage error reported. */
bool cli_parse(const struct cli_line *line, int argc, char **argv, int *out_code) MUST_USE;

#endif
