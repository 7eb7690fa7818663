/* The JSON form of an overlay: lists of entries become rows. */
#include "buf.h"
#include "database.h"
#include "limit.h"
#include "overlay_private.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct overlay_field *find_field(const struct overlay_list *list, const char *name) {
    for (const struct overlay_field *field = list->fields; field->name != NULL; field++) {
        if (strcmp(field->name, name) == 0) {
            return field;
        }
    }
    return NULL;
}

static bool field_is_needed(enum overlay_field_form form) {
    return form == FIELD_NEEDED || form == FIELD_VALUE || form == FIELD_NUMBER_NEEDED;
}

/* What to write where a member is not of its field's form; NULL: it is. */
static const char *form_fault(enum overlay_field_form form, const json_t *member) {
    switch (form) {
    case FIELD_NUMBER:
    case FIELD_NUMBER_NEEDED:
        return json_is_number(member) ? NULL : "write a number";
    case FIELD_FLAG:
        return json_is_boolean(member) ? NULL : "write true or false";
    case FIELD_OPTIONAL:
    case FIELD_NEEDED:
        return json_is_string(member) ? NULL : "write a text";
    case FIELD_VALUE:
        break;
    }
    return NULL;
}

/* Only members that are known, each of its form. */
static bool check_members(const struct overlay_list *list, const json_t *entry, const char *place,
                          struct error *error) {
    const char *name = NULL;
    json_t *member = NULL;
    if (!json_is_object(entry)) {
        return error_set(error, ERROR_INVALID, "%s: is no object", place);
    }
    json_object_foreach((json_t *)entry, name, member) {
        const struct overlay_field *field = find_field(list, name);
        if (field == NULL) {
            return error_set(error, ERROR_INVALID,
                             "%s: has the unknown member \"%.60s\"; docs/overlay.md lists them",
                             place, name);
        }
        const char *fault = json_is_null(member) ? NULL : form_fault(field->form, member);
        if (fault != NULL) {
            return error_set(error, ERROR_INVALID, "%s/%s: %s", place, name, fault);
        }
    }
    return true;
}

/* Appends a member as the text that its field is bound as. A value is its JSON, with the digits
 * that it was written with. */
static bool add_member(struct buf *out, const struct overlay_field *field, const json_t *member) {
    enum { DIGITS = 15 };
    char *json = NULL;
    switch (field->form) {
    case FIELD_OPTIONAL:
    case FIELD_NEEDED:
        buf_add(out, json_string_value(member), json_string_length(member));
        break;
    case FIELD_NUMBER:
    case FIELD_NUMBER_NEEDED:
        text_add_number(out, json_number_value(member));
        break;
    case FIELD_FLAG:
        buf_add_text(out, json_is_true(member) ? "1" : "0");
        break;
    case FIELD_VALUE:
        json = json_dumps(member, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS));
        out->failed = out->failed || json == NULL;
        buf_add_text(out, json == NULL ? "" : json);
        free(json);
        break;
    }
    return !out->failed;
}

static bool bind_field(sqlite3_stmt *insert, int position, const struct overlay_field *field,
                       const json_t *member, const char *place, struct error *error) {
    if (member == NULL || json_is_null(member)) {
        return field_is_needed(field->form)
                   ? error_set(error, ERROR_INVALID, "%s/%s: is missing", place, field->name)
                   : sqlite3_bind_null(insert, position) == SQLITE_OK;
    }
    struct buf text;
    buf_init(&text, LIMIT_OVERLAY_BYTES);
    bool good = add_member(&text, field, member) &&
                sqlite3_bind_text(insert, position, text.data == NULL ? "" : text.data,
                                  (int)text.length, SQLITE_TRANSIENT) == SQLITE_OK;
    buf_free(&text);
    return good || error_no_memory(error);
}

static bool put_entry(sqlite3 *database, sqlite3_stmt *insert, const struct overlay_list *list,
                      const json_t *entry, const char *place, struct error *error) {
    bool good = check_members(list, entry, place, error);
    for (int i = 0; good && list->fields[i].name != NULL; i++) {
        const struct overlay_field *field = &list->fields[i];
        good = bind_field(insert, i + 1, field, json_object_get(entry, field->name), place, error);
    }
    if (good && sqlite3_step(insert) != SQLITE_DONE) {
        good = database_error(database, place, error);
    }
    (void)sqlite3_reset(insert);
    return good;
}

static bool put_list(sqlite3 *database, const struct overlay_list *list, const json_t *entries,
                     char *place, struct error *error) {
    CLEANUP(database_finalize) sqlite3_stmt *insert = NULL;
    if (!json_is_array(entries)) {
        return error_set(error, ERROR_INVALID, "/%s: is no list", list->name);
    }
    if (sqlite3_prepare_v2(database, list->insert, -1, &insert, NULL) != SQLITE_OK) {
        return database_error(database, list->name, error);
    }
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(entries, i, entry) {
        (void)snprintf(place, OVERLAY_PLACE_BYTES, "/%s/%zu", list->name, i);
        if (!put_entry(database, insert, list, entry, place, error)) {
            return false;
        }
    }
    return true;
}

static const struct overlay_list *find_list(const char *name) {
    const struct overlay_list *list = overlay_lists;
    while (list->name != NULL && strcmp(list->name, name) != 0) {
        list++;
    }
    return list->name == NULL ? NULL : list;
}

/* The name of whose overlay it is stands beside the lists: it is a list of one. */
static bool put_name(sqlite3 *database, const json_t *name, char *place, struct error *error) {
    json_t *entries = json_pack("[{s:O?}]", "name", name);
    bool good = entries != NULL ? put_list(database, overlay_lists, entries, place, error)
                                : error_no_memory(error);
    json_decref(entries);
    return good;
}

bool overlay_read_json(sqlite3 *database, const char *text, char *place, struct error *error) {
    json_error_t where;
    json_t *overlay = json_loads(text, JSON_REJECT_DUPLICATES, &where);
    if (overlay == NULL || !json_is_object(overlay)) {
        bool is_json = overlay != NULL;
        json_decref(overlay);
        return error_set(error, ERROR_INVALID, "line %d: %s", is_json ? 1 : where.line,
                         is_json ? "write one object" : where.text);
    }
    const char *name = NULL;
    json_t *member = NULL;
    bool good = true;
    json_object_foreach(overlay, name, member) {
        const struct overlay_list *list = find_list(name);
        if (!good || strcmp(name, "$schema") == 0) {
            continue;
        }
        if (strcmp(name, "name") == 0) {
            good = put_name(database, member, place, error);
        } else if (list == NULL || list == overlay_lists) {
            good = error_set(error, ERROR_INVALID,
                             "/%.60s: is unknown; docs/overlay.md lists what an overlay has", name);
        } else {
            good = put_list(database, list, member, place, error);
        }
    }
    json_decref(overlay);
    return good;
}
