/* Days and dates of text.h. */
#include "text.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Walks every day from 1599 to 2401 beside a calendar kept by counting. */
static void days_follow_the_calendar(void **state) {
    (void)state;
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t day = 0;
    assert_true(text_day("1599-01-01", &day));
    for (int year = 1599; year <= 2401; year++) {
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (int month = 1; month <= 12; month++) {
            int length = lengths[month - 1] + (month == 2 && leap);
            for (int date = 1; date <= length; date++) {
                char wanted[64];
                snprintf(wanted, sizeof wanted, "%04d-%02d-%02d", year, month, date);
                int64_t parsed = 0;
                char written[TEXT_DATE_BYTES];
                text_iso_date(day, written);
                if (!text_day(wanted, &parsed) || parsed != day || strcmp(written, wanted) != 0) {
                    fail_msg("%s: %s", wanted, written);
                }
                day++;
            }
            char beyond[64];
            snprintf(beyond, sizeof beyond, "%04d-%02d-%02d", year, month, length + 1);
            int64_t untouched = 7;
            assert_false(text_day(beyond, &untouched));
            assert_int_equal(untouched, 7);
        }
    }
}

static void days_know_fixed_points(void **state) {
    (void)state;
    int64_t day = -1;
    assert_true(text_day("1970-01-01", &day));
    assert_int_equal(day, 0);
    assert_true(text_day("1969-12-31", &day));
    assert_int_equal(day, -1);
    assert_true(text_day("2026-11-30", &day));
    assert_int_equal(day, 20787);
    assert_true(text_day("0000-03-01", &day));
    assert_int_equal(day, -719468);
    static const char *const bad[] = {
        "",           "2026",        "2026-11",    "2026-11-31", "2026-13-01", "2026-00-10",
        "2026-01-00", "2025-02-29",  "1900-02-29", "2026-1-1",   "26-11-30",   "2026-11-30 ",
        "2026/11/30", "2026-11-30T", "-026-11-30", "2026-11-3",  "+202-11-30", " 2026-11-30"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        if (text_day(bad[i], &day)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
    }
    char text[TEXT_DATE_BYTES];
    text_iso_date(-719529, text);
    assert_string_equal(text, "-0001-12-31");
    /* The ends of the type neither overflow nor are cut. */
    text_iso_date(INT64_MAX, text);
    assert_true(strlen(text) < TEXT_DATE_BYTES - 1);
    text_iso_date(INT64_MIN, text);
    assert_int_equal(text[0], '-');
}

static void people_read_dates(void **state) {
    (void)state;
    char text[TEXT_DATE_BYTES];
    assert_true(text_human_date(NULL, "2026-11-30", text));
    assert_string_equal(text, "30 Nov 2026");
    assert_true(text_human_date(NULL, "2026-02-05", text));
    assert_string_equal(text, "5 Feb 2026");
    assert_true(text_human_date(NULL, "2026-11", text));
    assert_string_equal(text, "Nov 2026");
    assert_true(text_human_date(NULL, "2026", text));
    assert_string_equal(text, "2026");
    assert_true(text_human_date(text_language_find("fr"), "2026-08-01", text));
    assert_string_equal(text, "1er août 2026");
    assert_true(text_human_date(text_language_find("de"), "2026-09-30", text));
    assert_string_equal(text, "30. Sept. 2026");
    assert_true(text_human_date(text_language_find("nl"), "2026-03", text));
    assert_string_equal(text, "mrt. 2026");
    assert_null(text_language_find("xx"));
    assert_true(text_human_date(NULL, "2026", text));
    static const char *const bad[] = {
        "",         "202",        "2026-", "2026-13",     "2026-00", "2026-1",     "2026-02-30",
        "2026-11-", "2026-11-31", "soon",  "2026-11-30x", "20261",   "2026-11-300"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        if (text_human_date(NULL, bad[i], text)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
        assert_string_equal(text, "2026");
    }
}

static void http_dates_are_written(void **state) {
    (void)state;
    char text[TEXT_DATE_BYTES];
    text_http_date(784111777, text);
    assert_string_equal(text, "Sun, 06 Nov 1994 08:49:37 GMT");
    text_http_date(0, text);
    assert_string_equal(text, "Thu, 01 Jan 1970 00:00:00 GMT");
    text_http_date(-1, text);
    assert_string_equal(text, "Wed, 31 Dec 1969 23:59:59 GMT");
    text_http_date(INT64_MAX, text);
    assert_string_equal(text, "Fri, 31 Dec 9999 23:59:59 GMT");
    text_http_date(INT64_MIN, text);
    assert_string_equal(text, "Sat, 01 Jan 0000 00:00:00 GMT");
}

static void http_dates_are_read_in_three_forms(void **state) {
    (void)state;
    static const char *const forms[] = {"Sun, 06 Nov 1994 08:49:37 GMT",
                                        "Sunday, 06-Nov-94 08:49:37 GMT",
                                        "Sun Nov  6 08:49:37 1994"};
    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        int64_t seconds = 0;
        assert_true(text_parse_http_date(forms[i], &seconds));
        assert_int_equal(seconds, 784111777);
    }
    int64_t seconds = 0;
    assert_true(text_parse_http_date("Wed Nov 16 08:49:37 1994", &seconds));
    assert_int_equal(seconds, 784111777 + 10 * 86400);
    assert_true(text_parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", &seconds));
    assert_int_equal(seconds, 1483228800);
    static const char *const bad[] = {
        "",
        "0",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT",
        "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 94",
        "Sun Nov  6 08:49:37 1994 GMT",
        "Sun, 06 Nov 1994",
        "1994-11-06T08:49:37Z",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        seconds = 42;
        if (text_parse_http_date(bad[i], &seconds)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
        assert_int_equal(seconds, 42);
    }
}

static void http_dates_round_trip(void **state) {
    (void)state;
    unsigned seed = 3;
    for (int i = 0; i < 20000; i++) {
        int64_t seconds = (int64_t)rand_r(&seed) * 100 + rand_r(&seed) % 100 - 60000000000;
        char text[TEXT_DATE_BYTES];
        text_http_date(seconds, text);
        int64_t again = 0;
        assert_true(text_parse_http_date(text, &again));
        assert_true(again == seconds);
    }
}

/* RFC 9110: more than 50 years ahead means the century before. */
static void two_digit_years_look_back(void **state) {
    (void)state;
    char today[TEXT_DATE_BYTES];
    text_iso_date(text_today(), today);
    int this_year = (int)strtol((char[]){today[0], today[1], today[2], today[3], 0}, NULL, 10);
    for (int digits = 0; digits < 100; digits++) {
        char text[64];
        snprintf(text, sizeof text, "Monday, 01-Mar-%02d 00:00:00 GMT", digits);
        int64_t seconds = 0;
        assert_true(text_parse_http_date(text, &seconds));
        char date[TEXT_DATE_BYTES];
        text_http_date(seconds, date);
        int year = (int)strtol(date + 12, NULL, 10);
        assert_int_equal(year % 100, digits);
        assert_true(year <= this_year + 50);
        assert_true(year / 100 == this_year / 100 || year + 100 > this_year + 50);
    }
}

static void today_is_now(void **state) {
    (void)state;
    int64_t before = (int64_t)time(NULL) / 86400;
    int64_t today = text_today();
    int64_t after = (int64_t)time(NULL) / 86400;
    assert_true(today >= before && today <= after);
}

static void days_in_a_text_are_for_people(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *shown;
    } cases[] = {
        {"on 2026-05-05; p95 568.44 ms", "on 5 May 2026; p95 568.44 ms"},
        {"(2026-09-29) lists", "(29 Sep 2026) lists"},
        {"since 2026-02-27.", "since 27 Feb 2026."},
        {"2026-01-02", "2 Jan 2026"},
        {"v2026-05-05, 2026-05-05-beta, /2026-05-05/",
         "v2026-05-05, 2026-05-05-beta, /2026-05-05/"},
        {"2026-02-30 and 12026-02-03", "2026-02-30 and 12026-02-03"},
        {"2026-05-05.txt", "2026-05-05.txt"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf buf;
        buf_init(&buf, 256);
        text_add_with_dates(&buf, NULL, cases[i].text);
        assert_string_equal(buf.data == NULL ? "" : buf.data, cases[i].shown);
        buf_free(&buf);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_in_a_text_are_for_people),
        cmocka_unit_test(days_follow_the_calendar),
        cmocka_unit_test(days_know_fixed_points),
        cmocka_unit_test(people_read_dates),
        cmocka_unit_test(http_dates_are_written),
        cmocka_unit_test(http_dates_are_read_in_three_forms),
        cmocka_unit_test(http_dates_round_trip),
        cmocka_unit_test(two_digit_years_look_back),
        cmocka_unit_test(today_is_now),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
