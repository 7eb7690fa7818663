/* Allow-lists by name, so that one list serves every architecture: a name that an architecture
 * lacks is left out. What is not listed fails with EPERM; the newer calls that the C library tries
 * first fail with ENOSYS, so that it takes the older ones. */
#include "base.h"
#include "calls.h"
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* Memory, threads, time, and what is open already: every thread. */
static const char *const common[] = {
    "accept",
    "accept4",
    "brk",
    "clock_gettime",
    "clock_nanosleep",
    "close",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "exit",
    "exit_group",
    "fcntl",
    "fstat",
    "futex",
    "getpeername",
    "getpid",
    "getrandom",
    "getrusage",
    "getsockname",
    "getsockopt",
    "gettid",
    "gettimeofday",
    "lseek",
    "madvise",
    "mremap",
    "munmap",
    "nanosleep",
    "poll",
    "ppoll",
    "pread64",
    "read",
    "readv",
    "recvfrom",
    "recvmsg",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigtimedwait",
    "sched_getaffinity",
    "sched_yield",
    "sendfile",
    "sendmsg",
    "sendto",
    "set_robust_list",
    "setsockopt",
    "shutdown",
    "sigaltstack",
    "sysinfo",
    "tgkill",
    "time",
    "uname",
    "write",
    "writev",
};

/* Reading a catalogue anew, and the process's own numbers for the metrics. */
static const char *const files[] = {
    "access", "faccessat",  "fadvise64", "fstatfs",    "getcwd", "getdents64", "geteuid",
    "lstat",  "newfstatat", "readlink",  "readlinkat", "stat",   "statx"};

static const char *const absent[] = {"clone3", "faccessat2", "futex_waitv", "openat2"};

static bool add(scmp_filter_ctx filter, uint32_t action, const char *name) {
    int number = seccomp_syscall_resolve_name(name);
    return number == __NR_SCMP_ERROR || seccomp_rule_add(filter, action, number, 0) == 0;
}

static bool add_all(scmp_filter_ctx filter, uint32_t action, const char *const *names,
                    size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!add(filter, action, names[i])) {
            return false;
        }
    }
    return true;
}

/* Memory that is never made executable. */
static bool add_memory(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp no_exec = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, no_exec) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_exec) == 0;
}

/* Files are opened for reading, and limits are asked for but not set. */
static bool add_reading(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp read_only =
        SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
    const struct scmp_arg_cmp asks = SCMP_A2(SCMP_CMP_EQ, 0, 0);
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, read_only) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, asks) == 0 &&
           add_all(filter, SCMP_ACT_ALLOW, files, ARRAY_LENGTH(files));
}

static bool load(bool is_process) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) {
        return false;
    }
    bool loaded = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, is_process) == 0 &&
                  seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0 &&
                  add_all(filter, SCMP_ACT_ALLOW, common, ARRAY_LENGTH(common)) &&
                  add_all(filter, SCMP_ACT_ERRNO(ENOSYS), absent, ARRAY_LENGTH(absent)) &&
                  add_memory(filter) &&
                  /* Each worker adds a filter of its own later. */
                  (!is_process || (add_reading(filter) && add(filter, SCMP_ACT_ALLOW, "seccomp") &&
                                   add(filter, SCMP_ACT_ALLOW, "prctl"))) &&
                  seccomp_load(filter) == 0;
    seccomp_release(filter);
    return loaded;
}

bool seccomp_process(void) {
    return load(true);
}

bool seccomp_thread(void) {
    return load(false);
}
