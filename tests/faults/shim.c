/* Preloaded into the server by tests/http/faults.test.mjs: makes the n-th allocation, or the n-th
 * read of a file, fail, and moves the clock. The file that FAULT_CONTROL names is shared memory
 * with the test. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct control {
    atomic_llong allocation; /* counts down to the failure; 0: none wanted */
    atomic_llong read;
    atomic_llong clock_seconds; /* added to the time of day */
    atomic_llong failed;        /* how many calls have failed so far */
    atomic_llong lasting;       /* not 0: all calls after the n-th fail too, until it is 0 */
};

static struct control *control;

/* The C library's own, by the names that it keeps for such as this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);

static int fails(ptrdiff_t place) {
    if (control == NULL) {
        return 0;
    }
    atomic_llong *countdown = (atomic_llong *)((char *)control + place);
    if (atomic_load(countdown) == 0) {
        return 0;
    }
    long long left = atomic_load(countdown);
    if (left == 1 && atomic_load(&control->lasting) != 0) {
        atomic_fetch_add(&control->failed, 1);
        return 1;
    }
    if (left > 0 && atomic_fetch_sub(countdown, 1) == 1) {
        atomic_fetch_add(&control->failed, 1);
        return 1;
    }
    return 0;
}

__attribute__((constructor)) static void set_up(void) {
    const char *path = getenv("FAULT_CONTROL");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
        void *shared =
            mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        control = shared == MAP_FAILED ? NULL : shared;
        close(file);
    }
}

void *malloc(size_t size) {
    if (fails(offsetof(struct control, allocation))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    if (fails(offsetof(struct control, allocation))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
    if (size != 0 && fails(offsetof(struct control, allocation))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(pointer, size);
}

static int is_file(int handle) {
    struct stat status;
    return fstat(handle, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t read(int handle, void *bytes, size_t length) {
    if (control != NULL && atomic_load(&control->read) != 0 && is_file(handle) &&
        fails(offsetof(struct control, read))) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_read, handle, bytes, length);
}

ssize_t pread64(int handle, void *bytes, size_t length, off_t place) {
    if (control != NULL && atomic_load(&control->read) != 0 && is_file(handle) &&
        fails(offsetof(struct control, read))) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pread64, handle, bytes, length, place);
}

ssize_t pread(int handle, void *bytes, size_t length, off_t place) {
    return pread64(handle, bytes, length, place);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME && control != NULL) {
        time->tv_sec += atomic_load(&control->clock_seconds);
    }
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != NULL) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}
