/* The headers of Debian 12 know only the first versions, so the numbers are here; they are part of
 * the kernel's interface and the same everywhere. */
#include "landlock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    CALL_CREATE_RULESET = 444,
    CALL_ADD_RULE = 445,
    CALL_RESTRICT_SELF = 446,
    FLAG_VERSION = 1,
    RULE_PATH = 1,
    RULE_PORT = 2
};

static const uint64_t FS_READ_FILE = 1u << 2;
static const uint64_t FS_READ_FOLDER = 1u << 3;
static const uint64_t NET_BIND = 1u << 0;
static const uint64_t NET_CONNECT = 1u << 1;
static const uint64_t SCOPE_SOCKETS_AND_SIGNALS = 3;

enum {
    FS_RIGHTS_1 = 13,  /* the first version's: execute, write, read, remove, make */
    VERSION_REFER = 2, /* one more right, and so on */
    VERSION_TRUNCATE = 3,
    VERSION_NETWORK = 4,
    VERSION_DEVICES = 5,
    VERSION_SCOPES = 6
};

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

struct port_rule {
    uint64_t allowed;
    uint64_t port;
};

int landlock_version(void) {
    long version = syscall(CALL_CREATE_RULESET, NULL, 0, FLAG_VERSION);
    return version < 0 ? 0 : (int)version;
}

static bool allow_reading(int rules, const char *path) {
    int folder = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (folder < 0) {
        /* What is not there cannot be read either. */
        return errno == ENOENT;
    }
    const struct path_rule rule = {.allowed = FS_READ_FILE | FS_READ_FOLDER, .folder = folder};
    bool added = syscall(CALL_ADD_RULE, rules, RULE_PATH, &rule, 0) == 0;
    (void)close(folder);
    return added;
}

static bool allow_needs(int rules, const struct confine_needs *needs, int version) {
    for (size_t i = 0; i < CONFINE_FOLDERS_MAXIMUM; i++) {
        if (needs->folders[i] != NULL && !allow_reading(rules, needs->folders[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < CONFINE_PORTS_MAXIMUM && version >= VERSION_NETWORK; i++) {
        const struct port_rule rule = {.allowed = NET_BIND, .port = needs->ports[i]};
        if (rule.port != 0 && syscall(CALL_ADD_RULE, rules, RULE_PORT, &rule, 0) != 0) {
            return false;
        }
    }
    return true;
}

enum confine_state landlock_restrict(const struct confine_needs *needs, int version) {
    if (version < 1) {
        return CONFINE_UNAVAILABLE;
    }
    int rights = FS_RIGHTS_1 + (version >= VERSION_REFER) + (version >= VERSION_TRUNCATE) +
                 (version >= VERSION_DEVICES);
    const struct ruleset wanted = {
        .files = ((uint64_t)1 << rights) - 1,
        .network = version >= VERSION_NETWORK ? NET_BIND | NET_CONNECT : 0,
        .scopes = version >= VERSION_SCOPES ? SCOPE_SOCKETS_AND_SIGNALS : 0,
    };
    const size_t size = version >= VERSION_SCOPES    ? sizeof(wanted)
                        : version >= VERSION_NETWORK ? 2 * sizeof(uint64_t)
                                                     : sizeof(uint64_t);
    int rules = (int)syscall(CALL_CREATE_RULESET, &wanted, size, 0);
    if (rules < 0) {
        return CONFINE_UNAVAILABLE;
    }
    bool restricted =
        allow_needs(rules, needs, version) && syscall(CALL_RESTRICT_SELF, rules, 0) == 0;
    (void)close(rules);
    return !restricted                 ? CONFINE_UNAVAILABLE
           : version >= VERSION_SCOPES ? CONFINE_ON
                                       : CONFINE_PARTLY;
}
