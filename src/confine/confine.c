#include "confine.h"
#include "calls.h"
#include "landlock.h"
#include <linux/capability.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool calls_confined;

#ifdef CONFINE_LEFT_OUT
static const bool is_built = false;
#else
static const bool is_built = true;
#endif

static enum confine_state state_of(bool done) {
    return done ? CONFINE_ON : CONFINE_UNAVAILABLE;
}

static bool drop_core(void) {
    const struct rlimit none = {0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

static bool drop_capabilities(void) {
    /* Without the capability to do so, the bounding set stays: with no-new-privileges it gives
     * nothing. */
    for (unsigned long number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; number++) {
        (void)prctl(PR_CAPBSET_DROP, number, 0, 0, 0);
    }
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) == 0;
}

void confine_process(const struct confine_needs *needs, struct confine_report *report) {
    *report = (struct confine_report){.landlock_version = landlock_version()};
    report->states[CONFINE_PRIVILEGES] = state_of(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    report->states[CONFINE_CORE] = is_built ? state_of(drop_core()) : CONFINE_NOT_BUILT;
    report->states[CONFINE_CAPABILITIES] = state_of(drop_capabilities());
    report->states[CONFINE_LANDLOCK] =
        is_built ? landlock_restrict(needs, report->landlock_version) : CONFINE_NOT_BUILT;
}

void confine_calls(struct confine_report *report) {
    report->states[CONFINE_SECCOMP] = is_built ? state_of(seccomp_process()) : CONFINE_NOT_BUILT;
    atomic_store(&calls_confined, report->states[CONFINE_SECCOMP] == CONFINE_ON);
}

void confine_worker(void) {
    static _Thread_local bool done;
    if (!done && atomic_load_explicit(&calls_confined, memory_order_relaxed)) {
        done = true;
        (void)seccomp_thread();
    }
}

const char *confine_layer_name(enum confine_layer layer) {
    static const char *const names[] = {"no_new_privileges", "no_core", "no_capabilities",
                                        "landlock", "seccomp"};
    return names[layer];
}

const char *confine_state_name(enum confine_state state) {
    static const char *const names[] = {"off", "on", "partly", "unavailable", "not built"};
    return names[state];
}

bool confine_complete(const struct confine_report *report, struct error *error) {
    char missing[128] = "";
    size_t length = 0;
    for (int layer = 0; layer < CONFINE__COUNT; layer++) {
        enum confine_state state = report->states[layer];
        if (state != CONFINE_ON && state != CONFINE_PARTLY) {
            int added = snprintf(
                missing + length, sizeof(missing) - length, "%s%s is %s", length == 0 ? "" : ", ",
                confine_layer_name((enum confine_layer)layer), confine_state_name(state));
            length += added < 0 ? 0 : (size_t)added;
            length = length < sizeof(missing) ? length : sizeof(missing) - 1;
        }
    }
    return length == 0 ||
           error_set(error, ERROR_INVALID, "--confine=require, but %s (see --confine)", missing);
}
