/* set, unset: one fact of a catalogue file, with its source and its day. */
#include "changes.h"
#include "cli.h"
#include "fact_value.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct set_options {
    const char *db;
    const char *owner;
    const char *attribute;
    const char *value;
    const char *source;
    const char *basis;
    const char *detail;
    const char *note;
    const char *on;
    bool not_applicable;
    bool inherit;
    bool dry;
    bool json;
};

/* What a command says, ready for the catalogue. */
struct new_fact {
    char provider[128];
    const char *offering;
    const char *state;
    char *value; /* owned */
    const char *basis;
    char day[TEXT_DATE_BYTES];
};

static bool split_owner(const char *owner, struct new_fact *fact, struct error *error) {
    if (strlen(owner) >= sizeof(fact->provider)) {
        return error_set(error, ERROR_INVALID, "\"%.40s...\" is no provider", owner);
    }
    (void)snprintf(fact->provider, sizeof(fact->provider), "%s", owner);
    char *slash = strchr(fact->provider, '/');
    if (slash != NULL) {
        *slash = '\0';
        fact->offering = slash + 1;
    }
    return true;
}

static bool read_value(struct edit *edit, const struct set_options *options, struct new_fact *fact,
                       struct error *error) {
    json_t *row = NULL;
    if (!edit_run(edit, EDIT_ATTRIBUTE, &options->attribute, 1, &row, NULL, error)) {
        return false;
    }
    const char *type = json_string_value(json_object_get(row, "type"));
    bool good = type != NULL;
    if (!good) {
        (void)error_set(error, ERROR_NOT_FOUND, "there is no attribute \"%s\"", options->attribute);
    } else if (options->value != NULL) {
        fact->value = fact_value_read(type, options->value, error);
        good = fact->value != NULL;
    }
    json_decref(row);
    return good;
}

static bool same_text(const json_t *row, const char *column, const char *text) {
    return text_same(json_string_value(json_object_get(row, column)), text);
}

/* Puts the fact in the place of the current one: beside it where the value is the same, else the
 * current one becomes history. */
static bool store(struct edit *edit, const struct set_options *options, const struct new_fact *fact,
                  const json_t *current, struct error *error) {
    if (current != NULL && !options->inherit && same_text(current, "state", fact->state) &&
        same_text(current, "value", fact->value)) {
        /* What is not said stays; the source of "not applicable" and "not documented" too. */
        const char *detail = json_string_value(json_object_get(current, "detail"));
        const char *note = json_string_value(json_object_get(current, "note"));
        const char *source = json_string_value(json_object_get(current, "source"));
        const char *basis = json_string_value(json_object_get(current, "basis"));
        const char *const texts[] = {fact->provider,
                                     fact->offering,
                                     options->attribute,
                                     options->detail == NULL ? detail : options->detail,
                                     options->note == NULL ? note : options->note,
                                     options->source == NULL ? source : options->source,
                                     options->source == NULL ? basis : fact->basis,
                                     fact->day};
        return edit_run(edit, EDIT_FACT_UPDATE, texts, ARRAY_LENGTH(texts), NULL, NULL, error);
    }
    const char *const key[] = {fact->provider, fact->offering, options->attribute, fact->day};
    if (!edit_run(edit, EDIT_FACT_DROP, key, ARRAY_LENGTH(key), NULL, NULL, error) ||
        !edit_run(edit, EDIT_FACT_END, key, ARRAY_LENGTH(key), NULL, NULL, error)) {
        return false;
    }
    const char *const texts[] = {
        fact->provider,  fact->offering, options->attribute, fact->state, fact->value,
        options->detail, options->note,  options->source,    fact->basis, fact->day};
    return options->inherit ||
           edit_run(edit, EDIT_FACT_ADD, texts, ARRAY_LENGTH(texts), NULL, NULL, error);
}

static bool change(struct edit *edit, const struct set_options *options, struct new_fact *fact,
                   struct error *error) {
    json_t *current = NULL;
    const char *const key[] = {fact->provider, fact->offering, options->attribute};
    const char *const days[] = {fact->day};
    if (!edit_run(edit, EDIT_JOURNAL_DAY, days, ARRAY_LENGTH(days), NULL, NULL, error) ||
        !read_value(edit, options, fact, error) ||
        !edit_run(edit, EDIT_FACT, key, ARRAY_LENGTH(key), &current, NULL, error)) {
        return false;
    }
    /* The basis stays where the source does. */
    fact->basis = options->basis;
    if (options->source != NULL && fact->basis == NULL &&
        same_text(current, "source", options->source)) {
        fact->basis = json_string_value(json_object_get(current, "basis"));
    }
    const char *from = json_string_value(json_object_get(current, "valid_from"));
    bool good = true;
    if (options->source != NULL && fact->basis == NULL) {
        good = error_set(error, ERROR_INVALID,
                         "a new source needs --basis: vendor-stated, "
                         "vendor-claim, repo, third-party or inferred");
    } else if (from != NULL && strcmp(fact->day, from) < 0) {
        good = error_set(error, ERROR_INVALID, "the current value holds from %s; %s is before that",
                         from, fact->day);
    }
    good = good && store(edit, options, fact, current, error);
    json_decref(current);
    return good;
}

static int run(const char *command, const struct set_options *options, const char *state) {
    struct error error;
    struct new_fact fact = {.state = state};
    int64_t day = 0;
    int code = EXIT_OK;
    if (!cli_take_day(command, options->on, &day, &code)) {
        return code;
    }
    text_iso_date(day, fact.day);
    if (!split_owner(options->owner, &fact, &error)) {
        return cli_fail(EXIT_USAGE, &error);
    }
    struct edit *edit = edit_open(options->db, &error);
    bool good = edit != NULL && change(edit, options, &fact, &error);
    if (good) {
        code = changes_finish(edit, options->dry, options->json);
    } else {
        edit_close(edit);
        code = cli_fail(EXIT_FAULT, &error);
    }
    free(fact.value);
    return code;
}

int cli_set(int argc, char **argv) {
    struct set_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "the catalogue file to change", NULL, &options.db},
        {"source", "ID", "the source on which the value rests", NULL, &options.source},
        {"basis", "BASIS",
         "vendor-stated, vendor-claim, repo, third-party or inferred (default: as before, from the "
         "same source)",
         NULL, &options.basis},
        {"detail", "TEXT", "what readers should know beside the value", NULL, &options.detail},
        {"note", "TEXT", "what is known of the evidence", NULL, &options.note},
        {"on", "DAY", "the day of checking (default: today)", NULL, &options.on},
        {"not-applicable", NULL, "the question does not apply; takes no VALUE",
         &options.not_applicable, NULL},
        {"dry-run", NULL, "show what would change, and change nothing", &options.dry, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_argument arguments[] = {{"PROVIDER[/OFFERING]", &options.owner, false},
                                             {"ATTRIBUTE", &options.attribute, false},
                                             {"VALUE", &options.value, true}};
    const struct cli_line line = {
        .command = "set",
        .synopsis = "--db FILE PROVIDER[/OFFERING] ATTRIBUTE VALUE --source ID [options]",
        .about = "Changes one fact. The value before stays as history; a second change on the same "
                 "day replaces the first. Where the value\n"
                 "is the same, detail and note stay unless they are given (\"\" takes them away). "
                 "VALUE is typed\n"
                 "as yes or no, 0.05, 24h or unlimited, a word, a list \"a,b\" or none, "
                 "\"H100=3.95,T4=0.59\". Refused where a rule of check breaks.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.db == NULL) {
        return cli_usage_error("set", "--db is missing: the built-in catalogue cannot be changed");
    }
    if ((options.value == NULL) != options.not_applicable) {
        return cli_usage_error("set", "give a VALUE or --not-applicable");
    }
    if (options.value != NULL && options.source == NULL) {
        return cli_usage_error("set", "--source is missing: a value needs one");
    }
    return run("set", &options, options.not_applicable ? "not_applicable" : "documented");
}

int cli_unset(int argc, char **argv) {
    struct set_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "the catalogue file to change", NULL, &options.db},
        {"note", "TEXT", "what is known instead", NULL, &options.note},
        {"on", "DAY", "the day of checking (default: today)", NULL, &options.on},
        {"inherit", NULL, "let the offering say what its provider says", &options.inherit, NULL},
        {"dry-run", NULL, "show what would change, and change nothing", &options.dry, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_argument arguments[] = {{"PROVIDER[/OFFERING]", &options.owner, false},
                                             {"ATTRIBUTE", &options.attribute, false}};
    const struct cli_line line = {
        .command = "unset",
        .synopsis = "--db FILE PROVIDER[/OFFERING] ATTRIBUTE [options]",
        .about = "Makes one fact not documented, or one of an offering inherited. The value before "
                 "stays as history.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.db == NULL) {
        return cli_usage_error("unset",
                               "--db is missing: the built-in catalogue cannot be changed");
    }
    if (options.inherit && strchr(options.owner, '/') == NULL) {
        return cli_usage_error("unset", "--inherit is for a PROVIDER/OFFERING");
    }
    return run("unset", &options, "not_documented");
}
