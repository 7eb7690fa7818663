/* The tools: what each asks, and what it leaves out of a short answer. Private to src/mcp. */
#ifndef AGENT_SANDBOXES_MCP_TOOLS_H
#define AGENT_SANDBOXES_MCP_TOOLS_H

#include "buf.h"
#include "mcp.h"

/* Changes the model of a route before it is condensed. */
typedef bool tool_shape(const struct call *call, const json_t *arguments, bool is_full,
                        json_t *model, struct error *error);

struct tool {
    const char *name; /* as in mcp/server.json */
    const char
        *section; /* offered only where the catalogue has it (generation_has); NULL: always */
    /* Appends the target to ask for. False: what says why the arguments make none, or error is set
     * and what is empty. */
    bool (*target)(const struct call *call, const json_t *arguments, struct buf *target,
                   struct buf *what, struct error *error);
    tool_shape *shape;        /* NULL: the model is as it should be */
    const char *const *drop;  /* keys that a short answer has not */
    const char *const *lists; /* what is cut to fit, the first first */
};

extern const struct tool tools[];
extern const size_t tool_count;

tool_shape tool_shape_comparison;
tool_shape tool_shape_match;
tool_shape tool_shape_provider;
tool_shape tool_shape_ranking;
tool_shape tool_shape_search;

#endif
