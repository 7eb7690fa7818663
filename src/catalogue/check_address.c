/* Addresses that nobody should be sent to. */
#include "check.h"
#include "text.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t part = strlen(ending);
    return length >= part && strcasecmp(text + length - part, ending) == 0;
}

static bool is_private_host(const char *host) {
    static const char *const endings[] = {"localhost",  ".local", ".internal", ".lan",
                                          ".home.arpa", ".test",  ".invalid"};
    for (size_t i = 0; i < ARRAY_LENGTH(endings); i++) {
        if (ends_with(host, endings[i])) {
            return true;
        }
    }
    /* A name without a dot is of one's own network; a number, in any of its forms, is no name. */
    const char *last = strrchr(host, '.');
    return last == NULL || last[1] == '\0' || (last[1] >= '0' && last[1] <= '9') || host[0] == '[';
}

const char *check_address(const char *url) {
    for (const char *c = url; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || *c == '\x7f' || *c == '\\') {
            return "holds a blank, a control character or a backslash";
        }
    }
    if (!text_starts(url, "https://") && !text_starts(url, "http://")) {
        return "is neither http nor https";
    }
    const char *start = strstr(url, "://") + 3;
    size_t length = strcspn(start, "/?#");
    if (memchr(start, '@', length) != NULL) {
        return "holds a name or a password";
    }
    char host[256];
    if (length == 0 || length >= sizeof(host)) {
        return "has no host";
    }
    (void)snprintf(host, sizeof(host), "%.*s", (int)length, start);
    char *colon = host[0] == '[' ? NULL : strchr(host, ':');
    if (colon != NULL) {
        *colon = '\0';
    }
    return is_private_host(host) ? "leads to a private, local or numeric host" : NULL;
}
