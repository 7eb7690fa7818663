/* /search: one box over providers, glossary terms and guides. What a reader types is text, never
 * the syntax of the full-text index. */
#include "buf.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "text.h"
#include "view.h"
#include "words.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marks around what matched in an extract, and where it leaves words out (see STATEMENT_SEARCH). */
enum { MARK_START = 2, MARK_END = 3 };
static const char SEARCH_GAP[] = " ... ";

enum joint { ALL_WORDS, ANY_WORD };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- what is typed becomes a question for the index --- */

static bool is_word_byte(char byte) {
    unsigned char value = (unsigned char)byte;
    return value >= 128 || isalnum(value) != 0;
}

/* Appends the words of a text, each quoted, the last as the start of a word. Everything between
 * words is dropped, so nothing is left that the index would read as syntax. */
static void add_match(struct buf *out, const char *text, enum joint joint) {
    bool first = true;
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        while (at[length] != '\0' && is_word_byte(at[length])) {
            length++;
        }
        if (length > 0) {
            buf_add_text(out, first ? "\"" : joint == ANY_WORD ? " OR \"" : " \"");
            buf_add(out, at, length);
            buf_add_char(out, '"');
            first = false;
        }
        at += length > 0 ? length : 1;
    }
    if (!first && text[0] != '\0' && is_word_byte(text[strlen(text) - 1])) {
        buf_add_char(out, '*');
    }
}

static json_t *ask(struct catalogue *catalogue, const char *text, enum joint joint,
                   struct error *error) {
    struct buf match;
    buf_init(&match, LIMIT_TARGET_BYTES);
    add_match(&match, text, joint);
    json_t *rows = NULL;
    if (match.failed) {
        (void)error_no_memory(error);
    } else if (match.length == 0) {
        rows = json_array();
    } else {
        rows = CATALOGUE_ROWS(catalogue, STATEMENT_SEARCH, error, BIND_TEXT(match.data),
                              BIND_INTEGER(LIMIT_SEARCH_RESULTS));
    }
    buf_free(&match);
    return rows;
}

/* --- results --- */

static json_t *path_of(const json_t *row) {
    const char *kind = string_of(row, "kind");
    const char *folder = strcmp(kind, "provider") == 0 ? "sandboxes"
                         : strcmp(kind, "term") == 0   ? "glossary"
                                                       : "guides";
    return json_sprintf("/%s/%s/", folder, string_of(row, "slug"));
}

/* Adds a piece of an extract, without the signs of Markdown and JSON that the index also holds. */
static bool add_piece(json_t *pieces, const char *text, size_t length, bool hit) {
    struct buf clean;
    buf_init(&clean, LIMIT_ANSWER_BYTES);
    for (size_t i = 0; i < length; i++) {
        char byte = text[i] == '\n' ? ' ' : text[i];
        bool is_sign = strchr("[]{}*#`|\"^", byte) != NULL;
        bool is_blank = byte == ' ' && clean.length > 0 && clean.data[clean.length - 1] == ' ';
        if (!is_sign && !is_blank) {
            buf_add_char(&clean, byte);
        }
    }
    bool good = !clean.failed;
    if (good && clean.length > 0) {
        json_t *words = json_stringn(clean.data, clean.length);
        good = json_array_append_new(pieces,
                                     json_pack("{s:o, s:b}", "text", words, "hit", (int)hit)) == 0;
    }
    buf_free(&clean);
    return good;
}

/* Behind the address of a link of Markdown, which has no blanks. */
static const char *skip_address(const char *text) {
    const char *end = text + strcspn(text, ") ");
    return *end == ')' ? end + 1 : end;
}

/* Where the marks of prose end (see prose.h) that stand at the start of text: of [[fact|words]] and
 * of [words](address) the words are kept. text itself where none does. */
static const char *skip_mark(const char *text) {
    if (text_starts(text, "](")) {
        return skip_address(text);
    }
    if (text_starts(text, "[^")) {
        const char *end = strchr(text, ']');
        return end == NULL ? text + strlen(text) : end + 1;
    }
    if (!text_starts(text, "[[")) {
        return text;
    }
    size_t length = strcspn(text + 2, "|]") + 2;
    return text + length + (text[length] == '\0' ? 0 : 1);
}

/* The start of an extract, behind the rest of an address that was cut off in front. */
static const char *skip_cut_address(const char *extract) {
    const char *text = extract + (text_starts(extract, SEARCH_GAP) ? strlen(SEARCH_GAP) : 0);
    const char *end = text + strcspn(text, "( )");
    const char *slash = memchr(text, '/', (size_t)(end - text));
    return *end == ')' && slash != NULL ? end + 1 : extract;
}

/* The start of an extract, behind the rest of a mark that was cut off in front. */
static const char *skip_cut_mark(const char *extract) {
    const char *end = strstr(extract, "]]");
    const char *start = strstr(extract, "[[");
    if (end == NULL || (start != NULL && start < end)) {
        return skip_cut_address(extract);
    }
    const char *bar = memchr(extract, '|', (size_t)(end - extract));
    return bar == NULL ? end + 2 : bar + 1;
}

/* An extract without the marks of prose. The caller frees it; NULL: out of memory. */
static char *without_marks(const char *extract) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    buf_add_text(&text, "");
    for (const char *at = skip_cut_mark(extract); *at != '\0';) {
        const char *next = skip_mark(at);
        if (next == at) {
            buf_add_char(&text, *at);
            next = at + 1;
        }
        at = next;
    }
    return buf_take(&text);
}

/* An extract as pieces, those that matched told apart. New reference. */
static json_t *pieces_of(const char *marked) {
    char *clean = without_marks(marked);
    const char *extract = clean == NULL ? "" : clean;
    json_t *pieces = json_array();
    bool good = pieces != NULL && clean != NULL;
    bool hit = false;
    const char marks[] = {MARK_START, MARK_END, '\0'};
    while (good && *extract != '\0') {
        size_t length = strcspn(extract, marks);
        good = length == 0 || add_piece(pieces, extract, length, hit);
        extract += length;
        if (*extract != '\0') {
            hit = *extract == MARK_START;
            extract++;
        }
    }
    free(clean);
    if (!good) {
        json_decref(pieces);
        return NULL;
    }
    return pieces;
}

/* Turns rows into public results. Takes ownership of rows. */
static json_t *results_of(json_t *rows) {
    json_t *results = json_array();
    bool good = results != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        good = good &&
               json_array_append_new(results, json_pack("{s:O, s:O, s:O, s:o, s:o}", "kind",
                                                        json_object_get(row, "kind"), "slug",
                                                        json_object_get(row, "slug"), "title",
                                                        json_object_get(row, "title"), "path",
                                                        path_of(row), "extract",
                                                        pieces_of(string_of(row, "extract")))) == 0;
    }
    json_decref(rows);
    if (!good) {
        json_decref(results);
        return NULL;
    }
    return results;
}

/* The provider or term whose name is nearest to what was typed, as {title, path}; null where none
 * is. */
static json_t *nearest_name(struct catalogue *catalogue, const char *text, struct error *error) {
    enum { NAMES = 2048 };
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *terms = catalogue_rows(catalogue, STATEMENT_TERMS, NULL, 0, error);
    const char *names[NAMES];
    size_t count = 0;
    for (size_t i = 0; i < index->provider_count && count < NAMES; i++) {
        names[count++] = index->providers[i].slug;
    }
    size_t i = 0;
    json_t *term = NULL;
    json_array_foreach(terms, i, term) {
        if (count < NAMES) {
            names[count++] = string_of(term, "slug");
        }
    }
    const char *slug = terms == NULL ? NULL : text_nearest(text, names, count);
    const struct index_provider *provider = slug == NULL ? NULL : index_provider(index, slug);
    json_t *result =
        terms == NULL ? NULL
        : slug == NULL
            ? json_null()
            : json_pack("{s:s, s:o}", "title", provider == NULL ? slug : provider->name, "path",
                        json_sprintf(provider == NULL ? "/glossary/%s/" : "/sandboxes/%s/", slug));
    json_decref(terms);
    return result;
}

static bool set_result(json_t *model, const char *key, json_t *value, struct error *error) {
    bool failed = value == NULL && error->kind != ERROR_NONE;
    return json_object_set_new(model, key, value) == 0 || (failed ? false : error_no_memory(error));
}

/* Results of all the words; where there are none, of any of them, and the nearest name. */
static bool fill_model(struct catalogue *catalogue, const char *text, json_t *model,
                       struct error *error) {
    json_t *rows = ask(catalogue, text, ALL_WORDS, error);
    bool found = json_array_size(rows) > 0;
    if (!set_result(model, "query", json_string(text), error) ||
        !set_result(model, "results", rows == NULL ? NULL : results_of(rows), error)) {
        return false;
    }
    if (found || text[0] == '\0') {
        return set_result(model, "partial", json_array(), error) &&
               set_result(model, "nearest", json_null(), error);
    }
    rows = ask(catalogue, text, ANY_WORD, error);
    return set_result(model, "partial", rows == NULL ? NULL : results_of(rows), error) &&
           set_result(model, "nearest", nearest_name(catalogue, text, error), error);
}

/* --- the request --- */

/* What was typed, or NULL where it is too long: then reply is a problem. */
static const char *typed_text(const struct call *call, struct reply *reply, bool *out_refused,
                              struct error *error) {
    const char *text = parameter_text(call, "q");
    text = text == NULL ? "" : text;
    if (strlen(text) <= LIMIT_SEARCH_BYTES) {
        return text;
    }
    char detail[96];
    (void)snprintf(detail, sizeof(detail), "A search takes up to %d bytes of text.",
                   LIMIT_SEARCH_BYTES);
    *out_refused = parameter_refuse(reply, "q", "", detail, NULL, error);
    return NULL;
}

bool canonical_search(const struct call *call, struct buf *out, struct reply *reply,
                      bool *out_refused, struct error *error) {
    const char *text = typed_text(call, reply, out_refused, error);
    if (text == NULL) {
        return *out_refused;
    }
    parameter_add(out, out->length, "q", text[0] == '\0' ? NULL : text);
    return true;
}

static bool fill_page(const struct call *call, const char *text, struct reply *reply,
                      struct error *error) {
    size_t count = json_array_size(json_object_get(reply->model, "results"));
    size_t partial = json_array_size(json_object_get(reply->model, "partial"));
    json_t *title = text[0] == '\0' ? json_string("Search") : json_sprintf("Search: %s", text);
    if (title == NULL) {
        return error_no_memory(error);
    }
    struct view view;
    char about[WORDS_BYTES];
    char noun[WORDS_BYTES];
    view_start(&view, call, "/search", json_string_value(title),
               words_text(call, "text_search", about));
    (void)words_fill(call, "{Noun}", noun);
    json_decref(title);
    view_set(&view, "page_heading", json_string("Search"));
    view_set(&view, "search_count", count == 0 ? json_null() : json_integer((json_int_t)count));
    view_set(&view, "search_one", json_boolean(count == 1));
    view_set(&view, "search_asked", json_boolean(text[0] != '\0'));
    view_set(&view, "search_none", json_boolean(text[0] != '\0' && count == 0));
    view_set(&view, "search_partial", json_boolean(partial > 0));
    json_t *lists[] = {json_object_get(reply->model, "results"),
                       json_object_get(reply->model, "partial")};
    static const char *const names[] = {"search_results", "search_near"};
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        json_t *hits = json_array();
        size_t j = 0;
        json_t *result = NULL;
        json_array_foreach(lists[i], j, result) {
            const char *kind = string_of(result, "kind");
            const char *label = strcmp(kind, "provider") == 0 ? noun
                                : strcmp(kind, "term") == 0   ? "Term"
                                                              : "Guide";
            json_t *hit = json_pack("{s:O, s:O, s:s, s:O}", "path", json_object_get(result, "path"),
                                    "title", json_object_get(result, "title"), "label", label,
                                    "extract", json_object_get(result, "extract"));
            view.failed = json_array_append_new(hits, hit) != 0 || view.failed;
        }
        view_set(&view, names[i], hits);
    }
    return view_finish(&view, reply, error);
}

bool handle_search(const struct call *call, struct reply *reply, struct error *error) {
    bool refused = false;
    const char *text = typed_text(call, reply, &refused, error);
    if (text == NULL) {
        return refused;
    }
    error->kind = ERROR_NONE;
    reply->model = json_object();
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    return fill_model(call->catalogue, text, reply->model, error) &&
           (!call_wants_page(call) || fill_page(call, text, reply, error));
}
