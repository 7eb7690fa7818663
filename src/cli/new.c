/* new: an empty catalogue with attributes of one's own. */
#include "builtin.h"
#include "cli.h"
#include "edit.h"
#include "folder.h"
#include "options.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct new_options {
    const char *db;
    const char *plan;
};

/* What an object of the plan can hold; what it must comes first. */
struct shape {
    const char *what;
    const char *const *members;
    size_t count;
    size_t required;
};

#define SHAPE(name, list, needed)                                                                  \
    {.what = (name), .members = (list), .count = ARRAY_LENGTH(list), .required = (needed)}

static const char *const plan_members[] = {"settings", "groups", "attributes", "rankings"};
static const char *const group_members[] = {"key", "label"};
static const char *const attribute_members[] = {"key",         "group",       "label",     "type",
                                                "description", "review_days", "unit",      "better",
                                                "values",      "headline",    "filterable"};
static const char *const value_members[] = {"value", "label"};
static const char *const ranking_members[] = {"slug", "title", "criteria", "require"};
static const char *const criterion_members[] = {"attribute", "weight", "rule", "why"};

static const struct shape plan_shape = SHAPE("the plan, object", plan_members, 3);
static const struct shape group_shape = SHAPE("group", group_members, 2);
static const struct shape attribute_shape = SHAPE("attribute", attribute_members, 6);
static const struct shape value_shape = SHAPE("values", value_members, 1);
static const struct shape ranking_shape = SHAPE("ranking", ranking_members, 3);
static const struct shape criterion_shape = SHAPE("criteria", criterion_members, 4);

static bool check_object(const json_t *object, const struct shape *shape, size_t number,
                         struct error *error) {
    if (!json_is_object(object)) {
        return error_set(error, ERROR_INVALID, "%s %zu is not an object", shape->what, number);
    }
    for (size_t i = 0; i < shape->required; i++) {
        if (json_object_get(object, shape->members[i]) == NULL) {
            return error_set(error, ERROR_INVALID, "%s %zu has no \"%s\"", shape->what, number,
                             shape->members[i]);
        }
    }
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)object, name, value) {
        if (!text_is_one_of(name, shape->members, shape->count)) {
            return error_set(error, ERROR_INVALID, "%s %zu has \"%s\", which means nothing there",
                             shape->what, number, name);
        }
    }
    return true;
}

/* Each object of a list, and each of the list in it that is called as the inner shape; NULL: none.
 */
static bool check_list(const json_t *list, const struct shape *shape, const struct shape *inner,
                       struct error *error) {
    size_t i = 0;
    json_t *object = NULL;
    json_array_foreach((json_t *)list, i, object) {
        if (!check_object(object, shape, i + 1, error)) {
            return false;
        }
        size_t j = 0;
        json_t *entry = NULL;
        json_array_foreach(inner == NULL ? NULL : json_object_get(object, inner->what), j, entry) {
            if (!check_object(entry, inner, j + 1, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool check_settings(const json_t *settings, struct error *error) {
    static const char *const required[] = {"title", "noun", "nouns"};
    for (size_t i = 0; i < ARRAY_LENGTH(required); i++) {
        if (json_string_value(json_object_get(settings, required[i])) == NULL) {
            return error_set(error, ERROR_INVALID, "\"settings\" has no \"%s\"", required[i]);
        }
    }
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)settings, name, value) {
        if (!json_is_string(value)) {
            return error_set(error, ERROR_INVALID, "the setting \"%s\" is not a text", name);
        }
    }
    const char *folder = json_string_value(json_object_get(settings, "folder"));
    return folder == NULL || folder_valid(folder) ||
           error_set(error, ERROR_INVALID,
                     "the folder \"%s\" is not of small letters, digits and \"-\", or is taken by "
                     "another page",
                     folder);
}

static bool check_plan(const json_t *plan, struct error *error) {
    return check_object(plan, &plan_shape, 1, error) &&
           check_settings(json_object_get(plan, "settings"), error) &&
           check_list(json_object_get(plan, "groups"), &group_shape, NULL, error) &&
           check_list(json_object_get(plan, "attributes"), &attribute_shape, &value_shape, error) &&
           check_list(json_object_get(plan, "rankings"), &ranking_shape, &criterion_shape, error);
}

/* --- what the plan leaves out --- */

/* A folder from the nouns: "database-services"; "providers" where they make none. */
static json_t *folder_from(const char *nouns) {
    char folder[64];
    text_slug(nouns, folder, sizeof(folder));
    return json_string(folder_valid(folder) ? folder : "providers");
}

static bool set_default(json_t *settings, const char *key, json_t *value) {
    if (json_object_get(settings, key) != NULL) {
        json_decref(value);
        return true;
    }
    return json_object_set_new(settings, key, value) == 0;
}

static bool complete_settings(json_t *settings, struct error *error) {
    char today[TEXT_DATE_BYTES];
    text_iso_date(text_today(), today);
    bool good = json_object_set_new(settings, "catalogue_date", json_string(today)) == 0 &&
                set_default(settings, "catalogue_version", json_string("1")) &&
                set_default(settings, "code_licence", json_string("MIT")) &&
                set_default(settings, "currency", json_string("USD")) &&
                set_default(settings, "language", json_string("en-GB")) &&
                set_default(settings, "folder",
                            folder_from(json_string_value(json_object_get(settings, "nouns"))));
    return good || error_no_memory(error);
}

/* --- the file --- */

static json_t *read_plan(const char *path, struct error *error) {
    json_error_t fault;
    char *text = cli_read_text(path, error);
    if (text == NULL) {
        return NULL;
    }
    json_t *plan = json_loads(text, JSON_REJECT_DUPLICATES, &fault);
    free(text);
    struct error inner = {0};
    if (plan == NULL) {
        (void)error_set(error, ERROR_INVALID, "%s: line %d: %s", path, fault.line, fault.text);
    } else if (!check_plan(plan, &inner) ||
               !complete_settings(json_object_get(plan, "settings"), &inner)) {
        (void)error_set(error, inner.kind, "%s: %s", path, inner.message);
        json_decref(plan);
        plan = NULL;
    }
    return plan;
}

static bool write_empty(const char *path, struct error *error) {
    const struct builtin_file *schema = builtin_schema();
    struct image image = {0};
    bool good = image_build((const char *)schema->bytes, "", NULL, &image, error) &&
                image_write(&image, path, error);
    image_free(&image);
    return good;
}

/* Puts the plan into the empty file: the statements take it apart. */
static bool fill(const char *path, const json_t *plan, struct error *error) {
    static const enum edit_statement statements[] = {
        EDIT_NEW_SETTINGS, EDIT_NEW_VOLATILITIES, EDIT_NEW_GROUPS,   EDIT_NEW_ATTRIBUTES,
        EDIT_NEW_VALUES,   EDIT_NEW_RANKINGS,     EDIT_NEW_CRITERIA, EDIT_NEW_JOURNAL};
    char *text = json_dumps(plan, JSON_COMPACT);
    const char *const texts[] = {text};
    struct edit *edit = text == NULL ? NULL : edit_open(path, error);
    bool good = edit != NULL || (text == NULL && error_no_memory(error));
    for (size_t i = 0; good && i < ARRAY_LENGTH(statements); i++) {
        size_t count = statements[i] == EDIT_NEW_JOURNAL ? 0 : 1;
        good = edit_run(edit, statements[i], texts, count, NULL, NULL, error);
    }
    json_t *changes = good ? edit_finish(edit, text_today(), false, error) : NULL;
    good = good && changes != NULL;
    json_decref(changes);
    edit_close(edit);
    free(text);
    return good;
}

static int make(const struct new_options *options) {
    struct error error;
    if (access(options->db, F_OK) == 0) {
        (void)error_set(&error, ERROR_INVALID, "%s is there already", options->db);
        return cli_fail(EXIT_FAULT, &error);
    }
    json_t *plan = read_plan(options->plan, &error);
    bool good = plan != NULL && write_empty(options->db, &error);
    if (good && !fill(options->db, plan, &error)) {
        good = false;
        (void)unlink(options->db);
    }
    if (good) {
        (void)printf("%s  %zu attributes in %zu groups; the next step is: agent-sandboxes add "
                     "provider --db %s\n",
                     options->db, json_array_size(json_object_get(plan, "attributes")),
                     json_array_size(json_object_get(plan, "groups")), options->db);
    }
    json_decref(plan);
    return good ? EXIT_OK : cli_fail(EXIT_FAULT, &error);
}

int cli_new(int argc, char **argv) {
    struct new_options options = {0};
    const struct cli_option accepted[] = {
        {"db", "FILE", "the catalogue file to make; it must not exist", NULL, &options.db},
    };
    const struct cli_argument arguments[] = {{"PLAN", &options.plan, false}};
    const struct cli_line line = {
        .command = "new",
        .synopsis = "--db FILE PLAN",
        .about =
            "Makes an empty catalogue with the names, attributes and rankings of PLAN, a JSON "
            "file, so that the program\n"
            "serves a comparison of anything else. docs/own-catalogue.md has a worked example.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    return options.db == NULL ? cli_usage_error("new", "--db is missing") : make(&options);
}
