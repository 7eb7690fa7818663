/* X-Forwarded-For: whatever a proxy passes on, the client is an address that the field names or the
 * proxy itself, and never a trusted one while an untrusted stands behind it. */
#include "../../src/http/address.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static struct proxies proxies;
    struct error error;
    char *text = malloc(length + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    struct proxies own;
    if (proxies_parse(text, &own, &error) && own.count > PROXIES_MAXIMUM) {
        abort();
    }
    struct address client;
    if (!proxies_parse("10.0.0.0/8,::1,2001:db8::/33", &proxies, &error) ||
        !address_parse("10.0.0.1", strlen("10.0.0.1"), &client)) {
        abort();
    }
    bool all_proxies = proxies_follow(&proxies, text, &client);
    if (all_proxies && !proxies_include(&proxies, &client)) {
        abort();
    }
    char written[ADDRESS_TEXT_BYTES];
    struct address again;
    address_write(&client, written);
    if (!address_parse(written, strlen(written), &again) ||
        memcmp(&again, &client, sizeof(again)) != 0) {
        abort();
    }
    free(text);
    return 0;
}
