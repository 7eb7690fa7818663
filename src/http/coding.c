/* gzip, br and zstd in one go: answers are in memory, encoded once and kept. */
#include "coding.h"

#include <brotli/encode.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum {
    /* Coding waits in the way of the first who asks, so levels stop where the next costs more time
     * than it saves bytes; docs/performance.md has the numbers. */
    GZIP_LEVEL = 6,
    /* zlib: 15 bits of window, 16 more ask for the gzip wrapper. */
    GZIP_WINDOW = 15 + 16,
    GZIP_MEMORY = 9,
    GZIP_SYSTEM_UNKNOWN = 255,
    BROTLI_LEVEL = 5,
    /* Its window stays at 4 MiB, below the 8 MiB that RFC 9659 allows. */
    ZSTD_LEVEL = 9,
};

struct block {
    unsigned char *bytes;
    size_t capacity;
    size_t length;
};

static bool block_make(struct block *block, size_t capacity, struct error *error) {
    block->bytes = malloc(capacity);
    block->capacity = capacity;
    return block->bytes != NULL || error_no_memory(error);
}

static bool gzip_run(z_stream *stream, const void *bytes, size_t length, struct block *block,
                     struct error *error) {
    /* No time and no system, so that equal bytes give equal bytes. */
    gz_header header = {.os = GZIP_SYSTEM_UNKNOWN};
    if (deflateSetHeader(stream, &header) != Z_OK) {
        return error_set(error, ERROR_INTERNAL, "gzip: the header was refused");
    }
    size_t bound = deflateBound(stream, length);
    if (bound > UINT_MAX) {
        return error_set(error, ERROR_INVALID, "gzip: %zu bytes are too many", length);
    }
    if (!block_make(block, bound, error)) {
        return false;
    }
    stream->next_in = (z_const Bytef *)bytes;
    stream->avail_in = (uInt)length;
    stream->next_out = block->bytes;
    stream->avail_out = (uInt)bound;
    if (deflate(stream, Z_FINISH) != Z_STREAM_END) {
        return error_set(error, ERROR_INTERNAL, "gzip: the encoder did not finish");
    }
    block->length = stream->total_out;
    return true;
}

static bool gzip_encode(const void *bytes, size_t length, struct block *block,
                        struct error *error) {
    if (length > UINT_MAX) {
        return error_set(error, ERROR_INVALID, "gzip: %zu bytes are too many", length);
    }
    z_stream stream = {0};
    int result =
        deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY);
    if (result != Z_OK) {
        return result == Z_MEM_ERROR
                   ? error_no_memory(error)
                   : error_set(error, ERROR_INTERNAL, "gzip: the encoder did not start");
    }
    bool done = gzip_run(&stream, bytes, length, block, error);
    deflateEnd(&stream);
    return done;
}

static bool brotli_encode(const void *bytes, size_t length, struct block *block,
                          struct error *error) {
    size_t bound = BrotliEncoderMaxCompressedSize(length);
    if (bound == 0) {
        return error_set(error, ERROR_INVALID, "br: %zu bytes are too many", length);
    }
    if (!block_make(block, bound, error)) {
        return false;
    }
    size_t written = bound;
    if (!BrotliEncoderCompress(BROTLI_LEVEL, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, length, bytes,
                               &written, block->bytes)) {
        return error_set(error, ERROR_INTERNAL, "br: the encoder did not finish");
    }
    block->length = written;
    return true;
}

static bool zstd_encode(const void *bytes, size_t length, struct block *block,
                        struct error *error) {
    size_t bound = ZSTD_compressBound(length);
    if (ZSTD_isError(bound)) {
        return error_set(error, ERROR_INVALID, "zstd: %zu bytes are too many", length);
    }
    if (!block_make(block, bound, error)) {
        return false;
    }
    size_t written = ZSTD_compress(block->bytes, bound, bytes, length, ZSTD_LEVEL);
    if (ZSTD_isError(written)) {
        return error_set(error, ERROR_INTERNAL, "zstd: %s", ZSTD_getErrorName(written));
    }
    block->length = written;
    return true;
}

static bool encode(enum coding coding, const void *bytes, size_t length, struct block *block,
                   struct error *error) {
    switch (coding) {
    case CODING_GZIP:
        return gzip_encode(bytes, length, block, error);
    case CODING_BROTLI:
        return brotli_encode(bytes, length, block, error);
    case CODING_ZSTD:
        return zstd_encode(bytes, length, block, error);
    case CODING_IDENTITY:
    case CODING__COUNT:
        break;
    }
    return error_set(error, ERROR_INTERNAL, "coding %d does not encode", (int)coding);
}

bool coding_encode(enum coding coding, const void *bytes, size_t length, void **out_bytes,
                   size_t *out_length, struct error *error) {
    struct block block = {0};
    void *exact = NULL;
    if (encode(coding, length > 0 ? bytes : "", length, &block, error)) {
        /* Encoded answers stay in the cache, so the room that the bound left is given back. */
        exact = malloc(block.length);
        if (exact == NULL) {
            error_no_memory(error);
        } else {
            memcpy(exact, block.bytes, block.length);
            *out_bytes = exact;
            *out_length = block.length;
        }
    }
    free(block.bytes);
    return exact != NULL;
}
