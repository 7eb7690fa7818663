/* The hashes of the files below /data/. Private to src/handlers. */
#ifndef AGENT_SANDBOXES_DATA_DIGEST_H
#define AGENT_SANDBOXES_DATA_DIGEST_H

#include "handler.h"
#include "hash.h"
#include "negotiate.h"

/* Of the bytes that the file's address answers. */
struct data_digest {
    char hex[HASH_HEX_BYTES]; /* "": this catalogue has no such file */
    size_t length;
    enum media media;
};

/* The digest of a file, by its place in data_files. All files are hashed once for a generation, by
 * the first thread that asks; others wait for it. See also warm.h. */
bool data_digest_of(const struct call *call, size_t file, struct data_digest *out,
                    struct error *error) MUST_USE;

#endif
