/* The ranking of a use case as pages show it; the home page and the pages below /best/ share it. */
#ifndef AGENT_SANDBOXES_RANKING_H
#define AGENT_SANDBOXES_RANKING_H

#include "buf.h"
#include "view.h"

/* The canonical query of a ranking: "w.<attribute>=<number>" for each weight that differs from the
 * catalogue's, by attribute. An empty value means the catalogue's weight; parameters that do not
 * start with "w." are passed over. A criterion that the use case does not have, one given twice, a
 * weight that is no number from 0 to SCORE_WEIGHT_MAXIMUM, and weights that are all 0 are refused
 * as a problem that names the parameter. An unknown use case has no criteria. */
bool ranking_canonical(const struct call *call, const char *use_case, struct buf *out,
                       struct reply *reply, bool *out_refused, struct error *error) MUST_USE;

/* The public model of a ranking by the weights of the call: score_ranking, then last_reviewed and
 * generation. ERROR_NOT_FOUND: no such use case. The caller owns it. */
json_t *ranking_model(const struct call *call, const char *use_case, struct error *error) MUST_USE;

/* Gives the page what the part "ranking_list" shows, from a model of ranking_model. Names, all
 * starting with "ranking_": answer {href, name, words, rest} or null, picks, own, count. */
void ranking_show_list(struct view *view, const json_t *model);

/* The same, and what the part "ranking" shows: criteria, tables, weights, orders, sensitivity,
 * unranked, path, short, sum, limit. */
void ranking_show(struct view *view, const json_t *model);

/* The shortest address of a page with the weights of the view's call. New reference; NULL: out of
 * memory. */
json_t *ranking_address(const struct view *view, const char *path, const char *use_case);

/* A score interval for the part "score": {low, high, same, label, bar_low, bar_width}. New
 * reference. */
json_t *ranking_score(double low, double high);

/* A criterion's rule in words ("best of: microVM 1, gVisor 0.8"). New reference. */
json_t *ranking_rule(const json_t *rule, const struct index_attribute *attribute);

/* Adds the ranking to the page's JSON-LD as an ItemList. */
void ranking_linked_data(struct view *view, const json_t *model);

#endif
