/* The filter form and the filters that are set, for every page that lists providers by a question.
 */
#ifndef AGENT_SANDBOXES_FILTER_FORM_H
#define AGENT_SANDBOXES_FILTER_FORM_H

#include "question.h"
#include "view.h"

/* Reads the call's question. Refused: the reply is a problem that names the parameter. The caller
 * frees the question with question_free in any case. */
bool filter_question(const struct call *call, struct question *question, struct reply *reply,
                     bool *out_refused, struct error *error) MUST_USE;

/* What part_filter_form shows: {path, text, sorts, statuses, kinds (each [{value, label,
 * selected}]), fieldsets [{key, label, options [{value, label, count, checked, disabled}]}],
 * price_least, price_most, hidden [{name, value}]}. Parameters that the form has no field for are
 * kept as hidden ones. facets are those of comparison_answer. New reference. */
json_t *filter_form(const struct call *call, const struct question *question, const json_t *facets,
                    const char *path);

/* The conditions that are set, each with the address without it: [{label, href}]. New reference. */
json_t *filter_chips(const struct question *question, const char *path);

/* The first value given for a parameter, whatever the case of its name; NULL: none. */
const char *filter_given(const struct call *call, const char *name);

#endif
