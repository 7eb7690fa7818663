/* Errors are values: a kind that decides what the program does, and a message that a person can act
 * on.
 *
 * A function that can fail returns bool (true is success) or a pointer (NULL is failure) and fills
 * *error only on failure; its outputs are untouched then. Low layers return errors, only the top
 * (dispatcher, command) prints them. */
#ifndef AGENT_SANDBOXES_ERROR_H
#define AGENT_SANDBOXES_ERROR_H

#include "base.h"
#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_INVALID,     /* what the caller was given is wrong: a parameter, an option, a row */
    ERROR_NOT_FOUND,   /* there is no such thing */
    ERROR_IO,          /* the system refused: open, read, bind */
    ERROR_CORRUPT,     /* a file is not what it should be */
    ERROR_UNSUPPORTED, /* a version or a form that this program does not know */
    ERROR_NO_MEMORY,
    ERROR_BUSY,     /* not now: it can be asked for again soon */
    ERROR_INTERNAL, /* a fault of this program */
};

enum { ERROR_MESSAGE_BYTES = 512 };

struct error {
    enum error_kind kind;
    char message[ERROR_MESSAGE_BYTES];
};

/* Sets kind and message (cut at the buffer's end, at a character boundary). Always returns false,
 * so that a caller can write `return error_set(error, ...)`. A NULL error is allowed: then nothing
 * is kept. */
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    PRINTF_LIKE(3, 4);

/* error_set for the commonest case. */
bool error_no_memory(struct error *error);

/* The static analyser sees one file at a time: tell it that both answer false, or it follows paths
 * on which a failure goes on. */
#ifdef __clang_analyzer__
#define error_set(...) ((void)(error_set)(__VA_ARGS__), false)
#define error_no_memory(error) ((void)(error_no_memory)(error), false)
#endif

#endif
