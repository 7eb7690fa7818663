/* A small HTTP/1.1 client for this program's own servers. It knows what those send: answers with a
 * Content-Length, on a connection that stays open. */
#ifndef AGENT_SANDBOXES_LOOPBACK_H
#define AGENT_SANDBOXES_LOOPBACK_H

#include "buf.h"
#include "error.h"

/* Room for the value of any field that this program sends. */
enum { LOOPBACK_FIELD_BYTES = 8 * 1024 };

struct loopback_answer {
    unsigned status;
    struct buf head; /* status line and fields, as received */
    struct buf body;
};

/* Connects to "HOST:PORT"; sending and receiving may take this long each. The caller closes the
 * handle. -1: nobody answers there. */
int loopback_connect(const char *address, unsigned seconds);

/* Asks for a target. fields are whole lines, each with its CR and LF, or "". The caller frees the
 * answer with loopback_free, whatever happened. */
bool loopback_get(int handle, const char *target, const char *fields,
                  struct loopback_answer *out_answer, struct error *error) MUST_USE;

/* Copies the value of a field to out, cut to out_bytes; "" where the answer lacks it. */
void loopback_field(const struct loopback_answer *answer, const char *name, char *out,
                    size_t out_bytes);

void loopback_free(struct loopback_answer *answer);

#endif
