/* What several pages show of a provider: its card, score, badge and kind. */
#ifndef AGENT_SANDBOXES_CARD_H
#define AGENT_SANDBOXES_CARD_H

#include "catalogue_index.h"
#include "view.h"

/* What a kind of provider is called, with a capital. */
const char *card_kind_label(const char *kind);

/* The badge of a status: {class, text}, null for an active provider. New reference. */
json_t *card_badge(enum provider_status status);

/* The badge of a release stage (NULL: null). New reference. */
json_t *card_stage(const char *stage);

/* score_places of the overall ranking. The caller owns it. */
json_t *card_places(struct catalogue *catalogue, struct error *error) MUST_USE;

/* For part_score (see ranking_score), with place and of; null where places has no such slug. New
 * reference. */
json_t *card_score(const json_t *places, const char *slug);

/* The address of the comparison of two providers: in the order of a curated pair, else of the
 * alphabet. pairs are the rows of STATEMENT_PAIRS. New reference. */
json_t *card_pair_address(const json_t *pairs, const char *one, const char *other);

/* The first sentence of a summary. New reference. */
json_t *card_sentence(const char *summary);

#endif
