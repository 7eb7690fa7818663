/* check: every rule of the catalogue, told with rows and lines. */
#include "check.h"
#include "check_prose.h"
#include "cli.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_options {
    const char *db;
    const char *seed;
    const char *folder;
    bool json;
    bool rules;
};

/* The number of the line that starts and ends so; 0: there is none. */
static long long find_line(const char *text, const char *start, const char *end) {
    long long number = 1;
    size_t tail = end == NULL ? 0 : strlen(end);
    for (const char *line = text; *line != '\0'; number++) {
        size_t length = strcspn(line, "\n");
        if (text_starts(line, start) &&
            (end == NULL || (length >= tail && memcmp(line + length - tail, end, tail) == 0))) {
            return number;
        }
        line += length + (line[length] == '\n');
    }
    return 0;
}

static void add_line(json_t *finding, const char *seed) {
    const char *start = json_string_value(json_object_get(finding, "line_start"));
    const char *end = json_string_value(json_object_get(finding, "line_end"));
    long long line = seed == NULL || start == NULL ? 0 : find_line(seed, start, end);
    (void)json_object_set_new(finding, "line", line == 0 ? json_null() : json_integer(line));
    (void)json_object_del(finding, "line_start");
    (void)json_object_del(finding, "line_end");
}

static void print_finding(const struct check_options *options, const json_t *finding) {
    const char *words[] = {"severity", "rule", "row", "message", "mend"};
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        words[i] = json_string_value(json_object_get(finding, words[i]));
    }
    json_int_t line = json_integer_value(json_object_get(finding, "line"));
    if (line != 0) {
        (void)printf("%s:%lld: ", options->seed, (long long)line);
    }
    (void)printf("%s [%s] %s %s\n    mend: %s\n", words[0], words[1], words[2], words[3], words[4]);
}

static int print_rules(const struct check_options *options) {
    json_t *rules = json_array();
    for (size_t i = 0; i < check_rule_count; i++) {
        const struct check_rule *rule = &check_rules[i];
        const char *severity = rule->severity == CHECK_ERROR ? "error" : "warning";
        (void)json_array_append_new(rules, json_pack("{s:s, s:s, s:s}", "rule", rule->key,
                                                     "severity", severity, "mend", rule->mend));
        if (!options->json) {
            (void)printf("%-8s %-18s %s\n", severity, rule->key, rule->mend);
        }
    }
    int code = options->json ? cli_print_json(rules) : EXIT_OK;
    json_decref(rules);
    return code;
}

static int print_findings(const struct check_options *options, json_t *findings, const char *seed) {
    size_t errors = 0;
    size_t i = 0;
    json_t *finding = NULL;
    json_array_foreach(findings, i, finding) {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        errors += severity != NULL && strcmp(severity, "error") == 0;
        add_line(finding, seed);
        if (!options->json) {
            print_finding(options, finding);
        }
    }
    size_t warnings = json_array_size(findings) - errors;
    if (options->json) {
        json_t *report = json_pack("{s:I, s:I, s:O}", "errors", (json_int_t)errors, "warnings",
                                   (json_int_t)warnings, "findings", findings);
        int code = cli_print_json(report);
        json_decref(report);
        return errors > 0 ? EXIT_FAULT : code;
    }
    (void)printf("%zu error%s, %zu warning%s\n", errors, errors == 1 ? "" : "s", warnings,
                 warnings == 1 ? "" : "s");
    return errors > 0 ? EXIT_FAULT : EXIT_OK;
}

static int check(const struct check_options *options) {
    struct error error;
    struct image image = {0};
    json_t *findings = NULL;
    char *seed = options->seed == NULL ? NULL : cli_read_text(options->seed, &error);
    bool good = options->seed == NULL || seed != NULL;
    good = good && (options->seed == NULL
                        ? cli_read_image(options->db, &image, &error)
                        : cli_build_image(options->seed, options->folder, &image, &error));
    if (good) {
        findings = check_image(&image, text_today(), &error);
        good = findings != NULL && check_prose(&image, findings, &error);
    }
    int code = good ? print_findings(options, findings, seed) : cli_fail(EXIT_FAULT, &error);
    json_decref(findings);
    image_free(&image);
    free(seed);
    return code;
}

int cli_check(int argc, char **argv) {
    struct check_options options = {.folder = "."};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"seed", "FILE", "SQL text; then findings name its lines", NULL, &options.seed},
        {"folder", "FOLDER", "where readfile() looks (default: the current folder)", NULL,
         &options.folder},
        {"rules", NULL, "list the rules instead", &options.rules, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_line line = {
        .command = "check",
        .synopsis = "[--db FILE | --seed FILE] [options]",
        .about = "Holds a catalogue to every rule and says what to mend. Exits with 1 where a rule "
                 "that is an error is broken:\n"
                 "no server loads such a catalogue. Warnings are only shown.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.db != NULL && options.seed != NULL) {
        return cli_usage_error("check", "--db and --seed exclude each other");
    }
    return options.rules ? print_rules(&options) : check(&options);
}
