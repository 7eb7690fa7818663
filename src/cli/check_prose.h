/* The rules of prose: its marks, and its day. */
#ifndef AGENT_SANDBOXES_CLI_CHECK_PROSE_H
#define AGENT_SANDBOXES_CLI_CHECK_PROSE_H

#include "catalogue.h"

/* Appends to findings (as of check_image) what is wrong with the bodies of guides and terms. */
bool check_prose(const struct image *image, json_t *findings, struct error *error) MUST_USE;

#endif
