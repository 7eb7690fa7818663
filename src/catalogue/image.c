/* Images: made from SQL text, read from a file, written to a file. */
#include "buf.h"
#include "database.h"
#include "file.h"
#include "limit.h"
#include "script.h"
#include "seal.h"
#include "statements.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void image_free(struct image *image) {
    if (image->owned) {
        sqlite3_free(image->bytes);
    }
    *image = (struct image){0};
}

static bool is_safe_name(const char *name) {
    return name[0] != '\0' && name[0] != '/' && strstr(name, "..") == NULL;
}

/* Reads the rest of a file into a block of SQLite's allocator; NULL: unreadable, or over
 * LIMIT_FILE_BYTES. */
static char *read_rest(FILE *file, size_t *out_length) {
    char *bytes = sqlite3_malloc(LIMIT_FILE_BYTES);
    if (bytes == NULL) {
        return NULL;
    }
    size_t length = fread(bytes, 1, LIMIT_FILE_BYTES, file);
    if (length == LIMIT_FILE_BYTES || ferror(file)) {
        sqlite3_free(bytes);
        return NULL;
    }
    *out_length = length;
    return bytes;
}

/* SQL function readfile(name), for files below the folder given as user data. */
static void sql_readfile(sqlite3_context *context, int count, sqlite3_value **arguments) {
    (void)count;
    const char *folder = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(arguments[0]);
    if (name == NULL || !is_safe_name(name)) {
        sqlite3_result_error(context, "readfile: a name below the project's folder is needed", -1);
        return;
    }
    char *path = sqlite3_mprintf("%s/%s", folder, name);
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    sqlite3_free(path);
    if (file == NULL) {
        char *message = sqlite3_mprintf("readfile: cannot open %s", name);
        sqlite3_result_error(context, message == NULL ? "readfile: out of memory" : message, -1);
        sqlite3_free(message);
        return;
    }
    size_t length = 0;
    char *bytes = read_rest(file, &length);
    (void)fclose(file);
    if (bytes == NULL) {
        sqlite3_result_error(context, "readfile: the file cannot be read or is too large", -1);
        return;
    }
    sqlite3_result_blob64(context, bytes, length, sqlite3_free);
}

bool database_image(sqlite3 *database, struct image *out_image, struct error *error) {
    sqlite3_int64 length = 0;
    unsigned char *bytes = sqlite3_serialize(database, "main", &length, 0);
    if (bytes == NULL) {
        return database_error(database, "cannot read the database", error);
    }
    enum { HEADER_BYTES = 100, WRITE_VERSION = 18, READ_VERSION = 19, ROLLBACK_JOURNAL = 1 };
    if (length < HEADER_BYTES) {
        sqlite3_free(bytes);
        return error_set(error, ERROR_CORRUPT, "the database is empty");
    }
    bytes[WRITE_VERSION] = ROLLBACK_JOURNAL;
    bytes[READ_VERSION] = ROLLBACK_JOURNAL;
    *out_image = (struct image){.bytes = bytes, .length = (size_t)length, .owned = true};
    return true;
}

bool image_build(const char *schema_sql, const char *seed_sql, const char *folder,
                 struct image *out_image, struct error *error) {
    CLEANUP(database_close) sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(":memory:", &database, flags, NULL) != SQLITE_OK) {
        return database_error(database, "cannot make a catalogue", error);
    }
    if (sqlite3_exec(database, sql_memory, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot make a catalogue", error);
    }
    if (folder != NULL &&
        sqlite3_create_function(database, "readfile", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                (void *)folder, sql_readfile, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot make a catalogue", error);
    }
    if (!script_run(database, "the schema does not load", schema_sql, NULL, error) ||
        !script_run(database, "the seed does not load", seed_sql, NULL, error)) {
        return false;
    }
    if (sqlite3_get_autocommit(database) == 0) {
        return error_set(error, ERROR_INVALID,
                         "the seed does not load: it is cut off, for nothing ends its transaction");
    }
    if (sqlite3_exec(database, sql_compact, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, "cannot make a catalogue", error);
    }
    return database_image(database, out_image, error);
}

/* Tells a missing, unreadable, over-large or irregular file apart before SQLite sees it. */
static bool check_file(const char *path, struct error *error) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return error_set(error, ERROR_IO, "cannot open the catalogue %s: %s", path,
                         strerrordesc_np(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(error, ERROR_IO, "cannot open the catalogue %s: not a regular file", path);
    }
    if (status.st_size > LIMIT_CATALOGUE_BYTES) {
        return error_set(error, ERROR_UNSUPPORTED, "the catalogue %s is larger than %d bytes", path,
                         LIMIT_CATALOGUE_BYTES);
    }
    if (access(path, R_OK) != 0) {
        return error_set(error, ERROR_IO, "cannot open the catalogue %s: %s", path,
                         strerrordesc_np(errno));
    }
    return true;
}

/* Asks the system for few large pages instead of many small ones, where the image has the size for
 * it. */
static void use_large_pages(const struct image *image) {
    enum { PAGE_BYTES = 2 * 1024 * 1024, PAGES_LEAST = 16 };
    uintptr_t first = ((uintptr_t)image->bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)image->bytes + image->length) / PAGE_BYTES * PAGE_BYTES;
    if (end > first && (end - first) / PAGE_BYTES >= PAGES_LEAST) {
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
}

/* Takes a file that is byte for byte what was sealed, and therefore one consistent state. False: it
 * is not, or it cannot be read, which SQLite will tell better. */
static bool read_sealed(const char *path, struct image *out_image) {
    struct stat status;
    struct image image = {.owned = true};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    unsigned char header[SEAL_HEADER_BYTES];
    bool whole = fstat(file, &status) == 0 && status.st_size >= SEAL_HEADER_BYTES &&
                 status.st_size <= LIMIT_CATALOGUE_BYTES &&
                 read(file, header, sizeof(header)) == sizeof(header) && seal_is_there(header);
    if (whole) {
        image.length = (size_t)status.st_size;
        image.bytes = sqlite3_malloc64(image.length);
        whole = image.bytes != NULL;
    }
    if (whole) {
        use_large_pages(&image);
        memcpy(image.bytes, header, sizeof(header));
        whole = seal_read_file(file, &image);
    }
    (void)close(file);
    if (!whole) {
        image_free(&image);
        return false;
    }
    *out_image = image;
    return true;
}

/* Whether the file is in WAL mode with nobody at it: no log beside it. SQLite would make one even
 * for reading, which a confined server and a read-only disk do not let it. */
static bool is_resting_wal(const char *path) {
    enum { HEADER_BYTES = 100, READ_VERSION = 19, WAL = 2 };
    unsigned char header[HEADER_BYTES] = {0};
    FILE *file = fopen(path, "rbe");
    bool is_wal = file != NULL && fread(header, 1, sizeof(header), file) == sizeof(header) &&
                  header[READ_VERSION] == WAL;
    if (file != NULL) {
        (void)fclose(file);
    }
    char *log = is_wal ? sqlite3_mprintf("%s-wal", path) : NULL;
    struct stat status;
    bool rests = log != NULL && stat(log, &status) != 0;
    sqlite3_free(log);
    return rests;
}

/* The path as a URI that says that the file does not change; sqlite3_free it. */
static char *immutable_uri(const char *path) {
    struct buf uri;
    buf_init(&uri, PATH_MAX * 3 + 32);
    buf_add_text(&uri, "file:");
    for (const char *at = path; *at != '\0'; at++) {
        if (*at == '%' || *at == '?' || *at == '#') {
            buf_add_format(&uri, "%%%02X", (unsigned)(unsigned char)*at);
        } else {
            buf_add_char(&uri, *at);
        }
    }
    buf_add_text(&uri, "?immutable=1");
    char *copy = uri.failed ? NULL : sqlite3_mprintf("%s", uri.data);
    buf_free(&uri);
    return copy;
}

static sqlite3 *open_file(const char *path, const char *doing, struct error *error) {
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    sqlite3 *database = NULL;
    char *uri = is_resting_wal(path) ? immutable_uri(path) : NULL;
    int result = uri == NULL ? sqlite3_open_v2(path, &database, flags, NULL)
                             : sqlite3_open_v2(uri, &database, flags | SQLITE_OPEN_URI, NULL);
    sqlite3_free(uri);
    if (result != SQLITE_OK) {
        (void)database_error(database, doing, error);
        (void)sqlite3_close(database);
        return NULL;
    }
    return database;
}

bool image_read(const char *path, struct image *out_image, struct error *error) {
    if (!check_file(path, error)) {
        return false;
    }
    if (read_sealed(path, out_image)) {
        return true;
    }
    CLEANUP(database_close) sqlite3 *database = NULL;
    char doing[ERROR_MESSAGE_BYTES / 2];
    (void)snprintf(doing, sizeof(doing), "cannot read the catalogue %s", path);
    database = open_file(path, doing, error);
    if (database == NULL) {
        return false;
    }
    enum { BUSY_MILLISECONDS = 2000 };
    sqlite3_busy_timeout(database, BUSY_MILLISECONDS);
    if (sqlite3_exec(database, sql_hold_state, NULL, NULL, NULL) != SQLITE_OK) {
        return database_error(database, doing, error);
    }
    return database_check_version(database, path, error) &&
           database_image(database, out_image, error);
}

/* Writes head and then the rest of the image, from where head ends, to a file at path. */
static bool write_file(const char *path, const struct image *image, const unsigned char *head,
                       size_t head_length, struct error *error) {
    char temporary[4096];
    int length = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof(temporary)) {
        return error_set(error, ERROR_INVALID, "the file name %s is too long", path);
    }
    int file = mkstemp(temporary);
    if (file < 0) {
        return error_set(error, ERROR_IO, "cannot write %s: %s", path, strerrordesc_np(errno));
    }
    enum { READABLE_BY_ALL = 0644 };
    bool written = file_write(file, head, head_length) &&
                   file_write(file, image->bytes + head_length, image->length - head_length) &&
                   fchmod(file, READABLE_BY_ALL) == 0 && fsync(file) == 0;
    int failure = errno;
    if (close(file) != 0 && written) {
        written = false;
        failure = errno;
    }
    if (written && rename(temporary, path) != 0) {
        written = false;
        failure = errno;
    }
    if (!written) {
        (void)unlink(temporary);
        return error_set(error, ERROR_IO, "cannot write %s: %s", path, strerrordesc_np(failure));
    }
    return true;
}

bool image_write(const struct image *image, const char *path, struct error *error) {
    return write_file(path, image, image->bytes, image->length, error);
}

bool image_write_sealed(const struct image *image, const char *path, struct error *error) {
    unsigned char header[SEAL_HEADER_BYTES];
    if (image->length < sizeof(header)) {
        return error_set(error, ERROR_CORRUPT, "the database is empty");
    }
    seal_make(image, header);
    return write_file(path, image, header, sizeof(header), error);
}
