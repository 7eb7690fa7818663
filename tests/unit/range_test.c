/* Range and If-Range (RFC 9110 section 14). */
#include "../../src/http/range.h"
#include "cmocka_all.h"
#include <string.h>

enum { LENGTH = 100 };

static void check(const char *field, enum range_result wanted, size_t first, size_t length) {
    struct range range = {0};
    enum range_result result = range_parse(field, LENGTH, &range);
    if (result != wanted ||
        (wanted == RANGE_PART && (range.first != first || range.length != length))) {
        fail_msg("Range %s gave %d, %zu+%zu", field == NULL ? "(absent)" : field, result,
                 range.first, range.length);
    }
}

static void parts(void **state) {
    (void)state;
    check("bytes=0-0", RANGE_PART, 0, 1);
    check("bytes=0-", RANGE_PART, 0, LENGTH);
    check("bytes=10-19", RANGE_PART, 10, 10);
    check("bytes=99-", RANGE_PART, 99, 1);
    check("bytes=90-1000", RANGE_PART, 90, 10);
    check("bytes=-1", RANGE_PART, 99, 1);
    check("bytes=-100", RANGE_PART, 0, LENGTH);
    check("bytes=-99999999999999999999999999", RANGE_PART, 0, LENGTH);
    check("BYTES= 5-6 ", RANGE_PART, 5, 2);
    check("bytes=5-99999999999999999999999999", RANGE_PART, 5, 95);
}

static void unsatisfiable(void **state) {
    (void)state;
    check("bytes=100-", RANGE_UNSATISFIABLE, 0, 0);
    check("bytes=100-200", RANGE_UNSATISFIABLE, 0, 0);
    check("bytes=99999999999999999999999999-", RANGE_UNSATISFIABLE, 0, 0);
    check("bytes=-0", RANGE_UNSATISFIABLE, 0, 0);
    struct range range;
    assert_int_equal(range_parse("bytes=-5", 0, &range), RANGE_UNSATISFIABLE);
    assert_int_equal(range_parse("bytes=0-", 0, &range), RANGE_UNSATISFIABLE);
}

static void passed_over(void **state) {
    (void)state;
    static const char *const fields[] = {
        "",           "bytes",       "bytes=",        "bytes=-",    "bytes=a-b",
        "bytes=5",    "bytes=9-5",   "bytes=0-1,5-6", "items=0-5",  "bytes 0-5",
        "bytes=+1-5", "bytes=1--5",  "bytes=0x1-5",   "bytes=1-5;", "bytes=1 -5",
        "bytes= ",    "bytes=1-5 x", "xbytes=1-5"};
    check(NULL, RANGE_NONE, 0, 0);
    for (size_t i = 0; i < ARRAY_LENGTH(fields); i++) {
        check(fields[i], RANGE_NONE, 0, 0);
    }
}

static void if_range(void **state) {
    (void)state;
    enum { MODIFIED = 784111777 };
    assert_true(range_holds(NULL, "\"a\"", MODIFIED));
    assert_true(range_holds("\"a\"", "\"a\"", MODIFIED));
    assert_true(range_holds("Sun, 06 Nov 1994 08:49:37 GMT", "\"a\"", MODIFIED));
    static const char *const fields[] = {
        "", "\"b\"", "W/\"a\"", "a", "*", "\"a\", \"b\"", "Sun, 06 Nov 1994 08:49:38 GMT", "1994"};
    for (size_t i = 0; i < ARRAY_LENGTH(fields); i++) {
        assert_false(range_holds(fields[i], "\"a\"", MODIFIED));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(unsatisfiable),
                                       cmocka_unit_test(passed_over), cmocka_unit_test(if_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
