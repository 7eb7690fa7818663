#include "file.h"
#include <errno.h>
#include <unistd.h>

bool file_write(int file, const void *bytes, size_t length) {
    const char *rest = bytes;
    while (length > 0) {
        ssize_t written = write(file, rest, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            errno = written == 0 ? EIO : errno;
            return false;
        }
        rest += written;
        length -= (size_t)written;
    }
    return true;
}
