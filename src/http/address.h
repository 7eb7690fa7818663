/* Addresses of clients: of sockets, in texts, and behind proxies that are trusted. Private to
 * src/http. */
#ifndef AGENT_SANDBOXES_ADDRESS_H
#define AGENT_SANDBOXES_ADDRESS_H

#include "error.h"
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* IPv6, or IPv4 as ::ffff:a.b.c.d. */
struct address {
    struct in6_addr bytes;
};

enum { ADDRESS_TEXT_BYTES = INET6_ADDRSTRLEN, PROXIES_MAXIMUM = 32 };

/* The networks whose word about the client is believed: in X-Forwarded-For, or in Forwarded (RFC
 * 7239). A proxy writes one of them and may pass on the other as the client sent it, so that only
 * one can be read. */
struct proxies {
    bool write_forwarded;
    struct {
        struct address base;
        unsigned bits;
    } networks[PROXIES_MAXIMUM];
    size_t count;
};

/* False: no internet address. */
bool address_of_socket(const struct sockaddr *socket, struct address *out) MUST_USE;

/* Parses "192.0.2.1", "192.0.2.1:80", "2001:db8::1" or "[2001:db8::1]:80". */
bool address_parse(const char *text, size_t length, struct address *out) MUST_USE;

void address_write(const struct address *address, char out[ADDRESS_TEXT_BYTES]);

bool address_is_loopback(const struct address *address);

/* What limits count as one: an IPv4 address, or the /64 that one subscriber of IPv6 has. */
struct address address_household(const struct address *address);

/* Parses "10.0.0.0/8,::1"; NULL is an empty list. */
bool proxies_parse(const char *text, struct proxies *out, struct error *error) MUST_USE;

bool proxies_include(const struct proxies *proxies, const struct address *address);

/* One field of theirs, read from its end: *address becomes the first that is not a proxy's.
 * True: all of the field's were proxies, so that the field before it has the word. Whoever calls it
 * knows that *address is a proxy's. */
bool proxies_follow(const struct proxies *proxies, const char *field, struct address *address);

#endif
