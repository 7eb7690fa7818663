/* What a prose draws, taken apart, and whether it can be drawn. No page is made here: the tool that
 * builds the catalogue is linked without them. */
#include "builtin.h"
#include "limit.h"
#include "prose_private.h"
#include <stdio.h>
#include <string.h>

bool prose_ask(const struct catalogue_index *index, const json_t *use_cases, const char *query,
               struct target *target, struct question *question, struct error *error) {
    struct buf address;
    buf_init(&address, LIMIT_CATALOGUE_BYTES);
    buf_add_format(&address, "/?%s", query);
    bool good = !address.failed || error_no_memory(error);
    good = good && target_parse(address.data, address.length, target, error);
    buf_free(&address);
    if (!good) {
        return false;
    }
    struct question_fault fault = {0};
    enum question_result result = question_parse(index, use_cases, target->pairs,
                                                 target->pair_count, question, &fault, error);
    if (result == QUESTION_FAULTY) {
        (void)error_set(error, ERROR_INVALID, "%s: %s", fault.parameter, fault.detail);
        json_decref(fault.allowed);
    }
    return result == QUESTION_GOOD;
}

bool prose_diagram_file(const char *name, char out[PROSE_DIAGRAM_BYTES], struct error *error) {
    return snprintf(out, PROSE_DIAGRAM_BYTES, "html/diagram_%s.html", name) < PROSE_DIAGRAM_BYTES ||
           error_set(error, ERROR_INVALID, "[[diagram %.60s]]: the name is too long", name);
}

static bool is_template(const char *file) {
    size_t count = 0;
    const struct builtin_file *templates = builtin_templates(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(templates[i].name, file) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_before(const json_t *names, size_t place) {
    for (size_t i = 0; i < place; i++) {
        if (json_equal(json_array_get(names, i), json_array_get(names, place))) {
            return true;
        }
    }
    return false;
}

static bool can_draw_diagrams(const json_t *names, struct error *error) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(names, i, entry) {
        char file[PROSE_DIAGRAM_BYTES];
        const char *name = json_string_value(entry);
        if (!prose_diagram_file(name, file, error)) {
            return false;
        }
        if (!is_template(file)) {
            return error_set(error, ERROR_INVALID, "[[diagram %s]]: there is no such diagram",
                             name);
        }
        if (has_before(names, i)) {
            return error_set(error, ERROR_INVALID, "[[diagram %s]]: twice on a page", name);
        }
    }
    return true;
}

static bool can_draw_table(const struct catalogue_index *index, const json_t *use_cases,
                           const char *query, struct error *error) {
    struct target target = {0};
    struct question question = {0};
    struct error inner = {0};
    bool good = prose_ask(index, use_cases, query, &target, &question, &inner) ||
                error_set(error, inner.kind, "[[table %.80s]]: %s", query, inner.message);
    question_free(&question);
    target_free(&target);
    return good;
}

bool prose_can_draw(const struct catalogue_index *index, const json_t *use_cases,
                    const json_t *references, struct error *error) {
    size_t i = 0;
    json_t *query = NULL;
    json_array_foreach(json_object_get(references, "tables"), i, query) {
        if (!can_draw_table(index, use_cases, json_string_value(query), error)) {
            return false;
        }
    }
    return can_draw_diagrams(json_object_get(references, "diagrams"), error);
}
