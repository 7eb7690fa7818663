/* A sealed catalogue: whole, edited by SQLite, or damaged. */
#include "builtin.h"
#include "catalogue.h"
#include "cmocka_all.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TODAY = 20787 }; /* 2026-11-30 */

/* The built-in catalogue, which the build has sealed, as bytes that may be changed. */
static struct image copy_of_builtin(void) {
    const struct builtin_file *file = builtin_catalogue();
    struct error error = {0};
    struct image image = {0};
    char path[] = "/tmp/seal_test.XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, file->bytes, file->length), file->length);
    assert_int_equal(close(handle), 0);
    assert_true(image_read(path, &image, &error));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(image.length, file->length);
    /* The tests change the bytes, which what was found when they were read does not know. */
    assert_string_not_equal(image.digest, "");
    image.digest[0] = '\0';
    return image;
}

/* The error of loading an image, or NULL. */
static const char *fault_of(struct image *image) {
    static struct error error;
    struct generation *generation = generation_create(image, TODAY, &error);
    generation_release(generation);
    return generation == NULL ? error.message : NULL;
}

enum { COUNTER = 24, SEAL = 72, SEAL_LENGTH = 20, VALID_FOR = 92 };

static void test_takes_what_was_sealed(void **state) {
    (void)state;
    struct image image = copy_of_builtin();
    assert_null(fault_of(&image));
}

static void test_refuses_every_flipped_bit(void **state) {
    (void)state;
    struct image image = copy_of_builtin();
    unsigned char *bytes = malloc(image.length);
    size_t length = image.length;
    assert_non_null(bytes);
    memcpy(bytes, image.bytes, length);
    image_free(&image);
    srandom(1);
    for (int i = 0; i < 300; i++) {
        size_t place = (size_t)random() % length;
        unsigned char bit = (unsigned char)(1 << (random() % 8));
        bytes[place] ^= bit;
        struct image changed = {.bytes = bytes, .length = length};
        bool in_counter = place >= SEAL + 16 && place < SEAL + SEAL_LENGTH;
        if (fault_of(&changed) == NULL && !in_counter) {
            fail_msg("bit %d of byte %zu was not missed", bit, place);
        }
        bytes[place] ^= bit;
    }
    free(bytes);
}

static void test_checks_what_was_edited(void **state) {
    (void)state;
    struct image image = copy_of_builtin();
    /* As after one more transaction of SQLite. */
    image.bytes[COUNTER + 3]++;
    image.bytes[VALID_FOR + 3] = image.bytes[COUNTER + 3];
    assert_null(fault_of(&image));
    image = copy_of_builtin();
    image.bytes[COUNTER + 3]++;
    assert_string_equal(fault_of(&image),
                        "the catalogue is damaged: its bytes are not those that were sealed");
}

static void test_needs_no_seal(void **state) {
    (void)state;
    struct image image = copy_of_builtin();
    memset(image.bytes + SEAL, 0, SEAL_LENGTH);
    assert_null(fault_of(&image));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_what_was_sealed),
        cmocka_unit_test(test_refuses_every_flipped_bit),
        cmocka_unit_test(test_checks_what_was_edited),
        cmocka_unit_test(test_needs_no_seal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
