/* The statement list: every SQL text that runs on a frozen catalogue. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_STATEMENTS_H
#define AGENT_SANDBOXES_STATEMENTS_H

#include "catalogue.h"

struct statement_text {
    const char *sql;
    int parameter_count;
};

/* Indexed by enum statement. Marked in its text: "scan" reads a whole table, "sort" sorts rows,
 * each on purpose. */
extern const struct statement_text statement_texts[STATEMENT__COUNT];

#endif
