/* The rules of prose: its marks, and its day. */
#include "catalogue_index.h"
#include "check_private.h"
#include "prose.h"
#include "rows.h"
#include "statements.h"
#include <string.h>

/* Where breaches go, and what is known: {bodies: {name: Markdown}, reviewed: {name: day}, facts:
 * {id: the day since when the value holds}, sources: {id: ""}, drawing: {name: the references of
 * prose that draws}}; a name is "term SLUG" or "guide SLUG". */
struct reading {
    const json_t *data;
    struct hearing *hearing;
};

static bool report(const struct reading *reading, const char *key, const char *name,
                   const char *message, struct error *error) {
    const struct check_rule *rule = check_rules;
    while (strcmp(rule->key, key) != 0) {
        rule++;
    }
    const char *slug = strchr(name, ' ') + 1;
    size_t length = strlen(name);
    if (strncmp(message, name, length) == 0 && message[length] == ':') {
        message += length + 2; /* what is wrong with prose names it, too */
    }
    char line[256];
    (void)snprintf(line, sizeof(line), "%s%s VALUES ('%s',", dump_insert,
                   name[0] == 't' ? "glossary_term" : "guide", slug);
    const struct breach breach = {rule, name, line, NULL, message};
    return check_tell(reading->hearing, &breach, error);
}

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool check_fact(const struct reading *reading, const char *name, const json_t *fact,
                       struct error *error) {
    const json_t *facts = json_object_get(reading->data, "facts");
    const char *provider = string_of(fact, "provider");
    const char *offering = string_of(fact, "offering");
    const char *attribute = string_of(fact, "attribute");
    char message[256];
    const char *since = json_string_value(prose_fact(facts, provider, offering, attribute));
    const char *reviewed = string_of(json_object_get(reading->data, "reviewed"), name);
    if (since == NULL) {
        (void)snprintf(message, sizeof(message), "cites the missing fact %s%s%s:%s", provider,
                       offering == NULL ? "" : "/", offering == NULL ? "" : offering, attribute);
        return report(reading, "prose-fact", name, message, error);
    }
    if (reviewed != NULL && strcmp(since, reviewed) > 0) {
        (void)snprintf(message, sizeof(message), "was reviewed on %s, before %s:%s changed on %s",
                       reviewed, provider, attribute, since);
        return report(reading, "prose-older", name, message, error);
    }
    return true;
}

static bool check_references(const struct reading *reading, const char *name,
                             const json_t *references, struct error *error) {
    size_t i = 0;
    json_t *reference = NULL;
    json_array_foreach(json_object_get(references, "facts"), i, reference) {
        if (!check_fact(reading, name, reference, error)) {
            return false;
        }
    }
    json_array_foreach(json_object_get(references, "sources"), i, reference) {
        char message[256];
        const char *id = json_string_value(reference);
        (void)snprintf(message, sizeof(message), "cites the missing source %s", id);
        if (json_object_get(json_object_get(reading->data, "sources"), id) == NULL &&
            !report(reading, "prose-source", name, message, error)) {
            return false;
        }
    }
    return true;
}

/* A link leads to a page of this site, or to a public one. */
static bool check_links(const struct reading *reading, const char *name, const json_t *links,
                        struct error *error) {
    size_t i = 0;
    json_t *link = NULL;
    json_array_foreach(links, i, link) {
        const char *address = json_string_value(link);
        bool is_own = (address[0] == '/' && address[1] != '/') || address[0] == '#';
        const char *fault = is_own ? NULL : check_address(address);
        if (fault == NULL) {
            continue;
        }
        char message[256];
        (void)snprintf(message, sizeof(message), "has a link that %s: %.100s", fault, address);
        if (!report(reading, "prose-link", name, message, error)) {
            return false;
        }
    }
    return true;
}

static bool draws(const json_t *references) {
    return json_array_size(json_object_get(references, "tables")) > 0 ||
           json_array_size(json_object_get(references, "diagrams")) > 0;
}

static bool check_body(const struct reading *reading, const char *name, const char *body,
                       struct error *error) {
    struct error fault = {0};
    json_t *references = prose_references(name, body, &fault);
    if (references == NULL) {
        return fault.kind == ERROR_NO_MEMORY
                   ? error_no_memory(error)
                   : report(reading, "prose-mark", name, fault.message, error);
    }
    bool good = check_references(reading, name, references, error) &&
                check_links(reading, name, json_object_get(references, "links"), error);
    if (good && draws(references)) {
        json_t *drawing = json_object_get(reading->data, "drawing");
        good = json_object_set(drawing, name, references) == 0 || error_no_memory(error);
    }
    json_decref(references);
    return good;
}

static bool check_drawing(const struct reading *reading, struct catalogue *catalogue,
                          struct error *error) {
    const json_t *drawing = json_object_get(reading->data, "drawing");
    if (reading->hearing->has_error || json_object_size(drawing) == 0) {
        return true;
    }
    struct catalogue_index *index = index_create(catalogue, NULL, error);
    json_t *use_cases =
        index == NULL ? NULL : catalogue_rows(catalogue, STATEMENT_USE_CASES, NULL, 0, error);
    bool good = use_cases != NULL;
    const char *name = NULL;
    json_t *references = NULL;
    json_object_foreach((json_t *)drawing, name, references) {
        struct error fault = {0};
        if (good && !prose_can_draw(index, use_cases, references, &fault)) {
            good = fault.kind == ERROR_INVALID
                       ? report(reading, "prose-drawing", name, fault.message, error)
                       : error_set(error, fault.kind, "%s: %s", name, fault.message);
        }
    }
    json_decref(use_cases);
    index_free(index);
    return good;
}

bool check_read_map(sqlite3 *database, const char *sql, json_t *map, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        return database_error(database, "cannot read the catalogue", error);
    }
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *name = row_text(statement, 0);
        const char *text = row_text(statement, 1);
        if (name == NULL || text == NULL ||
            json_object_set_new(map, name, json_string(text)) != 0) {
            return error_set(error, ERROR_CORRUPT, "the catalogue holds a text that is not UTF-8");
        }
    }
    return code == SQLITE_DONE || database_error(database, "cannot read the catalogue", error);
}

static json_t *read_data(sqlite3 *database, struct error *error) {
    json_t *data = json_pack("{s:{}, s:{}, s:{}, s:{}, s:{}}", "bodies", "reviewed", "facts",
                             "sources", "drawing");
    bool good =
        (data != NULL || error_no_memory(error)) &&
        check_read_map(database, sql_prose_bodies, json_object_get(data, "bodies"), error) &&
        check_read_map(database, sql_prose_reviewed, json_object_get(data, "reviewed"), error) &&
        check_read_map(database, sql_prose_facts, json_object_get(data, "facts"), error) &&
        check_read_map(database, sql_prose_sources, json_object_get(data, "sources"), error);
    if (!good) {
        json_decref(data);
        data = NULL;
    }
    return data;
}

bool check_prose(struct catalogue *catalogue, struct hearing *hearing, struct error *error) {
    json_t *data = read_data(catalogue_database(catalogue), error);
    const struct reading reading = {data, hearing};
    bool good = data != NULL;
    const char *name = NULL;
    json_t *body = NULL;
    json_object_foreach(json_object_get(data, "bodies"), name, body) {
        good = good && check_body(&reading, name, json_string_value(body), error);
    }
    good = good && check_drawing(&reading, catalogue, error);
    json_decref(data);
    return good;
}
