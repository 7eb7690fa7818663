#include "hash.h"

#include "base.h"

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

/* What xxhsum -H128 prints. */
static void gives_the_digests_of_xxhsum(void **state) {
    (void)state;
    char hex[HASH_XXH3_HEX_BYTES];
    hash_xxh3_hex("", 0, hex);
    assert_string_equal(hex, "99aa06d3014798d86001c324468d497f");
    hash_xxh3_hex("abc", 3, hex);
    assert_string_equal(hex, "06b05ab6733a618578af5f94892f3950");
}

static void hashes_parts_as_one(void **state) {
    (void)state;
    static const unsigned char expected[HASH_XXH3_BYTES] = {0x06, 0xb0, 0x5a, 0xb6, 0x73, 0x3a,
                                                            0x61, 0x85, 0x78, 0xaf, 0x5f, 0x94,
                                                            0x89, 0x2f, 0x39, 0x50};
    const struct hash_part parts[] = {{"a", 1}, {"", 0}, {"bc", 2}};
    unsigned char digest[HASH_XXH3_BYTES];
    hash_xxh3(parts, ARRAY_LENGTH(parts), digest);
    assert_memory_equal(digest, expected, sizeof(expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_digests),
        cmocka_unit_test(hashes_a_million_bytes),
        cmocka_unit_test(gives_the_digests_of_xxhsum),
        cmocka_unit_test(hashes_parts_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
