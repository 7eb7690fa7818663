#include "markdown.h"
#include "limit.h"
#include <cmark.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct walk {
    const struct markdown_hooks *hooks;
    size_t words;
    struct error *error;
};

static void free_text(char **text) {
    free(*text);
}

/* --- memory --- */

/* cmark ends the program where memory runs out. So all that one walk may need is taken before it
 * begins, which may fail, and handed out from there: a node and its texts take far less than this
 * for each byte of Markdown, and pages that are never touched cost nothing. What a longer text than
 * LIMIT_ANSWER_BYTES would need beyond it is the only thing that still ends the program. */
enum { RESERVE_BYTES = 512 * 1024, RESERVE_PER_BYTE = 192, ALIGNMENT = 16 };

struct reserve {
    unsigned char *bytes;
    size_t used;
    size_t size;
};

/* Of the walk that this thread is in; cmark's allocators have no context. */
static _Thread_local struct reserve *reserve;

static void *reserve_take(size_t count, size_t size) {
    /* The length stands before each block, for when it grows; fresh memory is zero. */
    size_t length = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (reserve == NULL || reserve->size - reserve->used < length + ALIGNMENT) {
        abort();
    }
    unsigned char *block = reserve->bytes + reserve->used + ALIGNMENT;
    memcpy(block - ALIGNMENT, &length, sizeof(length));
    reserve->used += length + ALIGNMENT;
    return block;
}

static void *reserve_grow(void *block, size_t size) {
    size_t length = 0;
    if (block != NULL) {
        memcpy(&length, (unsigned char *)block - ALIGNMENT, sizeof(length));
    }
    if (size <= length) {
        return block;
    }
    void *grown = reserve_take(1, size);
    if (block != NULL) {
        memcpy(grown, block, length);
    }
    return grown;
}

static void reserve_leave(void *block) {
    (void)block; /* all of it goes when the walk ends */
}

static cmark_mem reserve_memory = {reserve_take, reserve_grow, reserve_leave};

static cmark_node *new_node(cmark_node_type type) {
    return cmark_node_new_with_mem(type, &reserve_memory);
}

/* cmark's own does not take NULL. */
static void drop_node(cmark_node *node) {
    if (node != NULL) {
        cmark_node_free(node);
    }
}

/* --- words and plain text --- */

static size_t count_words(const char *text) {
    size_t words = 0;
    bool inside = false;
    for (; *text != '\0'; text++) {
        bool is_letter = isalnum((unsigned char)*text) != 0 || (unsigned char)*text >= 0x80;
        words += is_letter && !inside ? 1 : 0;
        inside = is_letter || (inside && isspace((unsigned char)*text) == 0);
    }
    return words;
}

/* Appends the text below a node, without markup. */
static void add_plain(cmark_node *node, struct buf *out) {
    cmark_iter *iter = cmark_iter_new(node);
    for (cmark_event_type event = cmark_iter_next(iter); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter)) {
        cmark_node *at = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(at);
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) {
            buf_add_text(out, cmark_node_get_literal(at));
        } else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
            buf_add_char(out, ' ');
        }
    }
    cmark_iter_free(iter);
}

/* --- marks --- */

/* The first mark in text: its start, and its length with brackets. NULL: none. A length of 0 is a
 * mark that does not end. */
static const char *find_mark(const char *text, size_t *out_length) {
    for (const char *at = strchr(text, '['); at != NULL; at = strchr(at + 1, '[')) {
        if (at[1] != '[' && at[1] != '^') {
            continue;
        }
        const char *closing = at[1] == '[' ? "]]" : "]";
        const char *end = strstr(at + 2, closing);
        *out_length = end == NULL ? 0 : (size_t)(end - at) + strlen(closing);
        return at;
    }
    return NULL;
}

/* The text of a mark without its brackets ("^" stays). The caller frees it. */
static char *mark_text(const char *mark, size_t length) {
    return mark[1] == '[' ? strndup(mark + 2, length - 4) : strndup(mark + 1, length - 2);
}

/* A text node of so many bytes; NULL: out of memory. */
static cmark_node *new_text(const char *text, size_t length) {
    char *copy = strndup(text, length);
    cmark_node *made = copy == NULL ? NULL : new_node(CMARK_NODE_TEXT);
    bool good = made != NULL && cmark_node_set_literal(made, copy) == 1;
    free(copy);
    if (!good) {
        drop_node(made);
        return NULL;
    }
    return made;
}

static bool insert_text(cmark_node *place, const char *text, size_t length) {
    if (length == 0) {
        return true;
    }
    cmark_node *made = new_text(text, length);
    if (made == NULL || cmark_node_insert_before(place, made) != 1) {
        drop_node(made);
        return false;
    }
    return true;
}

static bool insert_mark(struct walk *walk, cmark_node *place, const char *mark, size_t length) {
    char *text CLEANUP(free_text) = mark_text(mark, length);
    struct buf html;
    buf_init(&html, LIMIT_ANSWER_BYTES);
    cmark_node *made = new_node(CMARK_NODE_CUSTOM_INLINE);
    bool good = text != NULL || error_no_memory(walk->error);
    good = good && walk->hooks->mark(walk->hooks->context, text, &html, walk->error);
    good = good && ((!html.failed &&
                     cmark_node_set_on_enter(made, html.data == NULL ? "" : html.data) == 1 &&
                     cmark_node_insert_before(place, made) == 1) ||
                    error_no_memory(walk->error));
    if (!good) {
        drop_node(made);
    }
    buf_free(&html);
    return good;
}

static bool is_in_link(cmark_node *node) {
    for (; node != NULL; node = cmark_node_parent(node)) {
        cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE) {
            return true;
        }
    }
    return false;
}

/* Puts what stands for the marks into a text node's place; the node itself goes. */
static bool replace_marks(struct walk *walk, cmark_node *node) {
    const char *text = cmark_node_get_literal(node);
    size_t length = 0;
    const char *mark = find_mark(text, &length);
    if (mark == NULL) {
        return true;
    }
    if (is_in_link(node)) {
        return error_set(walk->error, ERROR_INVALID, "%.60s: a mark may not stand in a link", mark);
    }
    for (; mark != NULL; mark = find_mark(text, &length)) {
        if (length == 0) {
            return error_set(walk->error, ERROR_INVALID, "%.60s: the mark does not end", mark);
        }
        if (!insert_text(node, text, (size_t)(mark - text))) {
            return error_no_memory(walk->error);
        }
        if (!insert_mark(walk, node, mark, length)) {
            return false;
        }
        text = mark + length;
    }
    if (!insert_text(node, text, strlen(text))) {
        return error_no_memory(walk->error);
    }
    drop_node(node);
    return true;
}

/* Leaves the words of a picture in its place: pages show none but their own. */
static bool unwrap(cmark_node *image) {
    for (cmark_node *child = cmark_node_first_child(image); child != NULL;
         child = cmark_node_first_child(image)) {
        if (!cmark_node_insert_before(image, child)) {
            return false;
        }
    }
    drop_node(image);
    return true;
}

/* Counts words, tells of links, and replaces marks and pictures below a block. */
static bool walk_inlines(struct walk *walk, cmark_node *block) {
    const struct markdown_hooks *hooks = walk->hooks;
    cmark_iter *iter = cmark_iter_new(block);
    bool good = true;
    for (cmark_event_type event = cmark_iter_next(iter); good && event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter)) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);
        if (event == CMARK_EVENT_ENTER && type == CMARK_NODE_LINK) {
            good = hooks->link(hooks->context, cmark_node_get_url(node), walk->error);
        } else if (event == CMARK_EVENT_EXIT && type == CMARK_NODE_IMAGE) {
            good = unwrap(node) || error_no_memory(walk->error);
        } else if (type == CMARK_NODE_TEXT) {
            walk->words += count_words(cmark_node_get_literal(node));
            good = replace_marks(walk, node); /* the iterator has its next node already */
        } else if (type == CMARK_NODE_CODE) {
            walk->words += count_words(cmark_node_get_literal(node));
        }
    }
    cmark_iter_free(iter);
    return good;
}

/* --- pipe tables --- */

static bool is_pipe_table(cmark_node *block) {
    cmark_node *first = cmark_node_first_child(block);
    return cmark_node_get_type(block) == CMARK_NODE_PARAGRAPH && first != NULL &&
           cmark_node_get_type(first) == CMARK_NODE_TEXT &&
           cmark_node_get_literal(first)[0] == '|' && cmark_node_next(first) != NULL;
}

/* Markup without blanks at either end; NULL: out of memory. */
static json_t *trimmed(const char *text) {
    size_t length = 0;
    text += strspn(text, " \n");
    for (size_t i = 0; text[i] != '\0'; i++) {
        length = text[i] == ' ' || text[i] == '\n' ? length : i + 1;
    }
    return json_stringn(text, length);
}

/* The cell that a node of inlines holds. */
static json_t *cell_of(cmark_node *cell) {
    const char *html = cmark_render_html(cell, CMARK_OPT_DEFAULT);
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    add_plain(cell, &text);
    json_t *result =
        text.failed || html == NULL
            ? NULL
            : json_pack("{s:o, s:o}", "text", trimmed(text.data == NULL ? "" : text.data),
                        "cell_html", trimmed(html));
    buf_free(&text);
    return result;
}

/* A table while its inlines are dealt out to cells. */
struct table {
    json_t *rows;
    json_t *row;      /* the last of rows */
    cmark_node *cell; /* what came since the last pipe */
    bool opened;      /* the row's first pipe has been seen */
};

static bool table_pipe(struct table *table) {
    if (table->opened && json_array_append_new(table->row, cell_of(table->cell)) != 0) {
        return false;
    }
    table->opened = true;
    drop_node(table->cell);
    table->cell = new_node(CMARK_NODE_CUSTOM_INLINE);
    return true;
}

static bool table_row(struct table *table) {
    table->row = json_array();
    table->opened = false;
    return json_array_append_new(table->rows, table->row) == 0;
}

static bool table_text(struct table *table, const char *text) {
    for (;;) {
        size_t length = strcspn(text, "|");
        cmark_node *piece = new_text(text, length);
        if (piece == NULL || cmark_node_append_child(table->cell, piece) != 1) {
            drop_node(piece);
            return false;
        }
        if (text[length] == '\0') {
            return true;
        }
        if (!table_pipe(table)) {
            return false;
        }
        text += length + 1;
    }
}

/* Deals the inlines of a paragraph out to rows and cells. */
static bool fill_table(struct table *table, cmark_node *block) {
    table->rows = json_array();
    table->cell = new_node(CMARK_NODE_CUSTOM_INLINE);
    bool good = table_row(table);
    cmark_node *next = NULL;
    for (cmark_node *at = cmark_node_first_child(block); good && at != NULL; at = next) {
        next = cmark_node_next(at);
        cmark_node_type type = cmark_node_get_type(at);
        if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
            good = table_row(table);
        } else if (type == CMARK_NODE_TEXT) {
            good = table_text(table, cmark_node_get_literal(at));
        } else {
            good = cmark_node_append_child(table->cell, at) == 1;
        }
    }
    drop_node(table->cell);
    return good;
}

/* Whether the second row is the line of dashes, and all rows are equally long. */
static bool is_well_formed(const json_t *rows) {
    size_t columns = json_array_size(json_array_get(rows, 0));
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (json_array_size(row) != columns || columns == 0) {
            return false;
        }
    }
    json_array_foreach(json_array_get(rows, 1), i, row) {
        const char *text = json_string_value(json_object_get(row, "text"));
        if (text[0] == '\0' || strspn(text, "-:") != strlen(text)) {
            return false;
        }
    }
    return json_array_size(rows) >= 3;
}

static bool emit_table(struct walk *walk, cmark_node *block) {
    struct table table = {0};
    bool good = fill_table(&table, block) || error_no_memory(walk->error);
    if (good && !is_well_formed(table.rows)) {
        good = error_set(walk->error, ERROR_INVALID,
                         "a table needs a head, a line of dashes, and rows of one length");
    }
    if (good) {
        (void)json_array_remove(table.rows, 1);
        const struct markdown_block out = {.kind = MARKDOWN_TABLE, .rows = table.rows};
        good = walk->hooks->block(walk->hooks->context, &out, walk->error);
    }
    json_decref(table.rows);
    return good;
}

/* --- blocks --- */

/* The paragraph's only text, if that is one mark with a blank in it ("[[table ...]]"). */
static const char *lone_mark(cmark_node *block) {
    cmark_node *first = cmark_node_first_child(block);
    if (cmark_node_get_type(block) != CMARK_NODE_PARAGRAPH || first == NULL ||
        cmark_node_get_type(first) != CMARK_NODE_TEXT || cmark_node_next(first) != NULL) {
        return NULL;
    }
    const char *text = cmark_node_get_literal(first);
    size_t length = 0;
    const char *mark = find_mark(text, &length);
    bool is_lone = mark == text && length == strlen(text) && text[1] == '[';
    return is_lone && text[strcspn(text, " |]")] == ' ' ? text : NULL;
}

static bool emit_mark(struct walk *walk, const char *mark) {
    char *text CLEANUP(free_text) = mark_text(mark, strlen(mark));
    const struct markdown_block out = {.kind = MARKDOWN_MARK, .text = text};
    return text == NULL ? error_no_memory(walk->error)
                        : walk->hooks->block(walk->hooks->context, &out, walk->error);
}

static bool emit_heading(struct walk *walk, cmark_node *block, const char *text) {
    cmark_node *inside = new_node(CMARK_NODE_CUSTOM_INLINE);
    for (cmark_node *child = cmark_node_first_child(block); child != NULL;
         child = cmark_node_first_child(block)) {
        if (cmark_node_append_child(inside, child) != 1) {
            break;
        }
    }
    const char *html = cmark_render_html(inside, CMARK_OPT_DEFAULT);
    drop_node(inside);
    const struct markdown_block out = {.kind = MARKDOWN_HEADING,
                                       .level = cmark_node_get_heading_level(block),
                                       .text = text,
                                       .html = html};
    return walk->hooks->block(walk->hooks->context, &out, walk->error);
}

static bool emit_text(struct walk *walk, cmark_node *block) {
    const char *html = cmark_render_html(block, CMARK_OPT_DEFAULT);
    const struct markdown_block out = {.kind = MARKDOWN_TEXT, .html = html};
    return walk->hooks->block(walk->hooks->context, &out, walk->error);
}

static bool walk_block(struct walk *walk, cmark_node *block) {
    const char *mark = lone_mark(block);
    if (mark != NULL) {
        return emit_mark(walk, mark);
    }
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    bool is_heading = cmark_node_get_type(block) == CMARK_NODE_HEADING;
    if (is_heading) {
        add_plain(block, &text);
    }
    bool good = (!text.failed || error_no_memory(walk->error)) && walk_inlines(walk, block);
    good = good && (is_heading ? emit_heading(walk, block, text.data == NULL ? "" : text.data)
                    : is_pipe_table(block) ? emit_table(walk, block)
                                           : emit_text(walk, block));
    buf_free(&text);
    return good;
}

static bool walk_document(struct walk *walk, const char *markdown, size_t length) {
    cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, &reserve_memory);
    cmark_parser_feed(parser, markdown, length);
    cmark_node *root = cmark_parser_finish(parser);
    cmark_consolidate_text_nodes(root);
    bool good = true;
    for (cmark_node *block = cmark_node_first_child(root); good && block != NULL;
         block = cmark_node_next(block)) {
        good = walk_block(walk, block);
    }
    return good;
}

bool markdown_walk(const char *markdown, const struct markdown_hooks *hooks, size_t *out_words,
                   struct error *error) {
    struct walk walk = {.hooks = hooks, .error = error};
    size_t length = strlen(markdown);
    struct reserve own = {.size = RESERVE_BYTES + length * RESERVE_PER_BYTE};
    struct reserve *outer = reserve;
    /* calloc gives large blocks as fresh pages, so what is not used costs nothing. */
    own.bytes = length > LIMIT_ANSWER_BYTES ? NULL : calloc(1, own.size);
    if (own.bytes == NULL) {
        return error_no_memory(error);
    }
    reserve = &own;
    bool good = walk_document(&walk, markdown, length);
    reserve = outer;
    free(own.bytes);
    if (good) {
        *out_words = walk.words;
    }
    return good;
}
