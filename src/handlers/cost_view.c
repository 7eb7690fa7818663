#include "cost_view.h"
#include "limit.h"
#include "text.h"
#include "view.h"
#include "words.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void append(struct view *view, json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0) {
        view->failed = true;
    }
}

static json_t *href_of(const json_t *entry) {
    return json_sprintf("/sandboxes/%s/", string_of(entry, "slug"));
}

static double total_of(const json_t *entry) {
    return json_number_value(json_object_get(json_object_get(entry, "total"), "usd"));
}

/* A receipt as a cell; null where there is none. */
static json_t *cell_of(struct view *view, const json_t *fact, const char *subject) {
    const char *key = string_of(fact, "attribute");
    const struct index_attribute *attribute =
        key == NULL
            ? NULL
            : index_attribute(generation_index(catalogue_generation(view->call->catalogue)), key);
    return attribute == NULL ? json_null() : view_cell(view, attribute, fact, subject);
}

/* --- the form --- */

static json_t *decimal(int64_t value, int64_t units) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    cost_add_decimal(&text, value, units);
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static void show_form(struct view *view, const struct cost_question *question, const json_t *gpus) {
    char nouns[WORDS_BYTES];
    const struct {
        const char *name;
        const char *label;
        const char *hint;
        int64_t value;
        int64_t units;
        const char *least;
        const char *most;
        const char *step;
    } fields[] = {
        {"sandboxes", words_fill(view->call, "{Nouns} at once", nouns), "1 to 100,000",
         question->sandboxes, 1, "1", "100000", "1"},
        {"hours", "Hours a month, each", "for which it exists; 0 to 744", question->hours,
         COST_HOUR_UNITS, "0", "744", "any"},
        {"active", "Share of them active", "it computes; 0 to 1", question->active, COST_HOUR_UNITS,
         "0", "1", "any"},
        {"paused", "Share of them paused", "paused or stopped; what is left is idle",
         question->paused, COST_HOUR_UNITS, "0", "1", "any"},
        {"runs", "Starts a month, in all", "steps and minimum charges count for each",
         question->runs, 1, "1", "10000000", "1"},
        {"vcpu", "vCPU, each", "0.1 to 512", question->vcpu, COST_SIZE_UNITS, "0.1", "512", "any"},
        {"memory_gib", "Memory in GiB, each", "0.1 to 2,048", question->memory_gib, COST_SIZE_UNITS,
         "0.1", "2048", "any"},
        {"storage_gib", "Storage in GiB, each", "held for all of its hours; 0 to 16,384",
         question->storage_gib, COST_SIZE_UNITS, "0", "16384", "any"},
    };
    json_t *list = view_new(view, json_array());
    for (size_t i = 0; i < ARRAY_LENGTH(fields); i++) {
        append(view, list,
               json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:s}", "field", fields[i].name, "label",
                         fields[i].label, "hint", fields[i].hint, "value",
                         decimal(fields[i].value, fields[i].units), "least", fields[i].least,
                         "most", fields[i].most, "step", fields[i].step));
    }
    view_set(view, "cost_fields", list);
    json_t *options = view_new(view, json_array());
    size_t i = 0;
    json_t *gpu = NULL;
    json_array_foreach(gpus, i, gpu) {
        append(view, options,
               json_pack("{s:O, s:O, s:b}", "slug", json_object_get(gpu, "slug"), "name",
                         json_object_get(gpu, "name"), "chosen",
                         (int)(strcmp(string_of(gpu, "slug"), question->gpu) == 0)));
    }
    view_set(view, "cost_gpus", options);
    view_set(view, "cost_gpu_hours",
             question->gpu[0] == '\0' ? json_string("")
                                      : decimal(question->gpu_hours, COST_HOUR_UNITS));
}

/* --- presets --- */

static json_t *preset_query(const json_t *parameters) {
    struct buf query;
    buf_init(&query, LIMIT_TARGET_BYTES);
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)parameters, name, value) {
        buf_add_format(&query, "%s%s=", query.length == 0 ? "" : "&", name);
        if (json_is_string(value)) {
            buf_add_text(&query, json_string_value(value));
        } else {
            text_add_number(&query, json_number_value(value));
        }
    }
    json_t *result = query.failed ? NULL : json_stringn(query.data, query.length);
    buf_free(&query);
    return result;
}

/* Whether a preset asks what was asked. */
static bool preset_is(const json_t *parameters, const json_t *question) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)parameters, name, value) {
        const json_t *asked = json_object_get(question, name);
        bool same = json_is_number(value) ? json_is_number(asked) &&
                                                json_number_value(value) == json_number_value(asked)
                                          : json_equal(value, asked) != 0;
        if (!same) {
            return false;
        }
    }
    return json_object_get(parameters, "gpu") != NULL ||
           json_is_null(json_object_get(question, "gpu"));
}

static void show_presets(struct view *view, const json_t *model) {
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *preset = NULL;
    json_array_foreach(json_object_get(model, "presets"), i, preset) {
        const json_t *parameters = json_object_get(preset, "parameters");
        json_t *query = preset_query(parameters);
        append(
            view, list,
            json_pack("{s:o, s:O, s:O, s:b}", "href",
                      json_sprintf("/pricing/?%s", query == NULL ? "" : json_string_value(query)),
                      "title", json_object_get(preset, "title"), "description",
                      json_object_get(preset, "description"), "current",
                      (int)preset_is(parameters, json_object_get(model, "question"))));
        json_decref(query);
    }
    view_set(view, "cost_presets", list);
}

/* --- results --- */

/* What it charges by, in two words. */
static const char *clock_of(const json_t *entry) {
    const json_t *rule = json_object_get(entry, "rule");
    const char *cpu = string_of(rule, "cpu_active");
    const char *charge = string_of(rule, "charge");
    if (charge != NULL && strcmp(charge, "sizes") == 0) {
        return "Whole size, wall clock";
    }
    return cpu != NULL && strcmp(cpu, "used") == 0 ? "Active CPU" : "Wall clock";
}

static json_t *offering_of(const json_t *entry) {
    return json_incref(json_object_get(entry, "offering_name"));
}

static void show_table(struct view *view, const json_t *results) {
    double most = 0;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(results, i, entry) {
        most = total_of(entry) > most ? total_of(entry) : most;
    }
    json_t *rows = view_new(view, json_array());
    json_array_foreach(results, i, entry) {
        const char *money = string_of(json_object_get(entry, "total"), "text");
        bool at_least = json_is_true(json_object_get(entry, "at_least"));
        append(view, rows,
               json_pack("{s:o, s:o, s:O, s:o, s:s, s:b, s:o, s:o, s:s, s:O}", "href",
                         href_of(entry), "detail",
                         json_sprintf("#sum-%s", string_of(entry, "slug")), "name",
                         json_object_get(entry, "name"), "offering", offering_of(entry), "money",
                         money, "at_least", (int)at_least, "label",
                         json_sprintf("%s%s a month", at_least ? "At least " : "", money), "width",
                         json_sprintf("%.1f", most > 0 ? 100 * total_of(entry) / most : 0), "clock",
                         clock_of(entry), "plan",
                         json_is_object(json_object_get(entry, "plan"))
                             ? json_object_get(json_object_get(entry, "plan"), "name")
                             : json_object_get(entry, "plan")));
    }
    view_set(view, "cost_rows", rows);
    view_set(view, "cost_has_rows", json_boolean(json_array_size(rows) > 0));
}

static json_t *part_rows(struct view *view, const json_t *entry) {
    json_t *rows = view_new(view, json_array());
    size_t i = 0;
    json_t *part = NULL;
    json_array_foreach(json_object_get(entry, "parts"), i, part) {
        append(view, rows,
               json_pack(
                   "{s:O, s:O, s:O, s:o}", "label", json_object_get(part, "label"), "formula",
                   json_object_get(part, "formula"), "money", json_object_get(part, "text"), "cell",
                   cell_of(view, json_object_get(part, "receipt"), string_of(entry, "name"))));
    }
    return rows;
}

/* A list of texts as a list of objects, for a section. */
static json_t *lines_of(struct view *view, const json_t *texts) {
    json_t *lines = view_new(view, json_array());
    size_t i = 0;
    json_t *text = NULL;
    json_array_foreach(texts, i, text) {
        append(view, lines, json_pack("{s:O}", "line", text));
    }
    return lines;
}

/* The other offerings in a line each. */
static json_t *others_of(struct view *view, const json_t *entry) {
    json_t *lines = view_new(view, json_array());
    size_t i = 0;
    json_t *other = NULL;
    json_array_foreach(json_object_get(entry, "others"), i, other) {
        const char *money = string_of(json_object_get(other, "total"), "text");
        bool at_least = json_is_true(json_object_get(other, "at_least"));
        const char *reason = string_of(other, "reason");
        append(view, lines,
               json_pack("{s:o}", "line",
                         json_sprintf("%s: %s%s", string_of(other, "offering_name"),
                                      money == NULL ? ""
                                      : at_least    ? "at least "
                                                    : "",
                                      money != NULL    ? money
                                      : reason != NULL ? reason
                                                       : "")));
    }
    return lines;
}

static void show_details(struct view *view, const json_t *results) {
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(results, i, entry) {
        const char *name = string_of(entry, "name");
        const char *money = string_of(json_object_get(entry, "total"), "text");
        bool at_least = json_is_true(json_object_get(entry, "at_least"));
        append(view, list,
               json_pack("{s:o, s:o, s:o, s:s, s:o, s:s, s:b, s:O, s:o, s:o, s:o, s:o, s:o, s:o}",
                         "id", json_sprintf("sum-%s", string_of(entry, "slug")), "table_id",
                         json_sprintf("t-%s", string_of(entry, "slug")), "href", href_of(entry),
                         "name", name, "offering", offering_of(entry), "money", money, "at_least",
                         (int)at_least, "formula", json_object_get(entry, "formula"), "rows",
                         part_rows(view, entry), "opens",
                         lines_of(view, json_object_get(entry, "open")), "notes",
                         lines_of(view, json_object_get(entry, "assumptions")), "others",
                         others_of(view, entry), "basis",
                         cell_of(view, json_object_get(entry, "basis"), name), "one_time",
                         cell_of(view, json_object_get(entry, "one_time"), name)));
    }
    view_set(view, "cost_details", list);
}

static void show_reasons(struct view *view, const char *name, const json_t *entries) {
    json_t *list = view_new(view, json_array());
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(entries, i, entry) {
        append(view, list,
               json_pack("{s:o, s:O, s:O, s:o, s:o}", "href", href_of(entry), "name",
                         json_object_get(entry, "name"), "reason", json_object_get(entry, "reason"),
                         "cell",
                         cell_of(view, json_object_get(entry, "fact"), string_of(entry, "name")),
                         "others", others_of(view, entry)));
    }
    view_set(view, name, list);
}

/* --- the head --- */

/* The quick answer: the smallest total that is a total, and what else is of note. */
static json_t *answer_of(const json_t *model) {
    const json_t *results = json_object_get(model, "results");
    size_t bounds = 0;
    const json_t *first = NULL;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(results, i, entry) {
        bool at_least = json_is_true(json_object_get(entry, "at_least"));
        bounds += at_least ? 1u : 0u;
        first = first == NULL && !at_least ? entry : first;
    }
    if (first == NULL) {
        return json_null();
    }
    return json_pack("{s:o, s:O, s:O, s:i, s:i, s:i}", "href", href_of(first), "name",
                     json_object_get(first, "name"), "money",
                     json_object_get(json_object_get(first, "total"), "text"), "count",
                     (int)json_array_size(results), "bounds", (int)bounds, "unpublished",
                     (int)json_array_size(json_object_get(model, "no_published_rate")));
}

static json_t *query_of(const struct cost_question *question) {
    struct buf query;
    buf_init(&query, LIMIT_TARGET_BYTES);
    cost_question_add_canonical(question, &query);
    json_t *result = query.failed ? NULL
                                  : json_sprintf("%s%s", query.length > 0 ? "&" : "",
                                                 query.length > 0 ? query.data : "");
    buf_free(&query);
    return result;
}

static void show_links(struct view *view, const struct cost_question *question) {
    json_t *query = view_new(view, query_of(question));
    const char *text = query == NULL ? "" : json_string_value(query);
    view_set(view, "cost_json_href", json_sprintf("/cost?format=json%s", text));
    view_set(view, "cost_csv_href", json_sprintf("/cost?format=csv%s", text));
    view_set(
        view, "cost_short_href",
        json_sprintf("/pricing/%s%s", text[0] == '\0' ? "" : "?", text[0] == '\0' ? "" : text + 1));
    json_decref(query);
}

/* Whether the catalogue has what the page says more by: a term, a guide and the compared rates. */
static bool has_terms(const struct call *call) {
    static const char *const rates[] = {"price_vcpu_hour_usd", "price_memory_gib_hour_usd",
                                        "price_storage_gib_month_usd", "billing_model"};
    struct error ignored;
    json_t *term =
        CATALOGUE_ROW(call->catalogue, STATEMENT_TERM, &ignored, BIND_TEXT("pause-resume"));
    json_t *guide = CATALOGUE_ROW(call->catalogue, STATEMENT_GUIDE, &ignored,
                                  BIND_TEXT("agent-sandbox-pricing"));
    bool has = json_is_object(term) && json_is_object(guide);
    for (size_t i = 0; i < ARRAY_LENGTH(rates); i++) {
        has = has && index_attribute(generation_index(catalogue_generation(call->catalogue)),
                                     rates[i]) != NULL;
    }
    json_decref(term);
    json_decref(guide);
    return has;
}

bool cost_show(const struct call *call, const struct cost_question *question, struct reply *reply,
               struct error *error) {
    json_t *gpus = catalogue_rows(call->catalogue, STATEMENT_COST_GPUS, NULL, 0, error);
    if (gpus == NULL) {
        return false;
    }
    const json_t *model = reply->model;
    struct view view;
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(&view, call, "/pricing/", words_fill(call, "What a month of {nouns} costs", title),
               words_fill(call,
                          "Work out what your use of {a_noun} would cost at each provider, from "
                          "cited rates, with plan fees, free allowances and the arithmetic.",
                          about));
    view_set(&view, "page_heading", json_string("Pricing"));
    view_set(&view, "page_class", json_string("page-side page-wide-side"));
    show_form(&view, question, gpus);
    show_presets(&view, model);
    view_set(&view, "cost_answer", answer_of(model));
    show_links(&view, question);
    view_set(&view, "cost_has_terms", json_boolean(has_terms(call)));
    show_table(&view, json_object_get(model, "results"));
    show_details(&view, json_object_get(model, "results"));
    show_reasons(&view, "cost_free", json_object_get(model, "free_software"));
    show_reasons(&view, "cost_too_small", json_object_get(model, "does_not_fit"));
    show_reasons(&view, "cost_unpublished", json_object_get(model, "no_published_rate"));
    show_reasons(&view, "cost_ended", json_object_get(model, "not_on_sale"));
    view_linked_data(
        &view,
        view_new(&view, json_pack("{s:s, s:s, s:O, s:O, s:O}", "@type", "WebPage", "name", title,
                                  "url", json_object_get(view.page, "page_canonical"),
                                  "description", json_object_get(view.page, "page_description"),
                                  "dateModified", json_object_get(model, "last_reviewed"))));
    json_decref(gpus);
    return view_finish(&view, reply, error);
}
