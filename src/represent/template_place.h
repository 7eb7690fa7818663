/* Decides for each variable of a template whether it may stand where it stands, and how it is
 * printed there. Reads the spliced tokens of one template in their order. */
#ifndef AGENT_SANDBOXES_TEMPLATE_PLACE_H
#define AGENT_SANDBOXES_TEMPLATE_PLACE_H

#include "html_scan.h"
#include "md.h"
#include "template_source.h"

struct template_place {
    enum template_kind kind;
    struct html_scan html;
    struct md_scan md;
};

/* Starts at the beginning of a template. */
void template_place_start(struct template_place *place, enum template_kind kind);

/* Each returns NULL, or what is wrong (static text). */
const char *template_place_text(struct template_place *place, const struct token *text);
const char *template_place_variable(struct template_place *place, const struct token *variable,
                                    const char **out_modifier);
const char *template_place_leave(struct template_place *place, const struct template_place *start);
const char *template_place_finish(const struct template_place *place);

#endif
