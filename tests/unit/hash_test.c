#include "hash.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

/* The examples that come with FIPS 180-4. */
static void gives_the_published_digests(void **state) {
    (void)state;
    char hex[HASH_HEX_BYTES];
    hash_sha256_hex("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_sha256_hex(NULL, 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    hash_sha256_hex(two_blocks, strlen(two_blocks), hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void hashes_a_million_bytes(void **state) {
    (void)state;
    enum { MILLION = 1000000 };
    char *bytes = malloc(MILLION);
    assert_non_null(bytes);
    memset(bytes, 'a', MILLION);
    char hex[HASH_HEX_BYTES];
    hash_sha256_hex(bytes, MILLION, hex);
    free(bytes);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_digests),
        cmocka_unit_test(hashes_a_million_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
