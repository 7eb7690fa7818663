/* The seal of a catalogue file: what was checked once need not be checked again. Private to
 * src/catalogue.
 *
 * It stands in the 20 bytes that SQLite's header keeps free (offset 72): the XXH3 digest of the
 * file with those 20 bytes zeroed, then SQLite's file change counter at that time. SQLite leaves
 * them as they are and counts each transaction, so that an edit is told from damage. It is no
 * protection against forgery: who can write the file can seal it. */
#ifndef AGENT_SANDBOXES_SEAL_H
#define AGENT_SANDBOXES_SEAL_H

#include "catalogue.h"
#include "hash.h"

enum { SEAL_HEADER_BYTES = 100 }; /* of a database file */

enum seal {
    SEAL_NONE,   /* never sealed */
    SEAL_WHOLE,  /* byte for byte what was sealed */
    SEAL_EDITED, /* SQLite wrote it since */
    SEAL_BROKEN  /* something else did */
};

/* Whether a header has a seal at all. */
bool seal_is_there(const unsigned char header[SEAL_HEADER_BYTES]);

/* Reads the rest of a file, of which the header is in the image already, into the bytes of the
 * image. Each piece is hashed while the processor has it at hand. True: it is byte for byte what
 * was sealed, and the image's digest is set. */
bool seal_read_file(int file, struct image *image) MUST_USE;

/* Also writes the digest of the image (as hex), which is the same with and without a seal. */
enum seal seal_read(const struct image *image, char out_hex[HASH_XXH3_HEX_BYTES]);

/* Writes the image's header with its seal to out. */
void seal_make(const struct image *image, unsigned char out[SEAL_HEADER_BYTES]);

/* Seals an owned image in place. */
void seal_image(struct image *image);

#endif
