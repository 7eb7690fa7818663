#include "refill.h"
#include "exchange.h"
#include "limit.h"
#include "log.h"
#include "make.h"
#include "respond.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now_ms(void) {
    enum { MS_PER_SECOND = 1000, NS_PER_MS = 1000000 };
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MS_PER_SECOND + now.tv_nsec / NS_PER_MS;
}

/* The target that an entry's key stands for, malloc'd, and its medium: the key is path, medium and
 * canonical query, a line each. */
static char *target_of(const struct cache_entry *entry, enum media *out_media) {
    const char *end = entry->key + entry->key_length;
    const char *medium = memchr(entry->key, '\n', entry->key_length);
    const char *query =
        medium == NULL ? NULL : memchr(medium + 1, '\n', (size_t)(end - medium - 1));
    if (query == NULL) {
        return NULL;
    }
    *out_media = (enum media)strtol(medium + 1, NULL, 10);
    struct buf target;
    buf_init(&target, LIMIT_TARGET_BYTES);
    buf_add(&target, entry->key, (size_t)(medium - entry->key));
    if (query + 1 < end) {
        buf_add_text(&target, "?");
        buf_add(&target, query + 1, (size_t)(end - query - 1));
    }
    return buf_take(&target);
}

static void prepare_codings(struct answer *answer, const struct answer *before) {
    for (int coding = 0; coding < CODING__COUNT; coding++) {
        if (answer_has(before, (enum coding)coding)) {
            answer_prepare(answer, (enum coding)coding);
        }
    }
}

static bool make_again(struct edition *edition, struct catalogue *catalogue,
                       const struct site *site, const struct cache_entry *entry) {
    enum media media = MEDIA_HTML;
    char *raw = target_of(entry, &media);
    struct exchange *exchange = raw == NULL ? NULL : exchange_create(raw);
    struct answer *answer = NULL;
    struct error error;
    if (exchange != NULL && target_parse(raw, strlen(raw), &exchange->target, &error)) {
        struct work work;
        work_init(&work, exchange, site);
        work.edition = edition;
        work.method = METHOD_GET;
        work.call.catalogue = catalogue;
        answer = work_answer_again(&work, media, entry, &error);
        work_free(&work);
    }
    if (answer != NULL) {
        prepare_codings(answer, entry->answer);
        answer_release(answer);
    }
    if (exchange != NULL) {
        exchange_free(exchange);
    }
    free(raw);
    return answer != NULL;
}

static void refill_until(int64_t end_ms, struct edition *edition, const struct edition *before,
                         const struct site *site) {
    struct error error;
    struct cache_entry *entries = NULL;
    size_t count = 0;
    size_t made = 0;
    struct catalogue *catalogue = catalogue_open(edition_generation(edition), &error);
    if (catalogue == NULL || !cache_list(edition_cache(before), &entries, &count)) {
        LOG(LOG_WARN, "not_refilled",
            LOG_STR("error", catalogue == NULL ? error.message : "out of memory"));
        catalogue_close(catalogue);
        return;
    }
    for (size_t i = 0; i < count && now_ms() < end_ms; i++) {
        made += make_again(edition, catalogue, site, &entries[i]) ? 1 : 0;
    }
    cache_list_free(entries, count);
    catalogue_close(catalogue);
    LOG(LOG_DEBUG, "refilled", LOG_INT("of", (int64_t)count), LOG_INT("made", (int64_t)made));
}

void refill(struct edition *edition, const struct edition *before, const struct site *site) {
    const int64_t end_ms = now_ms() + LIMIT_REFILL_MS;
    refill_until(end_ms, edition, before, site);
    if (edition_beneath(edition) != NULL && edition_beneath(before) != NULL) {
        refill_until(end_ms, edition_beneath(edition), edition_beneath(before), site);
    }
}
