/* The home page of a catalogue without an overall ranking: what there is, and where to begin. */
#include "handlers.h"
#include "home.h"
#include "view.h"
#include "words.h"

bool home_plain(const struct call *call, struct reply *reply, struct error *error) {
    json_t *counts = catalogue_row(call->catalogue, STATEMENT_COUNTS, NULL, 0, error);
    json_t *providers = counts == NULL
                            ? NULL
                            : catalogue_rows(call->catalogue, STATEMENT_PROVIDERS, NULL, 0, error);
    json_t *use_cases = providers == NULL
                            ? NULL
                            : catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        json_decref(counts);
        json_decref(providers);
        return false;
    }
    reply->model = json_pack("{s:o, s:o, s:o}", "counts", counts, "providers", providers,
                             "use_cases", use_cases);
    reply->template_name = "html/page_home_plain.html";
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    if (!call_wants_page(call)) {
        return true;
    }
    char title[WORDS_BYTES];
    struct view view;
    view_start(&view, call, "/", words_fill(call, "Compare {subject}, with sources", title),
               words_get(call, WORD_DESCRIPTION));
    view_set(&view, "page_heading", json_string(words_fill(call, "Compare {subject}", title)));
    view_set(&view, "counts", view_counts(&view, json_object_get(reply->model, "counts")));
    view_set(&view, "home_about", json_string(words_get(call, WORD_DESCRIPTION)));
    return view_finish(&view, reply, error);
}
