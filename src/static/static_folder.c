#include "static_folder.h"
#include "coding.h"
#include "file.h"
#include "limit.h"
#include "text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0755, FILE_MODE = 0644, PATH_BYTES = 4096 };

static bool is_empty(DIR *directory) {
    const struct dirent *entry = NULL;
    while ((entry = readdir(directory)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            return false;
        }
    }
    return true;
}

bool folder_open(const char *folder, struct error *error) {
    if (mkdir(folder, FOLDER_MODE) == 0) {
        return true;
    }
    DIR *directory = errno == EEXIST ? opendir(folder) : NULL;
    if (directory == NULL) {
        return error_set(error, ERROR_IO, "cannot make the folder %s: %s", folder,
                         strerrordesc_np(errno));
    }
    bool empty = is_empty(directory);
    (void)closedir(directory);
    return empty ||
           error_set(error, ERROR_INVALID,
                     "the folder %s is not empty: name a new one, nothing is overwritten", folder);
}

bool folder_add_name(const char *path, const char *content_type, struct buf *out) {
    size_t length = strlen(path);
    buf_add_text(out, path + 1);
    if (path[length - 1] == '/') {
        buf_add_text(out, "index.html");
    } else if (text_starts(content_type, "text/html") && strchr(path, '.') == NULL) {
        buf_add_text(out, ".html");
    }
    return !out->failed;
}

/* Makes every folder of a path, but for its last part. */
static bool make_parents(char *path, struct error *error) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, FOLDER_MODE) == 0 || errno == EEXIST;
        if (!made) {
            return error_set(error, ERROR_IO, "cannot make the folder %s: %s", path,
                             strerrordesc_np(errno));
        }
        *slash = '/';
    }
    return true;
}

static bool write_file(const char *path, const void *bytes, size_t length, struct error *error) {
    int handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    bool good = handle >= 0 && file_write(handle, bytes, length);
    int fault = good ? 0 : errno;
    if (handle >= 0 && close(handle) != 0 && good) {
        fault = errno;
    }
    return fault == 0 ||
           error_set(error, ERROR_IO, "cannot write %s: %s", path, strerrordesc_np(fault));
}

static bool is_text(const char *content_type) {
    return text_starts(content_type, "text/") || text_starts(content_type, "image/svg") ||
           strstr(content_type, "json") != NULL || strstr(content_type, "xml") != NULL;
}

/* A compressed variant that saves nothing is left out. */
static bool write_coded(char *path, enum coding coding, const char *ending, const char *bytes,
                        size_t length, struct error *error) {
    void *coded = NULL;
    size_t coded_length = 0;
    size_t end = strlen(path);
    if (!coding_encode(coding, bytes, length, &coded, &coded_length, error)) {
        return false;
    }
    (void)snprintf(path + end, PATH_BYTES - end, "%s", ending);
    bool good = coded_length >= length || write_file(path, coded, coded_length, error);
    path[end] = '\0';
    free(coded);
    return good;
}

bool folder_write(const char *folder, const char *name, const char *content_type, const char *bytes,
                  size_t length, struct error *error) {
    char path[PATH_BYTES];
    static const size_t ending_bytes = sizeof(".gz");
    int path_length = snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (path_length < 0 || (size_t)path_length + ending_bytes > sizeof(path)) {
        return error_set(error, ERROR_INVALID, "the name of %s/%s is too long", folder, name);
    }
    return make_parents(path, error) && write_file(path, bytes, length, error) &&
           (!is_text(content_type) ||
            (write_coded(path, CODING_GZIP, ".gz", bytes, length, error) &&
             write_coded(path, CODING_BROTLI, ".br", bytes, length, error)));
}
