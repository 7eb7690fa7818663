/* What is compiled in is what stands in the folders, byte for byte. */
#include "builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_same_file(const char *folder, const struct builtin_file *file) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", SOURCE_DIR, folder, file->name);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        fail_msg("%s is built in, but not on disk", path);
    }
    unsigned char *bytes = malloc(file->length + 1);
    assert_non_null(bytes);
    size_t length = fread(bytes, 1, file->length + 1, stream);
    fclose(stream);
    assert_int_equal(length, file->length);
    assert_memory_equal(bytes, file->bytes, length);
    assert_int_equal(file->bytes[file->length], '\0');
    free(bytes);
}

static void assert_table(const char *folder, const struct builtin_file *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_same_file(folder, &files[i]);
        assert_true(i == 0 || strcmp(files[i - 1].name, files[i].name) < 0);
    }
}

static void test_templates(void **state) {
    (void)state;
    size_t count = 0;
    const struct builtin_file *files = builtin_templates(&count);
    assert_true(count > 0);
    assert_table("templates", files, count);
}

static void test_assets(void **state) {
    (void)state;
    size_t count = 0;
    const struct builtin_file *files = builtin_assets(&count);
    assert_true(count > 0);
    assert_table("public", files, count);
}

static void test_schema(void **state) {
    (void)state;
    assert_same_file("sql", builtin_schema());
}

/* The header of a database file: sqlite.org/fileformat2.html, section 1.3. */
static void test_catalogue(void **state) {
    (void)state;
    const struct builtin_file *image = builtin_catalogue();
    assert_true(image->length > 1000000);
    assert_memory_equal(image->bytes, "SQLite format 3", 16);
    assert_int_equal((uintptr_t)image->bytes % 16, 0);
    size_t page = (size_t)image->bytes[16] << 8 | image->bytes[17];
    assert_int_equal(image->length % page, 0);
    assert_memory_equal(image->bytes + 18, "\1\1", 2); /* no write-ahead log */
    assert_memory_equal(image->bytes + 68, "ASBX", 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_templates),
        cmocka_unit_test(test_assets),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
