#include "view.h"
#include "buf.h"
#include "limit.h"
#include "route.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

json_t *view_new(struct view *view, json_t *value) {
    if (value == NULL) {
        view->failed = true;
    }
    return value;
}

void view_set(struct view *view, const char *name, json_t *value) {
    if (json_object_set_new(view->page, name, value) != 0) {
        view->failed = true;
    }
}

/* The main navigation; the entry whose address the page's starts with is the current one. */
static json_t *navigation(const struct call *call, const char *path) {
    static const struct {
        const char *href;
        const char *label;
        const char *section; /* as in route.h */
    } entries[] = {
        {"/sandboxes/", "{Nouns}", NULL},   {"/compare/", "Compare", NULL},
        {"/best/", "Best for", "rankings"}, {"/pricing/", "Pricing", "pricing"},
        {"/guides/", "Guides", "guides"},   {"/glossary/", "Glossary", "glossary"},
        {"/changes/", "Changes", NULL},     {"/data/", "Data", NULL},
    };
    const struct generation *generation = catalogue_generation(call->catalogue);
    json_t *list = json_array();
    for (size_t i = 0; i < ARRAY_LENGTH(entries); i++) {
        char label[WORDS_BYTES];
        if (entries[i].section != NULL && !generation_has(generation, entries[i].section)) {
            continue;
        }
        json_t *entry = json_pack("{s:s, s:s, s:b}", "href", entries[i].href, "label",
                                  words_fill(call, entries[i].label, label), "current",
                                  (int)text_starts(path, entries[i].href));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The address of the page's twin in Markdown, or null. */
static json_t *twin_of(const struct call *call, const char *path) {
    if (call->route == NULL || !call->route->has_twin) {
        return json_null();
    }
    struct buf twin;
    buf_init(&twin, LIMIT_TARGET_BYTES);
    /* The address of a page may end in a question; its twin's is made with the one of the call. */
    char *bare = strndup(path, strcspn(path, "?"));
    if (bare == NULL) {
        buf_free(&twin);
        return NULL;
    }
    route_add_twin(bare, &twin);
    free(bare);
    buf_add_format(&twin, "%s%s", call->query[0] == '\0' ? "" : "?", call->query);
    json_t *result = twin.failed ? NULL : json_stringn(twin.data, twin.length);
    buf_free(&twin);
    return result;
}

/* The drawn images show the title and the colours of the catalogue that says it has them. */
static bool has_share_images(const struct call *call) {
    const struct look *look = &call->site->look;
    return look->name == NULL && look->logo == NULL && !look->has_colours &&
           generation_setting(catalogue_generation(call->catalogue), "share_images") != NULL;
}

/* The address of the image of a page, or of the nearest page above it that has one; null without.
 */
static json_t *share_image(const struct call *call, const char *path) {
    if (!has_share_images(call)) {
        return json_null();
    }
    char name[LIMIT_TARGET_BYTES];
    size_t length = strlen(path);
    if (length >= sizeof(name) - sizeof("/share.png")) {
        return json_null();
    }
    for (;;) {
        while (length > 0 && path[length - 1] == '/') {
            length--;
        }
        (void)snprintf(name, sizeof(name), "/share%.*s.png", (int)length, path);
        if (length == 0) {
            (void)snprintf(name, sizeof(name), "/share/home.png");
        }
        const struct asset *asset = site_asset(call->site, name);
        if (asset != NULL) {
            return json_sprintf("%s%s", call->site->public_url, asset->path);
        }
        if (length == 0) {
            return json_null();
        }
        while (length > 0 && path[length - 1] != '/') {
            length--;
        }
    }
}

/* A text that was put together in room that may have been too small: without what is left of a
 * character that was cut. */
static json_t *whole_characters(const char *text) {
    enum { LONGEST = 4 };
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    while (*text != '\0') {
        size_t length = 1;
        size_t most = strnlen(text, LONGEST);
        while (length < most && !text_is_utf8(text, length)) {
            length++;
        }
        if (text_is_utf8(text, length)) {
            buf_add(&out, text, length);
            text += length;
        } else {
            text++;
        }
    }
    json_t *result = out.failed ? NULL : json_stringn(out.data == NULL ? "" : out.data, out.length);
    buf_free(&out);
    return result;
}

void view_start(struct view *view, const struct call *call, const char *path, const char *title,
                const char *description) {
    *view = (struct view){
        .call = call, .page = json_object(), .numbers = json_object(), .sources = json_array()};
    view->linked_data = json_array();
    view->failed = view->page == NULL || view->numbers == NULL || view->sources == NULL ||
                   view->linked_data == NULL;
    view_set(view, "page_path", json_string(path));
    view_set(view, "page_title", whole_characters(title));
    view_set(view, "page_description", whole_characters(description));
    view_set(view, "page_class", json_null());
    view_set(view, "page_canonical", json_sprintf("%s%s", call->site->public_url, path));
    view_set(view, "page_image", share_image(call, path));
    view_set(view, "page_twin", twin_of(call, path));
    view_set(view, "page_takes_question",
             json_boolean(call->route != NULL && call->route->canonical != NULL));
    view_set(view, "page_question", json_string(call->query));
    view_set(view, "page_nav", navigation(call, path));
    view_set(view, "page_crumbs", json_array());
    view_set(view, "page_alternates", json_array());
}

void view_alternate(struct view *view, const char *type, const char *title, json_t *address) {
    json_t *link = json_pack("{s:s, s:s, s:o}", "type", type, "title", title, "href", address);
    if (json_array_append_new(json_object_get(view->page, "page_alternates"), link) != 0) {
        view->failed = true;
    }
}

void view_crumb(struct view *view, const char *label, const char *href) {
    json_t *crumb = json_pack("{s:s, s:s}", "label", label, "href", href);
    if (json_array_append_new(json_object_get(view->page, "page_crumbs"), crumb) != 0) {
        view->failed = true;
    }
}

void view_linked_data(struct view *view, json_t *object) {
    if (json_array_append_new(view->linked_data, object) != 0) {
        view->failed = true;
    }
}

/* --- dates and sources --- */

static json_t *age_of(const struct view *view, const char *iso_date) {
    int64_t day = 0;
    if (!text_day(iso_date, &day)) {
        return json_null();
    }
    enum { DAYS_AS_DAYS = 60, DAYS_PER_MONTH = 30 };
    int64_t age = generation_today(catalogue_generation(view->call->catalogue)) - day;
    if (age <= 0) {
        return json_string(age == 0 ? "today" : "ahead");
    }
    if (age <= DAYS_AS_DAYS) {
        return json_sprintf("%lld day%s ago", (long long)age, age == 1 ? "" : "s");
    }
    return json_sprintf("%lld months ago", (long long)(age / DAYS_PER_MONTH));
}

json_t *view_date(struct view *view, const char *iso_date) {
    char text[TEXT_DATE_BYTES];
    if (iso_date == NULL) {
        return json_null();
    }
    if (!text_human_date(view->call->site->look.language, iso_date, text)) {
        view->failed = true;
        return NULL;
    }
    return view_new(view, json_pack("{s:s, s:s, s:o}", "iso", iso_date, "text", text, "age",
                                    age_of(view, iso_date)));
}

json_t *view_words(struct view *view, const json_t *text) {
    if (!json_is_string(text)) {
        return json_null();
    }
    struct buf words;
    buf_init(&words, LIMIT_ANSWER_BYTES);
    text_add_with_dates(&words, view->call->site->look.language, json_string_value(text));
    json_t *result =
        words.failed ? NULL : json_stringn(words.data == NULL ? "" : words.data, words.length);
    buf_free(&words);
    return view_new(view, result);
}

size_t view_source(struct view *view, const json_t *source) {
    const char *id = string_of(source, "id");
    if (id == NULL || view->failed) {
        return 0;
    }
    const json_t *known = json_object_get(view->numbers, id);
    if (known != NULL) {
        return (size_t)json_integer_value(known);
    }
    size_t number = json_array_size(view->sources) + 1;
    json_t *entry = json_pack(
        "{s:I, s:s, s:O, s:O, s:O, s:O, s:o, s:o}", "number", (json_int_t)number, "id", id, "url",
        json_object_get(source, "url"), "title", json_object_get(source, "title"), "publisher",
        json_object_get(source, "publisher"), "kind", json_object_get(source, "kind"), "accessed",
        view_date(view, string_of(source, "accessed_on")), "copy",
        view_date(view, string_of(source, "copy_date")));
    if (json_array_append_new(view->sources, entry) != 0 ||
        json_object_set_new(view->numbers, id, json_integer((json_int_t)number)) != 0) {
        view->failed = true;
        return 0;
    }
    return number;
}

/* --- value cells --- */

/* The class that says how a value looks: never by colour alone, site.css gives each a mark. */
static const char *class_of(const json_t *fact) {
    const char *state = string_of(fact, "state");
    const json_t *value = json_object_get(fact, "value");
    const char *word = json_string_value(value);
    if (state == NULL || strcmp(state, "not_documented") == 0) {
        return "v v-nd";
    }
    if (strcmp(state, "not_applicable") == 0) {
        return "v v-na";
    }
    if (json_is_true(value) || (word != NULL && strcmp(word, "yes") == 0)) {
        return "v v-yes";
    }
    if (json_is_false(value) ||
        (word != NULL && (strcmp(word, "no") == 0 || strcmp(word, "none") == 0)) ||
        (json_is_array(value) && json_array_size(value) == 0)) {
        return "v v-no";
    }
    return word != NULL && strcmp(word, "partial") == 0 ? "v v-part" : "v";
}

json_t *view_capitalised(const char *text) {
    char *copy = strdup(text);
    if (copy == NULL) {
        return NULL;
    }
    /* Names such as microVM and gVisor have a capital of their own: they stay as they are. */
    size_t word = strcspn(copy, " ,");
    bool has_capital = false;
    for (size_t i = 1; i < word; i++) {
        has_capital = has_capital || isupper((unsigned char)copy[i]) != 0;
    }
    if (!has_capital && islower((unsigned char)copy[0]) != 0) {
        copy[0] = (char)toupper((unsigned char)copy[0]);
    }
    json_t *result = json_string(copy);
    free(copy);
    return result;
}

const char *view_basis_label(const char *basis) {
    static const struct {
        const char *basis;
        const char *label;
    } labels[] = {{"vendor-stated", "Stated by the vendor"},
                  {"vendor-claim", "Claimed by the vendor"},
                  {"repo", "Seen in the vendor's repository"},
                  {"third-party", "Reported by a third party"},
                  {"inferred", "Follows from other statements"},
                  {"private", "Private: from an overlay of this server"}};
    for (size_t i = 0; basis != NULL && i < ARRAY_LENGTH(labels); i++) {
        if (strcmp(basis, labels[i].basis) == 0) {
            return labels[i].label;
        }
    }
    return NULL;
}

static json_t *receipt_of(struct view *view, const struct index_attribute *attribute,
                          const json_t *fact, const char *subject) {
    const json_t *source = json_object_get(fact, "source");
    size_t number = subject == NULL ? 0 : view_source(view, source);
    if (number == 0) {
        return json_null();
    }
    view->receipts++;
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:s?, s:O, s:O, s:o, s:o, s:O, s:o}", "number",
                     (json_int_t)number, "popover", json_sprintf("r-%zu", view->receipts), "title",
                     json_sprintf("%s: %s", subject, attribute->label), "detail",
                     view_words(view, json_object_get(fact, "detail")), "note",
                     view_words(view, json_object_get(fact, "note")), "basis",
                     view_basis_label(string_of(fact, "basis")), "source_title",
                     json_object_get(source, "title"), "source_url", json_object_get(source, "url"),
                     "checked", view_date(view, string_of(fact, "checked_on")), "review_by",
                     view_date(view, string_of(fact, "review_by")), "stale",
                     json_object_get(fact, "stale"), "correction",
                     json_sprintf("/corrections/?fact=%s", string_of(fact, "id")));
}

/* A cell with these last three keys, which are taken over. */
static json_t *cell_with(struct view *view, const struct index_attribute *attribute,
                         const json_t *fact, json_t *href, json_t *mark, json_t *receipt) {
    const char *text = string_of(fact, "text");
    const json_t *stale = json_object_get(fact, "stale");
    return view_new(
        view, json_pack("{s:s, s:o, s:s, s:b, s:b, s:o, s:o, s:o}", "class", class_of(fact), "text",
                        view_capitalised(text == NULL ? "not documented" : text), "label",
                        attribute->label, "numeric", (int)attribute_is_numeric(attribute), "stale",
                        (int)json_is_true(stale), "href", href, "mark", mark, "receipt", receipt));
}

json_t *view_cell(struct view *view, const struct index_attribute *attribute, const json_t *fact,
                  const char *subject) {
    return cell_with(view, attribute, fact, json_null(), json_null(),
                     receipt_of(view, attribute, fact, subject));
}

json_t *view_fact_address(const json_t *fact) {
    const char *id = string_of(fact, "id");
    size_t provider = strcspn(id, "/:");
    if (id[provider] != '/') {
        return json_sprintf("/sandboxes/%.*s/#%s", (int)provider, id, string_of(fact, "attribute"));
    }
    const char *offering = id + provider + 1;
    return json_sprintf("/sandboxes/%.*s/#%.*s-%s", (int)provider, id, (int)strcspn(offering, ":"),
                        offering, string_of(fact, "attribute"));
}

json_t *view_cell_linked(struct view *view, const struct index_attribute *attribute,
                         const json_t *fact) {
    size_t number = view_source(view, json_object_get(fact, "source"));
    return number == 0 ? cell_with(view, attribute, fact, json_null(), json_null(), json_null())
                       : cell_with(view, attribute, fact, view_fact_address(fact),
                                   json_integer((json_int_t)number), json_null());
}

/* --- the end of a page --- */

/* Breadcrumbs as schema.org sees them: only pages below the home page have them. */
static json_t *breadcrumb_list(const struct view *view) {
    const char *url = view->call->site->public_url;
    json_t *items = json_array();
    json_t *crumbs = json_object_get(view->page, "page_crumbs");
    bool good = json_array_append_new(items, json_pack("{s:s, s:i, s:s, s:o}", "@type", "ListItem",
                                                       "position", 1, "name", "Home", "item",
                                                       json_sprintf("%s/", url))) == 0;
    size_t i = 0;
    json_t *crumb = NULL;
    json_array_foreach(crumbs, i, crumb) {
        good = good &&
               json_array_append_new(
                   items, json_pack("{s:s, s:i, s:O, s:o}", "@type", "ListItem", "position",
                                    (int)i + 2, "name", json_object_get(crumb, "label"), "item",
                                    json_sprintf("%s%s", url, string_of(crumb, "href")))) == 0;
    }
    good = good && json_array_append_new(
                       items, json_pack("{s:s, s:i, s:O, s:O}", "@type", "ListItem", "position",
                                        (int)json_array_size(crumbs) + 2, "name",
                                        json_object_get(view->page, "page_heading"), "item",
                                        json_object_get(view->page, "page_canonical"))) == 0;
    if (!good) {
        json_decref(items);
        return NULL;
    }
    return json_pack("{s:s, s:o}", "@type", "BreadcrumbList", "itemListElement", items);
}

/* The JSON-LD text, in which < > and & are escaped so that it can stand in a script element. */
static json_t *linked_data_text(const struct view *view) {
    json_t *graph =
        json_pack("{s:s, s:O}", "@context", "https://schema.org", "@graph", view->linked_data);
    char *plain = graph == NULL ? NULL : json_dumps(graph, JSON_COMPACT);
    json_decref(graph);
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    for (const char *at = plain; at != NULL && *at != '\0'; at++) {
        if (*at == '<' || *at == '>' || *at == '&') {
            buf_add_format(&text, "\\u%04X", (unsigned)(unsigned char)*at);
        } else {
            buf_add_char(&text, *at);
        }
    }
    free(plain);
    json_t *result =
        text.failed ? NULL : json_stringn(text.data == NULL ? "" : text.data, text.length);
    buf_free(&text);
    return result;
}

static void finish_names(struct view *view) {
    if (json_object_get(view->page, "page_heading") == NULL) {
        view_set(view, "page_heading", json_incref(json_object_get(view->page, "page_title")));
    }
    bool is_home = strcmp(string_of(view->page, "page_path"), "/") == 0;
    if (!is_home) {
        view_linked_data(view, breadcrumb_list(view));
    }
    view_set(view, "page_is_home", json_boolean(is_home));
    size_t source_count = json_array_size(view->sources);
    view_set(view, "page_has_sources", json_boolean(source_count > 0));
    view_set(view, "page_sources_count", json_integer((json_int_t)source_count));
    view_set(view, "page_sources_one", json_boolean(source_count == 1));
    view_set(view, "page_sources", json_incref(view->sources));
    view_set(view, "page_linked_json", linked_data_text(view));
}

json_t *view_count(struct view *view, const json_t *count) {
    enum { TEXT_BYTES = 64 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    text_add_number_grouped(&text, json_number_value(count));
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return view_new(view, result);
}

json_t *view_counts(struct view *view, const json_t *counts) {
    json_t *texts = view_new(view, json_object());
    const char *name = NULL;
    json_t *count = NULL;
    json_object_foreach((json_t *)counts, name, count) {
        if (json_object_set_new(texts, name, view_count(view, count)) != 0) {
            view->failed = true;
        }
    }
    return texts;
}

bool view_finish(struct view *view, struct reply *reply, struct error *error) {
    enum { FIRST_FAULT = 400 };
    if (!view->failed && reply->status >= FIRST_FAULT) {
        view_set(view, "page_takes_question", json_false()); /* it was read, and refused */
    }
    if (!view->failed) {
        finish_names(view);
    }
    bool good = !view->failed;
    if (good) {
        json_decref(reply->page);
        reply->page = json_incref(view->page);
    }
    json_decref(view->page);
    json_decref(view->numbers);
    json_decref(view->sources);
    json_decref(view->linked_data);
    *view = (struct view){.failed = true};
    return good || error_no_memory(error);
}
