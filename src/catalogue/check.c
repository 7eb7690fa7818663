/* Runs the rules. */
#include "check_private.h"
#include "database.h"
#include "rows.h"
#include "statements.h"
#include "text.h"
#include <string.h>

/* The days that rules compare with. A clock that is behind refuses nothing: the catalogue's own day
 * counts too. */
struct days {
    char last[TEXT_DATE_BYTES];
    char today[TEXT_DATE_BYTES];
};

static void sql_address_fault(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    const char *url = (const char *)sqlite3_value_text(arguments[0]);
    const char *fault = url == NULL ? NULL : check_address(url);
    if (fault != NULL) {
        sqlite3_result_text(context, fault, -1, SQLITE_STATIC);
    }
}

static bool check_integrity(sqlite3 *database, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql_integrity_check, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return database_error(database, "cannot check the catalogue", error);
    }
    const char *verdict = row_text(statement, 0);
    if (verdict == NULL || strcmp(verdict, "ok") != 0) {
        return error_set(error, ERROR_CORRUPT, "the catalogue is damaged: %s",
                         verdict == NULL ? "unreadable" : verdict);
    }
    return true;
}

static bool prepare(sqlite3 *database, int64_t today, struct days *out_days, struct error *error) {
    if (!check_integrity(database, error)) {
        return false;
    }
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    text_iso_date(today, out_days->today);
    if (sqlite3_create_function(database, "address_fault", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                NULL, sql_address_fault, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(database, sql_last_day, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_bind_text(statement, 1, out_days->today, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        return database_error(database, "cannot check the catalogue", error);
    }
    const char *last = row_text(statement, 0);
    int64_t day = today;
    if (last != NULL && text_day(last, &day)) {
        text_iso_date(day, out_days->last);
    } else {
        text_iso_date(today, out_days->last);
    }
    return true;
}

bool check_tell(struct hearing *hearing, const struct breach *breach, struct error *error) {
    if (breach->rule->severity < hearing->least) {
        return true;
    }
    hearing->has_error = hearing->has_error || breach->rule->severity == CHECK_ERROR;
    return hearing->function(hearing->context, breach, error);
}

static bool run_rule(sqlite3 *database, const struct check_rule *rule, const struct days *days,
                     struct hearing *hearing, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    const char *const parameters[] = {days->last, days->today};
    if (sqlite3_prepare_v2(database, rule->sql, -1, &statement, NULL) != SQLITE_OK) {
        return database_error(database, rule->key, error);
    }
    int count = sqlite3_bind_parameter_count(statement);
    for (int i = 0; i < count && i < (int)ARRAY_LENGTH(parameters); i++) {
        if (sqlite3_bind_text(statement, i + 1, parameters[i], -1, SQLITE_STATIC) != SQLITE_OK) {
            return database_error(database, rule->key, error);
        }
    }
    int code = SQLITE_ROW;
    bool good = true;
    while (good && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const struct breach breach = {rule, row_text(statement, 0), row_text(statement, 1),
                                      row_text(statement, 2), row_text(statement, 3)};
        good = check_tell(hearing, &breach, error);
    }
    return good && (code == SQLITE_DONE || database_error(database, rule->key, error));
}

static bool run_rules(struct catalogue *catalogue, int64_t today, struct hearing *hearing,
                      struct error *error) {
    sqlite3 *database = catalogue_database(catalogue);
    struct days days;
    if (!prepare(database, today, &days, error)) {
        return false;
    }
    for (size_t i = 0; i < check_rule_count; i++) {
        const struct check_rule *rule = &check_rules[i];
        if (rule->sql != NULL && rule->severity >= hearing->least &&
            !run_rule(database, rule, &days, hearing, error)) {
            return false;
        }
    }
    return check_prose(catalogue, hearing, error);
}

static bool refuse(void *context, const struct breach *breach, struct error *error) {
    (void)context;
    return error_set(error, ERROR_CORRUPT, "the catalogue breaks the rule %s: %s %s; %s",
                     breach->rule->key, breach->row, breach->message, breach->rule->mend);
}

bool check_catalogue(struct catalogue *catalogue, int64_t today, struct error *error) {
    struct hearing hearing = {.least = CHECK_ERROR, .function = refuse};
    return run_rules(catalogue, today, &hearing, error);
}

const char *check_severity_word(enum check_severity severity) {
    static const char *const words[] = {
        [CHECK_WARNING] = "warning", [CHECK_REVIEW] = "review", [CHECK_ERROR] = "error"};
    return words[severity];
}

static bool collect(void *context, const struct breach *breach, struct error *error) {
    json_t *finding = json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:s?, s:s?}", "rule", breach->rule->key, "severity",
        check_severity_word(breach->rule->severity), "row", breach->row, "message", breach->message,
        "mend", breach->rule->mend, "line_start", breach->line_start, "line_end", breach->line_end);
    return json_array_append_new(context, finding) == 0 || error_no_memory(error);
}

/* Rules of the public catalogue alone: prose may speak of a provider that an overlay hides. */
static bool is_public_rule(const char *rule) {
    static const char *const rules[] = {"private", "prose-fact", "prose-source"};
    return text_is_one_of(rule, rules, ARRAY_LENGTH(rules));
}

json_t *check_overlaid(const struct image *image, int64_t today, struct error *error) {
    json_t *findings = check_image(image, today, error);
    json_t *found = NULL;
    size_t i = 0;
    json_t *finding = NULL;
    json_array_foreach(findings, i, finding) {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        if (found == NULL && strcmp(severity, check_severity_word(CHECK_ERROR)) == 0 &&
            !is_public_rule(json_string_value(json_object_get(finding, "rule")))) {
            found = json_incref(finding);
        }
    }
    json_decref(findings);
    return found;
}

json_t *check_image(const struct image *image, int64_t today, struct error *error) {
    struct catalogue *catalogue = NULL;
    json_t *findings = json_array();
    struct hearing hearing = {.least = CHECK_WARNING, .function = collect, .context = findings};
    bool good = (findings != NULL || error_no_memory(error)) &&
                catalogue_open_image(image, NULL, &catalogue, error) &&
                run_rules(catalogue, today, &hearing, error);
    catalogue_close(catalogue);
    if (!good) {
        json_decref(findings);
        findings = NULL;
    }
    return findings;
}
