/* stale: what is past its review-by day, and what will be soon. */
#include "buf.h"
#include "cli.h"
#include "ical.h"
#include "limit.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stale_options {
    const char *db;
    const char *days;
    const char *on;
    const char *log;
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

static void add_day(struct buf *out, const char *name, const char *day, const char *time) {
    char value[32];
    (void)snprintf(value, sizeof(value), "%.4s%.2s%.2s%s", day, day + 5, day + 8, time);
    ical_add(out, name, value);
}

/* {"provider day": [fact]}: what is to be read together. */
static json_t *group_rows(const json_t *rows) {
    json_t *groups = json_object();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        char name[256];
        (void)snprintf(name, sizeof(name), "%s %s",
                       json_string_value(json_object_get(row, "provider")),
                       json_string_value(json_object_get(row, "review_by")));
        json_t *group = json_object_get(groups, name);
        if (group == NULL) {
            group = json_array();
            (void)json_object_set_new(groups, name, group);
        }
        (void)json_array_append(group, row);
    }
    return groups;
}

/* One entry for each provider and day. */
static void add_entry(struct buf *out, const json_t *group) {
    const json_t *first = json_array_get(group, 0);
    const char *provider = json_string_value(json_object_get(first, "provider"));
    const char *day = json_string_value(json_object_get(first, "review_by"));
    const char *checked = "";
    struct buf facts;
    buf_init(&facts, LIMIT_FILE_BYTES);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(group, i, row) {
        const char *of = json_string_value(json_object_get(row, "checked_on"));
        checked = strcmp(of, checked) > 0 ? of : checked;
        buf_add_format(&facts, "%s%s", i == 0 ? "" : " ",
                       json_string_value(json_object_get(row, "fact")));
    }
    char text[256];
    ical_begin(out, "VEVENT");
    (void)snprintf(text, sizeof(text), "%s-%s@agent-sandboxes", provider, day);
    ical_add(out, "UID", text);
    add_day(out, "DTSTAMP", checked, "T000000Z");
    add_day(out, "DTSTART;VALUE=DATE", day, "");
    (void)snprintf(text, sizeof(text), "Review %s: %zu fact%s", provider, json_array_size(group),
                   json_array_size(group) == 1 ? "" : "s");
    ical_add_text(out, "SUMMARY", text);
    ical_add_text(out, "DESCRIPTION", facts.failed ? "" : facts.data);
    ical_add(out, "TRANSP", "TRANSPARENT");
    ical_end(out, "VEVENT");
    out->failed = out->failed || facts.failed;
    buf_free(&facts);
}

static bool print_calendar(const json_t *rows, struct error *error) {
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    ical_begin(&out, "VCALENDAR");
    ical_add(&out, "VERSION", "2.0");
    ical_add(&out, "PRODID", "-//agent-sandboxes//stale//EN");
    json_t *groups = group_rows(rows);
    const char *name = NULL;
    json_t *group = NULL;
    json_object_foreach(groups, name, group) {
        add_entry(&out, group);
    }
    ical_end(&out, "VCALENDAR");
    json_decref(groups);
    bool good = out.failed ? error_no_memory(error) : cli_write(NULL, out.data, out.length, error);
    buf_free(&out);
    return good;
}

/* How often a log names an address of the provider: "/e2b/", "/e2b-vs-modal/", "/e2b.json". */
static json_int_t count_reads(const char *log, const char *provider) {
    json_int_t reads = 0;
    size_t length = strlen(provider);
    for (const char *at = strstr(log, provider); at != NULL; at = strstr(at + length, provider)) {
        bool starts =
            at > log && (at[-1] == '/' || (at - log > 4 && memcmp(at - 4, "-vs-", 4) == 0));
        reads +=
            starts && (strchr("/.?\" ", at[length]) != NULL || text_starts(at + length, "-vs-"));
    }
    return reads;
}

static int compare_reads(const void *one, const void *other) {
    json_int_t a = json_integer_value(json_object_get(*(json_t *const *)one, "reads"));
    json_int_t b = json_integer_value(json_object_get(*(json_t *const *)other, "reads"));
    json_int_t i = json_integer_value(json_object_get(*(json_t *const *)one, "place"));
    json_int_t k = json_integer_value(json_object_get(*(json_t *const *)other, "place"));
    return a != b ? (a < b ? 1 : -1) : (i > k) - (i < k);
}

/* Puts what is read most in front; late rows stay before the others. */
static json_t *sort_by_reads(json_t *rows, const char *log, struct error *error) {
    size_t count = json_array_size(rows);
    json_t **list = calloc(count + 1, sizeof(json_t *));
    json_t *sorted = json_array();
    json_t *reads = json_object();
    if (list == NULL || sorted == NULL || reads == NULL) {
        (void)error_no_memory(error);
        json_decref(sorted);
        sorted = NULL;
    }
    for (size_t i = 0; sorted != NULL && i < count; i++) {
        list[i] = json_array_get(rows, i);
        const char *provider = json_string_value(json_object_get(list[i], "provider"));
        if (json_object_get(reads, provider) == NULL) {
            (void)json_object_set_new(reads, provider, json_integer(count_reads(log, provider)));
        }
        (void)json_object_set(list[i], "reads", json_object_get(reads, provider));
        (void)json_object_set_new(list[i], "place", json_integer((json_int_t)i));
    }
    size_t late = 0;
    while (sorted != NULL && late < count &&
           json_integer_value(json_object_get(list[late], "overdue_days")) > 0) {
        late++;
    }
    if (sorted != NULL) {
        qsort(list, late, sizeof(json_t *), compare_reads);
        qsort(list + late, count - late, sizeof(json_t *), compare_reads);
    }
    for (size_t i = 0; sorted != NULL && i < count; i++) {
        (void)json_object_del(list[i], "place");
        (void)json_array_append(sorted, list[i]);
    }
    free(list);
    json_decref(reads);
    json_decref(rows);
    return sorted;
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

static json_t *find_rows(const struct stale_options *options, int64_t day, long long days,
                         struct error *error) {
    char today[TEXT_DATE_BYTES];
    text_iso_date(day, today);
    char *log = options->log == NULL ? NULL : cli_read_text(options->log, error);
    json_t *rows =
        options->log != NULL && log == NULL ? NULL : read_rows(options, today, days, error);
    if (rows != NULL && log != NULL) {
        rows = sort_by_reads(rows, log, error);
    }
    free(log);
    return rows;
}

static int stale(const struct stale_options *options) {
    struct error error;
    enum { YEAR = 365, TEN_YEARS = 3652 };
    long long days = options->ics ? YEAR : 0;
    int64_t day = 0;
    int code = EXIT_OK;
    if (options->days != NULL && !text_integer(options->days, 0, TEN_YEARS, &days)) {
        return cli_usage_error("stale", "--days takes a whole number up to %d, not \"%s\"",
                               TEN_YEARS, options->days);
    }
    if (!cli_take_day("stale", options->on, &day, &code)) {
        return code;
    }
    json_t *rows = find_rows(options, day, days, &error);
    if (rows == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    bool late = json_integer_value(json_object_get(json_array_get(rows, 0), "overdue_days")) > 0;
    bool good = true;
    if (options->ics) {
        good = print_calendar(rows, &error);
    } else if (options->json) {
        (void)cli_print_json(rows);
    } else {
        print_table(rows);
    }
    json_decref(rows);
    if (!good) {
        return cli_fail(EXIT_FAULT, &error);
    }
    return ferror(stdout) ? EXIT_FAULT : late ? EXIT_FOUND : EXIT_OK;
}

int cli_stale(int argc, char **argv) {
    struct stale_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"days", "N", "list what is due within so many days as well", NULL, &options.days},
        {"on", "DAY", "judge by this day (default: today)", NULL, &options.on},
        {"log", "FILE", "a log of the server: what is read most comes first", NULL, &options.log},
        {"ics", NULL, "print a calendar, of the coming year unless --days says less", &options.ics,
         NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_line line = {
        .command = "stale",
        .synopsis = "[--db FILE] [--days N] [--ics | --json]",
        .about = "Lists the documented facts that are past their review-by day: those in every "
                 "table first, or by --log those of the\n"
                 "providers that are read most, then the latest. How long a fact keeps is its "
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
