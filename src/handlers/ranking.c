/* Weights in the address, and the model that they make. */
#include "ranking.h"
#include "limit.h"
#include "score.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

#define WEIGHT_PREFIX "w."

static bool refuse(struct reply *reply, const char *parameter, const char *detail, json_t *extra,
                   struct error *error) {
    json_t *members = json_pack("{s:s}", "parameter", parameter);
    if (members == NULL || (extra != NULL && json_object_update(members, extra) != 0)) {
        json_decref(members);
        json_decref(extra);
        return error_no_memory(error);
    }
    json_decref(extra);
    return reply_problem(reply, 400, "invalid-parameter", "Invalid parameter", detail, members,
                         error);
}

/* The attributes of the criteria as an array, and of them the one nearest to a name. */
static json_t *known_criteria(const json_t *criteria, const char *name) {
    enum { NAMES = 64 };
    const char *names[NAMES];
    size_t count = 0;
    json_t *allowed = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(criteria, i, row) {
        json_t *attribute = json_object_get(row, "attribute");
        if (count < NAMES) {
            names[count++] = json_string_value(attribute);
        }
        if (json_array_append_new(
                allowed, json_sprintf(WEIGHT_PREFIX "%s", json_string_value(attribute))) != 0) {
            json_decref(allowed);
            return NULL;
        }
    }
    const char *nearest = text_nearest(name, names, count);
    json_t *near = nearest == NULL ? json_null() : json_sprintf(WEIGHT_PREFIX "%s", nearest);
    return json_pack("{s:o, s:o}", "nearest", near, "allowed", allowed);
}

static const json_t *criterion_row(const json_t *criteria, const char *attribute) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(criteria, i, row) {
        const char *name = json_string_value(json_object_get(row, "attribute"));
        if (strcmp(name, attribute) == 0) {
            return row;
        }
    }
    return NULL;
}

/* Takes one "w." pair into weights (attribute to number, the catalogue's own included). */
static bool take_weight(const json_t *criteria, const struct pair *pair, json_t *weights,
                        struct reply *reply, bool *out_refused, struct error *error) {
    const char *attribute = pair->key + strlen(WEIGHT_PREFIX);
    const json_t *row = criterion_row(criteria, attribute);
    double weight = json_number_value(json_object_get(row, "weight"));
    *out_refused = true;
    if (row == NULL) {
        return refuse(reply, pair->key, "The use case has no such criterion.",
                      known_criteria(criteria, attribute), error);
    }
    if (json_object_get(weights, attribute) != NULL) {
        return refuse(reply, pair->key, "The weight of a criterion can be given once.", NULL,
                      error);
    }
    if (pair->value[0] != '\0' &&
        (!text_number(pair->value, &weight) || !(weight >= 0) || weight > SCORE_WEIGHT_MAXIMUM)) {
        return refuse(reply, pair->key, "A weight is a number from 0 to 1000.", NULL, error);
    }
    *out_refused = false;
    weight = weight > 0 ? weight : 0; /* -0 is 0 */
    return json_object_set_new(weights, attribute, json_real(weight)) == 0 ||
           error_no_memory(error);
}

/* Drops the weights that are the catalogue's own; answers the sum of all. */
static double drop_usual(const json_t *criteria, json_t *weights) {
    double sum = 0;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(criteria, i, row) {
        const char *attribute = json_string_value(json_object_get(row, "attribute"));
        double usual = json_number_value(json_object_get(row, "weight"));
        const json_t *own = json_object_get(weights, attribute);
        sum += own == NULL ? usual : json_number_value(own);
        if (own != NULL && json_number_value(own) == usual) {
            (void)json_object_del(weights, attribute);
        }
    }
    return sum;
}

/* The weights of the call that differ from the catalogue's. The caller owns them; NULL: refused or
 * failed. */
static json_t *read_weights(const struct call *call, const char *use_case, struct reply *reply,
                            bool *out_refused, struct error *error) {
    json_t *criteria =
        CATALOGUE_ROWS(call->catalogue, STATEMENT_CRITERIA, error, BIND_TEXT(use_case));
    json_t *weights = json_object();
    bool good = criteria != NULL && (weights != NULL || error_no_memory(error));
    /* An unknown use case is the handler's 404, whatever its parameters. */
    size_t count = json_array_size(criteria) == 0 ? 0 : call->target->pair_count;
    const char *last = NULL;
    for (size_t i = 0; good && !*out_refused && i < count; i++) {
        const struct pair *pair = &call->target->pairs[i];
        if (text_starts(pair->key, WEIGHT_PREFIX)) {
            last = pair->key;
            good = take_weight(criteria, pair, weights, reply, out_refused, error);
        }
    }
    if (good && !*out_refused && !(drop_usual(criteria, weights) > 0) && last != NULL) {
        *out_refused = true;
        good = refuse(reply, last, "At least one weight must be above 0.", NULL, error);
    }
    json_decref(criteria);
    if (!good || *out_refused) {
        json_decref(weights);
        return NULL;
    }
    return weights;
}

static int compare_names(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Appends the weights by attribute. */
static bool add_weights(const json_t *weights, struct buf *out, struct error *error) {
    size_t count = 0;
    const char **names = calloc(json_object_size(weights) + 1, sizeof(const char *));
    if (names == NULL) {
        return error_no_memory(error);
    }
    const char *name = NULL;
    json_t *weight = NULL;
    json_object_foreach((json_t *)weights, name, weight) {
        names[count++] = name;
    }
    qsort(names, count, sizeof(const char *), compare_names);
    for (size_t i = 0; i < count; i++) {
        buf_add_format(out, "%s" WEIGHT_PREFIX "%s=", i == 0 ? "" : "&", names[i]);
        text_add_number(out, json_number_value(json_object_get(weights, names[i])));
    }
    free(names);
    return !out->failed || error_no_memory(error);
}

bool ranking_canonical(const struct call *call, const char *use_case, struct buf *out,
                       struct reply *reply, bool *out_refused, struct error *error) {
    json_t *weights = read_weights(call, use_case, reply, out_refused, error);
    bool good = weights == NULL ? *out_refused : add_weights(weights, out, error);
    json_decref(weights);
    return good;
}

json_t *ranking_model(const struct call *call, const char *use_case, struct error *error) {
    struct reply reply = {0};
    bool refused = false;
    json_t *weights = read_weights(call, use_case, &reply, &refused, error);
    reply_free(&reply);
    if (weights == NULL) {
        (void)(refused && error_set(error, ERROR_INTERNAL, "refused weights reached the ranking"));
        return NULL;
    }
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *model = score_ranking(call->catalogue, use_case, weights, error);
    json_decref(weights);
    if (model != NULL &&
        (json_object_set_new(model, "last_reviewed",
                             json_string(generation_last_reviewed(generation))) != 0 ||
         json_object_set_new(model, "generation", json_string(generation_id(generation))) != 0)) {
        json_decref(model);
        (void)error_no_memory(error);
        return NULL;
    }
    return model;
}
