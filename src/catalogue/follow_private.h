/* What the files that follow an answer share. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_FOLLOW_PRIVATE_H
#define AGENT_SANDBOXES_FOLLOW_PRIVATE_H

#include "follow.h"

struct follower {
    struct catalogue *now;
    enum follow_door door;
    const struct pair *pairs;
    size_t pair_count;
    json_t *use_cases;
};

/* The keys of every attribute that the question asks about or shows. */
json_t *follow_attributes(const struct follower *follower, struct error *error) MUST_USE;

/* The answer of one day: {slug: {name, outcome, shown: {cell: rowid}, asked: {cell: rowid}}}. A
 * cell is "offering/attribute", the offering "" where the provider has none; shown has the cells of
 * what is in the answer, asked those of the conditions in every offering. A rowid of 0 is a fact
 * that is not recorded. */
json_t *follow_snapshot(const struct follower *follower, struct catalogue *day,
                        struct error *error) MUST_USE;

#endif
