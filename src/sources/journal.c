#include "journal.h"
#include "buf.h"
#include "limit.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct journal {
    const char *path; /* borrowed */
    int file;
    json_t *results; /* by source */
    json_t *done;    /* the same, of this run */
    json_int_t begun;
    bool running;
    bool torn; /* the last line has no end */
};

static bool fail(const struct journal *journal, struct error *error) {
    return error_set(error, ERROR_IO, "cannot use %s: %s", journal->path, strerrordesc_np(errno));
}

/* {"run": "begun", "day": N}, {"run": "ended"}, or a result. What is none of these, such as a line
 * that was cut, says nothing. */
static void take_line(struct journal *journal, const char *line, size_t length) {
    json_t *value = json_loadb(line, length, 0, NULL);
    const char *run = json_string_value(json_object_get(value, "run"));
    const char *source = json_string_value(json_object_get(value, "source"));
    if (run != NULL) {
        journal->running = strcmp(run, "begun") == 0;
        journal->begun = json_integer_value(json_object_get(value, "day"));
        (void)json_object_clear(journal->done);
    } else if (source != NULL) {
        (void)json_object_set(journal->results, source, value);
        (void)json_object_set(journal->done, source, value);
    }
    json_decref(value);
}

static bool read_all(struct journal *journal, struct buf *text, struct error *error) {
    char chunk[8192];
    ssize_t length = 0;
    while ((length = read(journal->file, chunk, sizeof(chunk))) > 0) {
        buf_add(text, chunk, (size_t)length);
    }
    if (length < 0) {
        return fail(journal, error);
    }
    return !text->failed || error_set(error, ERROR_INVALID,
                                      "%s is too large: remove it to start anew", journal->path);
}

static bool load(struct journal *journal, struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_JOURNAL_BYTES);
    bool good = read_all(journal, &text, error);
    size_t start = 0;
    while (good && start < text.length) {
        const char *line = text.data + start;
        const char *end = memchr(line, '\n', text.length - start);
        size_t length = end == NULL ? text.length - start : (size_t)(end - line);
        take_line(journal, line, length);
        start += length + 1;
        journal->torn = end == NULL;
    }
    if (good && text.length > 0 && text.data[0] != '{') {
        good = error_set(error, ERROR_INVALID, "%s is no file of sources check", journal->path);
    }
    buf_free(&text);
    return good;
}

/* One write a line: a stop leaves a whole line or a torn one, and the next run closes that. */
static bool put(struct journal *journal, json_t *owned, struct error *error) {
    struct buf line;
    buf_init(&line, LIMIT_JOURNAL_BYTES);
    char *text = owned == NULL ? NULL : json_dumps(owned, JSON_COMPACT);
    json_decref(owned);
    if (journal->torn) {
        buf_add_char(&line, '\n');
        journal->torn = false;
    }
    buf_add_text(&line, text == NULL ? "" : text);
    buf_add_char(&line, '\n');
    bool good = text != NULL && !line.failed;
    free(text);
    if (!good) {
        buf_free(&line);
        return error_no_memory(error);
    }
    ssize_t written = write(journal->file, line.data, line.length);
    good = written == (ssize_t)line.length || fail(journal, error);
    buf_free(&line);
    return good;
}

static bool begin(struct journal *journal, int64_t today, struct error *error) {
    (void)json_object_clear(journal->done);
    return put(journal, json_pack("{s:s, s:I}", "run", "begun", "day", (json_int_t)today), error);
}

struct journal *journal_open(const char *path, int64_t today, struct error *error) {
    enum { MODE = 0644 };
    struct journal *journal = calloc(1, sizeof(*journal));
    if (journal == NULL) {
        (void)error_no_memory(error);
        return NULL;
    }
    *journal = (struct journal){.path = path, .results = json_object(), .done = json_object()};
    journal->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, MODE);
    bool good = journal->file >= 0 || fail(journal, error);
    if (good && flock(journal->file, LOCK_EX | LOCK_NB) != 0) {
        good = error_set(error, ERROR_IO, "%s is in use by another run", path);
    }
    good = good && load(journal, error);
    if (good && (!journal->running || today > journal->begun + 1)) {
        good = begin(journal, today, error);
    }
    if (!good) {
        journal_close(journal);
        return NULL;
    }
    return journal;
}

const json_t *journal_remembered(const struct journal *journal, const char *source) {
    return json_object_get(journal->results, source);
}

bool journal_is_done(const struct journal *journal, const char *source) {
    return json_object_get(journal->done, source) != NULL;
}

bool journal_add(struct journal *journal, json_t *result, struct error *error) {
    return put(journal, json_incref(result), error);
}

bool journal_end(struct journal *journal, struct error *error) {
    return put(journal, json_pack("{s:s}", "run", "ended"), error);
}

void journal_close(struct journal *journal) {
    if (journal == NULL) {
        return;
    }
    if (journal->file >= 0) {
        (void)close(journal->file);
    }
    json_decref(journal->results);
    json_decref(journal->done);
    free(journal);
}
