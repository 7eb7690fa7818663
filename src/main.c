/* The command table; nothing else. */
#include "base.h"
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    {"add", "add a provider, offering, source, exemption or measurement", cli_add},
    {"build", "write a catalogue as a database file", cli_build},
    {"check", "hold a catalogue to its rules", cli_check},
    {"diff", "say what changed between two catalogues", cli_diff},
    {"dump", "write a catalogue as SQL text in its canonical form", cli_dump},
    {"export", "write the whole site as files", cli_export},
    {"healthcheck", "ask a running server whether it is well", cli_healthcheck},
    {"history", "list every value that a provider's facts have had", cli_history},
    {"import", "take in measurements or providers from a file", cli_import},
    {"new", "make an empty catalogue with attributes of your own", cli_new},
    {"review", "say that facts were read again and still hold", cli_review},
    {"serve", "serve the comparison over HTTP", cli_serve},
    {"set", "change a fact, with its source", cli_set},
    {"sources", "ask whether the pages still say what was read there", cli_sources},
    {"stale", "list what is past its review-by day", cli_stale},
    {"unset", "make a fact not documented", cli_unset},
    {"verify", "hold a file to its signature", cli_verify},
};

static int print_help(FILE *stream) {
    (void)fputs("Usage: agent-sandboxes COMMAND [options]\n"
                "\n"
                "A source-cited comparison of AI agent sandboxes.\n"
                "\n",
                stream);
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
        (void)fprintf(stream, "  %-12s %s\n", commands[i].name, commands[i].summary);
    }
    (void)fputs("\n`agent-sandboxes COMMAND --help` says more; `agent-sandboxes --version` prints "
                "the version.\n",
                stream);
    return stream == stdout ? EXIT_OK : EXIT_USAGE;
}

/* What was printed is written, or the command did not work. */
static int finish(int code) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return code;
    }
    (void)fputs("agent-sandboxes: cannot write to standard output\n", stderr);
    return code == EXIT_OK || code == EXIT_FOUND ? EXIT_FAULT : code;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        return print_help(stderr);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        return print_help(stdout);
    }
    if (strcmp(argv[1], "--version") == 0) {
        return printf("agent-sandboxes %s\n", PROGRAM_VERSION) < 0 ? EXIT_FAULT : EXIT_OK;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    (void)fprintf(stderr, "agent-sandboxes: unknown command \"%s\" (see agent-sandboxes --help)\n",
                  argv[1]);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    return finish(run(argc, argv));
}
