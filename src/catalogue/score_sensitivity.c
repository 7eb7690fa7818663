/* At which weight of one criterion the first place changes hands.
 *
 * With the other weights held, 100 x sum / sum of weights has the same denominator for everyone, so
 * the order by the low score is the order of rest + weight x share: straight lines in the weight.
 * The leader walks along the upper envelope of these lines, up and down from the present weight. */
#include "score.h"
#include "score_private.h"
#include <math.h>
#include <string.h>

struct line {
    const struct score_card *card;
    double rest;  /* what the other criteria give */
    double share; /* the slope */
    double rest_high;
    double share_high;
};

static const double tolerance = 1e-9;

static void draw_lines(const struct score_board *board, size_t criterion, struct line *lines) {
    for (size_t i = 0; i < board->card_count; i++) {
        const struct score_card *card = &board->cards[i];
        lines[i] = (struct line){.card = card,
                                 .share = card->shares[criterion].low,
                                 .share_high = card->shares[criterion].high};
        for (size_t j = 0; j < board->criterion_count; j++) {
            if (j != criterion) {
                lines[i].rest += board->criteria[j].weight * card->shares[j].low;
                lines[i].rest_high += board->criteria[j].weight * card->shares[j].high;
            }
        }
    }
}

/* Whether one line leads the other just beyond a weight at which both are equal. */
static bool leads(const struct line *one, const struct line *other, double weight, int direction) {
    double slope = direction * (one->share - other->share);
    if (fabs(slope) > tolerance) {
        return slope > 0;
    }
    double high =
        one->rest_high + weight * one->share_high - other->rest_high - weight * other->share_high;
    return fabs(high) > tolerance
               ? high > 0
               : strcmp(one->card->provider->name, other->card->provider->name) < 0;
}

/* The weight at which a line overtakes the leader when walking in a direction, or NAN. */
static double crossing(const struct line *leader, const struct line *line, double from,
                       int direction) {
    double slope = direction * (line->share - leader->share);
    if (slope <= tolerance) {
        return NAN;
    }
    double at = (leader->rest - line->rest) / (line->share - leader->share);
    return direction > 0 ? fmax(at, from) : fmin(at, from);
}

/* The next leader beyond a weight and where it takes over; NULL: none before the limit. */
static const struct line *next_leader(const struct line *lines, size_t count,
                                      const struct line *leader, double from, double limit,
                                      int direction, double *out_at) {
    const struct line *next = NULL;
    double best = limit;
    for (size_t i = 0; i < count; i++) {
        double at = crossing(leader, &lines[i], from, direction);
        double ahead = direction * (best - at);
        if (isnan(at) || ahead < -tolerance || (next == NULL && ahead <= tolerance)) {
            continue;
        }
        if (next == NULL || ahead > tolerance || leads(&lines[i], next, at, direction)) {
            next = &lines[i];
            best = at;
        }
    }
    *out_at = best;
    return next;
}

/* Adds each change of the first place between a weight and a limit; the walk ends because each
 * leader's slope is steeper than the last one's. */
static bool walk(json_t *changes, const struct line *lines, size_t count, const struct line *leader,
                 double from, double limit, int direction) {
    double at = from;
    for (;;) {
        const struct line *next = next_leader(lines, count, leader, at, limit, direction, &at);
        if (next == NULL) {
            return true;
        }
        if (next->card->provider != leader->card->provider) {
            json_t *change =
                json_pack("{s:f, s:s}", "weight", at, "to", next->card->provider->slug);
            size_t place = direction > 0 ? json_array_size(changes) : 0;
            if (json_array_insert_new(changes, place, change) != 0) {
                return false;
            }
        }
        leader = next;
    }
}

static json_t *changes_of(const struct score_board *board, size_t criterion, struct line *lines) {
    json_t *changes = json_array();
    if (changes == NULL || board->ranked_count == 0) {
        json_decref(changes);
        return json_null();
    }
    draw_lines(board, criterion, lines);
    const struct line *leader = &lines[board->ranked[0] - board->cards];
    double weight = board->criteria[criterion].weight;
    if (!walk(changes, lines, board->card_count, leader, weight, 0, -1) ||
        !walk(changes, lines, board->card_count, leader, weight,
              SCORE_SENSITIVITY_FACTOR * board->weight_sum, 1)) {
        json_decref(changes);
        return NULL;
    }
    if (json_array_size(changes) == 0) {
        json_decref(changes);
        return json_null();
    }
    return changes;
}

json_t *score_sensitivity(const struct score_board *board) {
    struct arena scratch = {0};
    struct line *lines = arena_alloc(&scratch, board->card_count + 1, sizeof(struct line));
    json_t *list = lines == NULL ? NULL : json_array();
    for (size_t i = 0; list != NULL && i < board->criterion_count; i++) {
        const struct score_criterion *criterion = &board->criteria[i];
        json_t *entry =
            json_pack("{s:s, s:f, s:o}", "attribute", criterion->attribute->key, "weight",
                      criterion->weight, "changes_at", changes_of(board, i, lines));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    arena_free(&scratch);
    return list;
}
