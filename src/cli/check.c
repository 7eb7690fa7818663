/* check: every rule of the catalogue, told with rows and lines. */
#include "check.h"
#include "cli.h"
#include "dump.h"
#include "limit.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_options {
    const char *db;
    const char *seed;
    const char *folder;
    const char *on;
    const char *overlay;
    bool json;
    bool rules;
};

/* The text whose lines findings name, and what it is called. */
struct seed_text {
    char *text; /* owned */
    char name[512];
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

static void add_line(json_t *finding, const struct seed_text *seed) {
    const char *start = json_string_value(json_object_get(finding, "line_start"));
    const char *end = json_string_value(json_object_get(finding, "line_end"));
    long long line = start == NULL ? 0 : find_line(seed->text, start, end);
    (void)json_object_set_new(finding, "file", json_string(seed->name));
    (void)json_object_set_new(finding, "line", line == 0 ? json_null() : json_integer(line));
    (void)json_object_del(finding, "line_start");
    (void)json_object_del(finding, "line_end");
}

static void print_finding(const json_t *finding) {
    const char *words[] = {"severity", "rule", "row", "message", "mend", "file"};
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        words[i] = json_string_value(json_object_get(finding, words[i]));
    }
    json_int_t line = json_integer_value(json_object_get(finding, "line"));
    if (line != 0) {
        (void)printf("%s:%lld: ", words[5], (long long)line);
    }
    (void)printf("%s [%s] %s %s\n    mend: %s\n", words[0], words[1], words[2], words[3], words[4]);
}

static int print_rules(const struct check_options *options) {
    json_t *rules = json_array();
    for (size_t i = 0; i < check_rule_count; i++) {
        const struct check_rule *rule = &check_rules[i];
        const char *severity = check_severity_word(rule->severity);
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

/* How many findings are of each severity. */
static void count_findings(const json_t *findings, json_int_t counts[CHECK_ERROR + 1]) {
    size_t i = 0;
    json_t *finding = NULL;
    json_array_foreach(findings, i, finding) {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        for (int k = CHECK_WARNING; severity != NULL && k <= CHECK_ERROR; k++) {
            counts[k] += strcmp(severity, check_severity_word((enum check_severity)k)) == 0;
        }
    }
}

static int print_findings(const struct check_options *options, json_t *findings,
                          const struct seed_text *seed) {
    json_int_t counts[CHECK_ERROR + 1] = {0};
    size_t i = 0;
    json_t *finding = NULL;
    count_findings(findings, counts);
    json_array_foreach(findings, i, finding) {
        add_line(finding, seed);
        if (!options->json) {
            print_finding(finding);
        }
    }
    int code = EXIT_OK;
    if (options->json) {
        json_t *report = json_pack("{s:I, s:I, s:I, s:O}", "errors", counts[CHECK_ERROR], "reviews",
                                   counts[CHECK_REVIEW], "warnings", counts[CHECK_WARNING],
                                   "findings", findings);
        code = cli_print_json(report);
        json_decref(report);
    } else {
        (void)printf("%lld error%s, %lld to read again, %lld warning%s\n",
                     (long long)counts[CHECK_ERROR], counts[CHECK_ERROR] == 1 ? "" : "s",
                     (long long)counts[CHECK_REVIEW], (long long)counts[CHECK_WARNING],
                     counts[CHECK_WARNING] == 1 ? "" : "s");
    }
    return counts[CHECK_ERROR] > 0    ? EXIT_FAULT
           : code != EXIT_OK          ? code
           : counts[CHECK_REVIEW] > 0 ? EXIT_FOUND
                                      : EXIT_OK;
}

/* The seed file itself; of a database, the text that dump writes, which for the built-in catalogue
 * is sql/seed.sql. */
static bool read_seed(const struct check_options *options, const struct image *image,
                      struct seed_text *out_seed, struct error *error) {
    if (options->seed != NULL) {
        (void)snprintf(out_seed->name, sizeof(out_seed->name), "%s", options->seed);
        out_seed->text = cli_read_text(options->seed, error);
        return out_seed->text != NULL;
    }
    struct buf text;
    buf_init(&text, LIMIT_CATALOGUE_BYTES);
    (void)snprintf(out_seed->name, sizeof(out_seed->name), "%s%s",
                   options->db == NULL ? "sql/seed.sql" : "dump of ",
                   options->db == NULL ? "" : options->db);
    if (!dump_image(image, NULL, NULL, &text, error)) {
        buf_free(&text);
        return false;
    }
    out_seed->text = buf_take(&text);
    return true;
}

static int check(const struct check_options *options, int64_t today) {
    struct error error;
    struct image image = {0};
    struct seed_text seed = {0};
    json_t *findings = NULL;
    bool good = options->seed == NULL
                    ? cli_read_image(options->db, &image, &error)
                    : cli_build_image(options->seed, options->folder, &image, &error);
    if (good) {
        findings = check_image(&image, today, &error);
        good = findings != NULL && read_seed(options, &image, &seed, &error);
    }
    int code = good ? print_findings(options, findings, &seed) : cli_fail(EXIT_FAULT, &error);
    json_decref(findings);
    image_free(&image);
    free(seed.text);
    return code;
}

static int check_overlay(const struct check_options *options) {
    struct error error;
    struct generation *generation = cli_load_overlaid(options->db, options->overlay, &error);
    if (generation == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    const char *words = generation_setting(generation, "overlay_words");
    json_t *report = json_pack("{s:s, s:s?, s:s}", "overlay", options->overlay, "words", words,
                               "generation", generation_id(generation));
    int code = options->json
                   ? cli_print_json(report)
                   : (printf("%s: %s\n", options->overlay, words) < 0 ? EXIT_FAULT : EXIT_OK);
    json_decref(report);
    generation_release(generation);
    return code;
}

int cli_check(int argc, char **argv) {
    struct check_options options = {.folder = "."};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"seed", "FILE", "SQL text; then findings name its lines", NULL, &options.seed},
        {"folder", "FOLDER", "where readfile() looks (default: the current folder)", NULL,
         &options.folder},
        {"on", "DAY", "judge by this day (default: today)", NULL, &options.on},
        {"overlay", "FILE", "hold this private overlay to its rules, over that catalogue", NULL,
         &options.overlay},
        {"rules", NULL, "list the rules instead", &options.rules, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_line line = {
        .command = "check",
        .synopsis = "[--db FILE | --seed FILE] [options]",
        .about =
            "Holds a catalogue to every rule, and names row, line and remedy of what breaks one. "
            "Exits with 1 where there is an\n"
            "error (no server loads such a catalogue), else with 3 where a verdict or prose "
            "has to be read again. Warnings are\n"
            "only shown. Without --seed the lines are those of the text that dump writes.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.db != NULL && options.seed != NULL) {
        return cli_usage_error("check", "--db and --seed exclude each other");
    }
    if (options.overlay != NULL) {
        return options.seed == NULL && options.on == NULL
                   ? check_overlay(&options)
                   : cli_usage_error("check", "--overlay goes with --db and --json alone");
    }
    int64_t today = 0;
    if (!cli_take_day("check", options.on, &today, &code)) {
        return code;
    }
    return options.rules ? print_rules(&options) : check(&options, today);
}
