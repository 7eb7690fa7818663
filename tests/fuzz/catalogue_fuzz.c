/* A damaged catalogue is refused or served, whatever the damage. The input is a list of patches to
 * a good image: three bytes of place, one of value; place 0xffffff cuts or grows the file.
 *
 * Loading prepares some 200 statements, which costs a hundred times what the reading does. So
 * most inputs damage the pages under a catalogue that is open: what a file sealed by an enemy does,
 * which no rule is asked about. Those that cut or grow, and one in LOADED of the others, are loaded
 * as a file is. */
#include "../../src/catalogue/statements.h"
#include "builtin.h"
#include "catalogue.h"
#include "catalogue_index.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { TODAY = 20787, PATCH_BYTES = 4, CUT = 0xffffff, PAGE = 4096, SEED_BYTES = 64 * 1024 };
enum { LOADED = 256 };

static struct {
    struct image good;
    unsigned char *bytes;        /* a copy of it, with a page to spare, to be damaged */
    struct catalogue *catalogue; /* open on the copy */
} under;

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static void open_catalogue(void) {
    struct error error;
    char *seed = calloc(1, SEED_BYTES);
    FILE *file = fopen(SOURCE_DIR "/tests/unit/small_catalogue.sql", "rbe");
    demand(seed != NULL && file != NULL && fread(seed, 1, SEED_BYTES - 1, file) > 0);
    (void)fclose(file);
    demand(image_build((const char *)builtin_schema()->bytes, seed, NULL, &under.good, &error));
    free(seed);
    under.bytes = calloc(1, under.good.length + PAGE);
    demand(under.bytes != NULL);
    memcpy(under.bytes, under.good.bytes, under.good.length);
    struct image image = {.bytes = under.bytes, .length = under.good.length};
    struct generation *generation = generation_create(&image, TODAY, &error);
    demand(generation != NULL);
    under.catalogue = catalogue_open(generation, &error);
    demand(under.catalogue != NULL);
    generation_release(generation);
}

/* Answers the length of what is damaged now; *out_loads says whether it has to be loaded. */
static size_t damage(const uint8_t *bytes, size_t length, bool *out_loads) {
    size_t size = under.good.length;
    unsigned sum = 0;
    *out_loads = false;
    memcpy(under.bytes, under.good.bytes, size);
    memset(under.bytes + size, 0, PAGE);
    for (; length >= PATCH_BYTES; bytes += PATCH_BYTES, length -= PATCH_BYTES) {
        size_t place = (size_t)bytes[0] << 16 | (size_t)bytes[1] << 8 | bytes[2];
        sum = sum * 31 + bytes[2] + bytes[3];
        if (place == CUT) {
            size = bytes[3] == 0 ? under.good.length + PAGE : under.good.length * bytes[3] / 256;
            size = size == 0 ? 1 : size;
            *out_loads = true;
        } else {
            under.bytes[place % size] = bytes[3];
        }
    }
    *out_loads = *out_loads || sum % LOADED == 0;
    return size;
}

static void read_all(struct catalogue *catalogue) {
    struct error error;
    index_free(index_create(catalogue, NULL, &error));
    for (int i = 0; i < STATEMENT__COUNT; i++) {
        if (statement_texts[i].parameter_count == 0) {
            json_decref(catalogue_rows(catalogue, (enum statement)i, NULL, 0, &error));
        }
    }
}

static void load(size_t length) {
    struct error error = {0};
    struct image image = {.bytes = under.bytes, .length = length}; /* not owned */
    struct generation *generation = generation_create(&image, TODAY, &error);
    if (generation == NULL) {
        demand(error.message[0] != '\0');
        return;
    }
    struct catalogue *catalogue = catalogue_open(generation, &error);
    if (catalogue != NULL) {
        read_all(catalogue);
    }
    catalogue_close(catalogue);
    generation_release(generation);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    if (under.catalogue == NULL) {
        open_catalogue();
    }
    bool loads = false;
    size_t size = damage(bytes, length, &loads);
    if (loads) {
        load(size);
    } else {
        read_all(under.catalogue);
    }
    return 0;
}
