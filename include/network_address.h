/* Which addresses of the network belong to everyone. */
#ifndef AGENT_SANDBOXES_NETWORK_ADDRESS_H
#define AGENT_SANDBOXES_NETWORK_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether an address is globally reachable unicast: not loopback, private, link-local, shared,
 * multicast, reserved or for documentation, nor an IPv6 form of such an IPv4 address. */
bool network_address_is_public(const struct sockaddr *address);

#endif
