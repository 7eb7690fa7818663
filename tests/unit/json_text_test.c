/* What answers write as JSON is, byte for byte, what Jansson writes. */
#include "../../src/represent/json_text.h"
#include "base.h"
#include "cmocka_all.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void assert_same(const json_t *value) {
    struct buf out;
    buf_init(&out, (size_t)16 * 1024 * 1024);
    assert_true(json_text_add(&out, value));
    char *expected = json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(15) | JSON_ENCODE_ANY);
    assert_non_null(expected);
    assert_string_equal(out.data, expected);
    free(expected);
    buf_free(&out);
}

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

static json_t *random_text(void) {
    static const char *const pieces[] = {
        "",         "a",      "\"",   "\\",           "/",
        "\n",       "\x01",   "\x1f", "\x7f",         "\xc3\xa4",
        "\b",       "\f\r\t", " ",    "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
        "</script>"};
    struct buf text;
    buf_init(&text, 4096);
    for (uint32_t left = random_below(8); left > 0; left--) {
        buf_add_text(&text, pieces[random_below(ARRAY_LENGTH(pieces))]);
    }
    if (random_below(10) == 0) {
        buf_add(&text, "\0x", 2);
    }
    json_t *result = json_stringn(text.data == NULL ? "" : text.data, text.length);
    buf_free(&text);
    assert_non_null(result);
    return result;
}

static json_t *random_number(void) {
    static const double reals[] = {0,    -0.0, 0.1,     1.0 / 3, 1e15,     1e16,
                                   1e22, 1e-7, 123.456, 5e-324,  -1.7e308, 0.0504};
    static const json_int_t integers[] = {0, -1, 42, INT64_MAX, INT64_MIN};
    return random_below(2) == 0 ? json_real(reals[random_below(ARRAY_LENGTH(reals))])
                                : json_integer(integers[random_below(ARRAY_LENGTH(integers))]);
}

static json_t *random_value(uint32_t depth);

static json_t *random_container(uint32_t depth) {
    bool is_list = random_below(2) == 0;
    json_t *result = is_list ? json_array() : json_object();
    for (uint32_t left = random_below(5); left > 0; left--) {
        if (is_list) {
            assert_int_equal(json_array_append_new(result, random_value(depth - 1)), 0);
        } else {
            json_t *key = random_text();
            assert_int_equal(json_object_setn_new(result, json_string_value(key),
                                                  json_string_length(key), random_value(depth - 1)),
                             0);
            json_decref(key);
        }
    }
    return result;
}

static json_t *random_value(uint32_t depth) {
    switch (random_below(depth == 0 ? 4 : 7)) {
    case 0:
        return random_text();
    case 1:
        return random_number();
    case 2:
        return json_boolean(random_below(2) == 0);
    case 3:
        return json_null();
    default:
        return random_container(depth);
    }
}

static void random_values_are_written_alike(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        json_t *value = random_value(6);
        assert_same(value);
        json_decref(value);
    }
}

/* Deeper than the spaces that are kept ready. */
static void depth_is_indented(void **state) {
    (void)state;
    json_t *value = json_integer(1);
    for (int i = 0; i < 100; i++) {
        value = i % 2 == 0 ? json_pack("[o, s]", value, "x") : json_pack("{s:o}", "key", value);
        assert_non_null(value);
    }
    assert_same(value);
    json_decref(value);
}

static void a_full_buffer_is_told(void **state) {
    (void)state;
    json_t *value = json_pack("[s, {s:f}]", "0123456789", "key", 1.5);
    char *whole = json_dumps(value, JSON_INDENT(1));
    for (size_t room = 0; room < strlen(whole); room++) {
        struct buf out;
        buf_init(&out, room);
        assert_false(json_text_add(&out, value));
        buf_free(&out);
    }
    free(whole);
    json_decref(value);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_values_are_written_alike),
                                       cmocka_unit_test(depth_is_indented),
                                       cmocka_unit_test(a_full_buffer_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
