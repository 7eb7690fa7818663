/* The grammar of filters: any query is a question, a fault with words, and never a failure; and the
 * canonical form of a question is a question that has the same canonical form. */
#include "builtin.h"
#include "catalogue.h"
#include "question.h"
#include "target.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static const json_t *use_cases;

static const struct catalogue_index *get_index(void) {
    static struct generation *generation; /* kept until the end, with its index */
    if (generation == NULL) {
        enum { TODAY = 20787 };
        struct error error;
        const struct builtin_file *file = builtin_catalogue();
        struct image image = {.bytes = (unsigned char *)file->bytes, .length = file->length};
        generation = generation_create(&image, TODAY, &error);
        demand(generation != NULL);
        struct catalogue *catalogue = catalogue_open(generation, &error);
        demand(catalogue != NULL);
        use_cases = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, &error);
        demand(use_cases != NULL);
        catalogue_close(catalogue);
    }
    return generation_index(generation);
}

/* The canonical query, or false where the query is none. */
static bool canonical(const char *raw, size_t length, struct buf *out) {
    struct target target = {0};
    struct question question = {0};
    struct question_fault fault = {0};
    struct error error;
    const struct catalogue_index *index = get_index();
    if (!target_parse(raw, length, &target, &error)) {
        return false;
    }
    enum question_result result = question_parse(index, use_cases, target.pairs, target.pair_count,
                                                 &question, &fault, &error);
    demand(result != QUESTION_FAILED);
    if (result == QUESTION_GOOD) {
        question_add_canonical(&question, out);
        demand(!out->failed);
    } else {
        demand(fault.detail[0] != '\0');
        json_decref(fault.allowed);
    }
    question_free(&question);
    target_free(&target);
    return result == QUESTION_GOOD;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const char path[] = "/compare?";
    struct buf raw;
    struct buf once;
    struct buf again;
    buf_init(&raw, 1 << 16);
    buf_init(&once, 1 << 16);
    buf_init(&again, 1 << 16);
    buf_add_text(&raw, path);
    buf_add(&raw, bytes, length);
    if (!raw.failed && canonical(raw.data, raw.length, &once)) {
        raw.length = strlen(path);
        buf_add(&raw, once.data == NULL ? "" : once.data, once.length);
        if (raw.length <= 4096) {
            demand(canonical(raw.data, raw.length, &again));
            demand(again.length == once.length &&
                   (once.length == 0 || memcmp(again.data, once.data, once.length) == 0));
        }
    }
    buf_free(&raw);
    buf_free(&once);
    buf_free(&again);
    return 0;
}
