/* The _headers file of an exported site: which fields a host sends along with which address. No
 * address has two rules, since hosts would join their fields. Private to src/static. */
#ifndef AGENT_SANDBOXES_STATIC_RULES_H
#define AGENT_SANDBOXES_STATIC_RULES_H

#include "../cli/loopback.h"
#include "buf.h"
#include "error.h"

enum { RULES_FAMILIES = 9 };

struct rules {
    struct buf text;
    bool is_written[RULES_FAMILIES];
};

void rules_init(struct rules *rules);

/* Adds the rule of an answered path, unless its family has one already. */
bool rules_add(struct rules *rules, const char *base_path, const char *path,
               const struct loopback_answer *answer, struct error *error) MUST_USE;

void rules_free(struct rules *rules);

#endif
