#include "address.h"
#include "text.h"
#include <arpa/inet.h>
#include <string.h>

enum { V4_OFFSET = 12, V4_BITS = 32, V6_BITS = 128, HOUSEHOLD_BYTES = 8, BYTE_BITS = 8 };

static struct address of_v4(const void *four_bytes) {
    struct address address = {.bytes = IN6ADDR_ANY_INIT};
    memset(address.bytes.s6_addr + V4_OFFSET - 2, 0xff, 2);
    memcpy(address.bytes.s6_addr + V4_OFFSET, four_bytes, sizeof(struct in_addr));
    return address;
}

static bool is_v4(const struct address *address) {
    return IN6_IS_ADDR_V4MAPPED(&address->bytes);
}

bool address_of_socket(const struct sockaddr *socket, struct address *out) {
    if (socket != NULL && socket->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, socket, sizeof(v4));
        *out = of_v4(&v4.sin_addr);
        return true;
    }
    if (socket != NULL && socket->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, socket, sizeof(v6));
        out->bytes = v6.sin6_addr;
        return true;
    }
    return false;
}

bool address_parse(const char *text, size_t length, struct address *out) {
    char copy[ADDRESS_TEXT_BYTES] = "";
    if (length > 0 && text[0] == '[') {
        const char *end = memchr(text, ']', length);
        if (end == NULL) {
            return false;
        }
        text++;
        length = (size_t)(end - text);
    } else {
        const char *colon = memchr(text, ':', length);
        if (colon != NULL && memchr(colon + 1, ':', length - (size_t)(colon + 1 - text)) == NULL) {
            length = (size_t)(colon - text);
        }
    }
    if (length == 0 || length >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, text, length);
    struct in_addr v4;
    if (inet_pton(AF_INET, copy, &v4) == 1) {
        *out = of_v4(&v4);
        return true;
    }
    return inet_pton(AF_INET6, copy, &out->bytes) == 1;
}

void address_write(const struct address *address, char out[ADDRESS_TEXT_BYTES]) {
    out[0] = '\0';
    (void)inet_ntop(is_v4(address) ? AF_INET : AF_INET6,
                    address->bytes.s6_addr + (is_v4(address) ? V4_OFFSET : 0), out,
                    ADDRESS_TEXT_BYTES);
}

bool address_is_loopback(const struct address *address) {
    enum { LOOPBACK_NETWORK = 127 };
    return is_v4(address) ? address->bytes.s6_addr[V4_OFFSET] == LOOPBACK_NETWORK
                          : IN6_IS_ADDR_LOOPBACK(&address->bytes) != 0;
}

struct address address_household(const struct address *address) {
    struct address household = *address;
    if (!is_v4(address)) {
        memset(household.bytes.s6_addr + HOUSEHOLD_BYTES, 0, HOUSEHOLD_BYTES);
    }
    return household;
}

/* --- proxies --- */

static bool parse_network(const char *text, size_t length, struct proxies *proxies) {
    const char *slash = memchr(text, '/', length);
    size_t address_length = slash == NULL ? length : (size_t)(slash - text);
    struct address base;
    if (proxies->count == PROXIES_MAXIMUM || !address_parse(text, address_length, &base)) {
        return false;
    }
    const long long most = is_v4(&base) ? V4_BITS : V6_BITS;
    long long bits = most;
    char digits[4] = "";
    if (slash != NULL) {
        size_t count = length - address_length - 1;
        if (count == 0 || count >= sizeof(digits)) {
            return false;
        }
        memcpy(digits, slash + 1, count);
        if (!text_integer(digits, 0, most, &bits)) {
            return false;
        }
    }
    proxies->networks[proxies->count].base = base;
    proxies->networks[proxies->count].bits = (unsigned)(bits + V6_BITS - most);
    proxies->count++;
    return true;
}

bool proxies_parse(const char *text, struct proxies *out, struct error *error) {
    *out = (struct proxies){0};
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, ",");
        if (!parse_network(at, length, out)) {
            return error_set(error, ERROR_INVALID,
                             "\"%.*s\" is no address or network, such as 10.0.0.0/8 or ::1, of a "
                             "list of %d at the most",
                             (int)length, at, PROXIES_MAXIMUM);
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool is_within(const struct address *address, const struct address *base, unsigned bits) {
    size_t whole = bits / BYTE_BITS;
    unsigned rest = bits % BYTE_BITS;
    const unsigned char *one = address->bytes.s6_addr;
    const unsigned char *other = base->bytes.s6_addr;
    return memcmp(one, other, whole) == 0 &&
           (rest == 0 || ((one[whole] ^ other[whole]) >> (BYTE_BITS - rest)) == 0);
}

bool proxies_include(const struct proxies *proxies, const struct address *address) {
    for (size_t i = 0; i < proxies->count; i++) {
        if (is_within(address, &proxies->networks[i].base, proxies->networks[i].bits)) {
            return true;
        }
    }
    return false;
}

/* Narrows an element of Forwarded ("for=192.0.2.1;proto=https", "For=\"[2001:db8::1]:80\"") to the
 * address of its for. */
static bool narrow_to_for(const char *field, size_t *first, size_t *last) {
    size_t at = *first;
    while (at < *last) {
        size_t end = at;
        while (end < *last && field[end] != ';') {
            end++;
        }
        at += strspn(field + at, " \t");
        if (end - at > 4 && strncasecmp(field + at, "for=", 4) == 0) {
            at += 4;
            bool is_quoted = end - at > 2 && field[at] == '"' && field[end - 1] == '"';
            *first = at + is_quoted;
            *last = end - is_quoted;
            return true;
        }
        at = end + 1;
    }
    return false;
}

bool proxies_follow(const struct proxies *proxies, const char *field, struct address *address) {
    size_t end = strlen(field);
    for (;;) {
        size_t start = end;
        while (start > 0 && field[start - 1] != ',') {
            start--;
        }
        size_t first = start + strspn(field + start, " \t");
        size_t last = end;
        while (last > first && (field[last - 1] == ' ' || field[last - 1] == '\t')) {
            last--;
        }
        struct address said;
        if ((proxies->write_forwarded && !narrow_to_for(field, &first, &last)) || first >= last ||
            !address_parse(field + first, last - first, &said)) {
            /* What a proxy wrote is no address: the proxy is the last that is known. */
            return false;
        }
        *address = said;
        if (!proxies_include(proxies, &said)) {
            return false;
        }
        if (start == 0) {
            return true;
        }
        end = start - 1;
    }
}
