/* Inside a confined process: what an attacker would try next fails, and what the server needs
 * works. Each test confines a child of its own. */
#include "cmocka_all.h"
#include "confine.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD = 0, NOT_CONFINED = 77 };

static char folder[] = "/tmp/confine-XXXXXX";
static char inside[64];
static char outside[] = "/tmp/confine-outside-XXXXXX";
static int listener = -1;
static struct sockaddr_in listening = {.sin_family = AF_INET};

/* Layers that this kernel lacks: their tests say so and are skipped. */
static struct confine_report available;

static bool can_read(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char byte = 0;
    bool read_it = file >= 0 && read(file, &byte, 1) == 1;
    if (file >= 0) {
        (void)close(file);
    }
    return read_it;
}

static bool can_connect(void) {
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected =
        handle >= 0 && connect(handle, (struct sockaddr *)&listening, sizeof(listening)) == 0;
    if (handle >= 0) {
        (void)close(handle);
    }
    return connected;
}

static bool can_execute(void) {
    char *const words[] = {"true", NULL};
    (void)execv("/bin/true", words);
    return false; /* it would have left with 0 */
}

static void confine(bool with_calls) {
    const struct confine_needs needs = {.folders = {folder}};
    struct confine_report report;
    confine_process(&needs, &report);
    if (with_calls) {
        confine_calls(&report);
    }
    if (memcmp(&report.states, &available.states, sizeof(report.states)) != 0 && with_calls) {
        _exit(NOT_CONFINED);
    }
}

/* Runs the attempt in a confined child; what it returns is the child's exit code. */
static int in_child(int (*attempt)(void), bool with_calls) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        confine(with_calls);
        _exit(attempt());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void skip_without(enum confine_layer layer) {
    if (available.states[layer] != CONFINE_ON && available.states[layer] != CONFINE_PARTLY) {
        print_message("NOT PROVABLE HERE: %s is %s\n", confine_layer_name(layer),
                      confine_state_name(available.states[layer]));
        skip();
    }
}

/* --- attempts; each returns GOOD where the process is held --- */

static int files_fail(void) {
    if (!can_read(inside)) {
        return 1;
    }
    if (can_read(outside) || can_read("/etc/passwd") || can_read("/proc/1/status")) {
        return 2;
    }
    return open(inside, O_WRONLY | O_CLOEXEC) < 0 &&
                   open(inside, O_RDONLY | O_TRUNC | O_CLOEXEC) < 0 && unlink(inside) != 0 &&
                   mkdir("/tmp/confine-made", 0700) != 0 && rename(inside, outside) != 0
               ? GOOD
               : 3;
}

static int network_fails(void) {
    return can_connect() ? 1 : GOOD;
}

static int executing_fails(void) {
    if (can_execute()) {
        return 1;
    }
    /* Nor may memory become a program. */
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return 2;
    }
    return mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0 &&
                   mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                       MAP_FAILED
               ? GOOD
               : 3;
}

static int executing_files_fails(void) {
    return can_execute() ? 1 : GOOD;
}

static int tracing_fails(void) {
    errno = 0;
    return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == -1 && errno != 0 &&
                   ptrace(PTRACE_TRACEME, 0, NULL, NULL) == -1
               ? GOOD
               : 1;
}

static int other_calls_fail(void) {
    return fork() < 0 && socket(AF_INET, SOCK_STREAM, 0) < 0 && kill(getppid(), 0) < 0 &&
                   setuid(0) != 0 && chroot("/") != 0
               ? GOOD
               : 1;
}

static int privileges_are_gone(void) {
    struct rlimit core;
    char line[256];
    FILE *status = NULL;
    if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0) {
        return 1;
    }
    /* /proc is outside of what Landlock leaves: this child has none of that layer. */
    status = fopen("/proc/self/status", "re");
    unsigned found = 0;
    while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
        found += strcmp(line, "NoNewPrivs:\t1\n") == 0;
        found += strcmp(line, "CapEff:\t0000000000000000\n") == 0;
        found += strcmp(line, "CapPrm:\t0000000000000000\n") == 0;
    }
    return found == 3 ? GOOD : 2;
}

static void *work(void *result) {
    confine_worker();
    /* A thread that answers requests opens no file, not even the catalogue. */
    *(bool *)result = can_read(inside);
    return NULL;
}

static pthread_barrier_t barrier;

static void *wait_and_work(void *result) {
    (void)pthread_barrier_wait(&barrier);
    return work(result);
}

/* The thread runs before confine_calls(), which holds it all the same. */
static int worker_in_child(void) {
    const struct confine_needs needs = {.folders = {folder}};
    struct confine_report report;
    bool could = true;
    pthread_t thread;
    confine_process(&needs, &report);
    (void)pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, wait_and_work, &could) != 0) {
        return 1;
    }
    confine_calls(&report);
    (void)pthread_barrier_wait(&barrier);
    (void)pthread_join(thread, NULL);
    return could ? 2 : can_read(inside) ? GOOD : 3;
}

/* --- tests --- */

static void test_unconfined_can(void **state) {
    (void)state;
    /* Otherwise the tests below would prove nothing. */
    assert_true(can_read(inside) && can_read(outside) && can_read("/etc/passwd"));
    assert_true(can_connect());
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)can_execute();
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_everything(void **state) {
    (void)state;
    skip_without(CONFINE_LANDLOCK);
    skip_without(CONFINE_SECCOMP);
    assert_int_equal(in_child(files_fail, true), GOOD);
    assert_int_equal(in_child(network_fails, true), GOOD);
    assert_int_equal(in_child(executing_fails, true), GOOD);
    assert_int_equal(in_child(tracing_fails, true), GOOD);
    assert_int_equal(in_child(other_calls_fail, true), GOOD);
}

/* Each layer holds by itself, so that one that a kernel lacks or a fault lifts is not the only one.
 */
static void test_landlock_alone(void **state) {
    (void)state;
    skip_without(CONFINE_LANDLOCK);
    assert_int_equal(in_child(files_fail, false), GOOD);
    assert_int_equal(in_child(executing_files_fails, false), GOOD);
    if (available.landlock_version >= 4) {
        assert_int_equal(in_child(network_fails, false), GOOD);
    } else {
        print_message("NOT PROVABLE HERE: Landlock %d has no network\n",
                      available.landlock_version);
    }
}

static void test_privileges(void **state) {
    (void)state;
    skip_without(CONFINE_CORE);
    const struct confine_needs needs = {.folders = {folder, "/proc"}};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct confine_report report;
        confine_process(&needs, &report);
        _exit(privileges_are_gone());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void test_workers(void **state) {
    (void)state;
    skip_without(CONFINE_SECCOMP);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(worker_in_child());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), GOOD);
}

static void test_incomplete_is_named(void **state) {
    (void)state;
    struct error error;
    struct confine_report report = {
        .states = {CONFINE_ON, CONFINE_ON, CONFINE_ON, CONFINE_PARTLY, CONFINE_ON}};
    assert_true(confine_complete(&report, &error));
    report.states[CONFINE_SECCOMP] = CONFINE_UNAVAILABLE;
    report.states[CONFINE_LANDLOCK] = CONFINE_NOT_BUILT;
    assert_false(confine_complete(&report, &error));
    assert_non_null(strstr(error.message, "landlock is not built, seccomp is unavailable"));
}

static int set_up(void **state) {
    (void)state;
    int other = mkstemp(outside);
    if (mkdtemp(folder) == NULL || other < 0 || write(other, "x", 1) != 1) {
        return -1;
    }
    (void)close(other);
    (void)snprintf(inside, sizeof(inside), "%s/inside", folder);
    int file = open(inside, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    socklen_t length = sizeof(listening);
    listening.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || write(file, "x", 1) != 1 || close(file) != 0 || listener < 0 ||
        bind(listener, (struct sockaddr *)&listening, length) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&listening, &length) != 0) {
        return -1;
    }
    int report_pipe[2];
    if (pipe(report_pipe) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        const struct confine_needs needs = {.folders = {folder}};
        confine_process(&needs, &available);
        confine_calls(&available);
        _exit(write(report_pipe[1], &available, sizeof(available)) != sizeof(available));
    }
    int status = 0;
    bool told = read(report_pipe[0], &available, sizeof(available)) == sizeof(available);
    (void)close(report_pipe[0]);
    (void)close(report_pipe[1]);
    return child > 0 && waitpid(child, &status, 0) == child && told ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    (void)close(listener);
    (void)unlink(inside);
    (void)unlink(outside);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unconfined_can), cmocka_unit_test(test_everything),
        cmocka_unit_test(test_landlock_alone), cmocka_unit_test(test_privileges),
        cmocka_unit_test(test_workers),        cmocka_unit_test(test_incomplete_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
