/* What each tool asks of the site. */
#include "catalogue_index.h"
#include "limit.h"
#include "text.h"
#include "tools.h"
#include "words.h"
#include <stdio.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* Adds a number as a plain decimal that reads back the same. */
static void add_number(struct buf *target, const char *key, const json_t *value) {
    enum { NUMBER_BYTES = 400 };
    struct buf number;
    buf_init(&number, NUMBER_BYTES);
    if (json_is_integer(value)) {
        buf_add_format(&number, "%lld", (long long)json_integer_value(value));
    } else {
        text_add_number(&number, json_real_value(value));
    }
    if (!number.failed) {
        mcp_add_pair(target, key, number.data);
    }
    target->failed = target->failed || number.failed;
    buf_free(&number);
}

/* Adds one value; false where it is neither text, number nor truth. */
static bool add_value(struct buf *target, const char *key, const json_t *value) {
    if (json_is_string(value)) {
        mcp_add_pair(target, key, json_string_value(value));
    } else if (json_is_boolean(value)) {
        mcp_add_pair(target, key, json_is_true(value) ? "true" : "false");
    } else if (json_is_number(value)) {
        add_number(target, key, value);
    } else {
        return false;
    }
    return true;
}

/* The texts of a list as one value, joined by commas. */
static void add_joined(struct buf *target, const char *key, const json_t *list) {
    struct buf joined;
    buf_init(&joined, LIMIT_TARGET_BYTES);
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach((json_t *)list, i, entry) {
        const char *text = json_string_value(entry);
        buf_add_format(&joined, "%s%s", i == 0 ? "" : ",", text == NULL ? "" : text);
    }
    if (joined.length > 0) {
        mcp_add_pair(target, key, joined.data);
    }
    target->failed = target->failed || joined.failed;
    buf_free(&joined);
}

/* Conditions, under a prefix ("must.") or none. Several values of one mean any of them. */
static bool add_conditions(struct buf *target, const char *prefix, const json_t *conditions,
                           struct buf *what) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)conditions, name, value) {
        char key[128];
        (void)snprintf(key, sizeof(key), "%s%.110s", prefix, name);
        bool good =
            json_is_array(value) ? json_array_size(value) > 0 : add_value(target, key, value);
        if (json_is_array(value) && strstr(name, "__") != NULL) {
            add_joined(target, key, value);
            continue;
        }
        size_t i = 0;
        json_t *entry = NULL;
        json_array_foreach(value, i, entry) {
            good = good && add_value(target, key, entry);
        }
        if (!good) {
            buf_add_format(what,
                           "%s: a value is a text, a number, true or false, or a list of "
                           "these.",
                           name);
            return false;
        }
    }
    return true;
}

static bool target_find(const struct call *call, const json_t *arguments, struct buf *target,
                        struct buf *what, struct error *error) {
    (void)call;
    (void)error;
    buf_add_text(target, "/compare");
    if (!add_conditions(target, "", json_object_get(arguments, "where"), what)) {
        return false;
    }
    add_joined(target, "columns", json_object_get(arguments, "attributes"));
    (void)add_value(target, "sort", json_object_get(arguments, "sort"));
    (void)add_value(target, "limit", json_object_get(arguments, "limit"));
    return true;
}

static bool is_slug(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return text[0] != '\0' && text[strspn(text, letters)] == '\0';
}

static bool target_provider(const struct call *call, const json_t *arguments, struct buf *target,
                            struct buf *what, struct error *error) {
    (void)error;
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const char *slug = string_of(arguments, "slug");
    if (is_slug(slug) && index_provider(index, slug) != NULL) {
        buf_add_format(target, "/data/providers/%s.json", slug);
        return true;
    }
    buf_add_format(what, "slug: there is no such %s. Known:", words_get(call, WORD_NOUN));
    for (size_t i = 0; i < index->provider_count; i++) {
        buf_add_format(what, "%s %s", i == 0 ? "" : ",", index->providers[i].slug);
    }
    return false;
}

/* Where no attributes are asked for: as many headlines as a short answer can hold. */
static void add_headlines(const struct call *call, size_t providers, bool is_full,
                          struct buf *target) {
    enum { FACTS_OF_A_BRIEF_ANSWER = 22 };
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    size_t most = is_full ? SIZE_MAX : FACTS_OF_A_BRIEF_ANSWER / providers;
    json_t *keys = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        if (index->attributes[i].headline && json_array_size(keys) < most) {
            (void)json_array_append_new(keys, json_string(index->attributes[i].key));
        }
    }
    add_joined(target, "columns", keys);
    json_decref(keys);
}

static bool target_compare(const struct call *call, const json_t *arguments, struct buf *target,
                           struct buf *what, struct error *error) {
    (void)what;
    (void)error;
    const json_t *providers = json_object_get(arguments, "providers");
    const json_t *attributes = json_object_get(arguments, "attributes");
    const char *detail = string_of(arguments, "detail");
    buf_add_text(target, "/compare");
    add_joined(target, "providers", providers);
    if (json_array_size(attributes) > 0) {
        add_joined(target, "columns", attributes);
    } else {
        add_headlines(call, json_array_size(providers),
                      detail != NULL && strcmp(detail, "full") == 0, target);
    }
    mcp_add_pair(target, "status", "any");
    mcp_add_pair(target, "stage", "any");
    return true;
}

static bool target_rank(const struct call *call, const json_t *arguments, struct buf *target,
                        struct buf *what, struct error *error) {
    json_t *rows = catalogue_rows(call->catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    if (rows == NULL) {
        return false;
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (strcmp(string_of(row, "slug"), string_of(arguments, "use_case")) == 0) {
            buf_add_text(target, string_of(row, "path"));
        }
    }
    json_decref(rows);
    return add_conditions(target, "w.", json_object_get(arguments, "weights"), what);
}

static bool target_match(const struct call *call, const json_t *arguments, struct buf *target,
                         struct buf *what, struct error *error) {
    (void)call;
    (void)error;
    buf_add_text(target, "/match");
    if (!add_conditions(target, "must.", json_object_get(arguments, "must"), what) ||
        !add_conditions(target, "prefer.", json_object_get(arguments, "prefer"), what) ||
        !add_conditions(target, "avoid.", json_object_get(arguments, "avoid"), what)) {
        return false;
    }
    (void)add_value(target, "use_case", json_object_get(arguments, "use_case"));
    return true;
}

/* Every argument but detail is a parameter of the route's own. */
static void add_all(struct buf *target, const json_t *arguments) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)arguments, name, value) {
        if (strcmp(name, "detail") != 0) {
            (void)add_value(target, strcmp(name, "query") == 0 ? "q" : name, value);
        }
    }
}

static bool target_cost(const struct call *call, const json_t *arguments, struct buf *target,
                        struct buf *what, struct error *error) {
    (void)call;
    (void)what;
    (void)error;
    buf_add_text(target, "/cost");
    add_all(target, arguments);
    return true;
}

static bool target_search(const struct call *call, const json_t *arguments, struct buf *target,
                          struct buf *what, struct error *error) {
    (void)call;
    (void)what;
    (void)error;
    buf_add_text(target, "/search");
    add_all(target, arguments);
    return true;
}

static bool target_sources(const struct call *call, const json_t *arguments, struct buf *target,
                           struct buf *what, struct error *error) {
    (void)call;
    (void)what;
    (void)error;
    buf_add_text(target, "/sources/");
    add_all(target, arguments);
    return true;
}

#define NAMES(...)                                                                                 \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

const struct tool tools[] = {
    {"find_{nouns}", NULL, target_find, tool_shape_comparison,
     NAMES("status", "kind", "default", "condition"), NAMES("excluded", "undecided", "matches")},
    {"get_provider", NULL, target_provider, tool_shape_provider,
     NAMES("conflicts", "events", "measurements", "sources", "status_source", "reviewed_on",
           "last_reviewed", "docs_url", "pricing_url", "repo_url", "default"),
     NAMES("provider.facts", "provider.offerings")},
    {"compare", NULL, target_compare, tool_shape_comparison,
     NAMES("status", "kind", "default", "condition", "undecided", "excluded", "counts"),
     NAMES("matches")},
    {"rank", "rankings", target_rank, tool_shape_ranking,
     NAMES("criteria", "sensitivity", "require", "default_place", "offering", "counts", "events",
           "use_cases"),
     NAMES("unranked", "ranked")},
    {"match", NULL, target_match, tool_shape_match,
     NAMES("status", "kind", "default", "condition", "not_considered", "asked"),
     NAMES("excluded", "near_misses", "undecided", "fits")},
    {"estimate_cost", "pricing", target_cost, NULL,
     NAMES("basis", "one_time", "rule", "others", "assumptions", "plan", "presets", "rounding",
           "stage", "offering", "outcome", "fact", "part"),
     NAMES("not_on_sale", "free_software", "does_not_fit", "results", "no_published_rate")},
    {"search", NULL, target_search, tool_shape_search, NAMES("partial"), NAMES("results")},
    {"get_sources", NULL, target_sources, NULL,
     NAMES("uses", "via", "quote_words", "quote_sha256", "copy_date", "verified_on"),
     NAMES("sources")},
};
const size_t tool_count = ARRAY_LENGTH(tools);
