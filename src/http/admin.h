/* The listener for the operator: metrics and health, apart from the public port. Private to
 * src/http. */
#ifndef AGENT_SANDBOXES_ADMIN_H
#define AGENT_SANDBOXES_ADMIN_H

#include "error.h"
#include "server.h"

struct admin;

/* Serves GET /metrics, /healthz and /readyz on a listening socket, which it takes over, on failure
 * too. The caller stops it with admin_stop. */
struct admin *admin_start(int handle, struct error *error) MUST_USE;
void admin_stop(struct admin *admin);

const char *admin_address(const struct admin *admin);

/* From now on /readyz says that the server is stopping. */
void admin_drain(struct admin *admin);

#endif
