#include "template_source.h"

#include "text.h"
#include <stdlib.h>
#include <string.h>

/* What is left of a file, and where it is to go. */
struct reader {
    struct template_source *source;
    const char *bytes;
    size_t length;
    int line;
    struct error *error;
};

static bool refuse(const struct reader *reader, int line, const char *what,
                   const struct token *token) {
    int length = token == NULL ? 0 : token->length < 80 ? (int)token->length : 80;
    const char *quote = token == NULL ? "" : "'";
    return error_set(reader->error, ERROR_INVALID, "%s:%d: %s%s%.*s%s", reader->source->name, line,
                     what, quote, length, token == NULL ? "" : token->text, quote);
}

/* memmem with an end: the offset of text in bytes, or length. */
static size_t find(const char *bytes, size_t length, const char *text) {
    const char *found = length == 0 ? NULL : memmem(bytes, length, text, strlen(text));
    return found == NULL ? length : (size_t)(found - bytes);
}

const char *template_pragma(enum template_kind kind) {
    switch (kind) {
    case TEMPLATE_HTML:
        return "{{%AUTOESCAPE context=\"HTML\"}}\n";
    case TEMPLATE_XML:
        return "{{%AUTOESCAPE context=\"XML\"}}\n";
    case TEMPLATE_MARKDOWN:
        break;
    }
    return "";
}

static bool kind_of(const char *name, enum template_kind *out) {
    static const char *const endings[] = {
        [TEMPLATE_HTML] = ".html", [TEMPLATE_XML] = ".xml", [TEMPLATE_MARKDOWN] = ".md"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending != NULL && i < ARRAY_LENGTH(endings); i++) {
        if (strcmp(ending, endings[i]) == 0) {
            *out = (enum template_kind)i;
            return true;
        }
    }
    return false;
}

static bool is_name(const char *text, size_t length) {
    if (length == 0 || (text[0] >= '0' && text[0] <= '9')) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && c != '_' && (c < '0' || c > '9')) {
            return false;
        }
    }
    return true;
}

static void add(struct reader *reader, struct token token) {
    token.line = reader->line;
    reader->source->tokens[reader->source->count++] = token;
}

static bool read_marker(struct reader *reader, const char *body, size_t length) {
    static const char signs[] = "#/>!";
    static const enum token_type types[] = {TOKEN_OPEN, TOKEN_CLOSE, TOKEN_PART, TOKEN_COMMENT};
    struct token token = {.type = TOKEN_VARIABLE, .text = body, .length = length};
    const char *sign = length == 0 ? NULL : memchr(signs, body[0], sizeof signs - 1);
    const char *colon = length == 0 ? NULL : memchr(body, ':', length);
    if (sign != NULL) {
        token.type = types[sign - signs];
        token.text++;
        token.length--;
    } else if (colon != NULL) {
        token.length = (size_t)(colon - body);
        token.modifier = colon + 1;
        token.modifier_length = length - token.length - 1;
        if (token.modifier_length == 0) {
            return refuse(reader, reader->line, "an empty modifier after ", &token);
        }
    }
    if (token.type != TOKEN_COMMENT && !is_name(token.text, token.length)) {
        bool pragma = length > 0 && body[0] == '%';
        return refuse(reader, reader->line,
                      pragma ? "a pragma may stand on line 1 only: " : "not a marker: ", &token);
    }
    add(reader, token);
    return true;
}

static bool read_text(struct reader *reader, const char *text, size_t length) {
    static const char *const strays[] = {"{%", "%}", "}}"};
    for (size_t i = 0; i < ARRAY_LENGTH(strays); i++) {
        struct token stray = {.text = strays[i], .length = strlen(strays[i])};
        if (find(text, length, strays[i]) < length) {
            return refuse(reader, reader->line, "stray ", &stray);
        }
    }
    if (length > 0) {
        add(reader, (struct token){.type = TOKEN_TEXT, .text = text, .length = length});
    }
    return true;
}

static bool is_blank(const struct token *token) {
    for (size_t i = 0; i < token->length; i++) {
        if (strchr(" \t\r\n", token->text[i]) == NULL) {
            return false;
        }
    }
    return true;
}

/* A line that holds markers but no variable and no text leaves nothing behind, not even its line
 * break. Comments leave nothing behind anywhere. */
static void tidy_line(struct template_source *source, size_t first) {
    bool marker = false;
    bool shows = false;
    for (size_t i = first; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        marker = marker || token->type != TOKEN_TEXT;
        shows = shows || token->type == TOKEN_VARIABLE ||
                (token->type == TOKEN_TEXT && !is_blank(token));
    }
    bool alone = marker && !shows;
    size_t kept = first;
    for (size_t i = first; i < source->count; i++) {
        struct token token = source->tokens[i];
        token.alone = alone;
        if (token.type != TOKEN_COMMENT && !(alone && token.type == TOKEN_TEXT)) {
            source->tokens[kept++] = token;
        }
    }
    source->count = kept;
}

/* The length of the next line with its line break, and of the lines after it that a comment begun
 * in it reaches into; 0 where the comment has no end. */
static size_t line_length(const struct reader *reader) {
    size_t from = 0;
    for (;;) {
        size_t rest = reader->length - from;
        size_t end = from + find(reader->bytes + from, rest, "\n");
        end = end < reader->length ? end + 1 : end;
        size_t open = from + find(reader->bytes + from, end - from, "{{!");
        if (open == end) {
            return end;
        }
        from = open + find(reader->bytes + open, reader->length - open, "}}");
        if (from == reader->length) {
            return 0;
        }
    }
}

static bool read_line(struct reader *reader, size_t length) {
    size_t first = reader->source->count;
    const char *text = reader->bytes;
    const char *end = text + length;
    for (;;) {
        size_t open = find(text, (size_t)(end - text), "{{");
        if (!read_text(reader, text, open)) {
            return false;
        }
        text += open;
        if (text == end) {
            break;
        }
        size_t close = find(text, (size_t)(end - text), "}}");
        if (text + close == end) {
            return refuse(reader, reader->line, "a marker without end", NULL);
        }
        if (!read_marker(reader, text + 2, close - 2)) {
            return false;
        }
        text += close + 2;
    }
    tidy_line(reader->source, first);
    for (size_t i = 0; i < length; i++) {
        reader->line += reader->bytes[i] == '\n';
    }
    reader->bytes += length;
    reader->length -= length;
    return true;
}

/* The end marker of a section, or count where it has none. */
static size_t section_end(const struct template_source *source, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < source->count; i++) {
        depth += source->tokens[i].type == TOKEN_OPEN;
        if (source->tokens[i].type == TOKEN_CLOSE && --depth == 0) {
            return i;
        }
    }
    return source->count;
}

static bool check_balance(const struct reader *reader) {
    const struct template_source *source = reader->source;
    size_t opened = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        if (token->type == TOKEN_CLOSE && opened-- == 0) {
            return refuse(reader, token->line,
                          "the end of a section that is not the open one: ", token);
        }
        if (token->type != TOKEN_OPEN) {
            continue;
        }
        opened++;
        size_t end = section_end(source, i);
        if (end == source->count) {
            return refuse(reader, token->line, "a section has no end: ", token);
        }
        const struct token *close = &source->tokens[end];
        if (close->length != token->length ||
            memcmp(close->text, token->text, token->length) != 0) {
            return refuse(reader, close->line,
                          "the end of a section that is not the open one: ", close);
        }
    }
    return true;
}

/* At most one text before and one after each marker, and one for each line without markers. */
static size_t most_tokens(const char *bytes, size_t length) {
    size_t most = 2;
    for (size_t i = 0; i < length; i++) {
        most += bytes[i] == '{' || bytes[i] == '\n';
    }
    return most;
}

static bool read_all(struct reader *reader) {
    const char *pragma = template_pragma(reader->source->kind);
    size_t skip = strlen(pragma);
    if (!text_is_utf8(reader->bytes, reader->length)) {
        return refuse(reader, 1, "the file is not UTF-8", NULL);
    }
    if (reader->length < skip || memcmp(reader->bytes, pragma, skip) != 0) {
        struct token wanted = {.text = pragma, .length = skip - 1};
        return refuse(reader, 1, "line 1 must be ", &wanted);
    }
    reader->bytes += skip;
    reader->length -= skip;
    reader->line = skip == 0 ? 1 : 2;
    while (reader->length > 0) {
        size_t length = line_length(reader);
        if (length == 0) {
            return refuse(reader, reader->line, "a comment without end", NULL);
        }
        if (!read_line(reader, length)) {
            return false;
        }
    }
    return check_balance(reader);
}

bool template_source_read(const char *name, const char *bytes, size_t length,
                          struct template_source *out, struct error *error) {
    struct template_source source = {.name = name};
    struct reader reader = {.source = &source, .bytes = bytes, .length = length, .error = error};
    if (!kind_of(name, &source.kind)) {
        return error_set(error, ERROR_INVALID, "%s: a template's name ends in .html, .xml or .md",
                         name);
    }
    source.tokens = calloc(most_tokens(bytes, length), sizeof *source.tokens);
    if (source.tokens == NULL) {
        return error_no_memory(error);
    }
    if (!read_all(&reader)) {
        template_source_free(&source);
        return false;
    }
    *out = source;
    return true;
}

void template_source_free(struct template_source *source) {
    free(source->tokens);
    source->tokens = NULL;
    source->count = 0;
}
