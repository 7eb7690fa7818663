/* Who matches, who is undecided, who is excluded: the lists of a comparison as the page shows them.
 */
#include "buf.h"
#include "compare_view.h"
#include "limit.h"
#include <string.h>

enum { TEXT_BYTES = 64 * 1024 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const struct catalogue_index *index_of(const struct view *view) {
    return generation_index(catalogue_generation(view->call->catalogue));
}

static json_t *text_of(struct buf *buf) {
    json_t *text =
        buf->failed ? NULL : json_stringn(buf->data == NULL ? "" : buf->data, buf->length);
    buf_free(buf);
    return text;
}

static json_t *profile_of(const json_t *provider) {
    return json_sprintf("/sandboxes/%s/", string_of(provider, "slug"));
}

/* --- matches --- */

/* Whether two offerings say the same in every column. */
static bool facts_alike(const json_t *one, const json_t *other) {
    const char *key = NULL;
    json_t *fact = NULL;
    json_object_foreach(json_object_get(one, "facts"), key, fact) {
        const json_t *theirs = json_object_get(json_object_get(other, "facts"), key);
        if (!json_equal(json_object_get(fact, "text"), json_object_get(theirs, "text")) ||
            !json_equal(json_object_get(fact, "state"), json_object_get(theirs, "state"))) {
            return false;
        }
    }
    return true;
}

static json_t *cells_of(struct view *view, const json_t *columns, const json_t *offering) {
    json_t *cells = json_array();
    size_t i = 0;
    json_t *column = NULL;
    json_array_foreach(columns, i, column) {
        const char *key = string_of(column, "key");
        compare_append(view, cells,
                       view_cell_linked(view, index_attribute(index_of(view), key),
                                        json_object_get(json_object_get(offering, "facts"), key)));
    }
    return cells;
}

static void add_score(struct buf *sub, const json_t *provider) {
    const json_t *score = json_object_get(provider, "score");
    if (score == NULL) {
        return;
    }
    buf_add_text(sub, sub->length > 0 ? "; " : "");
    if (json_is_null(score)) {
        buf_add_text(sub, "not ranked for this use");
    } else {
        buf_add_format(sub, "scores %.0f to %.0f of 100",
                       json_number_value(json_object_get(score, "low")),
                       json_number_value(json_object_get(score, "high")));
    }
}

/* The names of the offerings alike to number first, or nothing for a provider that is its own only
 * offering. */
static json_t *sub_of(const json_t *provider, size_t first) {
    struct buf sub;
    buf_init(&sub, TEXT_BYTES);
    const json_t *offerings = json_object_get(provider, "offerings");
    const json_t *wanted = json_array_get(offerings, first);
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        if (string_of(offering, "slug") != NULL && facts_alike(wanted, offering)) {
            const char *stage = string_of(offering, "stage");
            buf_add_format(&sub, "%s%s", sub.length > 0 ? ", " : "", string_of(offering, "name"));
            if (stage != NULL && strcmp(stage, "ga") != 0) {
                buf_add_format(&sub, " (%s)", stage);
            }
        }
    }
    add_score(&sub, provider);
    return sub.length == 0 && !sub.failed ? json_null() : text_of(&sub);
}

/* Where nothing is asked, every offering matches: the default one stands for its provider. */
static void add_default_row(struct view *view, json_t *rows, const json_t *columns,
                            const json_t *provider) {
    const json_t *offerings = json_object_get(provider, "offerings");
    const char *name = string_of(provider, "name");
    struct buf sub;
    buf_init(&sub, TEXT_BYTES);
    size_t chosen = 0;
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        chosen = json_is_true(json_object_get(offering, "default")) ? i : chosen;
    }
    size_t others = json_array_size(offerings) - 1;
    const json_t *shown = json_array_get(offerings, chosen);
    if (others > 0) {
        buf_add_format(&sub, "%s; %zu other%s", string_of(shown, "name"), others,
                       others == 1 ? "" : "s");
    }
    add_score(&sub, provider);
    compare_append(view, rows,
                   json_pack("{s:o, s:s, s:o, s:o}", "href", profile_of(provider), "name", name,
                             "sub", sub.length == 0 ? json_null() : text_of(&sub), "cells",
                             cells_of(view, columns, shown)));
}

/* One row for each of a provider's offerings that say something different in a column. */
static void add_rows(struct view *view, json_t *rows, const json_t *columns,
                     const json_t *provider) {
    const json_t *offerings = json_object_get(provider, "offerings");
    const char *name = string_of(provider, "name");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        bool is_first = true;
        for (size_t j = 0; j < i && is_first; j++) {
            is_first = !facts_alike(json_array_get(offerings, j), offering);
        }
        if (is_first) {
            compare_append(view, rows,
                           json_pack("{s:o, s:s, s:o, s:o}", "href", profile_of(provider), "name",
                                     name, "sub", sub_of(provider, i), "cells",
                                     cells_of(view, columns, offering)));
        }
    }
}

/* The head of a column: a link that sorts by it. */
static json_t *head_of(struct view *view, const struct question *question, const char *key) {
    const struct index_attribute *attribute = index_attribute(index_of(view), key);
    struct question sorted = *question;
    bool is_sorted = question->sort == attribute;
    sorted.sort = attribute;
    sorted.sort_by_name = false;
    sorted.sort_descending = is_sorted && !question->sort_descending;
    sorted.offset = 0;
    return json_pack("{s:s, s:o, s:b, s:s?}", "label", attribute->label, "href",
                     attribute->filterable ? compare_address(&sorted, "/compare/", NULL)
                                           : json_null(),
                     "numeric", (int)attribute_is_numeric(attribute), "sorted",
                     !is_sorted                  ? NULL
                     : question->sort_descending ? "descending"
                                                 : "ascending");
}

static json_t *table_of(struct view *view, const struct question *question,
                        const json_t *comparison) {
    const json_t *columns = json_object_get(comparison, "columns");
    const json_t *matches = json_object_get(comparison, "matches");
    if (json_array_size(matches) == 0) {
        return json_null();
    }
    json_t *heads = json_array();
    json_t *rows = json_array();
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(columns, i, entry) {
        compare_append(view, heads, head_of(view, question, string_of(entry, "key")));
    }
    bool is_plain =
        question->condition_count == 0 && question->sort == NULL && question->columns == NULL;
    json_array_foreach(matches, i, entry) {
        if (is_plain) {
            add_default_row(view, rows, columns, entry);
        } else {
            add_rows(view, rows, columns, entry);
        }
    }
    return view_new(view, json_pack("{s:s, s:s, s:s, s:o, s:o}", "table_id", "t-matches", "caption",
                                    is_plain ? "The default offering of each." : "What matches.",
                                    "caption_more",
                                    "A number leads to the receipt of a value; a head sorts.",
                                    "columns", heads, "rows", rows));
}

/* --- undecided --- */

/* "Egress control" of a key, "release stage" of "stage". */
static const char *label_of(const struct view *view, const char *key) {
    const struct index_attribute *attribute = index_attribute(index_of(view), key);
    return attribute == NULL ? "Release stage" : attribute->label;
}

static json_t *gaps_of(struct view *view, const json_t *provider) {
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    const json_t *offerings = json_object_get(provider, "offerings");
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(offerings, i, offering) {
        const json_t *keys = json_object_get(offering, "not_documented");
        bool is_first = true;
        for (size_t j = 0; j < i && is_first; j++) {
            is_first =
                !json_equal(keys, json_object_get(json_array_get(offerings, j), "not_documented"));
        }
        if (!is_first) {
            continue;
        }
        buf_add_text(&text, text.length > 0 ? "; " : "");
        size_t k = 0;
        json_t *key = NULL;
        json_array_foreach(keys, k, key) {
            buf_add_format(&text, "%s%s", k == 0 ? "" : ", ",
                           label_of(view, json_string_value(key)));
        }
        const char *between = " of ";
        for (size_t j = i; j < json_array_size(offerings); j++) {
            const json_t *other = json_array_get(offerings, j);
            if (string_of(other, "slug") != NULL &&
                json_equal(keys, json_object_get(other, "not_documented"))) {
                buf_add_format(&text, "%s%s", between, string_of(other, "name"));
                between = ", ";
            }
        }
    }
    return text_of(&text);
}

static json_t *undecided_of(struct view *view, const json_t *comparison) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(json_object_get(comparison, "undecided"), i, provider) {
        compare_append(view, list,
                       json_pack("{s:o, s:O, s:o}", "href", profile_of(provider), "name",
                                 json_object_get(provider, "name"), "gaps",
                                 gaps_of(view, provider)));
    }
    return list;
}

/* --- excluded --- */

/* The words of the condition that is written so in the answer, or the writing itself. */
static json_t *asked_for(const struct question *question, const char *written) {
    for (size_t i = 0; i < question->condition_count; i++) {
        struct buf text;
        buf_init(&text, TEXT_BYTES);
        condition_add_text(&question->conditions[i], &text);
        bool is_it = !text.failed && text.data != NULL && strcmp(text.data, written) == 0;
        buf_free(&text);
        if (is_it) {
            return compare_condition_words(&question->conditions[i]);
        }
    }
    return json_string(written);
}

/* What a parameter that is no attribute leaves out, in words. */
static const char *left_out_by(const char *parameter) {
    static const struct {
        const char *parameter;
        const char *words;
    } table[] = {{"providers", "Not among those chosen"},
                 {"kind", "Another kind of product"},
                 {"q", "Does not have the words asked for"},
                 {"stage", "Its release stage is left out"}};
    for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
        if (strcmp(parameter, table[i].parameter) == 0) {
            return table[i].words;
        }
    }
    return parameter;
}

static const char *offering_name(const json_t *provider, const char *slug) {
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(provider, "offerings"), i, offering) {
        const char *own = string_of(offering, "slug");
        if (slug != NULL && own != NULL && strcmp(slug, own) == 0) {
            return string_of(offering, "name");
        }
    }
    return NULL;
}

static bool reasons_alike(const json_t *one, const json_t *other) {
    const char *said = string_of(json_object_get(one, "fact"), "text");
    const char *also = string_of(json_object_get(other, "fact"), "text");
    return json_equal(json_object_get(one, "condition"), json_object_get(other, "condition")) &&
           (said == NULL || also == NULL ? said == also : strcmp(said, also) == 0);
}

/* The offerings that fail by a reason like number first, as one line; JSON null for none. */
static json_t *failing(const json_t *provider, const json_t *because, size_t first) {
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    for (size_t i = first; i < json_array_size(because); i++) {
        const json_t *reason = json_array_get(because, i);
        const char *name = offering_name(provider, string_of(reason, "offering"));
        if (name != NULL && reasons_alike(json_array_get(because, first), reason)) {
            buf_add_format(&text, "%s%s", text.length > 0 ? ", " : "", name);
        }
    }
    return text.length == 0 && !text.failed ? json_null() : text_of(&text);
}

static json_t *reason_of(struct view *view, const struct question *question, const json_t *provider,
                         const json_t *because, size_t place) {
    const json_t *reason = json_array_get(because, place);
    const json_t *fact = json_object_get(reason, "fact");
    const char *key = string_of(reason, "attribute");
    const struct index_attribute *attribute = index_attribute(index_of(view), key);
    bool has_fact = attribute != NULL && json_is_object(fact);
    return json_pack(
        "{s:s, s:o, s:o, s:o}", "label", has_fact ? attribute->label : left_out_by(key), "asked",
        has_fact ? asked_for(question, string_of(reason, "condition")) : json_null(), "cells",
        has_fact ? json_pack("[o]", view_cell_linked(view, attribute, fact)) : json_array(),
        "failing", failing(provider, because, place));
}

static json_t *reasons_of(struct view *view, const struct question *question,
                          const json_t *provider) {
    const json_t *because = json_object_get(provider, "because");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(because); i++) {
        bool is_first = true;
        for (size_t j = 0; j < i && is_first; j++) {
            is_first = !reasons_alike(json_array_get(because, j), json_array_get(because, i));
        }
        if (is_first) {
            compare_append(view, list, reason_of(view, question, provider, because, i));
        }
    }
    return list;
}

static json_t *excluded_of(struct view *view, const struct question *question,
                           const json_t *comparison) {
    json_t *list = json_array();
    size_t i = 0;
    json_t *provider = NULL;
    json_array_foreach(json_object_get(comparison, "excluded"), i, provider) {
        compare_append(view, list,
                       json_pack("{s:o, s:O, s:o}", "href", profile_of(provider), "name",
                                 json_object_get(provider, "name"), "reasons",
                                 reasons_of(view, question, provider)));
    }
    return list;
}

/* --- pages of matches --- */

static void add_page(struct view *view, json_t *list, const struct question *question,
                     const char *label, const char *rel, size_t offset) {
    struct question other = *question;
    other.offset = offset;
    compare_append(view, list,
                   json_pack("{s:s, s:s, s:o}", "label", label, "rel", rel, "href",
                             compare_address(&other, "/compare/", NULL)));
}

static json_t *pages_of(struct view *view, const struct question *question,
                        const json_t *comparison) {
    json_t *list = json_array();
    size_t matches = (size_t)json_integer_value(
        json_object_get(json_object_get(comparison, "counts"), "matches"));
    if (question->offset > 0) {
        size_t back = question->offset < question->limit ? question->offset : question->limit;
        add_page(view, list, question, "Previous", "prev", question->offset - back);
    }
    if (question->offset + question->limit < matches) {
        add_page(view, list, question, "Next", "next", question->offset + question->limit);
    }
    return list;
}

void compare_show_lists(struct view *view, const struct question *question,
                        const json_t *comparison) {
    view_set(view, "compare_table", table_of(view, question, comparison));
    view_set(view, "compare_pages", pages_of(view, question, comparison));
    view_set(view, "compare_undecided", undecided_of(view, comparison));
    view_set(view, "compare_excluded", excluded_of(view, question, comparison));
}
