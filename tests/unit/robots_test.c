#include "cmocka_all.h"
#include "robots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool allows(const char *text, const char *path) {
    struct robots *robots = robots_parse(text, strlen(text), "ExampleBot");
    assert_non_null(robots);
    bool allowed = robots_allow(robots, path);
    robots_free(robots);
    return allowed;
}

static void test_groups(void **state) {
    static const char text[] = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\n"
                               "Allow: /publications/\n\n"
                               "User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\n\n"
                               "User-agent: barbot\nUser-Agent: examplebot\nDisallow: /bar.html\n\n"
                               "Sitemap: https://example.com/a\n"
                               "User-Agent: EXAMPLEBOT/2.0 (words)\nDisallow: /second\n";
    (void)state;
    /* Both groups that name it, and nothing of the one for all. */
    assert_false(allows(text, "/bar.html"));
    assert_false(allows(text, "/second/part"));
    assert_true(allows(text, "/example/"));
    assert_true(allows(text, "/a.gif"));
    assert_true(allows("user-agent: ExampleBotty\ndisallow: /\n", "/"));
    assert_true(allows("user-agent: Example\ndisallow: /\n", "/"));
    assert_false(allows("user-agent: other\nallow: /\nuser-agent: *\ndisallow: /\n", "/x"));
    /* A group ends at the first rule, not at an empty line or at what is unknown. */
    assert_false(
        allows("User-agent: ExampleBot\n\nSitemap: x\nUser-agent: b\n\nDisallow: /\n", "/x"));
    assert_true(allows("User-agent: ExampleBot\nAllow: /y\nUser-agent: b\nDisallow: /\n", "/x"));
    /* An own group without rules allows everything. */
    assert_true(allows("User-agent: *\nDisallow: /\nUser-agent: ExampleBot\nDisallow:\n", "/x"));
}

static void test_longest_rule_decides(void **state) {
    static const char text[] = "User-Agent: examplebot\nAllow: /example/page/\n"
                               "Disallow: /example/page/disallowed.gif\nDisallow: /example/\n"
                               "Allow: /same\nDisallow: /same\nDisallow: /equal\nAllow: /equal\n";
    (void)state;
    assert_false(allows(text, "/example/page/disallowed.gif"));
    assert_true(allows(text, "/example/page/other.gif"));
    assert_false(allows(text, "/example/else"));
    assert_true(allows(text, "/same"));
    assert_true(allows(text, "/equal"));
    assert_true(allows(text, "/"));
}

static void test_wildcards(void **state) {
    static const char text[] = "User-agent: *\nDisallow: /this/*/exactly\nDisallow: /*.php$\n"
                               "Disallow: /fish*.\nDisallow: /q?x=*&y\nDisallow: /a$b\n";
    (void)state;
    assert_false(allows(text, "/this/path/exactly/this"));
    assert_true(allows(text, "/this/exactly"));
    assert_false(allows(text, "/x.php"));
    assert_true(allows(text, "/x.php?y"));
    assert_true(allows(text, "/x.phpx"));
    assert_false(allows(text, "/x.php/y.php"));
    assert_false(allows(text, "/fish/salmon.html"));
    assert_true(allows(text, "/fish"));
    assert_false(allows(text, "/q?x=12&y=3"));
    assert_true(allows(text, "/q?y=3"));
    assert_false(allows(text, "/a$b"));
    assert_true(allows("User-agent: *\nDisallow: /a$\n", "/a$b"));
}

static void test_octets(void **state) {
    (void)state;
    assert_false(allows("User-agent: *\nDisallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar\n",
                        "/foo/bar?baz=https%3a%2f%2Ffoo.bar"));
    assert_false(allows("User-agent: *\nDisallow: /b/\xE3\x83\x84\n", "/b/%E3%83%84"));
    assert_false(allows("User-agent: *\nDisallow: /b/%E3%83%84\n", "/b/\xE3\x83\x84/c"));
    assert_false(allows("User-agent: *\nDisallow: /b/%62ar\n", "/b/bar"));
    assert_true(allows("User-agent: *\nDisallow: /B\n", "/b"));
}

static void test_forms_of_lines(void **state) {
    (void)state;
    assert_false(allows("\xEF\xBB\xBFuser-agent:*\r\ndisallow :\t/x # words\r\n", "/x"));
    assert_false(allows("User-agent: *\rDisallow: /x\r", "/x"));
    assert_false(allows("User-agent: *\nDisallow: /x", "/xy"));
    assert_true(allows("User-agent: *\nDisallow: # /x\n", "/x"));
    assert_true(allows("Disallow: /\n", "/"));
    assert_true(allows("", "/"));
    assert_true(allows("no colon\n::::\n:\n#\nUser-agent\n", "/"));
    assert_false(allows("User-agent: *\nNoindex: /y\nDisallow: x\nDisallow: /z\n", "/z"));
}

static void test_delay(void **state) {
    static const char text[] = "User-agent: *\nCrawl-delay: 2.5\nCrawl-delay: soon\n"
                               "Crawl-delay: -3\nCrawl-delay: inf\n";
    (void)state;
    struct robots *robots = robots_parse(text, strlen(text), "ExampleBot");
    assert_non_null(robots);
    assert_true(robots_delay(robots) > 2.49 && robots_delay(robots) < 2.51);
    robots_free(robots);
    robots_free(NULL);
}

/* Many stars take no time to speak of. */
static void test_stars(void **state) {
    char text[512] = "User-agent: *\nDisallow: /";
    char path[2048] = "/";
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "*a");
    }
    (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "*b");
    memset(path + 1, 'a', sizeof(path) - 2);
    assert_true(allows(text, path));
}

static void test_any_bytes(void **state) {
    uint32_t number = 1;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        static const char pieces[] = "user-agent: *\nallow:/dis$#%2f\r\t \xFF\xC3";
        char text[200];
        for (size_t i = 0; i < sizeof(text); i++) {
            number = number * 1664525 + 1013904223;
            text[i] =
                (number >> 31) ? pieces[(number >> 8) % (sizeof(pieces))] : (char)(number >> 16);
        }
        struct robots *robots = robots_parse(text, sizeof(text), "a");
        assert_non_null(robots);
        (void)robots_allow(robots, "/a/b%2Fc?d=e");
        assert_true(robots_delay(robots) >= 0);
        robots_free(robots);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),         cmocka_unit_test(test_longest_rule_decides),
        cmocka_unit_test(test_wildcards),      cmocka_unit_test(test_octets),
        cmocka_unit_test(test_forms_of_lines), cmocka_unit_test(test_delay),
        cmocka_unit_test(test_stars),          cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
