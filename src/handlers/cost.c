/* /cost and /pricing/: what a month of use would come to. */
#include "cost.h"
#include "cost_view.h"
#include "csv.h"
#include "handlers.h"
#include "limit.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

/* A question read from the call's query. Refused: the reply is a problem. */
static bool parse(const struct call *call, struct cost_question *question, struct reply *reply,
                  bool *out_refused, struct error *error) {
    struct cost_fault fault;
    enum cost_result result = cost_question_parse(
        call->catalogue, call->target->pairs, call->target->pair_count, question, &fault, error);
    if (result != COST_FAULTY) {
        return result == COST_GOOD;
    }
    *out_refused = true;
    json_t *extra =
        json_pack("{s:s, s:o, s:s?}", "parameter", fault.parameter, "allowed", fault.allowed,
                  "nearest", fault.nearest[0] == '\0' ? NULL : fault.nearest);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         fault.detail, extra, error);
}

bool canonical_cost(const struct call *call, struct buf *out, struct reply *reply,
                    bool *out_refused, struct error *error) {
    struct cost_question question;
    bool good = parse(call, &question, reply, out_refused, error);
    if (good && !*out_refused) {
        cost_question_add_canonical(&question, out);
    }
    return good;
}

/* --- CSV --- */

static const char *const lists[] = {"results", "free_software", "does_not_fit", "no_published_rate",
                                    "not_on_sale"};
static const char *const parts[] = {"cpu",  "memory", "size",      "storage", "gpu",
                                    "runs", "plan",   "allowance", "credit"};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void add_usd(struct csv *csv, double usd) {
    enum { NUMBER_BYTES = 512 };
    struct buf text;
    buf_init(&text, NUMBER_BYTES);
    text_add_number(&text, usd);
    csv_add_field(csv, text.data);
    csv->out->failed = csv->out->failed || text.failed;
    buf_free(&text);
}

/* The sum of an entry's parts of a kind; an entry without a sum has an empty field. */
static void add_part(struct csv *csv, const json_t *entry, const char *kind) {
    enum { MILLS = 1000 };
    double mills = 0;
    bool any = false;
    size_t i = 0;
    json_t *part = NULL;
    json_array_foreach(json_object_get(entry, "parts"), i, part) {
        if (strcmp(string_of(part, "part"), kind) == 0) {
            mills += json_number_value(json_object_get(part, "usd")) * MILLS;
            any = true;
        }
    }
    if (any) {
        add_usd(csv, (double)(long long)(mills < 0 ? mills - 0.5 : mills + 0.5) / MILLS);
    } else {
        csv_add_field(csv, NULL);
    }
}

static void add_entry(struct csv *csv, const json_t *entry) {
    csv_add_field(csv, string_of(entry, "outcome"));
    csv_add_field(csv, string_of(entry, "slug"));
    csv_add_field(csv, string_of(entry, "name"));
    csv_add_field(csv, string_of(entry, "offering"));
    const json_t *total = json_object_get(entry, "total");
    if (json_is_object(total)) {
        add_usd(csv, json_number_value(json_object_get(total, "usd")));
        csv_add_field(csv, json_is_true(json_object_get(entry, "at_least")) ? "true" : "false");
    } else {
        csv_add_field(csv, NULL);
        csv_add_field(csv, NULL);
    }
    csv_add_field(csv, string_of(json_object_get(entry, "plan"), "name"));
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        add_part(csv, entry, parts[i]);
    }
    csv_add_field(csv, string_of(entry, "formula"));
    csv_add_field(csv, string_of(entry, "reason"));
    csv_end_row(csv);
}

static void add_head(struct csv *csv) {
    static const char *const fixed[] = {"outcome",   "provider", "provider_name", "offering",
                                        "total_usd", "at_least", "plan"};
    for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++) {
        csv_add_field(csv, fixed[i]);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "%s_usd", parts[i]);
        csv_add_field(csv, name);
    }
    csv_add_field(csv, "formula");
    csv_add_field(csv, "reason");
    csv_end_row(csv);
}

/* One row an offering. */
static char *answer_csv(const json_t *answer, struct error *error) {
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    struct csv csv = {.out = &out};
    add_head(&csv);
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        size_t j = 0;
        json_t *entry = NULL;
        json_array_foreach(json_object_get(answer, lists[i]), j, entry) {
            add_entry(&csv, entry);
            size_t k = 0;
            json_t *other = NULL;
            json_array_foreach(json_object_get(entry, "others"), k, other) {
                add_entry(&csv, other);
            }
        }
    }
    char *text = buf_take(&out);
    if (text == NULL) {
        (void)error_no_memory(error);
    }
    return text;
}

/* --- the handler --- */

/* Adds the presets, the day and the generation to an answer. */
static bool finish_model(const struct call *call, json_t *answer, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *presets = catalogue_rows(call->catalogue, STATEMENT_COST_PRESETS, NULL, 0, error);
    if (presets == NULL) {
        return false;
    }
    return (json_object_set_new(answer, "presets", presets) == 0 &&
            json_object_set_new(answer, "last_reviewed",
                                json_string(generation_last_reviewed(generation))) == 0 &&
            json_object_set_new(answer, "generation", json_string(generation_id(generation))) ==
                0) ||
           error_no_memory(error);
}

bool handle_cost(const struct call *call, struct reply *reply, struct error *error) {
    struct cost_question question;
    bool refused = false;
    if (!parse(call, &question, reply, &refused, error) || refused) {
        return refused;
    }
    json_t *answer = cost_answer(call->catalogue, &question, error);
    if (answer == NULL) {
        return false;
    }
    if (call->media == MEDIA_CSV) {
        reply->text = answer_csv(answer, error);
        json_decref(answer);
        return reply->text != NULL;
    }
    reply->model = answer;
    return finish_model(call, answer, error) &&
           (!call_wants_page(call) || cost_show(call, &question, reply, error));
}
