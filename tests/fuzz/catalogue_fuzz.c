/* A damaged catalogue is refused or served, whatever the damage. The input is a list of patches to
 * a good image: three bytes of place, one of value; place 0xffffff cuts or grows the file. */
#include "builtin.h"
#include "catalogue.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { TODAY = 20787, PATCH_BYTES = 4, CUT = 0xffffff, PAGE = 4096, SEED_BYTES = 64 * 1024 };

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static const struct image *good_image(void) {
    static struct image image;
    if (image.bytes == NULL) {
        struct error error;
        char *seed = calloc(1, SEED_BYTES);
        FILE *file = fopen(SOURCE_DIR "/tests/unit/small_catalogue.sql", "rbe");
        demand(seed != NULL && file != NULL && fread(seed, 1, SEED_BYTES - 1, file) > 0);
        (void)fclose(file);
        demand(image_build((const char *)builtin_schema()->bytes, seed, NULL, &image, &error));
        free(seed);
    }
    return &image;
}

static struct image damaged(const uint8_t *bytes, size_t length) {
    const struct image *good = good_image();
    struct image image = {.bytes = malloc(good->length + PAGE), .length = good->length};
    demand(image.bytes != NULL);
    memcpy(image.bytes, good->bytes, good->length);
    memset(image.bytes + good->length, 0, PAGE);
    for (; length >= PATCH_BYTES; bytes += PATCH_BYTES, length -= PATCH_BYTES) {
        size_t place = (size_t)bytes[0] << 16 | (size_t)bytes[1] << 8 | bytes[2];
        if (place == CUT) {
            image.length = bytes[3] == 0 ? good->length + PAGE : good->length * bytes[3] / 256;
        } else {
            image.bytes[place % image.length] = bytes[3];
        }
        if (image.length == 0) {
            image.length = 1;
        }
    }
    return image;
}

static void read_all(struct generation *generation) {
    static const enum statement statements[] = {
        STATEMENT_SETTINGS, STATEMENT_GROUPS,      STATEMENT_ATTRIBUTES, STATEMENT_PROVIDERS,
        STATEMENT_SOURCES,  STATEMENT_INDEX_FACTS, STATEMENT_TERMS,      STATEMENT_EVENTS};
    struct error error;
    struct catalogue *catalogue = catalogue_open(generation, &error);
    for (size_t i = 0; catalogue != NULL && i < ARRAY_LENGTH(statements); i++) {
        json_decref(catalogue_rows(catalogue, statements[i], NULL, 0, &error));
    }
    catalogue_close(catalogue);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct image image = damaged(bytes, length);
    unsigned char *bytes_of_image = image.bytes; /* not owned: the generation only borrows them */
    struct error error = {0};
    struct generation *generation = generation_create(&image, TODAY, &error);
    if (generation != NULL) {
        read_all(generation);
        generation_release(generation);
    } else {
        demand(error.message[0] != '\0');
    }
    free(bytes_of_image);
    return 0;
}
