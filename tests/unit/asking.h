/* Asking questions of a catalogue in a unit test. */
#ifndef AGENT_SANDBOXES_TEST_ASKING_H
#define AGENT_SANDBOXES_TEST_ASKING_H

#include "builtin.h"
#include "catalogue.h"
#include "cmocka_all.h"
#include "comparison.h"
#include "question.h"
#include "target.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TODAY = 20787 }; /* 2026-11-30 */

/* The catalogue of a seed file of the project, or the built-in one (NULL). */
static inline struct catalogue *open_catalogue(const char *seed) {
    struct error error = {0};
    struct image image = {0};
    if (seed == NULL) {
        const struct builtin_file *file = builtin_catalogue();
        image = (struct image){.bytes = (unsigned char *)file->bytes, .length = file->length};
    } else {
        enum { SEED_BYTES = 64 * 1024 };
        char *text = calloc(1, SEED_BYTES);
        FILE *stream = fopen(seed, "rb");
        if (text == NULL || stream == NULL || fread(text, 1, SEED_BYTES - 1, stream) == 0) {
            fail_msg("%s cannot be read", seed);
        }
        if (stream != NULL) {
            fclose(stream);
        }
        bool built = image_build((const char *)builtin_schema()->bytes, text, NULL, &image, &error);
        free(text);
        if (!built) {
            fail_msg("%s", error.message);
        }
    }
    struct generation *generation = generation_create(&image, TODAY, &error);
    if (generation == NULL) {
        fail_msg("%s", error.message);
    }
    struct catalogue *catalogue = catalogue_open(generation, &error);
    generation_release(generation);
    if (catalogue == NULL) {
        fail_msg("%s", error.message);
    }
    return catalogue;
}

/* Parses the query of a target. The caller frees question, and fault->allowed. */
static inline enum question_result parse_query(struct catalogue *catalogue, const char *query,
                                               struct question *question,
                                               struct question_fault *fault,
                                               struct target *target) {
    struct error error = {0};
    char raw[4096];
    snprintf(raw, sizeof raw, "/compare?%s", query);
    assert_true(target_parse(raw, strlen(raw), target, &error));
    json_t *use_cases = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, &error);
    assert_non_null(use_cases);
    enum question_result result =
        question_parse(generation_index(catalogue_generation(catalogue)), use_cases, target->pairs,
                       target->pair_count, question, fault, &error);
    json_decref(use_cases);
    return result;
}

#endif
