#include "error.h"
#include "text.h"

#include "cmocka_all.h"

#include <string.h>

static void keeps_kind_and_message(void **state) {
    (void)state;
    struct error error = {0};
    assert_false(error_set(&error, ERROR_NOT_FOUND, "no %s in %d", "e2b", 23));
    assert_int_equal(error.kind, ERROR_NOT_FOUND);
    assert_string_equal(error.message, "no e2b in 23");
    assert_false(error_no_memory(&error));
    assert_int_equal(error.kind, ERROR_NO_MEMORY);
    assert_string_equal(error.message, "out of memory");
}

static void null_error_is_allowed(void **state) {
    (void)state;
    assert_false(error_set(NULL, ERROR_IO, "%s", "x"));
    assert_false(error_no_memory(NULL));
}

static void message_may_wrap_itself(void **state) {
    (void)state;
    struct error error = {0};
    error_set(&error, ERROR_IO, "inner");
    error_set(&error, ERROR_IO, "outer: %s", error.message);
    assert_string_equal(error.message, "outer: inner");
}

/* Cut at every offset of characters of one to four bytes: always whole characters, as many as fit.
 */
static void cut_leaves_whole_characters(void **state) {
    (void)state;
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    for (size_t c = 0; c < ARRAY_LENGTH(characters); c++) {
        size_t size = strlen(characters[c]);
        for (size_t shift = 0; shift < 8; shift++) {
            char text[1024] = "";
            memset(text, 'x', shift);
            size_t length = shift;
            while (length + size < sizeof text) {
                memcpy(text + length, characters[c], size);
                length += size;
            }
            text[length] = '\0';
            struct error error;
            error_set(&error, ERROR_INVALID, "%s", text);
            size_t kept = strlen(error.message);
            assert_true(text_is_utf8(error.message, kept));
            assert_true(kept < ERROR_MESSAGE_BYTES && kept + size >= ERROR_MESSAGE_BYTES);
            assert_memory_equal(error.message, text, kept);
        }
    }
}

static void fitting_message_is_not_cut(void **state) {
    (void)state;
    char text[ERROR_MESSAGE_BYTES];
    memset(text, 'y', sizeof text);
    text[sizeof text - 1] = '\0';
    struct error error;
    error_set(&error, ERROR_INVALID, "%s", text);
    assert_string_equal(error.message, text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_kind_and_message),     cmocka_unit_test(null_error_is_allowed),
        cmocka_unit_test(message_may_wrap_itself),    cmocka_unit_test(cut_leaves_whole_characters),
        cmocka_unit_test(fitting_message_is_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
