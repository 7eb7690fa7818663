/* One structured line per event on standard error, as text (key=value) or JSON. Thread-safe: one
 * write per line. */
#ifndef AGENT_SANDBOXES_LOG_H
#define AGENT_SANDBOXES_LOG_H

#include "base.h"
#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG__COUNT };

enum log_format { LOG_TEXT, LOG_JSON };

/* A field of a line. Build them with LOG_STR, LOG_INT and LOG_REAL. */
struct log_field {
    const char *name;
    enum { LOG_FIELD_TEXT, LOG_FIELD_INTEGER, LOG_FIELD_REAL } type;
    const char *text; /* NULL is written as null */
    int64_t integer;
    double real;
};

#define LOG_STR(field_name, value)                                                                 \
    ((struct log_field){.name = (field_name), .type = LOG_FIELD_TEXT, .text = (value)})
#define LOG_INT(field_name, value)                                                                 \
    ((struct log_field){.name = (field_name), .type = LOG_FIELD_INTEGER, .integer = (value)})
#define LOG_REAL(field_name, value)                                                                \
    ((struct log_field){.name = (field_name), .type = LOG_FIELD_REAL, .real = (value)})

/* Set once at start, before threads. The default is LOG_INFO as text. */
void log_configure(enum log_level level, enum log_format format);

/* Whether lines of this level are written. */
bool log_enabled(enum log_level level);

/* Writes "time level event field=value ...". Control characters and invalid UTF-8 in values are
 * escaped, so a line stays a line. */
void log_event(enum log_level level, const char *event, const struct log_field *fields,
               int field_count);

/* log_event with its fields in place: LOG(LOG_INFO, "listening", LOG_STR("address", text)). */
#define LOG(level, event, ...)                                                                     \
    log_event((level), (event), (const struct log_field[]){__VA_ARGS__},                           \
              (int)(sizeof((const struct log_field[]){__VA_ARGS__}) / sizeof(struct log_field)))

#endif
