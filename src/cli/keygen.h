/* ssh-keygen (OpenSSH 8.2 or later), which holds files to their signatures. */
#ifndef AGENT_SANDBOXES_CLI_KEYGEN_H
#define AGENT_SANDBOXES_CLI_KEYGEN_H

#include "buf.h"
#include "error.h"

/* Runs it without a shell, with the open file as its standard input from the beginning, and with
 * nothing of the environment but PATH. arguments ends in NULL and starts with the program's name.
 * out receives what it prints on both streams, *out_code its exit code. */
bool keygen_run(int file, const char *const *arguments, struct buf *out, int *out_code,
                struct error *error) MUST_USE;

#endif
