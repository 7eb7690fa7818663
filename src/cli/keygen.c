#include "keygen.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool fail(int number, struct error *error) {
    return number == ENOENT
               ? error_set(error, ERROR_UNSUPPORTED,
                           "ssh-keygen is not there: install openssh-client")
               : error_set(error, ERROR_IO, "cannot run ssh-keygen: %s", strerrordesc_np(number));
}

static bool spawn(int file, int output, const char *const *arguments, pid_t *out_process,
                  struct error *error) {
    const char *folders = getenv("PATH");
    struct buf path;
    buf_init(&path, 1 << 16);
    buf_add_format(&path, "PATH=%s", folders == NULL ? "/usr/bin:/bin" : folders);
    if (path.failed) {
        buf_free(&path);
        return error_no_memory(error);
    }
    char *const environment[] = {path.data, (char[]){"LC_ALL=C"}, NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        failure = posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO);
        failure =
            failure ? failure : posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        failure =
            failure ? failure : posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
        failure = failure ? failure
                          : posix_spawnp(out_process, arguments[0], &actions, NULL,
                                         (char *const *)arguments, environment);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    buf_free(&path);
    return failure == 0 || fail(failure, error);
}

/* What is beyond the buffer's maximum is read and dropped, so that the child can end. */
static void collect(int input, struct buf *out) {
    char chunk[1024];
    ssize_t length = 0;
    while ((length = read(input, chunk, sizeof(chunk))) > 0 || (length < 0 && errno == EINTR)) {
        if (length > 0) {
            buf_add(out, chunk, (size_t)length);
        }
    }
}

bool keygen_run(int file, const char *const *arguments, struct buf *out, int *out_code,
                struct error *error) {
    int ends[2];
    pid_t process = 0;
    if (lseek(file, 0, SEEK_SET) != 0 || pipe2(ends, O_CLOEXEC) != 0) {
        return fail(errno, error);
    }
    bool good = spawn(file, ends[1], arguments, &process, error);
    (void)close(ends[1]);
    if (good) {
        collect(ends[0], out);
    }
    (void)close(ends[0]);
    if (!good) {
        return false;
    }
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
    }
    if (ended != process || !WIFEXITED(status)) {
        return error_set(error, ERROR_IO, "ssh-keygen was stopped");
    }
    *out_code = WEXITSTATUS(status);
    return true;
}
