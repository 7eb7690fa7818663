#include "changes.h"
#include "cli.h"
#include "limit.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

/* Text as one span of Markdown's code, whatever it holds: more ticks around it than within, and no
 * line of its own. */
static void print_code(const char *text) {
    int longest = 0;
    for (const char *at = text; *at != '\0';) {
        int ticks = (int)strspn(at, "`");
        longest = ticks > longest ? ticks : longest;
        at += ticks == 0 ? 1 : ticks;
    }
    bool apart = longest > 0 || text[0] == ' ' || text[0] == '\0';
    for (int i = 0; i <= longest; i++) {
        (void)putchar('`');
    }
    (void)fputs(apart ? " " : "", stdout);
    for (; *text != '\0'; text++) {
        (void)putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    (void)fputs(apart ? " " : "", stdout);
    for (int i = 0; i <= longest; i++) {
        (void)putchar('`');
    }
}

static void print_value(const json_t *value, enum changes_form form) {
    char number[64] = "";
    const char *text = json_string_value(value);
    if (json_is_null(value)) {
        (void)fputs("nothing", stdout);
        return;
    }
    if (text == NULL) {
        (void)json_dumpb(value, number, sizeof(number) - 1, JSON_ENCODE_ANY);
        text = number;
    }
    if (form == CHANGES_MARKDOWN) {
        print_code(text);
    } else {
        (void)fputs(text, stdout);
    }
}

static void print_row(const char *row, enum changes_form form) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./ ";
    if (form != CHANGES_MARKDOWN) {
        (void)fputs(row, stdout);
    } else if (row[strspn(row, plain)] == '\0') {
        (void)printf("- **%s**", row);
    } else {
        (void)fputs("- ", stdout);
        print_code(row);
    }
}

static void print_change(const json_t *change, enum changes_form form) {
    const char *row = json_string_value(json_object_get(change, "row"));
    const char *kind = json_string_value(json_object_get(change, "change"));
    const bool markdown = form == CHANGES_MARKDOWN;
    print_row(row, form);
    (void)printf(" %s", kind);
    const char *column = NULL;
    json_t *sides = NULL;
    json_object_foreach(json_object_get(change, "columns"), column, sides) {
        const json_t *before = json_array_get(sides, 0);
        const json_t *after = json_array_get(sides, 1);
        if (strcmp(kind, "changed") != 0 &&
            json_is_null(strcmp(kind, "added") == 0 ? after : before)) {
            continue;
        }
        (void)printf(markdown ? "\n  - %s: " : "\n    %s: ", column);
        if (strcmp(kind, "changed") == 0) {
            print_value(before, form);
            (void)fputs(markdown ? " → " : " -> ", stdout);
            print_value(after, form);
        } else {
            print_value(strcmp(kind, "added") == 0 ? after : before, form);
        }
    }
    (void)putchar('\n');
}

int changes_print(const json_t *changes, enum changes_form form) {
    if (form == CHANGES_JSON) {
        json_t *report = json_pack("{s:O}", "changes", changes);
        int code = cli_print_json(report);
        json_decref(report);
        return code;
    }
    size_t i = 0;
    json_t *change = NULL;
    json_array_foreach(changes, i, change) {
        print_change(change, form);
    }
    if (json_array_size(changes) == 0) {
        (void)puts("nothing changed");
    }
    return ferror(stdout) ? EXIT_FAULT : EXIT_OK;
}

int changes_finish(struct edit *edit, bool dry, bool json) {
    struct error error;
    json_t *changes = edit_finish(edit, text_today(), dry, &error);
    int code = changes == NULL ? cli_fail(EXIT_FAULT, &error)
                               : changes_print(changes, json ? CHANGES_JSON : CHANGES_TEXT);
    json_decref(changes);
    edit_close(edit);
    return code;
}
