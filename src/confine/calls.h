/* The lists of system calls. Private to src/confine. */
#ifndef AGENT_SANDBOXES_CALLS_H
#define AGENT_SANDBOXES_CALLS_H

#include <stdbool.h>

/* What the whole process may call, on all its threads. */
bool seccomp_process(void);

/* What a thread that answers requests may call, on the calling thread. */
bool seccomp_thread(void);

#endif
