/* The site file. A member that is unknown, or of another type, is refused: a misspelt name would
 * otherwise show as the program's own look, and nobody would know why. */
#include "look.h"
#include "buf.h"
#include "limit.h"
#include "look_private.h"
#include "text.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 80, FOOTER_BYTES = 4000 };

/* A member that is a text without line breaks, of up to most bytes; *out stays NULL without it. */
static bool take_name(const json_t *file, const char *member, struct arena *arena, const char **out,
                      struct error *error) {
    const json_t *value = json_object_get(file, member);
    const char *text = json_string_value(value);
    if (value == NULL) {
        return true;
    }
    if (text == NULL || text[0] == '\0' || strlen(text) > NAME_BYTES ||
        text[strcspn(text, "\r\n\t")] != '\0') {
        return error_set(error, ERROR_INVALID, "\"%s\" takes one line of 1 to %d bytes", member,
                         NAME_BYTES);
    }
    *out = arena_text(arena, text);
    return *out != NULL || error_no_memory(error);
}

static bool take_language(const json_t *file, struct look *look, struct error *error) {
    const json_t *value = json_object_get(file, "language");
    const char *code = json_string_value(value);
    look->language = code == NULL ? NULL : text_language_find(code);
    return value == NULL || look->language != NULL ||
           error_set(error, ERROR_INVALID,
                     "\"language\" is the one of dates: \"de\", \"en\", \"es\", \"fr\" or \"nl\"");
}

static bool take_footer(const json_t *file, struct arena *arena, struct look *look,
                        struct error *error) {
    const json_t *value = json_object_get(file, "footer");
    const char *text = json_string_value(value);
    if (value == NULL) {
        return true;
    }
    if (text == NULL || strlen(text) > FOOTER_BYTES) {
        return error_set(error, ERROR_INVALID, "\"footer\" takes Markdown of up to %d bytes",
                         FOOTER_BYTES);
    }
    return look_footer(text, arena, look, error);
}

static bool has_element(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at + 1, '<')) {
        if (strncasecmp(at + 1, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a drawing holds nothing but a drawing: it is shown as an image, where scripts do not run,
 * but it also has an address of its own. */
static bool is_plain_svg(const char *text) {
    return has_element(text, "svg") && !has_element(text, "script") &&
           !has_element(text, "foreignObject") && !has_element(text, "!ENTITY") &&
           strcasestr(text, "javascript:") == NULL &&
           strstr(text, "xmlns=\"http://www.w3.org/2000/svg\"") != NULL;
}

static bool take_logo(const json_t *json, const char *site_file, struct arena *arena,
                      struct look *look, struct error *error) {
    static const char png_start[] = "\x89PNG\r\n\x1a\n";
    const json_t *value = json_object_get(json, "logo");
    const char *name = json_string_value(value);
    if (value == NULL) {
        return true;
    }
    bool is_svg = name != NULL && text_ends(name, ".svg");
    if (!is_svg && (name == NULL || !text_ends(name, ".png"))) {
        return error_set(error, ERROR_INVALID, "\"logo\" names a file that ends in .svg or .png");
    }
    const char *slash = strrchr(site_file, '/');
    struct buf path;
    buf_init(&path, LIMIT_TARGET_BYTES);
    if (name[0] != '/' && slash != NULL) {
        buf_add(&path, site_file, (size_t)(slash + 1 - site_file));
    }
    struct builtin_file file = {0};
    bool good = buf_add_text(&path, name) ? site_read_file(arena, path.data, &file, error)
                                          : error_no_memory(error);
    buf_free(&path);
    if (good && (is_svg ? !is_plain_svg((const char *)file.bytes)
                        : file.length < sizeof(png_start) ||
                              memcmp(file.bytes, png_start, sizeof(png_start) - 1) != 0)) {
        return error_set(error, ERROR_INVALID,
                         is_svg ? "%s is not an SVG drawing with its namespace and without scripts"
                                : "%s is not a PNG image",
                         name);
    }
    if (good) {
        file.name = look->logo = is_svg ? "logo.svg" : "logo.png";
        look->files[look->file_count++] = file;
    }
    return good;
}

static bool check_members(const json_t *file, struct error *error) {
    static const char *const known[] = {"colours", "footer", "language",
                                        "logo",    "name",   "short_name"};
    const char *member = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)file, member, value) {
        if (!text_is_one_of(member, known, ARRAY_LENGTH(known))) {
            return error_set(error, ERROR_INVALID,
                             "it has \"%s\"; it can have name, short_name, logo, colours, language "
                             "and footer",
                             member);
        }
    }
    return true;
}

static bool take_members(const json_t *json, const char *file, const struct builtin_file *sheet,
                         struct arena *arena, struct look *look, struct error *error) {
    const json_t *colours = json_object_get(json, "colours");
    if (!json_is_object(json) || (colours != NULL && !json_is_object(colours))) {
        return error_set(error, ERROR_INVALID, "%s is not a JSON object",
                         json_is_object(json) ? "\"colours\"" : "it");
    }
    return check_members(json, error) && take_name(json, "name", arena, &look->name, error) &&
           take_name(json, "short_name", arena, &look->short_name, error) &&
           take_language(json, look, error) && take_footer(json, arena, look, error) &&
           take_logo(json, file, arena, look, error) &&
           (colours == NULL || look_colours(colours, sheet, arena, look, error));
}

bool look_load(const char *file, const struct builtin_file *sheet, struct arena *arena,
               struct look *out, struct error *error) {
    struct look look = {0};
    struct builtin_file text = {0};
    if (file == NULL) {
        *out = look;
        return true;
    }
    if (!site_read_file(arena, file, &text, error)) {
        return false;
    }
    json_error_t fault;
    json_t *json =
        json_loadb((const char *)text.bytes, text.length, JSON_REJECT_DUPLICATES, &fault);
    struct error inner = {0};
    bool good = json != NULL
                    ? take_members(json, file, sheet, arena, &look, &inner)
                    : error_set(&inner, ERROR_INVALID, "line %d: %s", fault.line, fault.text);
    json_decref(json);
    if (!good) {
        return error_set(error, inner.kind, "%s: %s", file, inner.message);
    }
    *out = look;
    return true;
}
