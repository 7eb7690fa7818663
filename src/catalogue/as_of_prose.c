/* Prose has no history of its own: what it names and an earlier day did not know becomes words. */
#include "as_of_prose.h"
#include "check_private.h"
#include "limit.h"
#include "prose.h"
#include "statements.h"

struct body {
    const char *list;   /* the bodies by their slug */
    const char *update; /* ?1 the body, ?2 the slug */
};

static bool write_body(sqlite3 *database, const char *update, const char *slug,
                       const struct buf *text, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *statement = NULL;
    return (sqlite3_prepare_v2(database, update, -1, &statement, NULL) == SQLITE_OK &&
            sqlite3_bind_text(statement, 1, text->data, (int)text->length, SQLITE_STATIC) ==
                SQLITE_OK &&
            sqlite3_bind_text(statement, 2, slug, -1, SQLITE_STATIC) == SQLITE_OK &&
            sqlite3_step(statement) == SQLITE_DONE) ||
           database_error(database, "cannot go back to an earlier day", error);
}

static bool forget_in(sqlite3 *database, const struct prose_names *names, const struct body *kind,
                      struct error *error) {
    json_t *bodies = json_object();
    bool good = (bodies != NULL || error_no_memory(error)) &&
                check_read_map(database, kind->list, bodies, error);
    const char *slug = NULL;
    json_t *body = NULL;
    json_object_foreach(bodies, slug, body) {
        struct buf text;
        bool changed = false;
        buf_init(&text, LIMIT_CATALOGUE_BYTES);
        good = good && prose_known(names, json_string_value(body), &text, &changed, error) &&
               (!changed || write_body(database, kind->update, slug, &text, error));
        buf_free(&text);
    }
    json_decref(bodies);
    return good;
}

bool as_of_forget_prose(sqlite3 *database, struct error *error) {
    static const struct body kinds[] = {{sql_term_bodies, sql_term_body_set},
                                        {sql_guide_bodies, sql_guide_body_set}};
    struct prose_names names = {json_object(), json_object(), json_object()};
    bool good = (names.facts != NULL && names.sources != NULL && names.providers != NULL) ||
                error_no_memory(error);
    good = good && check_read_map(database, sql_prose_facts, names.facts, error) &&
           check_read_map(database, sql_prose_sources, names.sources, error) &&
           check_read_map(database, sql_prose_providers, names.providers, error);
    for (size_t i = 0; good && i < ARRAY_LENGTH(kinds); i++) {
        good = forget_in(database, &names, &kinds[i], error);
    }
    json_decref(names.facts);
    json_decref(names.sources);
    json_decref(names.providers);
    return good;
}
