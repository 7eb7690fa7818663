/* history: every value that a provider's facts have had. */
#include "cli.h"
#include "options.h"
#include <stdio.h>

static int print_rows(const json_t *rows) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *words[] = {"offering", "attribute",  "state",      "value",
                               "source",   "checked_on", "valid_from", "valid_to"};
        for (size_t k = 0; k < ARRAY_LENGTH(words); k++) {
            words[k] = json_string_value(json_object_get(row, words[k]));
        }
        (void)printf("%s to %-10s  %s%s%s  %s  (%s, checked %s)\n", words[6],
                     words[7] == NULL ? "now" : words[7], words[0] == NULL ? "" : words[0],
                     words[0] == NULL ? "" : "/", words[1], words[3] == NULL ? words[2] : words[3],
                     words[4] == NULL ? "no source" : words[4], words[5]);
    }
    return ferror(stdout) ? EXIT_FAULT : EXIT_OK;
}

static json_t *read_rows(const char *db, const char *provider, const char *attribute,
                         struct error *error) {
    struct generation *generation = cli_load_catalogue(db, error);
    struct catalogue *catalogue = generation == NULL ? NULL : catalogue_open(generation, error);
    json_t *rows = NULL;
    if (catalogue != NULL) {
        rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACT_HISTORY, error, BIND_TEXT(provider),
                              BIND_TEXT(attribute));
    }
    catalogue_close(catalogue);
    generation_release(generation);
    if (rows != NULL && json_array_size(rows) == 0) {
        json_decref(rows);
        rows = NULL;
        (void)error_set(error, ERROR_NOT_FOUND, "nothing is known of %s%s%s", provider,
                        attribute == NULL ? "" : " ", attribute == NULL ? "" : attribute);
    }
    return rows;
}

int cli_history(int argc, char **argv) {
    const char *db = NULL;
    const char *provider = NULL;
    const char *attribute = NULL;
    bool json = false;
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &db},
        {"json", NULL, "print JSON", &json, NULL},
    };
    const struct cli_argument arguments[] = {{"PROVIDER", &provider, false},
                                             {"ATTRIBUTE", &attribute, true}};
    const struct cli_line line = {
        .command = "history",
        .synopsis = "PROVIDER [ATTRIBUTE] [--db FILE] [--json]",
        .about = "Lists every value that the facts of a provider have had, and the days between "
                 "which it held.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    struct error error;
    json_t *rows = read_rows(db, provider, attribute, &error);
    code = rows == NULL ? cli_fail(EXIT_FAULT, &error)
           : json       ? cli_print_json(rows)
                        : print_rows(rows);
    json_decref(rows);
    return code;
}
