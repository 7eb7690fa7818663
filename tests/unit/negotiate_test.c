#include "negotiate.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAGE = MEDIA_BIT(MEDIA_HTML) | MEDIA_BIT(MEDIA_MARKDOWN),
    ANSWER = MEDIA_BIT(MEDIA_HTML) | MEDIA_BIT(MEDIA_JSON) | MEDIA_BIT(MEDIA_CSV) |
             MEDIA_BIT(MEDIA_MARKDOWN),
    EXPLICIT = MEDIA_BIT(MEDIA_CSV) | MEDIA_BIT(MEDIA_MARKDOWN),
    NOTHING = MEDIA__COUNT,
};

static const char browser[] = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,"
                              "image/webp,image/apng,*/*;q=0.8";

struct media_case {
    const char *accept;
    int wanted;
};

static void check_media(media_set offered, enum media fallback, const struct media_case *cases,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum media media = MEDIA__COUNT;
        bool found = negotiate_media(cases[i].accept, offered, EXPLICIT, fallback, &media);
        if (found != (cases[i].wanted != NOTHING) || (int)media != cases[i].wanted) {
            fail_msg("Accept: %s gave %d, not %d", cases[i].accept, media, cases[i].wanted);
        }
    }
}

/* /compare: JSON for programs, HTML where it is named. */
static void answers_default_to_json(void **state) {
    (void)state;
    static const struct media_case cases[] = {
        {NULL, MEDIA_JSON},
        {"", MEDIA_JSON},
        {" , ,", MEDIA_JSON},
        {"*/*", MEDIA_JSON},
        {browser, MEDIA_HTML},
        {"text/html", MEDIA_HTML},
        {"TEXT/HTML", MEDIA_HTML},
        {"text/html, */*", MEDIA_HTML},
        {"*/*, text/html", MEDIA_HTML},
        {"text/html, application/json", MEDIA_JSON},
        {"application/json, text/html", MEDIA_JSON},
        {"application/json;q=0.9, text/html", MEDIA_HTML},
        {"text/html;q=0.9, application/json", MEDIA_JSON},
        {"text/html;q=0.5, */*;q=0.8", MEDIA_JSON},
        {"text/csv", MEDIA_CSV},
        {"text/csv, */*", MEDIA_CSV},
        {"text/csv;q=0.5, */*", MEDIA_JSON},
        {"text/csv, application/json", MEDIA_JSON},
        {"text/*", MEDIA_JSON},
        {"text/*, application/json;q=0.1", MEDIA_JSON},
        {"text/*, application/json;q=0", MEDIA_HTML},
        {"application/*", MEDIA_JSON},
        {"image/png", MEDIA_JSON},
        {"image/png, text/csv;q=0.001", MEDIA_CSV},
        {"text/markdown", MEDIA_MARKDOWN},
        {"text/markdown, text/html, */*", MEDIA_MARKDOWN},
        {"text/html, text/markdown", MEDIA_MARKDOWN},
        {"text/html, text/markdown;q=0.9", MEDIA_HTML},
        {"text/markdown, application/json", MEDIA_JSON},
        {"text/csv, text/markdown", MEDIA_CSV},
        {"text/markdown, text/csv", MEDIA_MARKDOWN},
        {"application/json;q=0", MEDIA_HTML},
        {"application/json;q=0, text/html;q=0", NOTHING},
        {"*/*;q=0", NOTHING},
        {"*/*;q=0, text/csv", MEDIA_CSV},
        {"*/*;q=0.0, text/csv;q=0", NOTHING},
        {"text/*;q=0, */*;q=0.1", MEDIA_JSON},
        {"text/*;q=0, application/*;q=0", NOTHING},
    };
    check_media(ANSWER, MEDIA_JSON, cases, ARRAY_LENGTH(cases));
}

/* A page: HTML, and Markdown for who asks for it by name. */
static void pages_default_to_html(void **state) {
    (void)state;
    static const struct media_case cases[] = {
        {NULL, MEDIA_HTML},
        {"*/*", MEDIA_HTML},
        {"text/*", MEDIA_HTML},
        {browser, MEDIA_HTML},
        {"application/json", MEDIA_HTML},
        {"text/markdown", MEDIA_MARKDOWN},
        {"text/markdown, text/html, */*", MEDIA_MARKDOWN},
        {"text/html, text/markdown", MEDIA_MARKDOWN},
        {"text/markdown;q=0.9, text/html;q=0.8", MEDIA_MARKDOWN},
        {"text/markdown;q=0.8, text/html;q=0.9", MEDIA_HTML},
        {"text/markdown;q=0.8, */*", MEDIA_HTML},
        {"text/markdown;q=0.8, */*;q=0.1", MEDIA_MARKDOWN},
        {"text/markdown, */*", MEDIA_MARKDOWN},
        {"text/markdown;q=0, */*", MEDIA_HTML},
        {"text/markdown;q=0", MEDIA_HTML},
        {"text/html;q=0", NOTHING},
        {"text/html;q=0, text/markdown;q=0.1", MEDIA_MARKDOWN},
        {"text/html;q=0, */*", NOTHING},
        {"text/*;q=0", NOTHING},
        {"text/html;q=0.000, */*;q=0", NOTHING},
    };
    check_media(PAGE, MEDIA_HTML, cases, ARRAY_LENGTH(cases));
}

/* RFC 9110 section 12.5.1 gives these qualities as its example. */
static void rfc_example_of_precedence(void **state) {
    (void)state;
    const char *accept = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, "
                         "text/plain;format=fixed;q=0.4, */*;q=0.5";
    enum media media = MEDIA__COUNT;
    /* text/plain 0.7 before text/html 0.3; image/svg+xml 0.5 before text/csv 0.3. */
    media_set plain = MEDIA_BIT(MEDIA_TEXT) | MEDIA_BIT(MEDIA_HTML);
    assert_true(negotiate_media(accept, plain, 0, MEDIA_HTML, &media));
    assert_int_equal(media, MEDIA_TEXT);
    media_set image = MEDIA_BIT(MEDIA_SVG) | MEDIA_BIT(MEDIA_CSV);
    assert_true(negotiate_media(accept, image, 0, MEDIA_CSV, &media));
    assert_int_equal(media, MEDIA_SVG);
}

static void parameters_decide_a_match(void **state) {
    (void)state;
    static const struct media_case cases[] = {
        {"text/html;charset=utf-8", MEDIA_HTML},
        {"text/html ; charset=\"UTF-8\"", MEDIA_HTML},
        {"text/html;charset=iso-8859-1", MEDIA_JSON},
        {"text/html;level=1", MEDIA_JSON},
        {"text/html;level=1;q=0.5, text/html;q=0.4", MEDIA_HTML},
        {"text/html;charset=utf-8;q=0, text/html, */*;q=0.1", MEDIA_JSON},
        {"text/html;q=0, text/html;charset=utf-8", MEDIA_HTML},
        {"text/html;q=1;level=1", MEDIA_HTML},
        {"text/html;q=1;ext", MEDIA_HTML},
        {"text/html;", MEDIA_HTML},
        {"text/html;;q=0.5", MEDIA_HTML},
        {"text/html;Q=0", MEDIA_JSON},
        {"image/png;a=\"x,text/html\"", MEDIA_JSON},
        {"image/png;a=\"\\\"\", text/html", MEDIA_HTML},
    };
    check_media(ANSWER, MEDIA_JSON, cases, ARRAY_LENGTH(cases));
}

/* A malformed element counts as not sent, its neighbours count. */
static void malformed_elements_are_passed_over(void **state) {
    (void)state;
    static const struct media_case cases[] = {
        {"text/html;q=2", MEDIA_JSON},
        {"text/html;q=1.001", MEDIA_JSON},
        {"text/html;q=0.1234", MEDIA_JSON},
        {"text/html;q=-1", MEDIA_JSON},
        {"text/html;q=", MEDIA_JSON},
        {"text/html;q=.5", MEDIA_JSON},
        {"text/html;q=x", MEDIA_JSON},
        {"text/html;q", MEDIA_JSON},
        {"text/html;q=1.", MEDIA_HTML},
        {"text/html;q=0.", MEDIA_JSON},
        {"text/html;q=1.000", MEDIA_HTML},
        {"text/html;q=0.001", MEDIA_HTML},
        {"text / html", MEDIA_JSON},
        {"text/", MEDIA_JSON},
        {"/html", MEDIA_JSON},
        {"text", MEDIA_JSON},
        {"*", MEDIA_JSON},
        {"*/html", MEDIA_JSON},
        {"text/html text/csv", MEDIA_JSON},
        {"text/html\x01", MEDIA_JSON},
        {";;;,///,\"\",text/csv", MEDIA_CSV},
        {"bad;q=\"x, text/html", MEDIA_JSON},
        {"*;q=.2, text/html", MEDIA_HTML},
        {"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", MEDIA_HTML},
        {"\xFF/\xFE, text/csv", MEDIA_CSV},
    };
    check_media(ANSWER, MEDIA_JSON, cases, ARRAY_LENGTH(cases));
}

static void contradictions_take_the_better(void **state) {
    (void)state;
    static const struct media_case cases[] = {
        {"text/csv;q=0, text/csv", MEDIA_CSV},
        {"text/csv, text/csv;q=0", MEDIA_CSV},
    };
    check_media(ANSWER, MEDIA_JSON, cases, ARRAY_LENGTH(cases));
}

/* With explicit_only media a wildcard never helps, whatever its q; a named q is obeyed to the
 * thousandth. */
static void qualities_are_compared_to_the_thousandth(void **state) {
    (void)state;
    for (int html = 0; html <= 1000; html += 37) {
        for (int markdown = 0; markdown <= 1000; markdown += 41) {
            char accept[100];
            snprintf(accept, sizeof accept, "text/html;q=%d.%03d, text/markdown;q=%d.%03d",
                     html / 1000, html % 1000, markdown / 1000, markdown % 1000);
            enum media media = MEDIA__COUNT;
            bool found = negotiate_media(accept, PAGE, EXPLICIT, MEDIA_HTML, &media);
            assert_int_equal(found, html > 0 || markdown > 0);
            if (found) {
                assert_int_equal(media,
                                 markdown > 0 && markdown >= html ? MEDIA_MARKDOWN : MEDIA_HTML);
            }
        }
    }
}

static void hostile_headers_take_little_time(void **state) {
    (void)state;
    enum { HOSTILE_BYTES = 32 * 1024 };
    static const char *const pieces[] = {"\"", "\\\"",           ",",       "a;\"\\", "*/*,",
                                         ";",  "text/html;a=\"", "a/b;q=1;"};
    char *header = malloc(HOSTILE_BYTES + 1);
    assert_non_null(header);
    for (size_t i = 0; i < ARRAY_LENGTH(pieces); i++) {
        size_t size = strlen(pieces[i]);
        for (size_t at = 0; at < HOSTILE_BYTES; at++) {
            header[at] = pieces[i][at % size];
        }
        header[HOSTILE_BYTES] = '\0';
        clock_t start = clock();
        enum media media;
        assert_true(negotiate_media(header, ANSWER, EXPLICIT, MEDIA_JSON, &media));
        assert_int_equal(media, MEDIA_JSON);
        assert_int_equal(negotiate_coding(header), CODING_IDENTITY);
        assert_false(negotiate_none_match(header, "\"tag\""));
        assert_true(clock() - start < CLOCKS_PER_SEC / 5);
    }
    free(header);
}

static void media_have_names(void **state) {
    (void)state;
    static const char *const types[MEDIA__COUNT] = {"text/html; charset=utf-8",
                                                    "application/json",
                                                    "text/csv; charset=utf-8",
                                                    "text/markdown; charset=utf-8",
                                                    "application/atom+xml; charset=utf-8",
                                                    "image/svg+xml; charset=utf-8",
                                                    "text/plain; charset=utf-8",
                                                    "application/xml; charset=utf-8"};
    static const char *const formats[MEDIA__COUNT] = {"html", "json", "csv", "md", "atom"};
    for (int media = 0; media < MEDIA__COUNT; media++) {
        assert_string_equal(media_content_type((enum media)media), types[media]);
        const char *format = media_format_name((enum media)media);
        if (formats[media] == NULL) {
            assert_null(format);
        } else {
            assert_string_equal(format, formats[media]);
        }
        /* A medium asked for by its own type is given. */
        char accept[64];
        snprintf(accept, sizeof accept, "%s, */*;q=0.5", types[media]);
        enum media chosen = MEDIA__COUNT;
        assert_true(
            negotiate_media(accept, (1u << MEDIA__COUNT) - 1, EXPLICIT, MEDIA_HTML, &chosen));
        assert_int_equal(chosen, media);
    }
}

static void codings_are_chosen_by_quality(void **state) {
    (void)state;
    static const struct {
        const char *accept;
        enum coding wanted;
    } cases[] = {
        {NULL, CODING_IDENTITY},
        {"", CODING_IDENTITY},
        {"gzip", CODING_GZIP},
        {"x-gzip", CODING_GZIP},
        {"GZip", CODING_GZIP},
        {"gzip, deflate, br, zstd", CODING_BROTLI},
        {"gzip, zstd", CODING_ZSTD},
        {"gzip, deflate", CODING_GZIP},
        {"deflate", CODING_IDENTITY},
        {"compress, gzip", CODING_GZIP},
        {"*", CODING_BROTLI},
        {"br;q=0, *", CODING_ZSTD},
        {"br;q=0, zstd;q=0, *;q=0.1", CODING_GZIP},
        {"gzip;q=0", CODING_IDENTITY},
        {"*;q=0", CODING_IDENTITY},
        {"identity;q=0", CODING_IDENTITY},
        {"identity;q=0, gzip;q=0.001", CODING_GZIP},
        {"identity;q=0, *;q=0", CODING_IDENTITY},
        {"gzip;q=1.0, identity; q=0.5, *;q=0", CODING_GZIP},
        {"gzip;q=0.5, identity", CODING_IDENTITY},
        {"gzip, identity", CODING_GZIP},
        {"br;q=0.5, gzip;q=0.6", CODING_GZIP},
        {"br;q=0.600, gzip;q=0.6", CODING_BROTLI},
        {"br;q=2, gzip", CODING_GZIP},
        {"brotli, gzipped, zst", CODING_IDENTITY},
        {"gzip;q=0.5;x=1, br ; q=0.4", CODING_GZIP},
        {"gzip br", CODING_IDENTITY},
        {"text/html, gzip", CODING_GZIP},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        enum coding coding = negotiate_coding(cases[i].accept);
        if (coding != cases[i].wanted) {
            fail_msg("Accept-Encoding: %s gave %s", cases[i].accept, coding_name(coding));
        }
    }
    static const char *const names[CODING__COUNT] = {"identity", "gzip", "br", "zstd"};
    for (int coding = 0; coding < CODING__COUNT; coding++) {
        assert_string_equal(coding_name((enum coding)coding), names[coding]);
        assert_int_equal(negotiate_coding(names[coding]), coding);
    }
}

static void entity_tags_are_compared_weakly(void **state) {
    (void)state;
    static const struct {
        const char *header;
        const char *tag;
        bool match;
    } cases[] = {
        {NULL, "\"a\"", false},
        {"", "\"a\"", false},
        {"*", "\"a\"", true},
        {" * ", "\"a\"", true},
        {"*, \"b\"", "\"a\"", false},
        {"*a", "\"a\"", false},
        {"\"a\"", "\"a\"", true},
        /* The table of RFC 9110 section 8.8.3.2. */
        {"W/\"1\"", "W/\"1\"", true},
        {"W/\"1\"", "W/\"2\"", false},
        {"W/\"1\"", "\"1\"", true},
        {"\"1\"", "\"1\"", true},
        {"\"1\"", "W/\"1\"", true},
        {"\"xyzzy\", \"r2d2xxxx\", \"c3piozzzz\"", "\"r2d2xxxx\"", true},
        {"W/\"xyzzy\", W/\"r2d2xxxx\", W/\"c3piozzzz\"", "\"c3piozzzz\"", true},
        {"\"xyzzy\",\"a\"", "\"a\"", true},
        {" ,, \"xyzzy\" ,\t\"a\" , ", "\"a\"", true},
        {"\"x,\\\"a\\\"\"", "\"a\"", false},
        {"\"b,a\"", "\"b,a\"", true},
        {"\"b,\"a\"", "\"a\"", false},
        {"a", "\"a\"", false},
        {"a, \"a\"", "\"a\"", true},
        {"\"a", "\"a\"", false},
        {"w/\"a\"", "\"a\"", false},
        {"\"A\"", "\"a\"", false},
        {"\"ab\"", "\"a\"", false},
        {"\"a\"", "\"ab\"", false},
        {"\"\"", "\"\"", true},
        {"\"a b\"", "\"a b\"", false},
        {"\"a\"", NULL, false},
        {"\"a\"", "a", false},
        {"\"\xC3\xA9\"", "\"\xC3\xA9\"", true},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        if (negotiate_none_match(cases[i].header, cases[i].tag) != cases[i].match) {
            fail_msg("If-None-Match: %s against %s", cases[i].header, cases[i].tag);
        }
    }
}

static void dates_are_compared(void **state) {
    (void)state;
    enum { WHEN = 784111777 };
    const char *header = "Sun, 06 Nov 1994 08:49:37 GMT";
    assert_true(negotiate_not_modified_since(header, WHEN));
    assert_true(negotiate_not_modified_since(header, WHEN - 1));
    assert_false(negotiate_not_modified_since(header, WHEN + 1));
    assert_true(negotiate_not_modified_since("Sun Nov  6 08:49:37 1994", WHEN));
    assert_false(negotiate_not_modified_since(NULL, 0));
    assert_false(negotiate_not_modified_since("", 0));
    assert_false(negotiate_not_modified_since("tomorrow", 0));
    assert_false(negotiate_not_modified_since("784111777", 0));
    assert_false(negotiate_not_modified_since("Sun, 06 Nov 1994 08:49:37 GMT; length=1", 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_default_to_json),
        cmocka_unit_test(pages_default_to_html),
        cmocka_unit_test(rfc_example_of_precedence),
        cmocka_unit_test(parameters_decide_a_match),
        cmocka_unit_test(malformed_elements_are_passed_over),
        cmocka_unit_test(contradictions_take_the_better),
        cmocka_unit_test(qualities_are_compared_to_the_thousandth),
        cmocka_unit_test(hostile_headers_take_little_time),
        cmocka_unit_test(media_have_names),
        cmocka_unit_test(codings_are_chosen_by_quality),
        cmocka_unit_test(entity_tags_are_compared_weakly),
        cmocka_unit_test(dates_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
