/* The catalogue as it stood at the end of a past day. */
#include "asking.h"
#include "limit.h"
#include "text.h"

/* Alpha's GPUs came on 1 June; beta was recorded on 1 March, and its third offering on 1 September;
 * delta's session was 30 seconds until 1 June. */
static const char history[] =
    "UPDATE fact SET valid_from = '2026-01-01' WHERE provider IN ('alpha', 'delta');"
    "UPDATE fact SET valid_from = '2026-03-01' WHERE provider = 'beta' AND offering IS NOT 'three';"
    "UPDATE fact SET valid_from = '2026-09-01' WHERE provider = 'beta' AND offering = 'three';"
    "UPDATE fact SET valid_from = '2026-06-01' WHERE provider = 'alpha' AND attribute = 'gpu';"
    "UPDATE fact SET valid_from = '2026-06-01' WHERE provider = 'delta' AND attribute = 'session';"
    "INSERT INTO fact VALUES ('alpha', NULL, 'gpu', 'documented', 'true', NULL, NULL, 'src', "
    "'repo', '2026-01-01', '2026-01-01', '2026-06-01'), ('delta', NULL, 'session', 'documented', "
    "'30', NULL, NULL, 'src', 'repo', '2026-01-01', '2026-01-01', '2026-06-01');";

static struct generation *now;

static int setup(void **state) {
    (void)state;
    struct error error = {0};
    struct buf seed;
    buf_init(&seed, 1024 * 1024);
    FILE *stream = fopen(SOURCE_DIR "/tests/unit/small_catalogue.sql", "rb");
    assert_non_null(stream);
    for (int byte = fgetc(stream); byte != EOF; byte = fgetc(stream)) {
        buf_add_char(&seed, (char)byte);
    }
    fclose(stream);
    buf_add_text(&seed, history);
    struct image image = {0};
    if (!image_build((const char *)builtin_schema()->bytes, seed.data, NULL, &image, &error)) {
        fail_msg("%s", error.message);
    }
    buf_free(&seed);
    now = generation_create(&image, TODAY, &error);
    if (now == NULL) {
        fail_msg("%s", error.message);
    }
    return 0;
}

static int teardown(void **state) {
    (void)state;
    generation_release(now);
    return 0;
}

static struct catalogue *open_at(const char *day) {
    struct error error = {0};
    int64_t number = 0;
    assert_true(text_day(day, &number));
    struct generation *past = generation_at(now, number, &error);
    if (past == NULL) {
        fail_msg("%s", error.message);
    }
    struct catalogue *catalogue = catalogue_open(past, &error);
    generation_release(past);
    assert_non_null(catalogue);
    return catalogue;
}

/* Who matches a question on a day, as "alpha beta". */
static void assert_matches(const char *day, const char *query, const char *expected) {
    struct error error = {0};
    struct question question;
    struct question_fault fault;
    struct target target;
    struct catalogue *catalogue = open_at(day);
    assert_int_equal(parse_query(catalogue, query, &question, &fault, &target), QUESTION_GOOD);
    json_t *answer = comparison_answer(catalogue, &question, &error);
    assert_non_null(answer);
    struct buf shown;
    buf_init(&shown, 256);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(json_object_get(answer, "matches"), i, entry) {
        buf_add_format(&shown, "%s%s", i == 0 ? "" : " ",
                       json_string_value(json_object_get(entry, "slug")));
    }
    if (strcmp(shown.data == NULL ? "" : shown.data, expected) != 0) {
        fail_msg("%s on %s: %s, not %s", query, day, shown.data == NULL ? "" : shown.data,
                 expected);
    }
    buf_free(&shown);
    json_decref(answer);
    question_free(&question);
    target_free(&target);
    catalogue_close(catalogue);
}

static void test_who_is_there(void **state) {
    (void)state;
    /* Gamma has no fact at all, and with it no first day. */
    assert_matches("2025-12-31", "status=any", "gamma");
    assert_matches("2026-01-01", "status=any", "alpha delta gamma");
    assert_matches("2026-02-28", "", "alpha gamma");
    assert_matches("2026-03-01", "", "alpha beta gamma");
    assert_matches("2026-11-30", "", "alpha beta gamma");
}

/* A feed that looks at as many days as it may finds them all again. */
static void test_days_are_kept(void **state) {
    (void)state;
    enum { DAYS = LIMIT_PAST_DAYS + 1 };
    struct error error = {0};
    struct generation *made[DAYS];
    for (int i = 0; i < DAYS; i++) {
        made[i] = generation_at(now, TODAY - i, &error);
        assert_non_null(made[i]);
    }
    for (int i = 0; i < DAYS; i++) {
        struct generation *again = generation_at(now, TODAY - i, &error);
        assert_ptr_equal(again, made[i]);
        generation_release(again);
    }
    for (int i = 0; i < DAYS; i++) {
        generation_release(made[i]);
    }
}

static void test_values_of_the_day(void **state) {
    (void)state;
    assert_matches("2026-05-31", "gpu=true", "alpha");
    assert_matches("2026-06-01", "gpu=true", "");
    assert_matches("2026-06-01", "gpu=false", "alpha");
    assert_matches("2026-05-31", "status=any&session__lte=30", "delta");
    assert_matches("2026-06-01", "status=any&session__lte=30", "");
}

static size_t count_rows(struct catalogue *catalogue, enum statement statement, const char *slug) {
    struct error error = {0};
    json_t *rows = CATALOGUE_ROWS(catalogue, statement, &error, BIND_TEXT(slug));
    assert_non_null(rows);
    size_t count = json_array_size(rows);
    json_decref(rows);
    return count;
}

static void test_statements_of_the_day(void **state) {
    (void)state;
    struct catalogue *march = open_at("2026-03-01");
    struct catalogue *november = open_at("2026-11-30");
    assert_int_equal(count_rows(march, STATEMENT_OFFERINGS, "beta"), 2);
    assert_int_equal(count_rows(november, STATEMENT_OFFERINGS, "beta"), 3);
    /* A value that ended later is a current one of that day: one row for each attribute. */
    assert_int_equal(count_rows(march, STATEMENT_FACTS_OF_PROVIDER, "alpha"), 8);
    assert_int_equal(count_rows(november, STATEMENT_FACTS_OF_PROVIDER, "alpha"), 8);
    assert_int_equal(count_rows(march, STATEMENT_REVIEWS, "alpha"), 0);
    assert_int_equal(count_rows(november, STATEMENT_REVIEWS, "alpha"), 1);
    assert_string_equal(generation_id(catalogue_generation(march)), generation_id(now));
    catalogue_close(march);
    catalogue_close(november);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_is_there),
        cmocka_unit_test(test_days_are_kept),
        cmocka_unit_test(test_values_of_the_day),
        cmocka_unit_test(test_statements_of_the_day),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
