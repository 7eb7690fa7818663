#include "sources_report.h"
#include "check.h"
#include "cli.h"
#include "edit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *field(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text == NULL ? "" : text;
}

/* The moved address, with the fragment of the source's own. */
static json_t *moved_address(const json_t *result) {
    const char *moved = field(result, "moved_to");
    const char *fragment = strchr(field(result, "url"), '#');
    return json_sprintf("%s%s", moved,
                        fragment == NULL || strchr(moved, '#') != NULL ? "" : fragment);
}

/* What the catalogue may take over without a reader: a day on which the passage was seen, and the
 * new address of a page on which it was. */
static json_t *columns_to_set(const json_t *result, const json_t *row) {
    json_t *set = json_object();
    bool found = strcmp(field(result, "passage"), "found") == 0;
    const char *seen = field(result, "seen_on");
    if (found && strcmp(seen, field(row, "accessed_on")) >= 0 &&
        strcmp(seen, field(row, "verified_on")) > 0) {
        (void)json_object_set_new(set, "verified_on", json_string(seen));
    }
    /* A source that is read at another address keeps its own. */
    char *read = source_reading_address(field(row, "url"));
    bool same = read != NULL && strncmp(read, field(row, "url"), strlen(read)) == 0;
    free(read);
    if (found && same && source_result_state(result) == SOURCE_REDIRECTED) {
        (void)json_object_set_new(set, "url", moved_address(result));
    }
    return set;
}

bool sources_failed(const json_t *result) {
    enum source_state state = source_result_state(result);
    bool found = strcmp(field(result, "passage"), "found") == 0;
    return state != SOURCE_VERIFIED && state != SOURCE_REACHABLE && state != SOURCE_EXEMPT &&
           !(state == SOURCE_REDIRECTED && found);
}

json_t *sources_failure(const json_t *result) {
    const char *moved = field(result, "moved_to");
    const char *reason = field(result, "reason");
    bool is_plain = moved[0] != '\0' && check_address(moved) == NULL;
    for (const char *c = moved; *c != '\0'; c++) {
        is_plain = is_plain && (unsigned char)*c < 0x7f;
    }
    return is_plain            ? json_sprintf("now at %.300s", moved)
           : reason[0] != '\0' ? json_string(reason)
                               : json_null();
}

static bool wants_reader(const json_t *result) {
    enum source_state state = source_result_state(result);
    bool found = strcmp(field(result, "passage"), "found") == 0;
    return state == SOURCE_CHANGED || state == SOURCE_GONE ||
           (state == SOURCE_REDIRECTED && !found);
}

/* The current facts that rest on a source, "e2b isolation" or "modal/gpu gpu". */
static json_t *facts_of(const json_t *facts, const char *source) {
    json_t *names = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(facts, i, row) {
        if (strcmp(field(row, "source"), source) == 0 &&
            json_is_null(json_object_get(row, "valid_to"))) {
            const char *offering = field(row, "offering");
            (void)json_array_append_new(names, json_sprintf("%s%s%s %s", field(row, "provider"),
                                                            offering[0] ? "/" : "", offering,
                                                            field(row, "attribute")));
        }
    }
    return names;
}

json_t *sources_proposals(const json_t *results, const json_t *sources, const json_t *facts) {
    json_t *proposals = json_array();
    size_t i = 0;
    json_t *result = NULL;
    json_array_foreach(results, i, result) {
        json_t *set = columns_to_set(result, json_array_get(sources, i));
        if (json_object_size(set) > 0 || wants_reader(result)) {
            (void)json_array_append_new(
                proposals,
                json_pack("{s:O, s:O, s:O, s:o}", "source", json_object_get(result, "source"),
                          "state", json_object_get(result, "state"), "set", set, "read_again",
                          wants_reader(result) ? facts_of(facts, field(result, "source"))
                                               : json_array()));
        }
        json_decref(set);
    }
    return proposals;
}

static void count(const json_t *results, size_t counts[SOURCE__COUNT]) {
    size_t i = 0;
    json_t *result = NULL;
    json_array_foreach(results, i, result) {
        counts[source_result_state(result)]++;
    }
}

static void print_line(const json_t *result) {
    const char *moved = field(result, "moved_to");
    const char *reason = field(result, "reason");
    (void)printf("%-11s  %-28s  %s", field(result, "state"), field(result, "source"),
                 field(result, "url"));
    if (moved[0] != '\0') {
        (void)printf(" -> %s", moved);
    }
    if (json_is_true(json_object_get(result, "not_modified"))) {
        (void)printf(" (not modified; passage last seen %s)",
                     field(result, "seen_on")[0] ? field(result, "seen_on") : "never");
    }
    (void)printf(reason[0] == '\0' ? "\n" : ": %s\n", reason);
}

/* Text in a cell of a Markdown table. */
static void print_cell(const char *text) {
    for (; *text != '\0'; text++) {
        if (strchr("|\\`*_<>[]", *text) != NULL) {
            (void)putchar('\\');
        }
        (void)putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
}

static void print_markdown(const json_t *results, const size_t counts[SOURCE__COUNT]) {
    (void)puts("| state | sources |\n| --- | ---: |");
    for (size_t i = 0; i < SOURCE__COUNT; i++) {
        (void)printf("| %s | %zu |\n", source_state_names[i], counts[i]);
    }
    (void)puts("\n| state | source | address | why |\n| --- | --- | --- | --- |");
    size_t i = 0;
    json_t *result = NULL;
    json_array_foreach(results, i, result) {
        enum source_state state = source_result_state(result);
        if (state == SOURCE_VERIFIED || state == SOURCE_REACHABLE) {
            continue;
        }
        (void)printf("| %s | %s | ", field(result, "state"), field(result, "source"));
        print_cell(field(result, "url"));
        (void)fputs(" | ", stdout);
        if (state == SOURCE_REDIRECTED) {
            (void)fputs("now ", stdout);
            print_cell(field(result, "moved_to"));
            (void)printf("; passage %s ", field(result, "passage"));
        }
        print_cell(field(result, "reason"));
        (void)puts(" |");
    }
    (void)putchar('\n');
}

static void print_table(const json_t *results, const size_t counts[SOURCE__COUNT]) {
    size_t i = 0;
    json_t *result = NULL;
    json_array_foreach(results, i, result) {
        print_line(result);
    }
    for (i = 0; i < SOURCE__COUNT; i++) {
        (void)printf("%s%zu %s", i == 0 ? "" : ", ", counts[i], source_state_names[i]);
    }
    (void)putchar('\n');
}

static void print_proposal(const json_t *proposal, const char *db) {
    const char *source = field(proposal, "source");
    struct buf line;
    buf_init(&line, 1 << 16);
    if (edit_source_line(source, json_object_get(proposal, "set"), &line) && line.length > 0) {
        (void)fputs(line.data, stdout);
    }
    buf_free(&line);
    size_t i = 0;
    json_t *value = NULL;
    json_array_foreach(json_object_get(proposal, "read_again"), i, value) {
        (void)printf("-- %s is %s; read it again, then: agent-sandboxes review --db %s %s\n",
                     source, field(proposal, "state"), db == NULL ? "FILE" : db,
                     json_string_value(value));
    }
}

int sources_report(const json_t *results, const json_t *proposals, enum sources_form form,
                   const char *db) {
    size_t counts[SOURCE__COUNT] = {0};
    count(results, counts);
    bool well = counts[SOURCE_VERIFIED] + counts[SOURCE_REACHABLE] + counts[SOURCE_EXEMPT] ==
                json_array_size(results);
    if (form == SOURCES_JSON) {
        json_t *states = json_object();
        for (size_t i = 0; i < SOURCE__COUNT; i++) {
            (void)json_object_set_new(states, source_state_names[i],
                                      json_integer((json_int_t)counts[i]));
        }
        json_t *report = json_pack("{s:o, s:O, s:O}", "states", states, "sources", results,
                                   "proposals", proposals);
        int code = cli_print_json(report);
        json_decref(report);
        return well ? code : EXIT_FAULT;
    }
    (form == SOURCES_MARKDOWN ? print_markdown : print_table)(results, counts);
    if (json_array_size(proposals) > 0) {
        (void)puts(form == SOURCES_MARKDOWN ? "```" : "\nproposed:");
        size_t i = 0;
        json_t *proposal = NULL;
        json_array_foreach(proposals, i, proposal) {
            print_proposal(proposal, db);
        }
        (void)fputs(form == SOURCES_MARKDOWN ? "```\n" : "", stdout);
    }
    return well && fflush(stdout) == 0 ? EXIT_OK : EXIT_FAULT;
}
