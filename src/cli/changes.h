/* Changes between catalogues, for people. */
#ifndef AGENT_SANDBOXES_CLI_CHANGES_H
#define AGENT_SANDBOXES_CLI_CHANGES_H

#include "edit.h"

enum changes_form { CHANGES_TEXT, CHANGES_MARKDOWN, CHANGES_JSON };

/* Prints what diff_images gave and returns the exit code. */
int changes_print(const json_t *changes, enum changes_form form);

/* Ends an edit: finishes it (or undoes it, where dry), prints what changed, closes it. */
int changes_finish(struct edit *edit, bool dry, bool json);

#endif
