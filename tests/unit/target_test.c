#include "limit.h"
#include "target.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse_bytes(const char *raw, size_t length) {
    struct target target = {.path = "untouched"};
    struct error error = {0};
    if (target_parse(raw, length, &target, &error)) {
        fail_msg("taken: %.*s as %s", (int)length, raw, target.path);
    }
    assert_int_equal(error.kind, ERROR_INVALID);
    assert_true(strlen(error.message) > 10);
    assert_string_equal(target.path, "untouched");
}

static void refuse(const char *raw) {
    refuse_bytes(raw, strlen(raw));
}

/* Parses a copy that ends where it ends, so that a sanitizer sees a read beyond. */
static struct target take(const char *raw) {
    size_t length = strlen(raw);
    char *exact = malloc(length);
    assert_non_null(exact);
    memcpy(exact, raw, length);
    struct target target = {0};
    struct error error = {0};
    if (!target_parse(exact, length, &target, &error)) {
        fail_msg("refused: %s: %s", raw, error.message);
    }
    free(exact);
    return target;
}

static void assert_path(const char *raw, const char *path) {
    struct target target = take(raw);
    assert_string_equal(target.path, path);
    target_free(&target);
}

static void paths_are_decoded(void **state) {
    (void)state;
    assert_path("/", "/");
    assert_path("/?", "/");
    assert_path("/sandboxes/e2b/", "/sandboxes/e2b/");
    assert_path("/sandboxes/e2b", "/sandboxes/e2b");
    assert_path("/a%20b", "/a b");
    assert_path("/%41%5a%7e", "/AZ~");
    assert_path("/a+b", "/a+b");
    assert_path("/caf%C3%A9", "/caf\xC3\xA9");
    assert_path("/caf\xC3\xA9", "/caf\xC3\xA9");
    assert_path("/%25", "/%");
    assert_path("/%252e%252e/", "/%2e%2e/");
    assert_path("/a%3Fb%23c", "/a?b#c");
    assert_path("/...", "/...");
    assert_path("/.well-known/security.txt", "/.well-known/security.txt");
    assert_path("/a;b=c:@!$&'()*,", "/a;b=c:@!$&'()*,");
    assert_path("/1/2/3/4/5/6/7/8", "/1/2/3/4/5/6/7/8");
    assert_path("/1/2/3/4/5/6/7/8/", "/1/2/3/4/5/6/7/8/");
}

static void queries_are_decoded(void **state) {
    (void)state;
    struct target target = take(
        "/compare?isolation=microvm&gpu=true&q=a+b%20c%2Bd&isolation=vm&flag&empty=&x=1=2?3/..//"
        "&=v&%66%3d%26=%26%3D%5C%2F&caf%C3%A9=\xE2\x82\xAC");
    static const struct pair wanted[] = {{"isolation", "microvm"},
                                         {"gpu", "true"},
                                         {"q", "a b c+d"},
                                         {"isolation", "vm"},
                                         {"flag", ""},
                                         {"empty", ""},
                                         {"x", "1=2?3/..//"},
                                         {"", "v"},
                                         {"f=&", "&=\\/"},
                                         {"caf\xC3\xA9", "\xE2\x82\xAC"}};
    assert_string_equal(target.path, "/compare");
    assert_int_equal(target.pair_count, ARRAY_LENGTH(wanted));
    for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
        assert_string_equal(target.pairs[i].key, wanted[i].key);
        assert_string_equal(target.pairs[i].value, wanted[i].value);
    }
    assert_string_equal(target_value(&target, "isolation"), "microvm");
    assert_string_equal(target_value(&target, "flag"), "");
    assert_string_equal(target_value(&target, ""), "v");
    assert_null(target_value(&target, "Isolation"));
    assert_null(target_value(&target, "missing"));
    target_free(&target);
}

static void empty_pairs_are_none(void **state) {
    (void)state;
    static const char *const none[] = {"/a", "/a?", "/a?&", "/a?&&&"};
    for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
        struct target target = take(none[i]);
        assert_int_equal(target.pair_count, 0);
        assert_null(target_value(&target, ""));
        target_free(&target);
    }
    struct target target = take("/a?&&b=1&&&c&");
    assert_int_equal(target.pair_count, 2);
    assert_string_equal(target.pairs[1].key, "c");
    target_free(&target);
}

static void only_origin_form_is_taken(void **state) {
    (void)state;
    refuse("");
    refuse("*");
    refuse("compare");
    refuse("?q=1");
    refuse("http://host/compare");
    refuse("host:443");
    refuse("//host/path");
    refuse("\\\\host");
}

static void ambiguous_paths_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "//",        "/a//b",   "/a//",   "/.",          "/..",       "/./a",
        "/a/..",     "/a/../b", "/a/./",  "/%2e",        "/%2E%2e/a", "/.%2e/",
        "/a%2Fb",    "/a%2fb",  "/a%5Cb", "/a%5cb",      "/a\\b",     "/a?b\\c",
        "/a#b",      "/a?b#c",  "/#",     "/a b",        "/a?b c",    "/1/2/3/4/5/6/7/8/9",
        "/a%2F%2Fb", "/..%2fa", "/%2f",   "/a/%2e%2e/b", "/%2e?x=1"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        refuse(bad[i]);
    }
}

static void bad_escapes_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"/%",          "/%4",    "/%4g",      "/%g4",  "/a?b=%",
                                      "/a?b=%a",     "/a?%zz", "/%%41",     "/% 41", "/%-1",
                                      "/a?b=%u0041", "/%4?1",  "/a?b=%4&1", "/%+1"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        refuse(bad[i]);
    }
    /* The escape is cut off by the length, not by a NUL. */
    refuse_bytes("/%41", 3);
    refuse_bytes("/%41", 2);
}

static void control_characters_are_refused(void **state) {
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        if (byte >= 0x20 && byte != 0x7F && byte < 0x80) {
            continue;
        }
        char raw[] = {'/', 'a', (char)byte, 'b'};
        refuse_bytes(raw, sizeof raw);
        char query[] = {'/', '?', 'a', '=', (char)byte};
        refuse_bytes(query, sizeof query);
        char escaped[32];
        snprintf(escaped, sizeof escaped, "/a%%%02Xb", (unsigned)byte);
        refuse(escaped);
        snprintf(escaped, sizeof escaped, "/a?b=%%%02x", (unsigned)byte);
        refuse(escaped);
        snprintf(escaped, sizeof escaped, "/a?%%%02x=b", (unsigned)byte);
        refuse(escaped);
    }
    refuse("/a?b=%C2%85");
    refuse("/a%C2%80");
    assert_path("/%C2%A0", "/\xC2\xA0");
}

static void invalid_utf8_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "/%C0%AF",   "/%C0%80",      "/a?b=%ED%A0%80", "/a?%FF",   "/a?b=%E2%82", "/%F4%90%80%80",
        "/a?b=\xC3", "/a?b=%C3&%A9", "/a?b%C3=%A9c",   "/%C3?%A9", "/%C3/%A9"};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        refuse(bad[i]);
    }
}

static void length_has_a_limit(void **state) {
    (void)state;
    char raw[LIMIT_TARGET_BYTES + 2];
    memset(raw, 'a', sizeof raw);
    raw[0] = '/';
    raw[LIMIT_TARGET_BYTES] = '\0';
    assert_path(raw, raw);
    raw[LIMIT_TARGET_BYTES] = 'a';
    refuse_bytes(raw, LIMIT_TARGET_BYTES + 1);
}

static void pairs_have_a_limit(void **state) {
    (void)state;
    char raw[4 * LIMIT_QUERY_PAIRS];
    size_t length = (size_t)snprintf(raw, sizeof raw, "/?");
    for (int i = 0; i < LIMIT_QUERY_PAIRS; i++) {
        memcpy(raw + length, "a&&", 4);
        length += 3;
    }
    struct target target = take(raw);
    assert_int_equal(target.pair_count, LIMIT_QUERY_PAIRS);
    target_free(&target);
    memcpy(raw + length, "a", 2);
    refuse(raw);
}

static void free_takes_a_zeroed_target(void **state) {
    (void)state;
    struct target target = {0};
    target_free(&target);
    target = take("/a?b=c");
    target_free(&target);
    assert_null(target.path);
    assert_int_equal(target.pair_count, 0);
    target_free(&target);
}

static size_t escape(const char *text, char *out) {
    size_t length = 0;
    for (; *text != '\0'; text++) {
        length += (size_t)snprintf(out + length, 4, "%%%02x", (unsigned)(unsigned char)*text);
    }
    return length;
}

/* Any text of printable characters, escaped byte by byte, comes back as it was. */
static void escaped_texts_come_back(void **state) {
    (void)state;
    static const char *const characters[] = {" ",
                                             "/",
                                             "\\",
                                             "%",
                                             "&",
                                             "=",
                                             "+",
                                             "?",
                                             "#",
                                             "a",
                                             "Z",
                                             "~",
                                             "\"",
                                             "\xC3\xA9",
                                             "\xE2\x82\xAC",
                                             "\xF0\x9F\x98\x80",
                                             ".",
                                             ";"};
    unsigned seed = 17;
    for (int round = 0; round < 5000; round++) {
        char texts[2][64] = {"", ""};
        for (int t = 0; t < 2; t++) {
            size_t length = 0;
            for (int i = rand_r(&seed) % 12; i >= 0; i--) {
                const char *character =
                    characters[(size_t)rand_r(&seed) % ARRAY_LENGTH(characters)];
                memcpy(texts[t] + length, character, strlen(character) + 1);
                length += strlen(character);
            }
        }
        char raw[512] = "/x?";
        size_t length = 3;
        length += escape(texts[0], raw + length);
        raw[length++] = '=';
        length += escape(texts[1], raw + length);
        raw[length] = '\0';
        struct target target = take(raw);
        assert_int_equal(target.pair_count, 1);
        assert_string_equal(target.pairs[0].key, texts[0]);
        assert_string_equal(target.pairs[0].value, texts[1]);
        assert_string_equal(target_value(&target, texts[0]), texts[1]);
        target_free(&target);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_decoded),
        cmocka_unit_test(queries_are_decoded),
        cmocka_unit_test(empty_pairs_are_none),
        cmocka_unit_test(only_origin_form_is_taken),
        cmocka_unit_test(ambiguous_paths_are_refused),
        cmocka_unit_test(bad_escapes_are_refused),
        cmocka_unit_test(control_characters_are_refused),
        cmocka_unit_test(invalid_utf8_is_refused),
        cmocka_unit_test(length_has_a_limit),
        cmocka_unit_test(pairs_have_a_limit),
        cmocka_unit_test(free_takes_a_zeroed_target),
        cmocka_unit_test(escaped_texts_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
