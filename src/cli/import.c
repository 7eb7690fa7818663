/* import: measurements from CSV, providers from JSON, into a catalogue file. */
#include "import.h"
#include "changes.h"
#include "cli.h"
#include "options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct import_options {
    const char *db;
    const char *file;
    const char *source;
    bool dry;
    bool json;
};

static void no_progress(size_t done, size_t all) {
    (void)done;
    (void)all;
}

static void show_progress(size_t done, size_t all) {
    (void)fprintf(stderr, "\rimport: %zu of %zu%s", done, all, done == all ? "\n" : "");
}

static int import_file(const struct import_options *options, bool providers) {
    struct error error;
    import_progress *progress = isatty(STDERR_FILENO) ? show_progress : no_progress;
    char *text = cli_read_text(options->file, &error);
    struct edit *edit = text == NULL ? NULL : edit_open(options->db, &error);
    bool good = edit != NULL &&
                (providers ? import_providers(edit, text, progress, &error)
                           : import_measurements(edit, text, options->source, progress, &error));
    free(text);
    if (!good) {
        edit_close(edit);
        return cli_fail(EXIT_FAULT, &error);
    }
    return changes_finish(edit, options->dry, options->json);
}

static int import_kind(bool providers, int argc, char **argv) {
    struct import_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "the catalogue file to change", NULL, &options.db},
        {"dry-run", NULL, "show what would change, and change nothing", &options.dry, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
        {"source", "ID", "the source of every row, where no column names it", NULL,
         &options.source},
    };
    const struct cli_argument arguments[] = {
        {providers ? "FILE.json" : "FILE.csv", &options.file, false}};
    const struct cli_line line = {
        .command = providers ? "import providers" : "import measurements",
        .synopsis = providers ? "--db FILE FILE.json [options]" : "--db FILE FILE.csv [options]",
        .about = providers
                     ? "Takes in providers as /data/providers.json or /data/providers/SLUG.json "
                       "writes them, without loss: what the\n"
                       "catalogue has already stays as it is, a new value makes the one before "
                       "history, a fact older than the catalogue's\n"
                       "is refused. What the file does not name is kept.\n"
                     : "Takes in start-up times, one day a row, as /data/measurements.csv writes "
                       "them. The head names the columns provider,\n"
                       "mode, day, runs, median_ms, p95_ms, p99_ms, success_rate and source, in "
                       "any order; a day that is there is replaced.\n",
        .options = accepted,
        .option_count = providers ? ARRAY_LENGTH(accepted) - 1 : ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    return options.db == NULL
               ? cli_usage_error(line.command,
                                 "--db is missing: the built-in catalogue cannot be changed")
               : import_file(&options, providers);
}

int cli_import(int argc, char **argv) {
    if (argc > 1 && (strcmp(argv[1], "measurements") == 0 || strcmp(argv[1], "providers") == 0)) {
        return import_kind(strcmp(argv[1], "providers") == 0, argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        return puts("Usage: agent-sandboxes import measurements|providers --db FILE FILE "
                    "[options]\n\n"
                    "Takes a file into a catalogue; all of it or, where a rule of check breaks, "
                    "nothing.\n"
                    "`agent-sandboxes import providers --help` says more, and so for the other.\n\n"
                    "  --help                   print this") < 0
                   ? EXIT_FAULT
                   : EXIT_OK;
    }
    return cli_usage_error("import", "say what: measurements or providers");
}
