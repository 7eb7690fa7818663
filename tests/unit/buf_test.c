#include "buf.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static void starts_without_memory(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 10);
    assert_null(buf.data);
    assert_int_equal(buf.length, 0);
    assert_false(buf.failed);
    assert_true(buf_add(&buf, NULL, 0));
    assert_true(buf_add_text(&buf, ""));
    assert_null(buf.data);
    buf_free(&buf);
}

static void holds_exactly_its_maximum(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 5);
    assert_true(buf_add_text(&buf, "abc"));
    assert_true(buf_add_text(&buf, "de"));
    assert_string_equal(buf.data, "abcde");
    assert_false(buf_add_char(&buf, 'f'));
    assert_true(buf.failed);
    assert_string_equal(buf.data, "abcde");
    buf_free(&buf);
}

static void failure_is_sticky_and_adds_nothing(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 4);
    assert_true(buf_add_text(&buf, "ab"));
    assert_false(buf_add_text(&buf, "cde"));
    assert_false(buf_add_char(&buf, 'c'));
    assert_false(buf_add(&buf, "", 0));
    assert_false(buf_add_text(&buf, ""));
    assert_false(buf_add_format(&buf, "%s", ""));
    assert_int_equal(buf.length, 2);
    assert_string_equal(buf.data, "ab");
    assert_null(buf_take(&buf));
    assert_null(buf.data);
}

static void zero_maximum_holds_nothing(void **state) {
    (void)state;
    struct buf buf = {0};
    assert_true(buf_add_text(&buf, ""));
    assert_false(buf_add_char(&buf, 'x'));
    buf_free(&buf);
    buf_free(&buf);
}

static void huge_lengths_do_not_wrap(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, SIZE_MAX);
    assert_true(buf_add_text(&buf, "a"));
    assert_false(buf_add(&buf, "x", SIZE_MAX));
    assert_true(buf.failed);
    buf_free(&buf);
    buf_init(&buf, SIZE_MAX);
    assert_true(buf_add_text(&buf, "a"));
    assert_false(buf_add(&buf, "x", SIZE_MAX - 1));
    assert_string_equal(buf.data, "a");
    buf_free(&buf);
}

static void keeps_bytes_of_any_value(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 100);
    assert_true(buf_add(&buf, "a\0b\xff", 4));
    assert_true(buf_add_char(&buf, '\0'));
    assert_int_equal(buf.length, 5);
    assert_memory_equal(buf.data, "a\0b\xff\0", 6);
    buf_free(&buf);
}

static void format_appends(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 1000);
    assert_true(buf_add_format(&buf, "%s-%d", "a", 7));
    assert_true(buf_add_format(&buf, "%s", ""));
    assert_true(buf_add_format(&buf, "|%0400d|", 1));
    assert_int_equal(buf.length, 3 + 402);
    assert_memory_equal(buf.data, "a-7|000", 7);
    assert_string_equal(buf.data + buf.length - 2, "1|");
    assert_false(buf_add_format(&buf, "%0999d", 1));
    assert_int_equal(buf.length, 405);
    assert_int_equal(strlen(buf.data), 405);
    buf_free(&buf);
}

static void format_fits_the_last_byte(void **state) {
    (void)state;
    for (int room = 250; room < 262; room++) {
        struct buf buf;
        buf_init(&buf, (size_t)room);
        assert_true(buf_add_format(&buf, "%0*d", room, 5));
        assert_int_equal(buf.length, room);
        assert_int_equal(buf.data[room - 1], '5');
        assert_false(buf_add_format(&buf, "%d", 5));
        buf_free(&buf);
    }
}

static void take_passes_the_bytes_on(void **state) {
    (void)state;
    struct buf buf;
    buf_init(&buf, 8);
    char *empty = buf_take(&buf);
    assert_non_null(empty);
    assert_string_equal(empty, "");
    free(empty);
    assert_true(buf_add_text(&buf, "abc"));
    char *text = buf_take(&buf);
    assert_string_equal(text, "abc");
    assert_null(buf.data);
    assert_int_equal(buf.length, 0);
    /* Still usable, with the same maximum. */
    assert_true(buf_add_text(&buf, "12345678"));
    assert_false(buf_add_char(&buf, '9'));
    assert_string_equal(text, "abc");
    free(text);
    buf_free(&buf);
}

/* Random pieces: the buffer equals a plain array at every step and ends with NUL. */
static void grows_like_an_array(void **state) {
    (void)state;
    enum { MODEL_BYTES = 40000 };
    static char model[MODEL_BYTES];
    size_t length = 0;
    unsigned seed = 20261130;
    struct buf buf;
    buf_init(&buf, MODEL_BYTES);
    for (;;) {
        char piece[700];
        size_t size = (size_t)rand_r(&seed) % sizeof piece;
        for (size_t i = 0; i < size; i++) {
            piece[i] = (char)rand_r(&seed);
        }
        bool fits = length + size <= MODEL_BYTES;
        assert_int_equal(buf_add(&buf, piece, size), fits);
        if (!fits) {
            break;
        }
        memcpy(model + length, piece, size);
        length += size;
        assert_int_equal(buf.length, length);
        assert_true(buf.data == NULL || buf.data[length] == '\0');
    }
    assert_true(buf.failed);
    assert_int_equal(buf.length, length);
    assert_memory_equal(buf.data, model, length);
    buf_free(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_without_memory),
        cmocka_unit_test(holds_exactly_its_maximum),
        cmocka_unit_test(failure_is_sticky_and_adds_nothing),
        cmocka_unit_test(zero_maximum_holds_nothing),
        cmocka_unit_test(huge_lengths_do_not_wrap),
        cmocka_unit_test(keeps_bytes_of_any_value),
        cmocka_unit_test(format_appends),
        cmocka_unit_test(format_fits_the_last_byte),
        cmocka_unit_test(take_passes_the_bytes_on),
        cmocka_unit_test(grows_like_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
