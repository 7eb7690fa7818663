/* Accept, Accept-Encoding and the conditional headers: any text gives an answer that keeps the
 * rules of negotiate.h. The first two bytes choose what is offered and the fallback. */
#include "negotiate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const media_set explicit_only = MEDIA_BIT(MEDIA_CSV) | MEDIA_BIT(MEDIA_MARKDOWN);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_media(const char *header, media_set offered, enum media fallback) {
    enum media media = MEDIA__COUNT;
    if (!negotiate_media(header, offered, explicit_only, fallback, &media)) {
        demand(media == MEDIA__COUNT);
        /* Only a quality of zero refuses. */
        demand(strchr(header, '0') != NULL);
        return;
    }
    demand(media < MEDIA__COUNT && (offered & MEDIA_BIT(media)) != 0);
    if (media != fallback && (MEDIA_BIT(media) & explicit_only)) {
        demand(strcasestr(header, media == MEDIA_CSV ? "text/csv" : "text/markdown") != NULL);
    }
    if (media == MEDIA_HTML && fallback != MEDIA_HTML) {
        demand(strcasestr(header, "text/html") != NULL || strchr(header, '0') != NULL);
    }
    /* Equal headers, equal answers. */
    enum media again = MEDIA__COUNT;
    demand(negotiate_media(header, offered, explicit_only, fallback, &again) && again == media);
}

static void check_coding(const char *header) {
    enum coding coding = negotiate_coding(header);
    demand(coding < CODING__COUNT);
    demand(coding == CODING_IDENTITY || strchr(header, '*') != NULL ||
           strcasestr(header, coding_name(coding)) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    if (length < 2) {
        return 0;
    }
    enum media fallback = (enum media)(bytes[1] % MEDIA__COUNT);
    media_set offered = bytes[0] | MEDIA_BIT(fallback);
    char *header = malloc(length - 1);
    if (header == NULL) {
        return 0;
    }
    memcpy(header, bytes + 2, length - 2);
    header[length - 2] = '\0';
    check_media(header, offered, fallback);
    check_coding(header);
    if (negotiate_none_match(header, "\"a1\"")) {
        demand(strstr(header, "\"a1\"") != NULL || strchr(header, '*') != NULL);
    }
    if (negotiate_not_modified_since(header, 0)) {
        demand(!negotiate_not_modified_since(header, INT64_MAX));
    }
    free(header);
    return 0;
}
