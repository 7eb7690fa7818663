/* /sources/: every source, how it was read, and what rests on it. */
#include "buf.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "site.h"
#include "source_uses.h"
#include "text.h"
#include "view.h"
#include <stdio.h>
#include <string.h>

enum { PAGE_SOURCES = 100, PAGES_MAX = 100000 };

static const struct {
    const char *kind;
    const char *label;
} kinds[] = {{"docs", "Documentation"},         {"repo", "Source repository"},
             {"pricing", "Price list"},         {"changelog", "Change log"},
             {"blog", "Vendor's blog"},         {"third-party", "Third party"},
             {"advisory", "Security advisory"}, {"spec", "Specification"},
             {"paper", "Research paper"}};

static const struct {
    const char *state;
    const char *words;
} states[] = {{"verified", "found again"},
              {"unchecked", "not yet looked for again"},
              {"no-passage", "without a fingerprint to look for"},
              {"changed", "no longer with the passage that was read"},
              {"redirected", "moved"},
              {"blocked", "refused to our check"},
              {"gone", "gone"},
              {"unreachable", "not reached"}};

struct wanted {
    const char *provider; /* slug; NULL: any */
    const char *kind;     /* NULL: any */
    long long page;       /* from 1 */
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const char *kind_label(const char *kind) {
    for (size_t i = 0; kind != NULL && i < ARRAY_LENGTH(kinds); i++) {
        if (strcmp(kinds[i].kind, kind) == 0) {
            return kinds[i].label;
        }
    }
    return NULL;
}

static bool refuse_kind(struct reply *reply, const char *kind, struct error *error) {
    json_t *allowed = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        if (json_array_append_new(allowed, json_string(kinds[i].kind)) != 0) {
            json_decref(allowed);
            return error_no_memory(error);
        }
    }
    return parameter_refuse(reply, "kind", kind, "There is no kind of source of that name.",
                            allowed, error);
}

/* Reads the parameters; on a bad one reply is a problem and *out_refused is set. */
static bool read_wanted(const struct call *call, struct wanted *out, struct reply *reply,
                        bool *out_refused, struct error *error) {
    *out = (struct wanted){.page = 1};
    if (!parameter_provider(call, &out->provider, reply, out_refused, error) || *out_refused) {
        return *out_refused;
    }
    out->kind = parameter_text(call, "kind");
    if (out->kind != NULL && kind_label(out->kind) == NULL) {
        *out_refused = true;
        return refuse_kind(reply, out->kind, error);
    }
    const char *page = parameter_text(call, "page");
    if (page != NULL && !text_integer(page, 1, PAGES_MAX, &out->page)) {
        *out_refused = true;
        return parameter_refuse(reply, "page", page, "A page is a whole number from 1.", NULL,
                                error);
    }
    return true;
}

/* The query of a page; page 1 is left out. */
static void add_query(struct buf *out, const struct wanted *wanted, long long page) {
    size_t start = out->length;
    char number[24];
    (void)snprintf(number, sizeof(number), "%lld", page);
    parameter_add(out, start, "provider", wanted->provider);
    parameter_add(out, start, "kind", wanted->kind);
    parameter_add(out, start, "page", page == 1 ? NULL : number);
}

bool canonical_sources(const struct call *call, struct buf *out, struct reply *reply,
                       bool *out_refused, struct error *error) {
    struct wanted wanted;
    if (!read_wanted(call, &wanted, reply, out_refused, error)) {
        return false;
    }
    if (!*out_refused) {
        add_query(out, &wanted, wanted.page);
    }
    return true;
}

/* The address of a page of sources. New reference. */
static json_t *address_of(const struct wanted *wanted, long long page) {
    struct buf path;
    buf_init(&path, LIMIT_TARGET_BYTES);
    buf_add_text(&path, "/sources/");
    struct buf query;
    buf_init(&query, LIMIT_TARGET_BYTES);
    add_query(&query, wanted, page);
    if (query.length > 0) {
        buf_add_format(&path, "?%s", query.data);
    }
    json_t *address = path.failed || query.failed ? NULL : json_stringn(path.data, path.length);
    buf_free(&query);
    buf_free(&path);
    return address;
}

static bool is_wanted(const struct wanted *wanted, const json_t *source, const json_t *uses) {
    if (wanted->kind != NULL && strcmp(wanted->kind, string_of(source, "kind")) != 0) {
        return false;
    }
    size_t i = 0;
    json_t *group = NULL;
    json_array_foreach(uses, i, group) {
        const char *provider = string_of(group, "provider");
        if (wanted->provider != NULL && provider != NULL &&
            strcmp(provider, wanted->provider) == 0) {
            return true;
        }
    }
    return wanted->provider == NULL;
}

/* Counts a source by its state, and lists it where its last check failed or where it has none. */
static bool add_state(json_t *model, const json_t *source) {
    json_t *counts = json_object_get(model, "states");
    const char *state = string_of(source, "state");
    json_int_t count = json_integer_value(json_object_get(counts, state)) + 1;
    json_t *failed = json_pack(
        "{s:O, s:O, s:O, s:O, s:O}", "id", json_object_get(source, "id"), "title",
        json_object_get(source, "title"), "state", json_object_get(source, "state"), "failed_on",
        json_object_get(source, "failed_on"), "failure", json_object_get(source, "failure"));
    json_t *exempt = json_pack("{s:O, s:O, s:O, s:O}", "id", json_object_get(source, "id"), "title",
                               json_object_get(source, "title"), "exempt_until",
                               json_object_get(source, "exempt_until"), "exemption",
                               json_object_get(source, "exemption"));
    bool good = failed != NULL && exempt != NULL &&
                json_object_set_new(counts, state, json_integer(count)) == 0 &&
                (string_of(source, "failed_on") == NULL ||
                 json_array_append(json_object_get(model, "failed"), failed) == 0) &&
                (string_of(source, "exempt_until") == NULL ||
                 json_array_append(json_object_get(model, "exempt"), exempt) == 0);
    json_decref(failed);
    json_decref(exempt);
    return good;
}

/* Fills the public model with the sources of one page of those that are wanted. */
static bool fill_model(const struct call *call, const struct wanted *wanted, json_t *model,
                       struct error *error) {
    struct catalogue *catalogue = call->catalogue;
    json_t *sources = catalogue_rows(catalogue, STATEMENT_SOURCES, NULL, 0, error);
    json_t *uses =
        sources == NULL ? NULL : source_uses(catalogue, call->site->look.language, error);
    json_t *listed = uses == NULL ? NULL : json_array();
    bool good = listed != NULL && json_object_set_new(model, "states", json_object()) == 0 &&
                json_object_set_new(model, "failed", json_array()) == 0 &&
                json_object_set_new(model, "exempt", json_array()) == 0;
    long long matches = 0;
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(sources, i, source) {
        json_t *own = json_object_get(uses, string_of(source, "id"));
        if (!good || !is_wanted(wanted, source, own)) {
            continue;
        }
        good = add_state(model, source);
        long long page = matches++ / PAGE_SOURCES + 1;
        if (good && page == wanted->page) {
            good = json_object_set_new(source, "uses",
                                       own == NULL ? json_array() : json_incref(own)) == 0 &&
                   json_array_append(listed, source) == 0;
        }
    }
    long long pages = matches == 0 ? 1 : (matches - 1) / PAGE_SOURCES + 1;
    good = good && json_object_set_new(model, "total", json_integer(matches)) == 0 &&
           json_object_set_new(model, "page", json_integer(wanted->page)) == 0 &&
           json_object_set_new(model, "pages", json_integer(pages)) == 0 &&
           json_object_set(model, "sources", listed) == 0;
    json_decref(sources);
    json_decref(uses);
    json_decref(listed);
    return good || (error->kind != ERROR_NONE ? false : error_no_memory(error));
}

/* --- the page --- */

static json_t *kind_options(const struct wanted *wanted) {
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
        bool chosen = wanted->kind != NULL && strcmp(wanted->kind, kinds[i].kind) == 0;
        json_t *option = json_pack("{s:s, s:s, s:b}", "value", kinds[i].kind, "label",
                                   kinds[i].label, "chosen", (int)chosen);
        if (json_array_append_new(list, option) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *pager(const struct wanted *wanted, long long pages) {
    json_t *list = json_array();
    for (long long page = 1; pages > 1 && page <= pages; page++) {
        json_t *entry = json_pack("{s:I, s:o, s:b}", "number", (json_int_t)page, "href",
                                  address_of(wanted, page), "current", page == wanted->page);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static const char *state_words(const char *state) {
    for (size_t i = 0; state != NULL && i < ARRAY_LENGTH(states); i++) {
        if (strcmp(states[i].state, state) == 0) {
            return states[i].words;
        }
    }
    return "";
}

/* "12 found again", for each state that any source is in. */
static json_t *state_lines(const json_t *counts) {
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(states); i++) {
        const json_t *count = json_object_get(counts, states[i].state);
        if (count != NULL &&
            json_array_append_new(
                list, json_pack("{s:O, s:s}", "count", count, "words", states[i].words)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Failed and exempt sources, with the day in words and, of failed ones, the state. */
static json_t *dated(struct view *view, const json_t *sources, const char *day, const char *why) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(sources, i, source) {
        json_t *entry = json_pack(
            "{s:O, s:O, s:s, s:o, s:O}", "source", json_object_get(source, "id"), "title",
            json_object_get(source, "title"), "words", state_words(string_of(source, "state")),
            "day", view_date(view, string_of(source, day)), "why", json_object_get(source, why));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *entries(struct view *view, const json_t *sources, long long first) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *source = NULL;
    json_array_foreach(sources, i, source) {
        json_t *uses = json_object_get(source, "uses");
        size_t count = 0;
        size_t j = 0;
        json_t *group = NULL;
        json_array_foreach(uses, j, group) {
            count += json_array_size(json_object_get(group, "items"));
        }
        json_t *words = json_object_get(source, "quote_words");
        json_t *entry = json_pack(
            "{s:I, s:O, s:O, s:O, s:O, s:s?, s:o, s:o, s:o, s:O, s:O, s:O, s:o, s:b, s:b}",
            "number", (json_int_t)(first + (long long)i), "id", json_object_get(source, "id"),
            "url", json_object_get(source, "url"), "title", json_object_get(source, "title"),
            "publisher", json_object_get(source, "publisher"), "kind",
            kind_label(string_of(source, "kind")), "read",
            view_date(view, string_of(source, "accessed_on")), "copy",
            view_date(view, string_of(source, "copy_date")), "found",
            view_date(view, string_of(source, "verified_on")), "via",
            json_object_get(source, "via"), "words", words, "uses", uses, "use_count",
            count == 0 ? json_null() : json_integer((json_int_t)count), "one_use", count == 1,
            "failed", string_of(source, "failed_on") != NULL);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A title that no other page has: what is chosen, and the page where it is not the first. */
static json_t *title_of(const struct call *call, const struct wanted *wanted) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const struct index_provider *provider =
        wanted->provider == NULL ? NULL : index_provider(index, wanted->provider);
    buf_add_text(&text, "Sources");
    if (provider != NULL) {
        buf_add_format(&text, " on %s", provider->name);
    }
    if (wanted->kind != NULL) {
        buf_add_format(&text, ": %s", kind_label(wanted->kind));
    }
    if (wanted->page > 1) {
        buf_add_format(&text, ", page %lld", wanted->page);
    }
    json_t *title = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return title;
}

static bool fill_page(const struct call *call, const struct wanted *wanted, struct reply *reply,
                      struct error *error) {
    const json_t *model = reply->model;
    long long pages = json_integer_value(json_object_get(model, "pages"));
    json_t *path = address_of(wanted, wanted->page);
    json_t *title = title_of(call, wanted);
    json_t *description =
        json_sprintf("%s: title, publisher, the day on which each was read, the state of its "
                     "fingerprint, and every fact that rests on it.",
                     title == NULL ? "" : json_string_value(title));
    if (path == NULL || title == NULL || description == NULL) {
        json_decref(path);
        json_decref(title);
        json_decref(description);
        return error_no_memory(error);
    }
    struct view view;
    view_start(&view, call, json_string_value(path), json_string_value(title),
               json_string_value(description));
    json_decref(path);
    json_decref(title);
    json_decref(description);
    view_set(
        &view, "source_entries",
        entries(&view, json_object_get(model, "sources"), (wanted->page - 1) * PAGE_SOURCES + 1));
    view_set(&view, "source_states", state_lines(json_object_get(model, "states")));
    view_set(&view, "source_failed",
             dated(&view, json_object_get(model, "failed"), "failed_on", "failure"));
    view_set(&view, "source_exempt",
             dated(&view, json_object_get(model, "exempt"), "exempt_until", "exemption"));
    view_set(&view, "source_has_states",
             json_boolean(json_object_size(json_object_get(model, "states")) > 0));
    view_set(&view, "source_has_complaints",
             json_boolean(json_array_size(json_object_get(model, "failed")) +
                              json_array_size(json_object_get(model, "exempt")) >
                          0));
    view_set(&view, "source_kinds", kind_options(wanted));
    view_set(&view, "source_providers", parameter_provider_options(call, wanted->provider));
    view_set(&view, "source_pager", pager(wanted, pages));
    view_set(&view, "source_has_pages", json_boolean(pages > 1));
    view_set(&view, "source_filtered",
             json_boolean(wanted->provider != NULL || wanted->kind != NULL));
    return view_finish(&view, reply, error);
}

bool handle_sources(const struct call *call, struct reply *reply, struct error *error) {
    struct wanted wanted;
    bool refused = false;
    if (!read_wanted(call, &wanted, reply, &refused, error) || refused) {
        return refused;
    }
    error->kind = ERROR_NONE;
    reply->model = json_object();
    if (reply->model == NULL || !fill_model(call, &wanted, reply->model, error)) {
        return reply->model == NULL ? error_no_memory(error) : false;
    }
    long long pages = json_integer_value(json_object_get(reply->model, "pages"));
    if (wanted.page > pages) {
        return parameter_refuse(reply, "page", "", "There are not so many pages of sources.", NULL,
                                error);
    }
    return !call_wants_page(call) || fill_page(call, &wanted, reply, error);
}
