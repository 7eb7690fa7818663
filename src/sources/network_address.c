/* The special-purpose registries of IANA (RFC 6890 and its successors), as far as they are not
 * globally reachable. */
#include "network_address.h"
#include "base.h"
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct block4 {
    uint32_t start;
    unsigned bits;
};

static const struct block4 special4[] = {
    {0x00000000, 8},  /* this network */
    {0x0A000000, 8},  /* private */
    {0x64400000, 10}, /* shared by carriers */
    {0x7F000000, 8},  /* loopback */
    {0xA9FE0000, 16}, /* link-local */
    {0xAC100000, 12}, /* private */
    {0xC0000000, 24}, /* protocol assignments */
    {0xC0000200, 24}, /* documentation */
    {0xC0586300, 24}, /* 6to4 relays */
    {0xC0A80000, 16}, /* private */
    {0xC6120000, 15}, /* benchmarks */
    {0xC6336400, 24}, /* documentation */
    {0xCB007100, 24}, /* documentation */
    {0xE0000000, 3},  /* multicast, reserved, broadcast */
};

struct block6 {
    unsigned char start[6];
    unsigned bits;
};

/* Inside of 2000::/3, the only block of global unicast. */
static const struct block6 special6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23}, /* protocol assignments, Teredo */
    {{0x20, 0x01, 0x0D, 0xB8}, 32}, /* documentation */
    {{0x20, 0x02}, 16},             /* 6to4: holds an IPv4 address */
    {{0x3F, 0xFF, 0x00}, 20},       /* documentation */
};

static bool is_public4(uint32_t address) {
    enum { BITS = 32 };
    for (size_t i = 0; i < ARRAY_LENGTH(special4); i++) {
        if (((address ^ special4[i].start) >> (BITS - special4[i].bits)) == 0) {
            return false;
        }
    }
    return true;
}

static bool shares_bits(const unsigned char *one, const unsigned char *other, unsigned bits) {
    unsigned bytes = bits / 8;
    unsigned rest = bits % 8;
    return memcmp(one, other, bytes) == 0 &&
           (rest == 0 || ((one[bytes] ^ other[bytes]) >> (8 - rest)) == 0);
}

static bool is_public6(const unsigned char address[16]) {
    static const unsigned char mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    static const unsigned char translated[12] = {0x00, 0x64, 0xFF, 0x9B};
    if (memcmp(address, mapped, sizeof(mapped)) == 0 ||
        memcmp(address, translated, sizeof(translated)) == 0) {
        return is_public4((uint32_t)address[12] << 24 | (uint32_t)address[13] << 16 |
                          (uint32_t)address[14] << 8 | address[15]);
    }
    enum { GLOBAL_UNICAST = 1 };
    if (address[0] >> 5 != GLOBAL_UNICAST) {
        return false;
    }
    for (size_t i = 0; i < ARRAY_LENGTH(special6); i++) {
        if (shares_bits(address, special6[i].start, special6[i].bits)) {
            return false;
        }
    }
    return true;
}

bool network_address_is_public(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof(in));
        return is_public4(ntohl(in.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, address, sizeof(in6));
        return is_public6(in6.sin6_addr.s6_addr);
    }
    return false;
}
