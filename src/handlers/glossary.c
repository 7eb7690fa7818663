/* /glossary/ and /glossary/<slug>/ */
#include "handlers.h"
#include "prose_page.h"
#include "site.h"
#include "words.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static json_t *term_address(const json_t *term) {
    return json_sprintf("/glossary/%s/", string_of(term, "slug"));
}

/* --- the index --- */

/* The terms of the group that this one belongs to, by its first letter or "#"; a new group where
 * there is none yet. NULL: no memory. */
static json_t *group_of(json_t *letters, const char *name) {
    char letter[] = {(char)toupper((unsigned char)name[0]), '\0'};
    if (letter[0] < 'A' || letter[0] > 'Z') {
        letter[0] = '#';
    }
    size_t i = 0;
    json_t *group = NULL;
    json_array_foreach(letters, i, group) {
        if (strcmp(string_of(group, "letter"), letter) == 0) {
            return json_object_get(group, "terms");
        }
    }
    json_t *id = letter[0] == '#' ? json_string("letter-other")
                                  : json_sprintf("letter-%c", tolower(letter[0]));
    group = json_pack("{s:o, s:s, s:[]}", "id", id, "letter", letter, "terms");
    return json_array_append_new(letters, group) == 0 ? json_object_get(group, "terms") : NULL;
}

/* The terms by their first letter: [{id, letter, terms: [{href, term, also, description}]}]. */
static json_t *by_letter(const json_t *terms) {
    json_t *letters = json_array();
    size_t i = 0;
    json_t *term = NULL;
    bool good = letters != NULL;
    json_array_foreach(terms, i, term) {
        json_t *group = good ? group_of(letters, string_of(term, "term")) : NULL;
        good = group != NULL &&
               json_array_append_new(
                   group, json_pack("{s:o, s:O, s:o, s:O}", "href", term_address(term), "term",
                                    json_object_get(term, "term"), "also",
                                    prose_page_join(json_object_get(term, "also")), "description",
                                    json_object_get(term, "description"))) == 0;
    }
    if (!good) {
        json_decref(letters);
        return NULL;
    }
    return letters;
}

/* The set of terms as schema.org sees it. */
static json_t *term_set(const struct view *view, const json_t *terms) {
    const char *url = view->call->site->public_url;
    json_t *list = json_array();
    size_t i = 0;
    json_t *term = NULL;
    json_array_foreach(terms, i, term) {
        if (json_array_append_new(
                list, json_pack("{s:s, s:O, s:O, s:o}", "@type", "DefinedTerm", "name",
                                json_object_get(term, "term"), "description",
                                json_object_get(term, "description"), "url",
                                json_sprintf("%s/glossary/%s/", url, string_of(term, "slug")))) !=
            0) {
            json_decref(list);
            return NULL;
        }
    }
    char name[WORDS_BYTES];
    return json_pack("{s:s, s:s, s:o, s:o}", "@type", "DefinedTermSet", "name",
                     words_fill(view->call, "Glossary of {nouns_long}", name), "url",
                     json_sprintf("%s/glossary/", url), "hasDefinedTerm", list);
}

bool handle_glossary(const struct call *call, struct reply *reply, struct error *error) {
    json_t *terms = catalogue_rows(call->catalogue, STATEMENT_TERMS, NULL, 0, error);
    if (terms == NULL) {
        return false;
    }
    struct view view;
    char title[WORDS_BYTES];
    char about[WORDS_BYTES];
    view_start(&view, call, "/glossary/", words_fill(call, "Glossary of {nouns_long}", title),
               words_text(call, "text_glossary", about));
    view_set(&view, "glossary_letters", by_letter(terms));
    view_linked_data(&view, term_set(&view, terms));
    reply->model = json_pack("{s:o}", "terms", terms);
    return view_finish(&view, reply, error);
}

/* --- one term --- */

/* The attributes that the term explains, each with the address of its comparison. */
static void set_attributes(struct view *view, const char *slug) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    json_t *list = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        if (attribute->glossary != NULL && strcmp(attribute->glossary, slug) == 0 &&
            json_array_append_new(
                list, json_pack("{s:o, s:s, s:s}", "href",
                                json_sprintf("/compare/?columns=%s", attribute->key), "label",
                                attribute->label, "description", attribute->description)) != 0) {
            view->failed = true;
        }
    }
    view_set(view, "term_has_attributes", json_boolean(json_array_size(list) > 0));
    view_set(view, "term_attributes", list);
}

static json_t *defined_term(const struct view *view, const json_t *term) {
    return json_pack("{s:s, s:O, s:O, s:O, s:O, s:o, s:O}", "@type", "DefinedTerm", "name",
                     json_object_get(term, "term"), "alternateName", json_object_get(term, "also"),
                     "description", json_object_get(term, "description"), "url",
                     json_object_get(view->page, "page_canonical"), "inDefinedTermSet",
                     json_sprintf("%s/glossary/", view->call->site->public_url), "dateModified",
                     json_object_get(term, "reviewed_on"));
}

static bool term_view(const char *path, const json_t *term, struct prose *prose, struct view *view,
                      struct error *error) {
    view_crumb(view, "Glossary", "/glossary/");
    view_set(view, "page_heading", json_incref(json_object_get(term, "term")));
    view_set(view, "term_answer_html", prose_page_answer(prose));
    view_set(view, "term_also", prose_page_join(json_object_get(term, "also")));
    view_set(view, "term_reviewed", view_date(view, string_of(term, "reviewed_on")));
    set_attributes(view, string_of(term, "slug"));
    view_linked_data(view, defined_term(view, term));
    return prose_page_fill(view, prose, path, string_of(term, "body"),
                           json_object_get(term, "related"), error);
}

bool handle_term(const struct call *call, struct reply *reply, struct error *error) {
    struct error inner = {0};
    json_t *term =
        CATALOGUE_ROW(call->catalogue, STATEMENT_TERM, &inner, BIND_TEXT(call->captures[0]));
    if (term == NULL) {
        return inner.kind == ERROR_NOT_FOUND ? reply_not_found(call, reply, error)
                                             : error_set(error, inner.kind, "%s", inner.message);
    }
    reply->model = term;
    char name[160];
    char path[160];
    char title[240];
    (void)snprintf(name, sizeof(name), "term %.100s", call->captures[0]);
    (void)snprintf(path, sizeof(path), "/glossary/%.100s/", call->captures[0]);
    (void)snprintf(title, sizeof(title), "%.200s, explained", string_of(term, "term"));
    struct view view;
    struct prose prose = {0};
    view_start(&view, call, path, title, string_of(term, "description"));
    bool good = prose_build(&view, name, string_of(term, "body"), &prose, error) &&
                term_view(path, term, &prose, &view, error);
    prose_free(&prose);
    /* The view is given back in any case, and the first error stays the one that counts. */
    return view_finish(&view, reply, good ? error : NULL) && good;
}
