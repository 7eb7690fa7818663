/* Errors as values: the message is always whole characters, whatever is cut. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t sequence_length(unsigned char lead) {
    if (lead >= 0xF0) {
        return 4;
    }
    if (lead >= 0xE0) {
        return 3;
    }
    return lead >= 0xC0 ? 2 : 1;
}

/* The length of text without a last character that is not all there. */
static size_t whole_length(const char *text, size_t length) {
    size_t start = length;
    while (start > 0 && length - start < 4) {
        start--;
        unsigned char byte = (unsigned char)text[start];
        if ((byte & 0xC0) != 0x80) {
            return start + sequence_length(byte) > length ? start : length;
        }
    }
    return length;
}

bool(error_set)(struct error *error, enum error_kind kind, const char *format, ...) {
    if (error == NULL) {
        return false;
    }
    /* An argument may be the old message of the same error. */
    char message[ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int wanted = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (wanted < 0) {
        wanted = snprintf(message, sizeof message, "an error whose message could not be formatted");
    }
    size_t length = (size_t)wanted;
    if (length >= sizeof message) {
        length = whole_length(message, sizeof message - 1);
    }
    memcpy(error->message, message, length);
    error->message[length] = '\0';
    error->kind = kind;
    return false;
}

bool(error_no_memory)(struct error *error) {
    return error_set(error, ERROR_NO_MEMORY, "out of memory");
}
