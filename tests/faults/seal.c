/* Seals a catalogue as `build` does, but unchecked: what an attacker who can write the file would
 * do (src/catalogue/seal.h). Built and run by tests/http/hostile.mjs. */
#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { COUNTER = 24, SEAL = 72, DIGEST_BYTES = 16, COUNTER_BYTES = 4 };

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r+b") : NULL;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return 1;
    }
    long length = ftell(file);
    unsigned char *bytes = length < SEAL + DIGEST_BYTES ? NULL : malloc((size_t)length);
    rewind(file);
    if (bytes == NULL || fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        return 1;
    }
    memset(bytes + SEAL, 0, DIGEST_BYTES + COUNTER_BYTES);
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits(bytes, (size_t)length));
    memcpy(bytes + SEAL, digest.digest, DIGEST_BYTES);
    memcpy(bytes + SEAL + DIGEST_BYTES, bytes + COUNTER, COUNTER_BYTES);
    rewind(file);
    return fwrite(bytes, 1, (size_t)length, file) == (size_t)length && fclose(file) == 0 ? 0 : 1;
}
