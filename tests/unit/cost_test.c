/* The engine's own parts: decimals, questions, times. Whole sums are proved over HTTP, by
 * tests/http/cost.test.mjs. */
#include "../../src/catalogue/cost_private.h"
#include "builtin.h"
#include "cmocka_all.h"
#include "text.h"
#include <string.h>

static struct catalogue *catalogue;

static int set_up(void **state) {
    (void)state;
    const struct builtin_file *file = builtin_catalogue();
    struct image image = {.bytes = (unsigned char *)file->bytes, .length = file->length};
    struct error error = {0};
    int64_t today = 0;
    assert_true(text_day("2026-11-30", &today));
    struct generation *generation = generation_create(&image, today, &error);
    assert_non_null(generation);
    catalogue = catalogue_open(generation, &error);
    generation_release(generation);
    assert_non_null(catalogue);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    catalogue_close(catalogue);
    return 0;
}

static void decimals_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int digits;
        int64_t value; /* -1: refused */
    } cases[] = {
        {"0", 4, 0},
        {"12", 0, 12},
        {"0.05", 4, 500},
        {"1.2345", 4, 12345},
        {"1.23456", 4, -1},
        {"", 4, -1},
        {".5", 4, -1},
        {"5.", 4, -1},
        {"1e3", 4, -1},
        {"-1", 4, -1},
        {" 1", 4, -1},
        {"0x1", 4, -1},
        {"1.2.3", 4, -1},
        {"1", 19, -1},
        {"99999999999999999999", 0, -1},
        {"0.0000528", 10, 528000},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        int64_t value = -1;
        bool good = cost_exact_parse(cases[i].text, cases[i].digits, &value);
        assert_int_equal(good, cases[i].value != -1);
        assert_int_equal(value, cases[i].value);
    }
}

static void money_is_rounded_half_up_once(void **state) {
    (void)state;
    int64_t mills = 0;
    cost_exact hour = COST_SECOND * COST_HOUR_SECONDS * COST_SIZE_UNITS;
    /* One hour of one unit at $0.0005, which is half of a tenth of a cent. */
    assert_true(cost_exact_money(hour, 5000000, COST_HOUR_SECONDS, &mills));
    assert_int_equal(mills, 1);
    assert_true(cost_exact_money(hour, 4999999, COST_HOUR_SECONDS, &mills));
    assert_int_equal(mills, 0);
    assert_true(cost_exact_money(730 * hour, 900000000,
                                 (int64_t)COST_MONTH_HOURS * COST_HOUR_SECONDS, &mills));
    assert_int_equal(mills, 90);
    assert_false(cost_exact_money((cost_exact)1 << 120, INT64_MAX, 1, &mills));
}

static void money_is_printed_to_the_cent(void **state) {
    (void)state;
    static const struct {
        int64_t mills;
        const char *text;
    } cases[] = {{0, "$0.00"},      {4, "$0.00"},      {5, "$0.01"}, {1234567890, "$1,234,567.89"},
                 {68535, "$68.54"}, {-3000, "-$3.00"}, {-4, "$0.00"}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct buf text;
        buf_init(&text, 64);
        cost_add_money(&text, cases[i].mills);
        assert_string_equal(text.data, cases[i].text);
        buf_free(&text);
    }
}

/* Reads a question and gives its canonical query; NULL where it is refused. */
static const char *canonical(const struct pair *pairs, size_t count, struct cost_question *question,
                             char *out, size_t size) {
    struct cost_fault fault = {0};
    struct error error = {0};
    enum cost_result result =
        cost_question_parse(catalogue, pairs, count, question, &fault, &error);
    if (result != COST_GOOD) {
        assert_int_equal(result, COST_FAULTY);
        json_decref(fault.allowed);
        return NULL;
    }
    struct buf text;
    buf_init(&text, size);
    cost_question_add_canonical(question, &text);
    (void)snprintf(out, size, "%s", text.length == 0 ? "" : text.data);
    buf_free(&text);
    return out;
}

static void questions_have_one_shortest_form(void **state) {
    (void)state;
    struct cost_question question;
    char text[256];
    const struct pair usual[] = {{"sandboxes", "1"}, {"hours", "100.0"}, {"gpu", ""}};
    assert_string_equal(canonical(usual, 3, &question, text, sizeof(text)), "");
    const struct pair other[] = {
        {"gpu", "NVIDIA H100"}, {"paused", "0.25"}, {"hours", "10.50"}, {"sandboxes", "2"}};
    assert_string_equal(canonical(other, 4, &question, text, sizeof(text)),
                        "sandboxes=2&hours=10.5&paused=0.25&gpu=h100");
    assert_int_equal(question.active, 7500);
    assert_int_equal(question.gpu_hours, 78750);
    assert_int_equal(question.runs, 2);
    const struct pair both[] = {{"active", "0.8"}, {"paused", "0.21"}};
    assert_null(canonical(both, 2, &question, text, sizeof(text)));
}

/* Hours of a time. */
static double hours_of(cost_exact time) {
    return (double)time / 3600e8;
}

static void times_are_split_and_rounded_up(void **state) {
    (void)state;
    struct cost_question question = {.sandboxes = 2,
                                     .hours = 10 * COST_HOUR_UNITS,
                                     .active = COST_HOUR_UNITS / 4,
                                     .paused = COST_HOUR_UNITS / 2,
                                     .runs = 100};
    struct cost_time time;
    struct error error = {0};
    assert_true(cost_time_make(&question, NULL, &time, &error));
    assert_float_equal(hours_of(time.active), 5, 1e-12);
    assert_float_equal(hours_of(time.idle), 5, 1e-12);
    assert_float_equal(hours_of(time.paused), 10, 1e-12);
    /* 100 runs of 6 minutes, in steps of an hour. */
    json_t *rule = json_pack("{s:f, s:f}", "step_seconds", 3600.0, "minimum_seconds", 60.0);
    assert_true(cost_time_make(&question, rule, &time, &error));
    assert_float_equal(hours_of(time.active + time.idle), 100, 1e-12);
    assert_float_equal(hours_of(time.added), 90, 1e-12);
    json_decref(rule);
    /* At least 30 minutes each, in steps of a second. */
    rule = json_pack("{s:f, s:f}", "step_seconds", 1.0, "minimum_seconds", 1800.0);
    assert_true(cost_time_make(&question, rule, &time, &error));
    assert_float_equal(hours_of(time.active + time.idle), 50, 1e-12);
    question.hours = 0;
    assert_true(cost_time_make(&question, rule, &time, &error));
    assert_true(time.idle == 0 && time.added == 0);
    json_decref(rule);
}

/* The most that can be asked for is still counted. */
static void the_largest_question_is_summed(void **state) {
    (void)state;
    const struct pair pairs[] = {{"sandboxes", "100000"},  {"hours", "744"},
                                 {"vcpu", "512"},          {"memory_gib", "2048"},
                                 {"storage_gib", "16384"}, {"runs", "10000000"}};
    struct cost_question question;
    char text[256];
    struct error error = {0};
    assert_non_null(canonical(pairs, ARRAY_LENGTH(pairs), &question, text, sizeof(text)));
    json_t *answer = cost_answer(catalogue, &question, &error);
    assert_string_equal(error.message, "");
    assert_non_null(answer);
    assert_true(json_array_size(json_object_get(answer, "results")) > 0);
    json_decref(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_exact),
        cmocka_unit_test(money_is_rounded_half_up_once),
        cmocka_unit_test(money_is_printed_to_the_cent),
        cmocka_unit_test(questions_have_one_shortest_form),
        cmocka_unit_test(times_are_split_and_rounded_up),
        cmocka_unit_test(the_largest_question_is_summed),
    };
    return cmocka_run_group_tests_name("cost", tests, set_up, tear_down);
}
