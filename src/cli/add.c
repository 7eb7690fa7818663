/* add: a provider, an offering, a source, an exemption or a measurement in a catalogue file. */
#include "changes.h"
#include "cli.h"
#include "hash.h"
#include "limit.h"
#include "options.h"
#include "page_text.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What may be added. names are the columns of the statement, in its order: plain arguments first
 * (upper case), then options. */
enum { COLUMNS_MAXIMUM = 10 };

struct column {
    const char *name;
    const char *argument; /* NULL: a plain argument */
    const char *help;
    bool optional;
};

struct kind {
    const char *name;
    const char *about;
    enum edit_statement statement;
    struct column columns[COLUMNS_MAXIMUM];
};

static const struct kind kinds[] = {
    {"provider",
     "Adds a provider; every question about it is not documented until set says otherwise.\n",
     EDIT_PROVIDER_ADD,
     {{"SLUG", NULL, NULL, false},
      {"name", "TEXT", "its name", false},
      {"vendor", "TEXT", "who sells or keeps it", false},
      {"kind", "KIND", "hosted, cloud-service, local-tool or self-hostable", false},
      {"status", "STATUS", "active, winding-down or discontinued", false},
      {"homepage", "URL", "its page", false},
      {"docs-url", "URL", "its documentation", true},
      {"pricing-url", "URL", "its price list", true},
      {"repo-url", "URL", "its repository", true},
      {"summary", "TEXT", "a sentence or two", false}}},
    {"offering",
     "Adds a class of what a provider sells; it says what its provider says until set.\n",
     EDIT_OFFERING_ADD,
     {{"PROVIDER", NULL, NULL, false},
      {"SLUG", NULL, NULL, false},
      {"name", "TEXT", "its name", false},
      {"stage", "STAGE", "ga, beta, preview, alpha, experimental or deprecated", true},
      {"default", "0|1", "1 where a new user gets it", false}}},
    {"source",
     "Adds a page that was read. Its words are not stored; --passage takes them to make the "
     "fingerprint.\n",
     EDIT_SOURCE_ADD,
     {{"ID", NULL, NULL, false},
      {"url", "URL", "its address", false},
      {"title", "TEXT", "its title", false},
      {"publisher", "TEXT", "who publishes it", false},
      {"kind", "KIND", "docs, repo, third-party, blog, changelog, pricing, advisory, spec or paper",
       false},
      {"copy-date", "DAY", "the day that the page itself shows", true},
      {"accessed-on", "DAY", "the day of reading", false},
      {"via", "TEXT", "how it was read, where not directly", true},
      {"quote-words", "N", "words of the fingerprint", true},
      {"quote-sha256", "HEX", "SHA-256 of the fingerprint", true}}},
    {"exemption",
     "Takes a source out of sources check until a day, for a reason; one that is there is "
     "replaced.\n",
     EDIT_EXEMPTION_PUT,
     {{"SOURCE", NULL, NULL, false},
      {"reason", "TEXT", "why its page is not checked", false},
      {"until", "DAY", "the last day of that, a year ahead at most", false}}},
    {"measurement",
     "Adds the start-up times of one day.\n",
     EDIT_MEASUREMENT_ADD,
     {{"PROVIDER", NULL, NULL, false},
      {"MODE", NULL, NULL, false},
      {"DAY", NULL, NULL, false},
      {"runs", "N", "how many starts", false},
      {"median-ms", "N", "median in milliseconds", true},
      {"p95-ms", "N", "95th percentile", true},
      {"p99-ms", "N", "99th percentile", true},
      {"success-rate", "N", "0 to 1", false},
      {"source", "ID", "who measured", false}}},
};

struct add_options {
    const char *db;
    const char *passage;
    bool dry;
    bool json;
    const char *texts[COLUMNS_MAXIMUM];
    char words[32];
    char sha256[HASH_HEX_BYTES];
};

/* The fingerprint of docs/catalogue.md. */
static bool take_fingerprint(struct add_options *options, struct error *error) {
    enum { WORDS = 8, SHA256 = 9 };
    struct buf text;
    size_t count = 1;
    buf_init(&text, LIMIT_FILE_BYTES);
    bool good = page_words(options->passage, strlen(options->passage), PAGE_PLAIN, &text) &&
                text.length > 0;
    if (good) {
        for (const char *blank = strchr(text.data, ' '); blank != NULL;
             blank = strchr(blank + 1, ' ')) {
            count++;
        }
        hash_sha256_hex(text.data, text.length, options->sha256);
        (void)snprintf(options->words, sizeof(options->words), "%zu", count);
        options->texts[WORDS] = options->words;
        options->texts[SHA256] = options->sha256;
    } else {
        (void)error_set(error, ERROR_INVALID, "--passage holds no words");
    }
    buf_free(&text);
    return good;
}

static int add(const struct kind *kind, struct add_options *options, size_t count) {
    struct error error;
    char today[TEXT_DATE_BYTES];
    text_iso_date(text_today(), today);
    if (options->passage != NULL && !take_fingerprint(options, &error)) {
        return cli_fail(EXIT_USAGE, &error);
    }
    struct edit *edit = edit_open(options->db, &error);
    bool good =
        edit != NULL && edit_run(edit, kind->statement, options->texts, count, NULL, NULL, &error);
    if (good && kind->statement == EDIT_PROVIDER_ADD) {
        const char *const row[] = {options->texts[0], today};
        good = edit_run(edit, EDIT_PROVIDER_FACTS, row, ARRAY_LENGTH(row), NULL, NULL, &error);
    }
    if (!good) {
        edit_close(edit);
        return cli_fail(EXIT_FAULT, &error);
    }
    return changes_finish(edit, options->dry, options->json);
}

static int add_kind(const struct kind *kind, int argc, char **argv) {
    enum { SHARED = 4 };
    struct add_options options = {0};
    struct cli_option accepted[COLUMNS_MAXIMUM + SHARED] = {
        {"db", "FILE", "the catalogue file to change", NULL, &options.db},
        {"dry-run", NULL, "show what would change, and change nothing", &options.dry, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    struct cli_argument arguments[COLUMNS_MAXIMUM] = {0};
    size_t option_count = SHARED - 1;
    size_t argument_count = 0;
    size_t count = 0;
    if (kind->statement == EDIT_SOURCE_ADD) {
        accepted[option_count++] = (struct cli_option){
            "passage", "TEXT", "the passage, for its fingerprint", NULL, &options.passage};
    }
    for (; count < COLUMNS_MAXIMUM && kind->columns[count].name != NULL; count++) {
        const struct column *column = &kind->columns[count];
        if (column->argument == NULL) {
            arguments[argument_count++] =
                (struct cli_argument){column->name, &options.texts[count], false};
        } else {
            accepted[option_count++] = (struct cli_option){
                column->name, column->argument, column->help, NULL, &options.texts[count]};
        }
    }
    char command[32];
    char synopsis[128] = "--db FILE";
    (void)snprintf(command, sizeof(command), "add %s", kind->name);
    for (size_t i = 0; i < argument_count; i++) {
        size_t used = strlen(synopsis);
        (void)snprintf(synopsis + used, sizeof(synopsis) - used, " %s", arguments[i].name);
    }
    size_t used = strlen(synopsis);
    (void)snprintf(synopsis + used, sizeof(synopsis) - used, " options");
    const struct cli_line line = {.command = command,
                                  .synopsis = synopsis,
                                  .about = kind->about,
                                  .options = accepted,
                                  .option_count = option_count,
                                  .arguments = arguments,
                                  .argument_count = argument_count};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    for (size_t i = 0; i < count; i++) {
        if (!kind->columns[i].optional && options.texts[i] == NULL) {
            return cli_usage_error(command, "--%s is missing", kind->columns[i].name);
        }
    }
    return options.db == NULL
               ? cli_usage_error(command,
                                 "--db is missing: the built-in catalogue cannot be changed")
               : add(kind, &options, count);
}

int cli_add(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < ARRAY_LENGTH(kinds); i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            return add_kind(&kinds[i], argc - 1, argv + 1);
        }
    }
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        return puts("Usage: agent-sandboxes add provider|offering|source|exemption|measurement "
                    "--db FILE ... "
                    "[options]\n\n"
                    "Adds a row to a catalogue file; refused where a rule of check breaks.\n"
                    "`agent-sandboxes add provider --help` says more, and so for the others.\n\n"
                    "  --help                   print this") < 0
                   ? EXIT_FAULT
                   : EXIT_OK;
    }
    return cli_usage_error("add", "say what: provider, offering, source, exemption or measurement");
}
