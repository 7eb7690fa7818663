/* /compare: the answer to a question, as JSON and CSV. */
#include "compare_data.h"
#include "compare_view.h"
#include "comparison.h"
#include "csv.h"
#include "handlers.h"
#include "limit.h"
#include <string.h>

bool compare_refuse(const struct question_fault *fault, struct reply *reply, struct error *error) {
    json_t *allowed = fault->allowed == NULL ? json_null() : fault->allowed;
    json_t *extra = json_pack("{s:s, s:o, s:s?}", "parameter", fault->parameter, "allowed", allowed,
                              "nearest", fault->nearest);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         fault->detail, extra, error);
}

bool compare_parse(const struct call *call, struct question *question, struct reply *reply,
                   bool *out_refused, struct error *error) {
    json_t *use_cases = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (use_cases == NULL) {
        return false;
    }
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    struct question_fault fault;
    enum question_result result = question_parse(index, use_cases, call->target->pairs,
                                                 call->target->pair_count, question, &fault, error);
    json_decref(use_cases);
    if (result != QUESTION_FAULTY) {
        return result == QUESTION_GOOD;
    }
    *out_refused = true;
    return compare_refuse(&fault, reply, error) &&
           (call->media != MEDIA_HTML || compare_fault_page(call, reply, error));
}

bool canonical_compare(const struct call *call, struct buf *out, struct reply *reply,
                       bool *out_refused, struct error *error) {
    struct question question = {0};
    bool good = compare_parse(call, &question, reply, out_refused, error);
    if (good && !*out_refused) {
        question_add_canonical(&question, out);
    }
    question_free(&question);
    return good;
}

bool handle_compare_data(const struct call *call, struct reply *reply, struct error *error) {
    struct question question = {0};
    bool refused = false;
    bool good = compare_parse(call, &question, reply, &refused, error);
    if (good && !refused) {
        json_t *model = comparison_answer(call->catalogue, &question, error);
        good = model != NULL;
        if (good && call->media == MEDIA_CSV) {
            reply->text = compare_csv(model, error);
            good = reply->text != NULL;
            json_decref(model);
        } else {
            reply->model = model;
            good = good && (!call_wants_page(call) || compare_page(call, &question, reply, error));
        }
    }
    question_free(&question);
    return good;
}
