/* SHA-256 (FIPS 180-4), by libmd. */
#ifndef AGENT_SANDBOXES_HASH_H
#define AGENT_SANDBOXES_HASH_H

#include <stddef.h>

enum { HASH_HEX_BYTES = 65 };

/* Writes the lower-case hex digest of bytes, NUL-terminated. */
void hash_sha256_hex(const void *bytes, size_t length, char out_hex[HASH_HEX_BYTES]);

#endif
