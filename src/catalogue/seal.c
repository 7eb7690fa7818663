#include "seal.h"
#include "base.h"
#include "hash.h"
#include <string.h>

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

enum seal seal_read(const struct image *image, char out_hex[HASH_XXH3_HEX_BYTES]) {
    const unsigned char *bytes = image->bytes;
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
