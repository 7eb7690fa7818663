#include "seal.h"
#include "base.h"
#include "hash.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Offsets in the header of a database file (sqlite.org/fileformat2.html, section 1.3). */
enum {
    CHANGE_COUNTER = 24,
    SEAL_DIGEST = 72,
    SEAL_COUNTER = SEAL_DIGEST + HASH_XXH3_BYTES,
    COUNTER_BYTES = 4,
    SEAL_BYTES = HASH_XXH3_BYTES + COUNTER_BYTES,
    VALID_FOR = 92 /* the counter again, at the last write by SQLite */
};

static void digest(const struct image *image, unsigned char out[HASH_XXH3_BYTES]) {
    static const unsigned char zeros[SEAL_BYTES];
    const struct hash_part parts[] = {
        {image->bytes, SEAL_DIGEST},
        {zeros, SEAL_BYTES},
        {image->bytes + SEAL_DIGEST + SEAL_BYTES, image->length - SEAL_DIGEST - SEAL_BYTES}};
    hash_xxh3(parts, ARRAY_LENGTH(parts), out);
}

bool seal_is_there(const unsigned char header[SEAL_HEADER_BYTES]) {
    static const unsigned char zeros[SEAL_BYTES];
    return memcmp(header + SEAL_DIGEST, zeros, SEAL_BYTES) != 0;
}

static bool read_piece(int file, unsigned char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = read(file, bytes, length);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

bool seal_read_file(int file, struct image *image) {
    enum { PIECE_BYTES = 256 * 1024 };
    static const unsigned char zeros[SEAL_BYTES];
    struct hash_stream *stream = hash_stream_create();
    if (stream == NULL) {
        return false;
    }
    const size_t behind = SEAL_DIGEST + SEAL_BYTES;
    hash_stream_add(stream, image->bytes, SEAL_DIGEST);
    hash_stream_add(stream, zeros, SEAL_BYTES);
    hash_stream_add(stream, image->bytes + behind, SEAL_HEADER_BYTES - behind);
    bool good = true;
    for (size_t at = SEAL_HEADER_BYTES; good && at < image->length; at += PIECE_BYTES) {
        size_t length = image->length - at < PIECE_BYTES ? image->length - at : PIECE_BYTES;
        good = read_piece(file, image->bytes + at, length);
        hash_stream_add(stream, image->bytes + at, good ? length : 0);
    }
    unsigned char found[HASH_XXH3_BYTES];
    hash_stream_digest(stream, found);
    hash_stream_free(stream);
    hash_xxh3_print(found, image->digest);
    good = good && memcmp(image->bytes + SEAL_DIGEST, found, HASH_XXH3_BYTES) == 0;
    if (!good) {
        image->digest[0] = '\0';
    }
    return good;
}

enum seal seal_read(const struct image *image, char out_hex[HASH_XXH3_HEX_BYTES]) {
    const unsigned char *bytes = image->bytes;
    if (image->digest[0] != '\0') {
        memcpy(out_hex, image->digest, HASH_XXH3_HEX_BYTES);
        return SEAL_WHOLE;
    }
    unsigned char found[HASH_XXH3_BYTES] = {0};
    if (image->length >= SEAL_HEADER_BYTES) {
        digest(image, found);
    }
    hash_xxh3_print(found, out_hex);
    if (image->length < SEAL_HEADER_BYTES || !seal_is_there(bytes)) {
        return SEAL_NONE;
    }
    if (memcmp(bytes + SEAL_DIGEST, found, HASH_XXH3_BYTES) == 0) {
        return SEAL_WHOLE;
    }
    bool counted = memcmp(bytes + CHANGE_COUNTER, bytes + SEAL_COUNTER, COUNTER_BYTES) != 0 &&
                   memcmp(bytes + CHANGE_COUNTER, bytes + VALID_FOR, COUNTER_BYTES) == 0;
    return counted ? SEAL_EDITED : SEAL_BROKEN;
}

void seal_make(const struct image *image, unsigned char out[SEAL_HEADER_BYTES]) {
    memcpy(out, image->bytes, SEAL_HEADER_BYTES);
    digest(image, out + SEAL_DIGEST);
    memcpy(out + SEAL_COUNTER, image->bytes + CHANGE_COUNTER, COUNTER_BYTES);
}

void seal_image(struct image *image) {
    unsigned char header[SEAL_HEADER_BYTES];
    seal_make(image, header);
    memcpy(image->bytes, header, sizeof(header));
}
