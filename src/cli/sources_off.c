/* sources check, in a program without libcurl. */
#include "cli.h"
#include <stdio.h>
#include <string.h>

int cli_sources(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[argc - 1], "--help") == 0) {
        return puts("Usage: agent-sandboxes sources check [options] [SOURCE...]\n\n"
                    "This program was built without it (SOURCES_CHECK=OFF), so that it needs no "
                    "HTTP client.\n\n"
                    "  --help                   print this") < 0
                   ? EXIT_FAULT
                   : EXIT_OK;
    }
    const struct error error = {
        ERROR_UNSUPPORTED,
        "this program was built without sources check (SOURCES_CHECK=OFF); build it anew with "
        "-DSOURCES_CHECK=ON, which needs libcurl"};
    return cli_fail(EXIT_FAULT, &error);
}
