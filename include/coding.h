/* Content codings: gzip (zlib), br (brotli), zstd. The only file that includes their headers is
 * src/http/coding.c. */
#ifndef AGENT_SANDBOXES_CODING_H
#define AGENT_SANDBOXES_CODING_H

#include "error.h"
#include "negotiate.h"
#include <stddef.h>

/* Encodes bytes into a malloc'd block that the caller frees. Output is deterministic (no time
 * stamp). coding is not CODING_IDENTITY. */
bool coding_encode(enum coding coding, const void *bytes, size_t length, void **out_bytes,
                   size_t *out_length, struct error *error) MUST_USE;

#endif
