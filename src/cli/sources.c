/* sources check: do the pages still say what was read there? */
#include "changes.h"
#include "cli.h"
#include "dump.h"
#include "limit.h"
#include "options.h"
#include "sources_report.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sources_options {
    const char *db;
    const char *resume;
    const char *delay;
    const char *timeout;
    const char *bytes;
    bool allow_private;
    bool fresh;
    bool write;
    bool json;
    bool markdown;
    const char **ids;
    size_t id_count;
};

static const struct dump_table *find_table(const char *name) {
    for (size_t i = 0; i < DUMP_TABLES; i++) {
        if (strcmp(dump_tables[i].name, name) == 0) {
            return &dump_tables[i];
        }
    }
    return NULL;
}

static void show_progress(void *context, size_t done, size_t all, const char *url) {
    enum { WIDTH = 30, ADDRESS = 40 };
    char bar[WIDTH + 1];
    (void)context;
    size_t full = all == 0 ? WIDTH : done * WIDTH / all;
    memset(bar, '-', WIDTH);
    memset(bar, '#', full);
    bar[WIDTH] = '\0';
    (void)fprintf(stderr, "\r[%s] %zu/%zu %-*.*s", bar, done, all, ADDRESS, ADDRESS, url);
    if (done == all) {
        (void)fprintf(stderr, "\r%*s\r", WIDTH + ADDRESS + 20, "");
    }
}

/* The rows that were asked for, in the order of the catalogue. */
static json_t *choose(const json_t *rows, const struct sources_options *options,
                      struct error *error) {
    json_t *chosen = json_array();
    for (size_t id = 0; id < options->id_count; id++) {
        size_t i = 0;
        while (i < json_array_size(rows) &&
               strcmp(json_string_value(json_object_get(json_array_get(rows, i), "id")),
                      options->ids[id]) != 0) {
            i++;
        }
        if (i == json_array_size(rows)) {
            json_decref(chosen);
            (void)error_set(error, ERROR_NOT_FOUND, "there is no source \"%.100s\"",
                            options->ids[id]);
            return NULL;
        }
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *id = json_string_value(json_object_get(row, "id"));
        if (options->id_count == 0 || text_is_one_of(id, options->ids, options->id_count)) {
            (void)json_array_append(chosen, row);
        }
    }
    return chosen;
}

/* --- exemptions --- */

/* The exemption of a source that holds today, of rows of the table source_exemption, or NULL. */
static const json_t *exemption_of(const json_t *exemptions, const char *id, const char *today) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(exemptions, i, row) {
        if (strcmp(json_string_value(json_object_get(row, "source")), id) == 0) {
            const char *until = json_string_value(json_object_get(row, "until"));
            return strcmp(until, today) >= 0 ? row : NULL;
        }
    }
    return NULL;
}

/* The result of a source that is not asked for. */
static json_t *exempt_result(const json_t *source, const json_t *exemption, const char *today) {
    return json_pack("{s:O, s:O, s:s, s:s, s:n, s:n, s:n, s:o, s:s, s:n, s:b, s:n, s:n, s:O}",
                     "source", json_object_get(source, "id"), "url", json_object_get(source, "url"),
                     "state", source_state_names[SOURCE_EXEMPT], "passage",
                     json_is_null(json_object_get(source, "quote_sha256")) ? "none" : "unread",
                     "status", "read", "moved_to", "reason",
                     json_sprintf("%s (until %s)",
                                  json_string_value(json_object_get(exemption, "reason")),
                                  json_string_value(json_object_get(exemption, "until"))),
                     "checked_on", today, "seen_on", "not_modified", 0, "etag", "last_modified",
                     "quote_sha256", json_object_get(source, "quote_sha256"));
}

/* Checks the sources that are not exempt, and answers a result for each one, in their order. Who
 * names a source asks for it, exempt or not. */
static json_t *check_sources(const json_t *sources, const json_t *exemptions, bool named,
                             struct source_check_options *checking, struct error *error) {
    char today[TEXT_DATE_BYTES];
    text_iso_date(checking->today, today);
    json_t *asked = json_array();
    json_t *results = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(sources, i, row) {
        const json_t *exemption =
            named ? NULL
                  : exemption_of(exemptions, json_string_value(json_object_get(row, "id")), today);
        (void)json_array_append_new(
            results, exemption == NULL ? json_null() : exempt_result(row, exemption, today));
        (void)(exemption == NULL ? json_array_append(asked, row) : 0);
    }
    checking->sources = asked;
    json_t *answers = source_check(checking, error);
    size_t answered = 0;
    for (i = 0; answers != NULL && i < json_array_size(results); i++) {
        if (json_is_null(json_array_get(results, i))) {
            (void)json_array_set(results, i, json_array_get(answers, answered++));
        }
    }
    if (answers == NULL || json_array_size(results) != json_array_size(sources) ||
        answered != json_array_size(answers)) {
        if (answers != NULL) {
            (void)error_no_memory(error);
        }
        json_decref(results);
        results = NULL;
    }
    json_decref(answers);
    json_decref(asked);
    return results;
}

/* --- storing --- */

static bool write_row(struct edit *edit, const json_t *proposal, struct error *error) {
    const char *id = json_string_value(json_object_get(proposal, "source"));
    const json_t *set = json_object_get(proposal, "set");
    const char *day = json_string_value(json_object_get(set, "verified_on"));
    const char *url = json_string_value(json_object_get(set, "url"));
    const char *const verified[] = {id, day};
    const char *const moved[] = {id, url};
    return (day == NULL || edit_run(edit, EDIT_SOURCE_VERIFIED, verified, ARRAY_LENGTH(verified),
                                    NULL, NULL, error)) &&
           (url == NULL ||
            edit_run(edit, EDIT_SOURCE_MOVED, moved, ARRAY_LENGTH(moved), NULL, NULL, error));
}

/* Stores that a source failed, or that it did not. *out_failed counts. */
static bool write_state(struct edit *edit, const json_t *result, const char *today,
                        size_t *out_failed, struct error *error) {
    enum source_state state = source_result_state(result);
    const char *id = json_string_value(json_object_get(result, "source"));
    const char *const found[] = {id};
    if (state == SOURCE_EXEMPT) {
        return true;
    }
    if (!sources_failed(result)) {
        return edit_run(edit, EDIT_SOURCE_FOUND, found, ARRAY_LENGTH(found), NULL, NULL, error);
    }
    json_t *reason = sources_failure(result);
    const char *const failed[] = {id, source_state_names[state], json_string_value(reason), today};
    bool good = edit_run(edit, EDIT_SOURCE_FAILED, failed, ARRAY_LENGTH(failed), NULL, NULL, error);
    json_decref(reason);
    *out_failed += 1;
    return good;
}

/* Stores what the proposals set, and which sources failed; says on standard error how many. */
static bool write_results(const struct sources_options *options, const json_t *results,
                          const json_t *proposals, int64_t today, struct error *error) {
    char day[TEXT_DATE_BYTES];
    size_t set = 0;
    size_t failed = 0;
    size_t i = 0;
    json_t *row = NULL;
    text_iso_date(today, day);
    struct edit *edit = edit_open(options->db, error);
    bool good = edit != NULL;
    json_array_foreach(proposals, i, row) {
        set += json_object_size(json_object_get(row, "set")) > 0;
        good = good && write_row(edit, row, error);
    }
    json_array_foreach(results, i, row) {
        good = good && write_state(edit, row, day, &failed, error);
    }
    json_t *changes = good ? edit_finish(edit, today, false, error) : NULL;
    edit_close(edit);
    if (json_array_size(changes) > 0) {
        (void)fprintf(stderr, "agent-sandboxes sources check: stored for %zu source%s in %s", set,
                      set == 1 ? "" : "s", options->db);
        (void)fprintf(stderr, failed == 0 ? "\n" : ", and what is wrong with %zu\n", failed);
    } else if (changes != NULL) {
        (void)fputs("agent-sandboxes sources check: nothing to store\n", stderr);
    }
    good = changes != NULL;
    json_decref(changes);
    return good;
}

static int finish(const struct sources_options *options, const json_t *sources,
                  const json_t *results, const json_t *facts, int64_t today) {
    struct error error;
    json_t *proposals = sources_proposals(results, sources, facts);
    enum sources_form form = options->json       ? SOURCES_JSON
                             : options->markdown ? SOURCES_MARKDOWN
                                                 : SOURCES_TABLE;
    int code = sources_report(results, proposals, form, options->db);
    if (options->write && !write_results(options, results, proposals, today, &error)) {
        code = cli_fail(EXIT_FAULT, &error);
    }
    json_decref(proposals);
    return code;
}

static bool take_number(const char *text, double low, double high, double *out) {
    return text == NULL || (text_number(text, out) && *out >= low && *out <= high);
}

static int check(const struct sources_options *options) {
    enum { MOST_SECONDS = 3600 };
    struct error error;
    double bytes = LIMIT_FETCH_BYTES;
    struct source_check_options checking = {
        .crawl = {.user_agent = "agent-sandboxes-sources/" PROGRAM_VERSION
                                " (checks whether cited pages still say what was cited)",
                  .product = "agent-sandboxes-sources",
                  .allow_private = options->allow_private,
                  .delay_seconds = 1,
                  .timeout_seconds = 30},
        .journal = options->resume,
        .fresh = options->fresh,
        .today = text_today(),
        .progress = isatty(STDERR_FILENO) ? show_progress : NULL};
    if (!take_number(options->delay, 0, MOST_SECONDS, &checking.crawl.delay_seconds) ||
        !take_number(options->timeout, 0.01, MOST_SECONDS, &checking.crawl.timeout_seconds) ||
        !take_number(options->bytes, 1, LIMIT_CATALOGUE_BYTES, &bytes)) {
        return cli_usage_error("sources check", "--delay, --timeout and --max-bytes take numbers "
                                                "up to an hour and 2 GB");
    }
    checking.crawl.max_bytes = (size_t)bytes;
    struct image image = {0};
    json_t *rows = NULL;
    json_t *facts = NULL;
    json_t *exemptions = NULL;
    json_t *sources = NULL;
    json_t *results = NULL;
    if (cli_read_image(options->db, &image, &error)) {
        rows = dump_rows(&image, find_table("source"), &error);
        facts = rows == NULL ? NULL : dump_rows(&image, find_table("fact"), &error);
        exemptions =
            facts == NULL ? NULL : dump_rows(&image, find_table("source_exemption"), &error);
        sources = exemptions == NULL ? NULL : choose(rows, options, &error);
        results = sources == NULL ? NULL
                                  : check_sources(sources, exemptions, options->id_count > 0,
                                                  &checking, &error);
    }
    image_free(&image);
    int code = results == NULL ? cli_fail(EXIT_FAULT, &error)
                               : finish(options, sources, results, facts, checking.today);
    json_decref(rows);
    json_decref(facts);
    json_decref(exemptions);
    json_decref(sources);
    json_decref(results);
    return code;
}

static int sources_check(int argc, char **argv) {
    struct sources_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "this catalogue instead of the built-in one", NULL, &options.db},
        {"resume", "FILE", "remember results there; go on with a run that was stopped", NULL,
         &options.resume},
        {"fresh", NULL, "ask for every page anew, whatever is remembered", &options.fresh, NULL},
        {"write", NULL,
         "store in what --db names: days of found passages, new addresses, and what failed",
         &options.write, NULL},
        {"allow-private", NULL, "ask private addresses too, where a source itself names one",
         &options.allow_private, NULL},
        {"delay", "SECONDS", "rest between two requests to a host (default: 1)", NULL,
         &options.delay},
        {"timeout", "SECONDS", "of one request (default: 30)", NULL, &options.timeout},
        {"max-bytes", "N", "of one page (default: 8388608)", NULL, &options.bytes},
        {"markdown", NULL, "print a Markdown report", &options.markdown, NULL},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_line line = {
        .command = "sources check",
        .synopsis = "[--db FILE] [--resume FILE] [options] [SOURCE...]",
        .about =
            "Asks for the page of every source (or of those named), politely, and says of each one "
            "thing: verified (the\n"
            "passage was found by its fingerprint), reachable, changed, redirected, blocked, gone "
            "or unreachable; or exempt, of one\n"
            "that the catalogue exempts for a reason and until a day: it is asked for only where "
            "it is named. Proposes what to do\n"
            "and writes nothing without --write. Exits with 1 where any source is neither "
            "verified, reachable nor exempt.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .rest = &options.ids,
        .rest_count = &options.id_count};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.json && options.markdown) {
        return cli_usage_error("sources check", "--json and --markdown exclude each other");
    }
    return options.write && options.db == NULL
               ? cli_usage_error("sources check",
                                 "--write needs --db: the built-in catalogue cannot be changed")
               : check(&options);
}

int cli_sources(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "check") == 0) {
        return sources_check(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        return puts("Usage: agent-sandboxes sources check [options] [SOURCE...]\n\n"
                    "Looks after the pages that the catalogue cites.\n"
                    "`agent-sandboxes sources check --help` says more.\n\n"
                    "  --help                   print this") < 0
                   ? EXIT_FAULT
                   : EXIT_OK;
    }
    return cli_usage_error("sources", "say what: check");
}
