/* Listening sockets. Private to src/http. */
#ifndef AGENT_SANDBOXES_LISTEN_H
#define AGENT_SANDBOXES_LISTEN_H

#include "error.h"
#include "server.h"

/* Binds "host:port" or "[host]:port" and listens; the caller closes it. -1: error is set. */
int listen_bind(const char *address, struct error *error) MUST_USE;

/* Writes what the socket is bound to, "127.0.0.1:8080". */
void listen_write_address(int handle, char out[SERVER_ADDRESS_BYTES]);

#endif
