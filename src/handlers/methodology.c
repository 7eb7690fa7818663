/* /methodology/: how the catalogue is made and scored, with the numbers of the day. */
#include "handlers.h"
#include "ranking.h"
#include "score.h"
#include "view.h"
#include <string.h>

/* The use cases with their criteria. */
static json_t *use_cases_of(struct catalogue *catalogue, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    bool good = rows != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *criteria =
            good ? CATALOGUE_ROWS(catalogue, STATEMENT_CRITERIA, error,
                                  BIND_TEXT(json_string_value(json_object_get(row, "slug"))))
                 : NULL;
        good = criteria != NULL &&
               (json_object_set_new(row, "criteria", criteria) == 0 || error_no_memory(error));
    }
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    return rows;
}

/* How many current facts are past their review-by day. */
static json_int_t count_stale(const struct generation *generation) {
    const struct catalogue_index *index = generation_index(generation);
    json_int_t count = 0;
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        for (size_t j = 0; j < index->provider_count; j++) {
            const struct index_provider *provider = &index->providers[j];
            int64_t last = 0; /* offerings that inherit share one fact */
            for (size_t k = 0; k < provider->slot_count; k++) {
                size_t slot = provider->first_slot + k;
                if (attribute->review_by[slot] < generation_today(generation) &&
                    attribute->facts[slot] != last) {
                    count++;
                    last = attribute->facts[slot];
                }
            }
        }
    }
    return count;
}

static bool fill_model(const struct call *call, json_t *model, struct error *error) {
    struct catalogue *catalogue = call->catalogue;
    json_t *counts = catalogue_row(catalogue, STATEMENT_COUNTS, NULL, 0, error);
    json_t *bases =
        counts == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_BASIS_COUNTS, NULL, 0, error);
    json_t *volatilities =
        bases == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_VOLATILITIES, NULL, 0, error);
    json_t *use_cases = volatilities == NULL ? NULL : use_cases_of(catalogue, error);
    if (use_cases == NULL) {
        json_decref(counts);
        json_decref(bases);
        json_decref(volatilities);
        return false;
    }
    const struct generation *generation = catalogue_generation(catalogue);
    bool good = json_object_set_new(model, "counts", counts) == 0;
    good = json_object_set_new(model, "stale_facts", json_integer(count_stale(generation))) == 0 &&
           good;
    good = json_object_set_new(model, "bases", bases) == 0 && good;
    good = json_object_set_new(model, "volatilities", volatilities) == 0 && good;
    good = json_object_set_new(model, "use_cases", use_cases) == 0 && good;
    return good || error_no_memory(error);
}

/* --- the page --- */

static void append(struct view *view, json_t *list, json_t *entry) {
    if (json_array_append_new(list, entry) != 0) {
        view->failed = true;
    }
}

/* What each basis means, for those that the catalogue uses. */
static json_t *bases_of(struct view *view, const json_t *rows) {
    static const struct {
        const char *basis;
        const char *meaning;
    } meanings[] = {
        {"vendor-stated", "The documentation of the vendor says so."},
        {"vendor-claim",
         "Marketing, or a figure of speed or scale that the vendor gives and nobody "
         "else has checked. It never stands in for a measurement."},
        {"repo", "It can be seen in the vendor's own published code or configuration."},
        {"third-party", "Someone other than the vendor says or has measured it."},
        {"inferred", "No page says it in so many words, but it follows from what pages do say."},
    };
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *basis = json_string_value(json_object_get(row, "basis"));
        const char *meaning = NULL;
        for (size_t j = 0; j < ARRAY_LENGTH(meanings); j++) {
            meaning = strcmp(meanings[j].basis, basis) == 0 ? meanings[j].meaning : meaning;
        }
        append(view, list,
               json_pack("{s:s?, s:s?, s:o}", "label", view_basis_label(basis), "meaning", meaning,
                         "facts", view_count(view, json_object_get(row, "facts"))));
    }
    return list;
}

static json_t *use_cases_list(struct view *view, const json_t *rows) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        json_t *criteria = view_new(view, json_array());
        double sum = 0;
        size_t j = 0;
        json_t *criterion = NULL;
        json_array_foreach(json_object_get(row, "criteria"), j, criterion) {
            double weight = json_number_value(json_object_get(criterion, "weight"));
            const struct index_attribute *attribute =
                index_attribute(index, json_string_value(json_object_get(criterion, "attribute")));
            sum += weight;
            append(view, criteria,
                   json_pack("{s:s, s:o, s:o, s:O}", "label", attribute->label, "weight",
                             json_sprintf("%g", weight), "rule",
                             ranking_rule(json_object_get(criterion, "rule"), attribute), "why",
                             json_object_get(criterion, "why")));
        }
        append(view, list,
               json_pack("{s:o, s:O, s:O, s:o, s:I, s:o}", "table_id",
                         json_sprintf("t-%s", json_string_value(json_object_get(row, "slug"))),
                         "href", json_object_get(row, "path"), "title",
                         json_object_get(row, "title"), "sum", json_sprintf("%g", sum), "count",
                         (json_int_t)json_array_size(criteria), "criteria", criteria));
    }
    return list;
}

static bool show(const struct call *call, struct reply *reply, struct error *error) {
    struct view view;
    view_start(&view, call, "/methodology/", "Methodology",
               "How facts are read, how sure they are, how they age, and how every score on this "
               "site is made, with the numbers of the day.");
    view_set(&view, "page_class", json_string("page-side"));
    view_set(&view, "method_counts", view_counts(&view, json_object_get(reply->model, "counts")));
    view_set(&view, "method_stale",
             view_count(&view, json_object_get(reply->model, "stale_facts")));
    view_set(&view, "method_bases", bases_of(&view, json_object_get(reply->model, "bases")));
    view_set(&view, "method_volatilities",
             json_incref(json_object_get(reply->model, "volatilities")));
    view_set(&view, "method_use_cases",
             use_cases_list(&view, json_object_get(reply->model, "use_cases")));
    view_set(&view, "method_weight_maximum", json_integer(SCORE_WEIGHT_MAXIMUM));
    view_set(&view, "method_factor", json_integer(SCORE_SENSITIVITY_FACTOR));
    return view_finish(&view, reply, error);
}

bool handle_methodology(const struct call *call, struct reply *reply, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    reply->model = json_pack("{s:s, s:s}", "last_reviewed", generation_last_reviewed(generation),
                             "generation", generation_id(generation));
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    return fill_model(call, reply->model, error) &&
           (!call_wants_page(call) || show(call, reply, error));
}
