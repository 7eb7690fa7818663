/* review: a provider's facts were read again and still hold. */
#include "changes.h"
#include "cli.h"
#include "options.h"
#include "text.h"
#include <stdio.h>

struct review_options {
    const char *db;
    const char *provider;
    const char *attribute;
    const char *on;
    const char *note;
    bool dry;
    bool json;
};

static bool change(struct edit *edit, const struct review_options *options, const char *day,
                   struct error *error) {
    long long facts = 0;
    if (!edit_run(edit, EDIT_JOURNAL_DAY, &day, 1, NULL, NULL, error)) {
        return false;
    }
    const char *const moved[] = {options->provider, day, options->attribute};
    if (!edit_run(edit, EDIT_REVIEW_FACTS, moved, ARRAY_LENGTH(moved), NULL, &facts, error)) {
        return false;
    }
    if (facts == 0) {
        return error_set(error, ERROR_NOT_FOUND, "no fact of %s%s%s was checked on or before %s",
                         options->provider, options->attribute == NULL ? "" : " ",
                         options->attribute == NULL ? "" : options->attribute, day);
    }
    if (options->attribute == NULL &&
        !edit_run(edit, EDIT_REVIEW_CLAIMS, moved, 2, NULL, NULL, error)) {
        return false;
    }
    const char *const row[] = {options->provider, day,
                               options->attribute == NULL ? "all facts" : options->attribute,
                               options->note};
    return edit_run(edit, EDIT_REVIEW_ADD, row, ARRAY_LENGTH(row), NULL, NULL, error);
}

static int review(const struct review_options *options) {
    struct error error;
    int64_t number = 0;
    char day[TEXT_DATE_BYTES];
    int code = EXIT_OK;
    if (!cli_take_day("review", options->on, &number, &code)) {
        return code;
    }
    text_iso_date(number, day);
    struct edit *edit = edit_open(options->db, &error);
    if (edit == NULL || !change(edit, options, day, &error)) {
        edit_close(edit);
        return cli_fail(EXIT_FAULT, &error);
    }
    return changes_finish(edit, options->dry, options->json);
}

int cli_review(int argc, char **argv) {
    struct review_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "the catalogue file to change", NULL, &options.db},
        {"on", "DAY", "the day of reading (default: today)", NULL, &options.on},
        {"note", "TEXT", "what was looked at", NULL, &options.note},
        {"dry-run", NULL, "show what would change, and change nothing", &options.dry, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_argument arguments[] = {{"PROVIDER", &options.provider, false},
                                             {"ATTRIBUTE", &options.attribute, true}};
    const struct cli_line line = {
        .command = "review",
        .synopsis = "--db FILE PROVIDER [ATTRIBUTE] [options]",
        .about = "Says that the facts of a provider, or one of them, were read again at their "
                 "sources and still hold: moves the day\n"
                 "of checking and writes a row of the review. Without ATTRIBUTE its verdicts count "
                 "as read again as well.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    return options.db == NULL
               ? cli_usage_error("review",
                                 "--db is missing: the built-in catalogue cannot be changed")
               : review(&options);
}
