/* /best/ and /best/<use case>/: rankings that a reader can redo and reweigh. */
#include "buf.h"
#include "chart.h"
#include "handlers.h"
#include "ranking.h"
#include "score.h"
#include "view.h"
#include "words.h"
#include <stdio.h>
#include <string.h>

bool canonical_best(const struct call *call, struct buf *out, struct reply *reply,
                    bool *out_refused, struct error *error) {
    return ranking_canonical(call, call->captures[0], out, reply, out_refused, error);
}

static bool show_best(const struct call *call, struct reply *reply, struct error *error) {
    const json_t *use_case = json_object_get(reply->model, "use_case");
    const char *name = json_string_value(json_object_get(use_case, "title"));
    const char *path = json_string_value(json_object_get(use_case, "path"));
    const json_t *ranked = json_object_get(reply->model, "ranked");
    char title[ERROR_MESSAGE_BYTES];
    char description[ERROR_MESSAGE_BYTES];
    /* The digest of the overall ranking is the home page. */
    bool is_whole = strcmp(path, call->path) != 0;
    (void)snprintf(title, sizeof(title), "%s%s", name, is_whole ? ": the whole ranking" : "");
    (void)snprintf(
        description, sizeof(description),
        "%s: %zu compared on %zu weighted criteria, with every source, the arithmetic, and "
        "your own weights.",
        name, json_array_size(ranked), json_array_size(json_object_get(reply->model, "criteria")));
    struct view view;
    view_start(&view, call, call->path, title, description);
    view_crumb(&view, "Best for", "/best/");
    ranking_show(&view, reply->model);
    ranking_linked_data(&view, reply->model);
    return view_finish(&view, reply, error);
}

bool handle_best(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = ranking_model(call, call->captures[0], error);
    return reply->model != NULL && (!call_wants_page(call) || show_best(call, reply, error));
}

/* The three best of a use case, as [{place, slug, name, offering, low, high}]. */
static json_t *leaders_of(struct catalogue *catalogue, const char *use_case, struct error *error) {
    enum { LEADERS = 3 };
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *places = score_places(catalogue, use_case, error);
    if (places == NULL) {
        return NULL;
    }
    json_t *leaders = json_array();
    const char *slug = NULL;
    json_t *entry = NULL;
    json_object_foreach(places, slug, entry) { /* entered by place */
        if (json_array_size(leaders) == LEADERS) {
            break;
        }
        json_t *leader =
            json_pack("{s:O, s:s, s:s, s:O, s:O, s:O}", "place", json_object_get(entry, "place"),
                      "slug", slug, "name", index_provider(index, slug)->name, "offering",
                      json_object_get(entry, "offering"), "low", json_object_get(entry, "low"),
                      "high", json_object_get(entry, "high"));
        if (json_array_append_new(leaders, leader) != 0) {
            json_decref(leaders);
            leaders = NULL;
            (void)error_no_memory(error);
            break;
        }
    }
    json_decref(places);
    return leaders;
}

static json_t *best_model(struct catalogue *catalogue, struct error *error) {
    json_t *rows = catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    bool good = rows != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *slug = json_string_value(json_object_get(row, "slug"));
        json_t *leaders = good ? leaders_of(catalogue, slug, error) : NULL;
        good = leaders != NULL &&
               (json_object_set_new(row, "leaders", leaders) == 0 || error_no_memory(error));
    }
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    const struct generation *generation = catalogue_generation(catalogue);
    return json_pack("{s:o, s:s, s:s}", "use_cases", rows, "last_reviewed",
                     generation_last_reviewed(generation), "generation", generation_id(generation));
}

static json_t *leader_names(struct view *view, const json_t *leader) {
    return view_new(
        view, json_pack("{s:O, s:o, s:O, s:o}", "place", json_object_get(leader, "place"), "href",
                        json_sprintf("/sandboxes/%s/",
                                     json_string_value(json_object_get(leader, "slug"))),
                        "name", json_object_get(leader, "name"), "score",
                        ranking_score(json_number_value(json_object_get(leader, "low")),
                                      json_number_value(json_object_get(leader, "high")))));
}

static bool show_index(const struct call *call, struct reply *reply, struct error *error) {
    json_t *features = features_read(call->catalogue, error);
    if (features == NULL) {
        return false;
    }
    struct view view;
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(&view, call, "/best/", words_fill(call, "The best {noun} for a use", title),
               words_fill(call,
                          "Which {noun} suits which work: rankings by use, each with its criteria, "
                          "sources and arithmetic.",
                          about));
    json_t *list = view_new(&view, json_array());
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(json_object_get(reply->model, "use_cases"), i, row) {
        json_t *leaders = view_new(&view, json_array());
        size_t j = 0;
        json_t *leader = NULL;
        json_array_foreach(json_object_get(row, "leaders"), j, leader) {
            view.failed =
                json_array_append_new(leaders, leader_names(&view, leader)) != 0 || view.failed;
        }
        json_t *entry =
            json_pack("{s:o, s:O, s:o}", "href",
                      json_sprintf("/best/%s/", json_string_value(json_object_get(row, "slug"))),
                      "title", json_object_get(row, "title"), "leaders", leaders);
        view.failed = json_array_append_new(list, entry) != 0 || view.failed;
    }
    view_set(&view, "best_list", list);
    view_set(&view, "best_heat", chart_heat(&view, features));
    json_decref(features);
    return view_finish(&view, reply, error);
}

bool handle_best_index(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = best_model(call->catalogue, error);
    if (reply->model == NULL) {
        return false;
    }
    return !call_wants_page(call) || show_index(call, reply, error);
}
