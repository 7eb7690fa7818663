/* What every module leans on: compiler attributes and small helpers. Depends on nothing. */
#ifndef AGENT_SANDBOXES_BASE_H
#define AGENT_SANDBOXES_BASE_H

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

/* Runs function(&variable) when the variable goes out of scope. */
#define CLEANUP(function) __attribute__((cleanup(function)))

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
