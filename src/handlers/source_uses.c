#include "source_uses.h"
#include "catalogue_index.h"
#include "text.h"
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The group of a subject among the uses of a source, made where there is none yet. Borrowed. */
static json_t *group_of(json_t *uses, const char *source, const char *subject,
                        const char *provider) {
    json_t *groups = json_object_get(uses, source);
    if (groups == NULL) {
        groups = json_array();
        if (json_object_set_new(uses, source, groups) != 0) {
            return NULL;
        }
    }
    size_t i = 0;
    json_t *group = NULL;
    json_array_foreach(groups, i, group) {
        if (strcmp(string_of(group, "subject"), subject) == 0) {
            return group;
        }
    }
    group = json_pack("{s:s, s:s?, s:[]}", "subject", subject, "provider", provider, "items");
    return json_array_append_new(groups, group) == 0 ? group : NULL;
}

/* Adds an item, which is taken over, unless its address is listed already. */
static bool add_item(json_t *group, json_t *item, struct error *error) {
    json_t *items = json_object_get(group, "items");
    size_t i = 0;
    json_t *known = NULL;
    json_array_foreach(items, i, known) {
        if (json_equal(known, item)) {
            json_decref(item);
            return true;
        }
    }
    return json_array_append_new(items, item) == 0 || error_no_memory(error);
}

static json_t *provider_item(const struct catalogue_index *index,
                             const struct text_language *language, const json_t *row) {
    const char *use = string_of(row, "use");
    const char *provider = string_of(row, "provider");
    const char *offering = string_of(row, "offering");
    const char *what = string_of(row, "what");
    if (strcmp(use, "fact") == 0) {
        const struct index_attribute *attribute = index_attribute(index, what);
        return json_pack("{s:s, s:o}", "label", attribute == NULL ? what : attribute->label, "href",
                         json_sprintf("/sandboxes/%s/#%s%s%s", provider,
                                      offering == NULL ? "" : offering, offering == NULL ? "" : "-",
                                      what));
    }
    if (strcmp(use, "event") == 0) {
        char date[TEXT_DATE_BYTES];
        return !text_human_date(language, what, date)
                   ? NULL
                   : json_pack("{s:o, s:o}", "label", json_sprintf("event of %s", date), "href",
                               json_sprintf("/changes/?provider=%s", provider));
    }
    return json_pack("{s:s, s:o}", "label",
                     strcmp(use, "status") == 0 ? "its status" : "measured start times", "href",
                     json_sprintf("/sandboxes/%s/", provider));
}

static bool add_provider_use(const struct catalogue_index *index,
                             const struct text_language *language, json_t *uses, const json_t *row,
                             struct error *error) {
    const char *slug = string_of(row, "provider");
    const char *offering = string_of(row, "offering");
    const struct index_provider *provider = index_provider(index, slug);
    const struct index_slot *slot =
        provider == NULL || offering == NULL ? NULL : index_slot(index, provider, offering);
    json_t *subject = slot == NULL ? json_string(provider == NULL ? slug : provider->name)
                                   : json_sprintf("%s, %s", provider->name, slot->name);
    json_t *group = subject == NULL ? NULL
                                    : group_of(uses, string_of(row, "source"),
                                               json_string_value(subject), slug);
    json_decref(subject);
    return group == NULL ? error_no_memory(error)
                         : add_item(group, provider_item(index, language, row), error);
}

static bool add_text_use(json_t *uses, const char *source, const char *kind, const char *slug,
                         const char *title, struct error *error) {
    bool is_term = strcmp(kind, "term") == 0;
    json_t *group = group_of(uses, source, is_term ? "Glossary" : "Guides", NULL);
    return group == NULL
               ? error_no_memory(error)
               : add_item(group,
                          json_pack("{s:s, s:o}", "label", title, "href",
                                    json_sprintf(is_term ? "/glossary/%s/" : "/guides/%s/", slug)),
                          error);
}

/* Adds what the marks [^source] of a body cite. */
static bool add_marks(json_t *uses, const json_t *text, struct error *error) {
    enum { ID_BYTES = 128 };
    const char *at = string_of(text, "body");
    while (at != NULL && (at = strstr(at, "[^")) != NULL) {
        at += 2;
        size_t length = strcspn(at, "]\n");
        char id[ID_BYTES];
        if (at[length] == ']' && length < ID_BYTES) {
            memcpy(id, at, length);
            id[length] = '\0';
            if (!add_text_use(uses, id, string_of(text, "kind"), string_of(text, "slug"),
                              string_of(text, "title"), error)) {
                return false;
            }
        }
        at += length;
    }
    return true;
}

static const char *title_of(const json_t *texts, const char *kind, const char *slug) {
    size_t i = 0;
    json_t *text = NULL;
    json_array_foreach(texts, i, text) {
        if (strcmp(string_of(text, "kind"), kind) == 0 &&
            strcmp(string_of(text, "slug"), slug) == 0) {
            return string_of(text, "title");
        }
    }
    return slug;
}

json_t *source_uses(struct catalogue *catalogue, const struct text_language *language,
                    struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    json_t *rows = catalogue_rows(catalogue, STATEMENT_SOURCE_USES, NULL, 0, error);
    json_t *texts =
        rows == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_BODIES, NULL, 0, error);
    json_t *uses = texts == NULL ? NULL : json_object();
    bool good = uses != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *use = string_of(row, "use");
        const char *what = string_of(row, "what");
        good = good && (string_of(row, "provider") != NULL
                            ? add_provider_use(index, language, uses, row, error)
                            : add_text_use(uses, string_of(row, "source"), use, what,
                                           title_of(texts, use, what), error));
    }
    json_array_foreach(texts, i, row) {
        good = good && add_marks(uses, row, error);
    }
    json_decref(rows);
    json_decref(texts);
    if (!good) {
        json_decref(uses);
        return NULL;
    }
    return uses;
}
