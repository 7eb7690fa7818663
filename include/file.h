/* Open files. */
#ifndef AGENT_SANDBOXES_FILE_H
#define AGENT_SANDBOXES_FILE_H

#include "base.h"
#include <stdbool.h>
#include <stddef.h>

/* Writes all of the bytes, however many the system takes at once. False: errno says why. */
bool file_write(int file, const void *bytes, size_t length);

#endif
