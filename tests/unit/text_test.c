#include "text.h"

#include "cmocka_all.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void utf8_knows_the_edges(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        bool valid;
    } cases[] = {
        {"", true},
        {"plain", true},
        {"\x7F", true},
        {"\xC2\x80", true},
        {"\xDF\xBF", true},
        {"\xE0\xA0\x80", true},
        {"\xED\x9F\xBF", true},
        {"\xEE\x80\x80", true},
        {"\xEF\xBF\xBF", true},
        {"\xF0\x90\x80\x80", true},
        {"\xF4\x8F\xBF\xBF", true},
        /* Lone continuation, overlong forms, surrogates, beyond U+10FFFF, cut short. */
        {"\x80", false},
        {"\xC0\xAF", false},
        {"\xC1\xBF", false},
        {"\xE0\x9F\xBF", false},
        {"\xF0\x8F\xBF\xBF", false},
        {"\xED\xA0\x80", false},
        {"\xED\xBF\xBF", false},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\xFF", false},
        {"\xC2", false},
        {"a\xE2\x82", false},
        {"\xF0\x9F\x98", false},
        {"\xC2(", false},
        {"\xE2\x82(", false},
        {"\xF0\x9F\x98(", false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(text_is_utf8(cases[i].bytes, strlen(cases[i].bytes)), cases[i].valid);
    }
    assert_true(text_is_utf8("\xC3\xA9\xC3", 2));
    assert_false(text_is_utf8("\xC3\xA9\xC3", 3));
    assert_true(text_is_utf8("a\0b", 3));
    assert_true(text_is_utf8(NULL, 0));
}

static size_t encode(unsigned point, char out[4]) {
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    static const unsigned leads[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(leads[size] | point);
    return size;
}

static void utf8_takes_every_scalar_value(void **state) {
    (void)state;
    for (unsigned point = 0; point <= 0x110FFF; point++) {
        char bytes[4];
        size_t size = encode(point, bytes);
        bool scalar = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
        if (text_is_utf8(bytes, size) != scalar) {
            fail_msg("U+%04X", point);
        }
    }
}

static void starts(void **state) {
    (void)state;
    assert_true(text_starts("abc", ""));
    assert_true(text_starts("abc", "abc"));
    assert_false(text_starts("ab", "abc"));
    assert_false(text_starts("", "a"));
}

static void numbers_are_whole_decimals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double number;
    } good[] = {{"0", 0},       {"12", 12},     {"0.05", 0.05},    {"-3.5", -3.5}, {"1e3", 1000},
                {"1E-2", 0.01}, {"2e+2", 200},  {"007", 7},        {".5", 0.5},    {"1e-400", 0},
                {"-0", 0},      {"0.1e1", 1.0}, {"5e-324", 5e-324}};
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        double number = -1;
        assert_true(text_number(good[i].text, &number));
        assert_true(number == good[i].number);
    }
    static const char *const bad[] = {
        "",     " ",     " 1",  "1 ",  "1,5",   "1.",  ".",     "-",     "+1",    "--1",
        "0x10", "1e",    "1e+", "e3",  "inf",   "nan", "-inf",  "1e999", "1.2.3", "infinity",
        "1f",   "1_000", "NaN", "1\n", "1e3.5", "\t1", "0x1p3", "-.",    "١"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        double number = 42;
        if (text_number(bad[i], &number)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
        assert_true(number == 42);
    }
}

static void integers_keep_their_range(void **state) {
    (void)state;
    long long integer = 0;
    assert_true(text_integer("500", 1, 500, &integer));
    assert_int_equal(integer, 500);
    assert_true(text_integer("-5", -5, 5, &integer));
    assert_int_equal(integer, -5);
    assert_true(text_integer("9223372036854775807", LLONG_MIN, LLONG_MAX, &integer));
    assert_true(integer == LLONG_MAX);
    assert_true(text_integer("-9223372036854775808", LLONG_MIN, LLONG_MAX, &integer));
    assert_true(integer == LLONG_MIN);
    static const char *const bad[] = {"",
                                      "-",
                                      "501",
                                      "0",
                                      "1.0",
                                      "1e2",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "0x1",
                                      "--1",
                                      "1a",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999999"};
    integer = 42;
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        if (text_integer(bad[i], 1, 500, &integer)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
    }
    assert_false(text_integer("9223372036854775808", LLONG_MIN, LLONG_MAX, &integer));
    assert_int_equal(integer, 42);
}

static void durations_have_units(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"45", 45},     {"45s", 45}, {"90m", 5400}, {"24h", 86400}, {"7d", 604800},
                {"1.5h", 5400}, {"0", 0},    {".5s", 0.5},  {"1e3", 1000},  {"1e1m", 600}};
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        double seconds = -1;
        assert_true(text_duration(good[i].text, &seconds));
        assert_true(seconds == good[i].seconds);
    }
    static const char *const bad[] = {"",       "h",   "-1",  "-1h",   "1 h",
                                      "1hh",    "1w",  "1H",  "1h30m", "unlimited",
                                      "1e308d", "nan", "1ms", "+1s",   "1.h"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        double seconds = 42;
        if (text_duration(bad[i], &seconds)) {
            fail_msg("taken: \"%s\"", bad[i]);
        }
        assert_true(seconds == 42);
    }
}

static void assert_written(void (*add)(struct buf *, double), double number, const char *wanted) {
    struct buf buf;
    buf_init(&buf, 2000);
    add(&buf, number);
    assert_false(buf.failed);
    assert_string_equal(buf.data, wanted);
    buf_free(&buf);
}

static void numbers_are_written_shortest(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *plain;
        const char *grouped;
    } cases[] = {
        {0, "0", "0"},
        {-0.0, "0", "0"},
        {0.0504, "0.0504", "0.0504"},
        {1500, "1500", "1,500"},
        {0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"},
        {1e-5, "0.00001", "0.00001"},
        {-1234567.5, "-1234567.5", "-1,234,567.5"},
        {999, "999", "999"},
        {-999, "-999", "-999"},
        {-1000, "-1000", "-1,000"},
        {1e21, "1000000000000000000000", "1,000,000,000,000,000,000,000"},
        {9007199254740993.0, "9007199254740992", "9,007,199,254,740,992"},
        {1234.5678, "1234.5678", "1,234.5678"},
        {100, "100", "100"},
        {0.5, "0.5", "0.5"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_written(text_add_number, cases[i].number, cases[i].plain);
        assert_written(text_add_number_grouped, cases[i].number, cases[i].grouped);
    }
}

static double random_double(unsigned *seed) {
    for (;;) {
        uint64_t bits = 0;
        for (int i = 0; i < 4; i++) {
            bits = bits << 16 | ((unsigned)rand_r(seed) & 0xFFFF);
        }
        double number;
        memcpy(&number, &bits, sizeof number);
        if (isfinite(number)) {
            return number;
        }
    }
}

static size_t significant_digits(const char *text) {
    size_t count = 0;
    size_t zeros = 0;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            continue;
        }
        if (*text == '0') {
            zeros += count > 0;
        } else {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

/* Reads back the same, is plain, and no form with fewer digits would do. */
static void check_round_trip(double number) {
    struct buf buf;
    buf_init(&buf, 1000);
    text_add_number(&buf, number);
    assert_false(buf.failed);
    if (buf.data[strspn(buf.data, "-0123456789.")] != '\0') {
        fail_msg("not plain: %s", buf.data);
    }
    double again = 0;
    if (!text_number(buf.data, &again) || again != number) {
        fail_msg("%a became %s", number, buf.data);
    }
    size_t digits = significant_digits(buf.data);
    if (digits > 1) {
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, number);
        assert_true(strtod(shorter, NULL) != number);
    }
    buf_free(&buf);
}

static void random_numbers_round_trip(void **state) {
    (void)state;
    unsigned seed = 1;
    for (int i = 0; i < 100000; i++) {
        check_round_trip(random_double(&seed));
    }
    for (int i = 0; i < 20000; i++) {
        /* Prices and seconds: few decimals. */
        check_round_trip((double)(rand_r(&seed) % 10000000) / 10000);
    }
    static const double edges[] = {DBL_MAX, -DBL_MAX,    DBL_MIN,
                                   5e-324,  DBL_EPSILON, 2.2250738585072011e-308};
    for (size_t i = 0; i < ARRAY_LENGTH(edges); i++) {
        check_round_trip(edges[i]);
    }
}

static void numbers_that_are_none_fail_the_buffer(void **state) {
    (void)state;
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    void (*const writers[])(struct buf *, double) = {text_add_number, text_add_number_grouped,
                                                     text_add_duration};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        for (size_t w = 0; w < ARRAY_LENGTH(writers); w++) {
            struct buf buf;
            buf_init(&buf, 100);
            writers[w](&buf, bad[i]);
            assert_true(buf.failed);
            assert_int_equal(buf.length, 0);
            buf_free(&buf);
        }
    }
}

static void durations_are_words(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *words;
    } cases[] = {{0, "0 seconds"},
                 {1, "1 second"},
                 {45, "45 seconds"},
                 {0.09, "90 milliseconds"},
                 {0.001, "1 millisecond"},
                 {0.07, "70 milliseconds"},
                 {0.0005, "0.0005 seconds"},
                 {1.25, "1.25 seconds"},
                 {59.5, "59.5 seconds"},
                 {60, "1 minute"},
                 {61.5, "1 minute 1.5 seconds"},
                 {90.1, "1 minute 30.1 seconds"},
                 {119.9999, "2 minutes"},
                 {3600, "1 hour"},
                 {5400, "1 hour 30 minutes"},
                 {3601, "1 hour 1 second"},
                 {86400, "24 hours"},
                 {90000, "25 hours"},
                 {172800, "2 days"},
                 {604800, "7 days"},
                 {2592000, "30 days"},
                 {176400, "2 days 1 hour"},
                 {86400e3, "1,000 days"},
                 {0.9999999, "0.9999999 seconds"},
                 {-60, "-1 minute"}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_written(text_add_duration, cases[i].seconds, cases[i].words);
    }
}

static void distances_count_edits(void **state) {
    (void)state;
    static const struct {
        const char *one;
        const char *other;
        size_t distance;
    } cases[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"abc", "abc", 0},
                 {"isolation", "isolaton", 1},
                 {"isolation", "isolatoin", 1},
                 {"kitten", "sitting", 3},
                 {"ca", "abc", 3},
                 {"ab", "ba", 1},
                 {"abcd", "badc", 2},
                 {"gpu", "GPU", 3}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        for (size_t limit = 0; limit < 12; limit++) {
            size_t wanted = cases[i].distance > limit ? limit + 1 : cases[i].distance;
            assert_int_equal(text_distance(cases[i].one, cases[i].other, limit), wanted);
            assert_int_equal(text_distance(cases[i].other, cases[i].one, limit), wanted);
        }
        assert_int_equal(text_distance(cases[i].one, cases[i].other, SIZE_MAX), cases[i].distance);
    }
}

/* A cut at a limit never changes what lies within it; the distance is symmetric. */
static void distance_limit_only_caps(void **state) {
    (void)state;
    unsigned seed = 5;
    for (int i = 0; i < 20000; i++) {
        char texts[2][10];
        for (int t = 0; t < 2; t++) {
            size_t length = (size_t)rand_r(&seed) % 10;
            for (size_t at = 0; at < length; at++) {
                texts[t][at] = (char)('a' + rand_r(&seed) % 3);
            }
            texts[t][length] = '\0';
        }
        size_t whole = text_distance(texts[0], texts[1], 100);
        assert_int_equal(text_distance(texts[1], texts[0], 100), whole);
        for (size_t limit = 0; limit < 10; limit++) {
            size_t wanted = whole > limit ? limit + 1 : whole;
            assert_int_equal(text_distance(texts[0], texts[1], limit), wanted);
        }
    }
}

static void nearest_helps_with_typing_errors(void **state) {
    (void)state;
    static const char *const names[] = {"isolation",   "gpu",     "cold_start",
                                        "max_session", "regions", "gpus"};
    static const struct {
        const char *text;
        const char *nearest;
    } cases[] = {{"isolaton", "isolation"},
                 {"Isolation", "isolation"},
                 {"GPU", "gpu"},
                 {"gup", "gpu"},
                 {"gpus", "gpus"},
                 {"coldstart", "cold_start"},
                 {"max-session", "max_session"},
                 {"region", "regions"},
                 {"", NULL},
                 {"x", NULL},
                 {"snapshot", NULL},
                 {"xyz", NULL}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        const char *nearest = text_nearest(cases[i].text, names, ARRAY_LENGTH(names));
        if (cases[i].nearest == NULL) {
            assert_null(nearest);
        } else {
            assert_non_null(nearest);
            assert_string_equal(nearest, cases[i].nearest);
        }
    }
    assert_null(text_nearest("gpu", NULL, 0));
    char hostile[8001];
    memset(hostile, 'g', sizeof hostile - 1);
    hostile[sizeof hostile - 1] = '\0';
    assert_null(text_nearest(hostile, names, ARRAY_LENGTH(names)));
}

static void slugs_are_words_with_dashes(void **state) {
    (void)state;
    const struct {
        const char *text;
        const char *slug;
    } cases[] = {{"Sandboxes", "sandboxes"},
                 {"My Names", "my-names"},
                 {"  A & B -- 2!  ", "a-b-2"},
                 {"caf\303\251 bar", "caf-bar"},
                 {"abcdefghijklmnop", "abcdefghij"},
                 {"abcdefgh ijk", "abcdefgh-i"},
                 {"abcdefghi jk", "abcdefghi"},
                 {"---", ""},
                 {"", ""}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char slug[11];
        text_slug(cases[i].text, slug, sizeof(slug));
        assert_string_equal(slug, cases[i].slug);
    }
}

static void web_addresses_may_stand_in_headers(void **state) {
    (void)state;
    const char *const good[] = {"https://example.org/", "http://a.b:80/c?d=e&f=%20#g"};
    const char *const bad[] = {"",
                               "javascript:alert(1)",
                               "//example.org/",
                               "/path",
                               "https://example.org/a b",
                               "https://example.org/\r\nA: b",
                               "HTTPS:/x",
                               "https://a/>; rel=x",
                               "https://a/\"",
                               "https://caf\303\251.example/"};
    for (size_t i = 0; i < ARRAY_LENGTH(good); i++) {
        assert_true(text_is_web_address(good[i]));
    }
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        assert_false(text_is_web_address(bad[i]));
    }
    assert_false(text_is_web_address(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_knows_the_edges),
        cmocka_unit_test(utf8_takes_every_scalar_value),
        cmocka_unit_test(starts),
        cmocka_unit_test(numbers_are_whole_decimals),
        cmocka_unit_test(integers_keep_their_range),
        cmocka_unit_test(durations_have_units),
        cmocka_unit_test(numbers_are_written_shortest),
        cmocka_unit_test(random_numbers_round_trip),
        cmocka_unit_test(numbers_that_are_none_fail_the_buffer),
        cmocka_unit_test(durations_are_words),
        cmocka_unit_test(distances_count_edits),
        cmocka_unit_test(distance_limit_only_caps),
        cmocka_unit_test(nearest_helps_with_typing_errors),
        cmocka_unit_test(slugs_are_words_with_dashes),
        cmocka_unit_test(web_addresses_may_stand_in_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
