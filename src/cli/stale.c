/* stale: what is past its review-by day, and what will be soon. */
#include "cli.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

struct stale_options {
    const char *db;
    const char *days;
    const char *on;
    bool ics;
    bool json;
};

static void print_table(const json_t *rows) {
    size_t i = 0;
    size_t late = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_int_t overdue = json_integer_value(json_object_get(row, "overdue_days"));
        late += overdue > 0;
        (void)printf("%s  %5lld days %-7s %-12s %s\n",
                     json_string_value(json_object_get(row, "review_by")),
                     (long long)(overdue > 0 ? overdue : -overdue), overdue > 0 ? "late" : "left",
                     json_string_value(json_object_get(row, "volatility")),
                     json_string_value(json_object_get(row, "fact")));
    }
    (void)printf("%zu past review, %zu due\n", late, json_array_size(rows) - late);
}

/* A content line of RFC 5545, folded after 75 octets between characters. */
static void print_content(const char *name, const char *value) {
    enum { LINE_OCTETS = 75 };
    size_t used = strlen(name) + 1;
    (void)printf("%s:", name);
    for (const char *c = value; *c != '\0'; c++) {
        bool special = strchr(",;\\", *c) != NULL;
        bool starts = ((unsigned char)*c & 0xc0U) != 0x80U;
        enum { CHARACTER_OCTETS = 4 };
        if (starts && used + CHARACTER_OCTETS > LINE_OCTETS) {
            (void)fputs("\r\n ", stdout);
            used = 1;
        }
        (void)printf("%s%c", special ? "\\" : "", *c);
        used += special ? 2 : 1;
    }
    (void)fputs("\r\n", stdout);
}

static void print_day(const char *name, const char *day, const char *time) {
    char value[32];
    (void)snprintf(value, sizeof(value), "%.4s%.2s%.2s%s", day, day + 5, day + 8, time);
    print_content(name, value);
}

/* One entry a fact, on its review-by day. */
static void print_calendar(const json_t *rows) {
    (void)fputs("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//agent-sandboxes//stale//EN\r\n",
                stdout);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *fact = json_string_value(json_object_get(row, "fact"));
        char text[256];
        (void)fputs("BEGIN:VEVENT\r\n", stdout);
        (void)snprintf(text, sizeof(text), "%s@agent-sandboxes", fact);
        print_content("UID", text);
        print_day("DTSTAMP", json_string_value(json_object_get(row, "checked_on")), "T000000Z");
        print_day("DTSTART;VALUE=DATE", json_string_value(json_object_get(row, "review_by")), "");
        (void)snprintf(text, sizeof(text), "Review %s", fact);
        print_content("SUMMARY", text);
        (void)fputs("TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n", stdout);
    }
    (void)fputs("END:VCALENDAR\r\n", stdout);
}

static json_t *read_rows(const struct stale_options *options, const char *today, long long days,
                         struct error *error) {
    struct generation *generation = cli_load_catalogue(options->db, error);
    struct catalogue *catalogue = generation == NULL ? NULL : catalogue_open(generation, error);
    json_t *rows = NULL;
    if (catalogue != NULL) {
        rows =
            CATALOGUE_ROWS(catalogue, STATEMENT_STALE, error, BIND_TEXT(today), BIND_INTEGER(days));
    }
    catalogue_close(catalogue);
    generation_release(generation);
    return rows;
}

static int stale(const struct stale_options *options) {
    struct error error;
    enum { TEN_YEARS = 3652 };
    long long days = 0;
    int64_t number = text_today();
    char today[TEXT_DATE_BYTES];
    if (options->days != NULL && !text_integer(options->days, 0, TEN_YEARS, &days)) {
        return cli_usage_error("stale", "--days takes a whole number up to %d, not \"%s\"",
                               TEN_YEARS, options->days);
    }
    if (options->on != NULL && !text_day(options->on, &number)) {
        return cli_usage_error("stale", "--on takes a day such as 2026-11-30, not \"%s\"",
                               options->on);
    }
    text_iso_date(number, today);
    json_t *rows = read_rows(options, today, days, &error);
    if (rows == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    bool late = json_integer_value(json_object_get(json_array_get(rows, 0), "overdue_days")) > 0;
    if (options->ics) {
        print_calendar(rows);
    } else if (options->json) {
        (void)cli_print_json(rows);
    } else {
        print_table(rows);
    }
    json_decref(rows);
    return ferror(stdout) ? EXIT_FAULT : late ? EXIT_FOUND : EXIT_OK;
}

int cli_stale(int argc, char **argv) {
    struct stale_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"days", "N", "list what is due within so many days as well", NULL, &options.days},
        {"on", "DAY", "judge by this day (default: today)", NULL, &options.on},
        {"ics", NULL, "print a calendar", &options.ics, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_line line = {
        .command = "stale",
        .synopsis = "[--db FILE] [--days N] [--ics | --json]",
        .about = "Lists the documented facts that are past their review-by day, the latest first; "
                 "how long a fact keeps is its\n"
                 "attribute's volatility. Exits with 3 where any is past it.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    return options.ics && options.json
               ? cli_usage_error("stale", "--ics and --json exclude each other")
               : stale(&options);
}
