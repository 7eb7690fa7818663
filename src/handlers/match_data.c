/* /match: requirements in, reasons out, as JSON, page and decision record. */
#include "compare_data.h"
#include "handlers.h"
#include "match_view.h"

bool match_parse(const struct call *call, struct requirements *requirements, struct reply *reply,
                 bool *out_refused, struct error *error) {
    json_t *use_cases = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        return false;
    }
    struct question_fault fault = {0};
    enum question_result result = requirements_parse(
        generation_index(catalogue_generation(call->catalogue)), use_cases, call->target->pairs,
        call->target->pair_count, requirements, &fault, error);
    json_decref(use_cases);
    if (result != QUESTION_FAULTY) {
        return result == QUESTION_GOOD;
    }
    *out_refused = true;
    return compare_refuse(&fault, reply, error);
}

bool canonical_match(const struct call *call, struct buf *out, struct reply *reply,
                     bool *out_refused, struct error *error) {
    struct requirements requirements = {0};
    bool good = match_parse(call, &requirements, reply, out_refused, error);
    if (good && !*out_refused) {
        requirements_add_canonical(&requirements, out);
    }
    requirements_free(&requirements);
    return good;
}

bool handle_match(const struct call *call, struct reply *reply, struct error *error) {
    struct requirements requirements = {0};
    bool refused = false;
    bool good = match_parse(call, &requirements, reply, &refused, error);
    if (good && !refused) {
        reply->model = match_answer(call->catalogue, &requirements, error);
        good = reply->model != NULL &&
               (call->media == MEDIA_JSON || match_page(call, &requirements, reply, error));
    }
    requirements_free(&requirements);
    return good;
}
