/* SHA-256 in hex, by libmd. */
#include "hash.h"

#include <sha2.h>
#include <stdint.h>

void hash_sha256_hex(const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES]) {
    _Static_assert(SHA256_DIGEST_STRING_LENGTH == HASH_HEX_BYTES, "hex digest and its NUL");
    SHA2_CTX context;
    SHA256Init(&context);
    if (length > 0) {
        SHA256Update(&context, bytes, length);
    }
    SHA256End(&context, out_hex);
}
