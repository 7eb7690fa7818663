#include "csv.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_row(const char *const *fields, size_t count, const char *expected) {
    struct buf buf;
    buf_init(&buf, 4096);
    struct csv csv = {.out = &buf};
    for (size_t i = 0; i < count; i++) {
        csv_add_field(&csv, fields[i]);
    }
    csv_end_row(&csv);
    assert_false(buf.failed);
    assert_string_equal(buf.data, expected);
    buf_free(&buf);
}

#define EXPECT_ROW(expected, ...)                                                                  \
    do {                                                                                           \
        const char *const fields[] = {__VA_ARGS__};                                                \
        expect_row(fields, ARRAY_LENGTH(fields), expected);                                        \
    } while (0)

static void plain_fields(void **state) {
    (void)state;
    EXPECT_ROW("a,b c,\r\n", "a", "b c", "");
    EXPECT_ROW(",x\r\n", NULL, "x");
    EXPECT_ROW("na\xc3\xafve\r\n", "na\xc3\xafve");
}

static void quotes_where_needed(void **state) {
    (void)state;
    EXPECT_ROW("\"a,b\",c\r\n", "a,b", "c");
    EXPECT_ROW("\"say \"\"hi\"\"\"\r\n", "say \"hi\"");
    EXPECT_ROW("\"\"\"\"\r\n", "\"");
    EXPECT_ROW("\"one\ntwo\",\"three\rfour\"\r\n", "one\ntwo", "three\rfour");
}

static void formulas_are_defused(void **state) {
    (void)state;
    EXPECT_ROW("'=1+1,'+1,'@SUM(A1),'-x,'\tx\r\n", "=1+1", "+1", "@SUM(A1)", "-x", "\tx");
    EXPECT_ROW("\"'\rx\"\r\n", "\rx");
    EXPECT_ROW("\"'=HYPERLINK(\"\"http://x\"\",1)\"\r\n", "=HYPERLINK(\"http://x\",1)");
    EXPECT_ROW("'-1+cmd|' /C calc'!A0\r\n", "-1+cmd|' /C calc'!A0");
    EXPECT_ROW("\"'\n=1\"\r\n", "\n=1");
    EXPECT_ROW("'\xef\xbc\x9d"
               "1,'\xef\xbc\x8b,'\xef\xbc\x8d,'\xef\xbc\xa0\r\n",
               "\xef\xbc\x9d"
               "1",
               "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0");
}

static void numbers_stay_numbers(void **state) {
    (void)state;
    EXPECT_ROW("-1,-0.5,1e3,-2e-3,12\r\n", "-1", "-0.5", "1e3", "-2e-3", "12");
    EXPECT_ROW("'-,'--1\r\n", "-", "--1");
}

static void rows_follow_each_other(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 64);
    struct csv csv = {.out = &buf};
    csv_add_field(&csv, "a");
    csv_end_row(&csv);
    csv_add_field(&csv, "b");
    csv_add_field(&csv, "c");
    csv_end_row(&csv);
    assert_string_equal(buf.data, "a\r\nb,c\r\n");
    buf_free(&buf);
}

static void full_buffer_fails(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 4);
    struct csv csv = {.out = &buf};
    csv_add_field(&csv, "a long field");
    csv_end_row(&csv);
    assert_true(buf.failed);
    buf_free(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_fields),           cmocka_unit_test(quotes_where_needed),
        cmocka_unit_test(formulas_are_defused),   cmocka_unit_test(numbers_stay_numbers),
        cmocka_unit_test(rows_follow_each_other), cmocka_unit_test(full_buffer_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
