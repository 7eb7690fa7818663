/* What the serving process gives up once it has what it needs: after a fault of its own, little can
 * be done with it. Linux only, each layer as far as the kernel has it. */
#ifndef AGENT_SANDBOXES_CONFINE_H
#define AGENT_SANDBOXES_CONFINE_H

#include "base.h"
#include "error.h"
#include <stdbool.h>
#include <stddef.h>

enum confine_layer {
    CONFINE_PRIVILEGES,   /* no-new-privileges: nothing it executes gains rights */
    CONFINE_CORE,         /* no core files, and no tracing by others of its user */
    CONFINE_CAPABILITIES, /* none, and none to be had */
    CONFINE_LANDLOCK, /* reads below the named folders only; no writing, executing, connecting */
    CONFINE_SECCOMP,  /* a list of system calls */
    CONFINE__COUNT
};

enum confine_state {
    CONFINE_OFF,
    CONFINE_ON,
    CONFINE_PARTLY,      /* an older kernel has less of it */
    CONFINE_UNAVAILABLE, /* the kernel, or who runs the process, does not allow it */
    CONFINE_NOT_BUILT    /* a sanitizer or a coverage build needs what it would forbid */
};

enum { CONFINE_FOLDERS_MAXIMUM = 4, CONFINE_PORTS_MAXIMUM = 4 };

struct confine_needs {
    const char *folders[CONFINE_FOLDERS_MAXIMUM]; /* read below; NULL: none */
    unsigned ports[CONFINE_PORTS_MAXIMUM];        /* bound to, later; 0: none */
};

struct confine_report {
    enum confine_state states[CONFINE__COUNT];
    int landlock_version; /* of the kernel; 0: none */
};

/* Every layer but seccomp, for the calling thread and those that it starts: so call it before there
 * are others, and with all sockets bound. */
void confine_process(const struct confine_needs *needs, struct confine_report *report);

/* The system calls of a server that has started, for all threads of the process. */
void confine_calls(struct confine_report *report);

/* For the calling thread, one that answers requests, fewer still: it opens no file. Does nothing
 * where confine_calls() was not called or failed. */
void confine_worker(void);

/* "landlock", "on". */
const char *confine_layer_name(enum confine_layer layer);
const char *confine_state_name(enum confine_state state);

/* Whether nothing is missing; otherwise error names the layers that are. */
bool confine_complete(const struct confine_report *report, struct error *error) MUST_USE;

#endif
