/* SHA-256 (FIPS 180-4), by libmd, where others compute it too; XXH3 (128 bits), by libxxhash, where
 * only difference matters: it is some thirty times as fast, and no protection against forgery. */
#ifndef AGENT_SANDBOXES_HASH_H
#define AGENT_SANDBOXES_HASH_H

#include <stddef.h>

enum { HASH_HEX_BYTES = 65 };

/* Writes the lower-case hex digest of bytes, NUL-terminated. */
void hash_sha256_hex(const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES]);

enum { HASH_XXH3_BYTES = 16, HASH_XXH3_HEX_BYTES = 33 };

/* A stretch of bytes. */
struct hash_part {
    const void *bytes;
    size_t length;
};

/* The XXH3 digest (big-endian, as xxhsum prints it) of all parts in a row. */
void hash_xxh3(const struct hash_part *parts, size_t count, unsigned char out[HASH_XXH3_BYTES]);

/* The same of bytes that come piece by piece. NULL: out of memory. */
struct hash_stream;
struct hash_stream *hash_stream_create(void);
void hash_stream_add(struct hash_stream *stream, const void *bytes, size_t length);
/* Writes the digest of all that was added. */
void hash_stream_digest(const struct hash_stream *stream, unsigned char out[HASH_XXH3_BYTES]);
/* Accepts NULL. */
void hash_stream_free(struct hash_stream *stream);

/* A digest as lower-case hex, NUL-terminated. */
void hash_xxh3_print(const unsigned char digest[HASH_XXH3_BYTES],
                     char out_hex[HASH_XXH3_HEX_BYTES]);

/* The digest of one stretch, printed. */
void hash_xxh3_hex(const void *bytes, size_t length, char out_hex[HASH_XXH3_HEX_BYTES]);

#endif
