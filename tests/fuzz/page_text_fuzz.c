/* Any page gives words in their one form, which are found again; what is no word is not found. */
#include "hash.h"
#include "page_text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_form(const struct buf *words) {
    for (size_t i = 0; i < words->length; i++) {
        char c = words->data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        demand(letter || (c == ' ' && i > 0 && i + 1 < words->length && words->data[i - 1] != ' '));
    }
}

static void check_reading(const char *page, size_t length, enum page_reading reading) {
    struct buf words;
    buf_init(&words, 2 * length + 1);
    demand(page_words(page, length, reading, &words));
    check_form(&words);
    if (words.length > 0) {
        char digest[HASH_HEX_BYTES];
        const char *end = memchr(words.data, ' ', words.length);
        size_t first = end == NULL ? words.length : (size_t)(end - words.data);
        hash_sha256_hex(words.data, first, digest);
        demand(page_words_hold(&words, 1, digest));
        hash_sha256_hex("no word", strlen("no word"), digest);
        demand(!page_words_hold(&words, 1, digest));
        /* The words of words are the same words. */
        struct buf again;
        buf_init(&again, 2 * words.length + 1);
        demand(page_words(words.data, words.length, PAGE_PLAIN, &again));
        demand(again.length == words.length && memcmp(again.data, words.data, words.length) == 0);
        buf_free(&again);
    }
    buf_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    /* A copy of its exact size, so that a read past its end is seen. */
    char *page = malloc(length + (length == 0));
    if (page == NULL) {
        return 0;
    }
    if (length > 0) {
        memcpy(page, bytes, length);
    }
    for (int reading = PAGE_PLAIN; reading <= PAGE_INLINE; reading++) {
        check_reading(page, length, (enum page_reading)reading);
    }
    free(page);
    return 0;
}
