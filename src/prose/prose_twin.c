/* Prose as Markdown for the twin of its page: marks as words, sources as their numbers there. */
#include "limit.h"
#include "prose_private.h"

/* The pieces made so far, and the text in progress. */
struct twin {
    const json_t *facts;   /* by id */
    const json_t *numbers; /* source id to number */
    const json_t *tables;  /* the blocks of prose_build that are tables, in order */
    size_t table;
    json_t *pieces;
    struct buf text;
};

static bool add_piece(struct twin *twin, json_t *text, json_t *table, struct error *error) {
    return json_array_append_new(twin->pieces,
                                 json_pack("{s:o, s:o}", "text", text, "table", table)) == 0 ||
           error_no_memory(error);
}

static bool end_text(struct twin *twin, struct error *error) {
    size_t length = twin->text.length;
    while (length > 0 && twin->text.data[length - 1] == '\n') {
        length--;
    }
    size_t start = 0;
    while (start < length && twin->text.data[start] == '\n') {
        start++;
    }
    bool good =
        length == start ||
        add_piece(twin, json_stringn(twin->text.data + start, length - start), json_null(), error);
    twin->text.length = 0;
    return good;
}

static bool add_table(struct twin *twin, struct error *error) {
    json_t *table = json_array_get(twin->tables, twin->table++);
    if (table == NULL) {
        return error_set(error, ERROR_INTERNAL, "the prose has more tables than its page");
    }
    return end_text(twin, error) && add_piece(twin, json_null(), json_incref(table), error);
}

static bool add_mark(void *context, const struct mark *mark, struct error *error) {
    struct twin *twin = context;
    if (mark->kind == MARK_TABLE) {
        return add_table(twin, error);
    }
    if (mark->kind == MARK_DIAGRAM) {
        buf_add_text(&twin->text, "Drawing: ");
        mark_add_words(mark->words, &twin->text);
        return true;
    }
    if (mark->kind == MARK_SOURCE) {
        json_int_t number = json_integer_value(json_object_get(twin->numbers, mark->name));
        buf_add_format(&twin->text, " \\[%lld\\]", (long long)number);
        return true;
    }
    const char *words = mark_words(twin->facts, mark, error);
    if (words != NULL) {
        mark_add_words(words, &twin->text);
    }
    return words != NULL;
}

/* The tables among the blocks. New reference. */
static json_t *tables_of(const struct prose *prose) {
    json_t *tables = json_array();
    size_t i = 0;
    json_t *block = NULL;
    json_array_foreach(prose->blocks, i, block) {
        json_t *table = json_object_get(block, "table");
        if (json_is_object(table) && json_array_append(tables, table) != 0) {
            json_decref(tables);
            return NULL;
        }
    }
    return tables;
}

json_t *prose_twin(const struct view *view, const struct prose *prose, const char *markdown,
                   struct error *error) {
    json_t *tables = tables_of(prose);
    struct twin twin = {
        .facts = prose->facts, .numbers = view->numbers, .tables = tables, .pieces = json_array()};
    buf_init(&twin.text, LIMIT_ANSWER_BYTES);
    const struct mark_hooks hooks = {&twin, add_mark, &twin.text};
    bool good = (tables != NULL && twin.pieces != NULL) || error_no_memory(error);
    good = good && mark_walk(markdown, &hooks, error) && end_text(&twin, error) &&
           (!twin.text.failed || error_no_memory(error));
    buf_free(&twin.text);
    json_decref(tables);
    if (!good) {
        json_decref(twin.pieces);
        return NULL;
    }
    return twin.pieces;
}
