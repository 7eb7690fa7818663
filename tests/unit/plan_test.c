/* Every statement that runs on a frozen catalogue, on one grown twenty times: it runs, and reads
 * by an index and in the order that an index has, unless its text says that it scans or sorts.
 * Twenty times are enough, for a plan depends on the schema and on statistics, and there are none
 * (which is tested). With the name of a database as its argument, the test runs on that one. */
#include "../../src/catalogue/statements.h"
#include "asking.h"
#include <sqlite3.h>

static sqlite3 *database;
static sqlite3 *ungrown;
static const char *other; /* of another database; NULL: none */

static char *read_text(const char *path) {
    enum { BYTES = 64 * 1024 };
    char *text = calloc(1, BYTES);
    FILE *stream = fopen(path, "rb");
    if (text == NULL || stream == NULL || fread(text, 1, BYTES - 1, stream) == 0) {
        fail_msg("%s cannot be read", path);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return text;
}

static sqlite3 *open_builtin(void) {
    const struct builtin_file *file = builtin_catalogue();
    unsigned char *bytes = sqlite3_malloc64(file->length);
    sqlite3 *opened = NULL;
    assert_non_null(bytes);
    memcpy(bytes, file->bytes, file->length);
    assert_int_equal(sqlite3_open(":memory:", &opened), SQLITE_OK);
    assert_int_equal(
        sqlite3_deserialize(opened, "main", bytes, (sqlite3_int64)file->length,
                            (sqlite3_int64)file->length,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE),
        SQLITE_OK);
    return opened;
}

static void grow(void) {
    char *sql = read_text(SOURCE_DIR "/tests/bench/grow.sql");
    char *times = strstr(sql, "i<999");
    assert_non_null(times);
    times[2] = '0';
    times[3] = '1';
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s", sqlite3_errmsg(database));
    }
    free(sql);
}

static int setup(void **state) {
    (void)state;
    ungrown = open_builtin();
    if (other != NULL) {
        assert_int_equal(sqlite3_open_v2(other, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    } else {
        database = open_builtin();
        grow();
    }
    return 0;
}

static int teardown(void **state) {
    (void)state;
    sqlite3_close(database);
    sqlite3_close(ungrown);
    return 0;
}

static void bind(sqlite3_stmt *statement, const char *value) {
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement); i++) {
        sqlite3_bind_text(statement, i, value, -1, SQLITE_STATIC);
    }
}

/* Runs a statement to its end; what it takes may be a name, a list or a number. */
static void run(sqlite3_stmt *statement, const char *sql) {
    static const char *const values[] = {"e2b-7", "[1,2,3]", "7"};
    int code = SQLITE_ERROR;
    for (size_t i = 0; i < ARRAY_LENGTH(values) && code != SQLITE_DONE; i++) {
        bind(statement, values[i]);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        }
        sqlite3_reset(statement);
    }
    if (code != SQLITE_DONE) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    }
}

static void every_statement_runs_as_it_is_marked(void **state) {
    (void)state;
    for (int i = 0; i < STATEMENT__COUNT; i++) {
        const char *sql = statement_texts[i].sql;
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
            fail_msg("%s: %s", sql, sqlite3_errmsg(database));
        }
        run(statement, sql);
        int automatic = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_AUTOINDEX, 0);
        int sorts = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_SORT, 0);
        int scans = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
        if (automatic > 0 || (sorts > 0 && strstr(sql, "/*sort*/") == NULL) ||
            (scans > 0 && strstr(sql, "/*scan*/") == NULL)) {
            print_error("%d rows of automatic indexes, %d sorts, %d rows scanned: %s\n", automatic,
                        sorts, scans, sql);
            fail();
        }
        sqlite3_finalize(statement);
    }
}

/* A plan, one step a line. */
static char *plan_of(sqlite3 *asked, const char *sql) {
    char *explain = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
    sqlite3_stmt *plan = NULL;
    struct buf steps;
    buf_init(&steps, (size_t)64 * 1024);
    assert_non_null(explain);
    assert_int_equal(sqlite3_prepare_v2(asked, explain, -1, &plan, NULL), SQLITE_OK);
    while (sqlite3_step(plan) == SQLITE_ROW) {
        buf_add_format(&steps, "%s\n", (const char *)sqlite3_column_text(plan, 3));
    }
    sqlite3_finalize(plan);
    sqlite3_free(explain);
    char *text = buf_take(&steps);
    assert_non_null(text);
    return text;
}

/* What is seen of a plan that was not run to a row that needs it. */
static bool plan_has(const char *sql, const char *words) {
    char *plan = plan_of(database, sql);
    bool found = strstr(plan, words) != NULL;
    free(plan);
    return found;
}

static void no_plan_depends_on_the_size(void **state) {
    (void)state;
    sqlite3_stmt *statistics = NULL;
    assert_int_equal(
        sqlite3_prepare_v2(database, "SELECT 1 FROM sqlite_schema WHERE name GLOB 'sqlite_stat*'",
                           -1, &statistics, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(statistics), SQLITE_DONE);
    sqlite3_finalize(statistics);
    for (int i = 0; i < STATEMENT__COUNT; i++) {
        char *plan = plan_of(database, statement_texts[i].sql);
        char *small = plan_of(ungrown, statement_texts[i].sql);
        assert_string_equal(plan, small);
        free(plan);
        free(small);
    }
}

static void no_plan_needs_what_is_not_marked(void **state) {
    (void)state;
    for (int i = 0; i < STATEMENT__COUNT; i++) {
        const char *sql = statement_texts[i].sql;
        if (plan_has(sql, "AUTOMATIC") ||
            (strstr(sql, "/*sort*/") == NULL && plan_has(sql, "TEMP B-TREE FOR ORDER BY"))) {
            fail_msg("an automatic index or an unmarked sort: %s", sql);
        }
    }
}

/* The test can fail: a scan, a sort and an automatic index are seen. */
static void faults_are_seen(void **state) {
    (void)state;
    assert_true(plan_has("SELECT value FROM fact ORDER BY value", "TEMP B-TREE FOR ORDER BY"));
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(database, "SELECT count(*) FROM fact WHERE value = '1'", -1,
                                        &statement, NULL),
                     SQLITE_OK);
    run(statement, "a scan");
    assert_true(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 10000);
    sqlite3_finalize(statement);
}

int main(int argc, char **argv) {
    other = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_statement_runs_as_it_is_marked),
                                       cmocka_unit_test(no_plan_needs_what_is_not_marked),
                                       cmocka_unit_test(no_plan_depends_on_the_size),
                                       cmocka_unit_test(faults_are_seen)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
