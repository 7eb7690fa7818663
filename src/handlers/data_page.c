/* /data/: how to get the data and how to cite it. The list of addresses is the route table's own.
 */
#include "folder.h"
#include "handlers.h"
#include "route.h"
#include "site.h"
#include "text.h"
#include "view.h"
#include "words.h"
#include <string.h>

/* What a file is called that the route table knows as text only. */
static const char *text_name(const char *pattern) {
    return text_ends(pattern, ".sqlite") ? "SQLite"
           : text_ends(pattern, ".ics")  ? "iCalendar"
                                         : "plain text";
}

/* The forms of a route other than HTML, as names in one text; NULL where it has none. */
static json_t *forms_of(const struct route *route) {
    struct buf text;
    enum { FORMS_BYTES = 256 };
    buf_init(&text, FORMS_BYTES);
    const struct {
        enum media media;
        const char *name;
    } forms[] = {{MEDIA_JSON, "JSON"}, {MEDIA_CSV, "CSV"}, {MEDIA_MARKDOWN, "Markdown"},
                 {MEDIA_ATOM, "Atom"}, {MEDIA_SVG, "SVG"}, {MEDIA_TEXT, text_name(route->pattern)},
                 {MEDIA_XML, "XML"}};
    for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
        if ((route->media & MEDIA_BIT(forms[i].media)) != 0) {
            buf_add_format(&text, "%s%s", text.length == 0 ? "" : ", ", forms[i].name);
        }
    }
    json_t *result = text.failed || text.length == 0 ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

/* Whether a route is data: not a page only, not a matter of running the service, not the style of a
 * page. */
static bool is_data(const struct route *route) {
    return (route->media & ~MEDIA_BIT(MEDIA_HTML)) != 0 && route->cache == CACHE_CATALOGUE &&
           route->pattern[1] != '{' && (route->methods & METHOD_GET) != 0;
}

/* [{pattern, link (where the pattern names one address), address (that answers), forms, summary}]
 * of everything that has another form than HTML. */
static json_t *files(const struct call *call) {
    json_t *list = json_array();
    for (size_t i = 0; i < route_count; i++) {
        const struct route *route = &route_table[i];
        if (!is_data(route) || !route_has_data(route, catalogue_generation(call->catalogue))) {
            continue;
        }
        bool is_one = strchr(route->pattern, '{') == NULL;
        char summary[WORDS_BYTES];
        char example[WORDS_BYTES];
        json_t *file = json_pack(
            "{s:o, s:b, s:s, s:o, s:s, s:b}", "pattern", folder_text(call, route->pattern), "link",
            (int)is_one, "address",
            route->example == NULL ? route->pattern : words_fill(call, route->example, example),
            "forms", forms_of(route), "summary", words_fill(call, route->summary, summary),
            "also_page", (route->media & MEDIA_BIT(MEDIA_HTML)) != 0);
        if (json_array_append_new(list, file) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *setting(const struct call *call, const char *key) {
    const char *value = generation_setting(catalogue_generation(call->catalogue), key);
    return value == NULL ? json_null() : json_string(value);
}

/* The catalogue as schema.org's Dataset. */
static json_t *dataset(const struct call *call) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const char *url = call->site->public_url;
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:s, s:s, s:b, s:[{s:s, s:s, s:o}]}", "@type", "Dataset", "name",
        setting(call, "title"), "description", setting(call, "description"), "url",
        json_sprintf("%s/data/", url), "license", setting(call, "data_licence_url"), "dateModified",
        generation_last_reviewed(generation), "version", generation_id(generation),
        "isAccessibleForFree", 1, "distribution", "@type", "DataDownload", "encodingFormat",
        "application/json", "contentUrl", json_sprintf("%s/data/providers.json", url));
}

bool handle_data(const struct call *call, struct reply *reply, struct error *error) {
    reply->model = catalogue_row(call->catalogue, STATEMENT_COUNTS, NULL, 0, error);
    if (reply->model == NULL) {
        return false;
    }
    const struct generation *generation = catalogue_generation(call->catalogue);
    enum { YEAR_DIGITS = 4 };
    struct view view;
    view_start(
        &view, call, "/data/", "Data and citation",
        "How to get every fact of this site as JSON, CSV or text, under which licence, and how "
        "to cite it, with examples that run as they stand.");
    view_set(&view, "data_counts", view_counts(&view, reply->model));
    view_set(&view, "data_files", files(call));
    view_set(&view, "data_generation", json_string(generation_id(generation)));
    view_set(&view, "data_year", json_stringn(generation_last_reviewed(generation), YEAR_DIGITS));
    view_set(&view, "data_reviewed", view_date(&view, generation_last_reviewed(generation)));
    view_set(&view, "data_licence", setting(call, "data_licence"));
    view_set(&view, "data_licence_url", setting(call, "data_licence_url"));
    view_set(&view, "data_code_licence", setting(call, "code_licence"));
    view_set(&view, "data_subtitle", setting(call, "subtitle"));
    /* Whose they are can be said where the catalogue says all of it. */
    view_set(&view, "data_measurements_credited",
             json_boolean(generation_has(generation, "measurements") &&
                          generation_setting(generation, "measurements_publisher") != NULL &&
                          generation_setting(generation, "measurements_url") != NULL &&
                          generation_setting(generation, "measurements_licence") != NULL));
    view_set(&view, "data_measurements_licence", setting(call, "measurements_licence"));
    view_set(&view, "data_measurements_publisher", setting(call, "measurements_publisher"));
    view_set(&view, "data_measurements_url", setting(call, "measurements_url"));
    view_linked_data(&view, dataset(call));
    return view_finish(&view, reply, error);
}
