/* Private to src/confine. */
#ifndef AGENT_SANDBOXES_LANDLOCK_H
#define AGENT_SANDBOXES_LANDLOCK_H

#include "confine.h"

/* What the kernel has; 0: nothing. */
int landlock_version(void);

/* Restricts the calling thread; needs no-new-privileges. */
enum confine_state landlock_restrict(const struct confine_needs *needs, int version);

#endif
