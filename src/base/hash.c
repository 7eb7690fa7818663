#include "hash.h"

#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void hash_sha256_hex(const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES]) {
    _Static_assert(SHA256_DIGEST_STRING_LENGTH == HASH_HEX_BYTES, "hex digest and its NUL");
    SHA2_CTX context;
    SHA256Init(&context);
    if (length > 0) {
        SHA256Update(&context, bytes, length);
    }
    SHA256End(&context, out_hex);
}

static void write_digest(const XXH3_state_t *state, unsigned char out[HASH_XXH3_BYTES]) {
    _Static_assert(sizeof(XXH128_canonical_t) == HASH_XXH3_BYTES, "128 bits");
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(out, canonical.digest, HASH_XXH3_BYTES);
}

void hash_xxh3(const struct hash_part *parts, size_t count, unsigned char out[HASH_XXH3_BYTES]) {
    XXH3_state_t state;
    (void)XXH3_128bits_reset(&state);
    for (size_t i = 0; i < count; i++) {
        (void)XXH3_128bits_update(&state, parts[i].bytes, parts[i].length);
    }
    write_digest(&state, out);
}

struct hash_stream {
    XXH3_state_t state;
};

struct hash_stream *hash_stream_create(void) {
    struct hash_stream *stream = aligned_alloc(_Alignof(struct hash_stream), sizeof(*stream));
    if (stream != NULL) {
        (void)XXH3_128bits_reset(&stream->state);
    }
    return stream;
}

void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t length) {
    (void)XXH3_128bits_update(&stream->state, bytes, length);
}

void hash_stream_digest(const struct hash_stream *stream, unsigned char out[HASH_XXH3_BYTES]) {
    write_digest(&stream->state, out);
}

void hash_stream_free(struct hash_stream *stream) {
    free(stream);
}

void hash_xxh3_print(const unsigned char digest[HASH_XXH3_BYTES],
                     char out_hex[HASH_XXH3_HEX_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_XXH3_BYTES; i++) {
        out_hex[2 * i] = digits[digest[i] >> 4];
        out_hex[2 * i + 1] = digits[digest[i] & 15];
    }
    out_hex[HASH_XXH3_HEX_BYTES - 1] = '\0';
}

void hash_xxh3_hex(const void *bytes, size_t length, char out_hex[HASH_XXH3_HEX_BYTES]) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, length));
    hash_xxh3_print(canonical.digest, out_hex);
}
