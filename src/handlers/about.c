/* /about/ */
#include "handlers.h"
#include "view.h"
#include "words.h"

bool handle_about(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = catalogue_row(call->catalogue, STATEMENT_COUNTS, NULL, 0, error);
    if (reply->model == NULL) {
        return false;
    }
    const char *code = generation_setting(catalogue_generation(call->catalogue), "code_licence");
    const char *data = generation_setting(catalogue_generation(call->catalogue), "data_licence");
    struct view view;
    char about[WORDS_BYTES];
    view_start(&view, call, "/about/", "About this site", words_text(call, "text_about", about));
    view_set(&view, "about_counts", view_counts(&view, reply->model));
    view_set(&view, "about_code_licence", code == NULL ? json_null() : json_string(code));
    view_set(&view, "about_data_licence", data == NULL ? json_null() : json_string(data));
    view_set(&view, "about_reviewed",
             view_date(&view, generation_last_reviewed(catalogue_generation(call->catalogue))));
    return view_finish(&view, reply, error);
}
