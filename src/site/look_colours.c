/* The colours of a site: a style sheet of its own behind the program's, which sets the same names
 * anew. Colours in which something could not be read are refused. */
#include "buf.h"
#include "limit.h"
#include "look_private.h"
#include "text.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour {
    PAPER,
    RAISED,
    SUNK,
    INK,
    SOFT,
    RULE,
    EDGE,
    ACCENT,
    ACCENT_DEEP,
    TINT,
    ON_ACCENT,
    WARN,
    WARN_TINT,
    BAD,
    BAD_TINT,
    COLOUR__COUNT
};

/* As the style sheet and the site file call them. */
static const char *const colour_names[COLOUR__COUNT] = {
    "paper",       "raised", "sunk",      "ink",  "soft",      "rule", "edge",    "accent",
    "accent-deep", "tint",   "on-accent", "warn", "warn-tint", "bad",  "bad-tint"};

enum scheme { LIGHT, DARK, SCHEME__COUNT };

static const char *const scheme_names[SCHEME__COUNT] = {"light", "dark"};

struct palette {
    unsigned colours[SCHEME__COUNT][COLOUR__COUNT]; /* 0xrrggbb */
    bool own[SCHEME__COUNT][COLOUR__COUNT];         /* set by the site file */
};

/* WCAG 2.2: text (1.4.3) and the edges of controls (1.4.11). */
static const double text_contrast = 4.5;
static const double edge_contrast = 3.0;

/* What stands on what. */
static const struct {
    enum colour front;
    enum colour back;
} text_pairs[] = {
    {INK, PAPER},        {INK, RAISED},       {INK, SUNK},
    {INK, TINT},         {SOFT, PAPER},       {SOFT, RAISED},
    {SOFT, SUNK},        {ACCENT, PAPER},     {ACCENT, RAISED},
    {ACCENT, SUNK},      {ACCENT, TINT},      {ACCENT_DEEP, PAPER},
    {ACCENT_DEEP, TINT}, {ON_ACCENT, ACCENT}, {ON_ACCENT, ACCENT_DEEP},
    {WARN, PAPER},       {WARN, WARN_TINT},   {BAD, PAPER},
    {BAD, BAD_TINT},     {INK, WARN_TINT},    {INK, BAD_TINT},
};

static double linear(unsigned channel) {
    double part = channel / 255.0;
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(unsigned colour) {
    return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8 & 0xff) +
           0.0722 * linear(colour & 0xff);
}

static double contrast(unsigned one, unsigned other) {
    double a = luminance(one) + 0.05;
    double b = luminance(other) + 0.05;
    return a > b ? a / b : b / a;
}

/* Reads "#0a5f50" or "#fff"; *out_end is behind it. */
static bool read_colour(const char *text, const char **out_end, unsigned *out) {
    size_t digits = 0;
    unsigned colour = 0;
    if (*text++ != '#') {
        return false;
    }
    while (digits < 6 && isxdigit((unsigned char)text[digits]) != 0) {
        int digit = tolower((unsigned char)text[digits++]);
        colour = colour << 4 | (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    if (digits == 3) {
        colour = (colour >> 8) * 0x110000 + (colour >> 4 & 0xf) * 0x1100 + (colour & 0xf) * 0x11;
    }
    *out_end = text + digits;
    *out = colour;
    return digits == 3 || digits == 6;
}

/* The colours of the program's sheet: "--paper:light-dark(#fcfcfa,#101413);", where it is first. */
static bool read_sheet(const struct builtin_file *sheet, struct palette *palette,
                       struct error *error) {
    for (int i = 0; i < COLOUR__COUNT; i++) {
        char words[32];
        (void)snprintf(words, sizeof(words), "--%s:light-dark(", colour_names[i]);
        const char *at =
            sheet == NULL ? NULL : memmem(sheet->bytes, sheet->length, words, strlen(words));
        const char *rest = at == NULL ? "" : at + strlen(words);
        if (!read_colour(rest, &rest, &palette->colours[LIGHT][i]) || *rest != ',' ||
            !read_colour(rest + 1, &rest, &palette->colours[DARK][i]) || *rest != ')') {
            return error_set(error, ERROR_UNSUPPORTED,
                             "site.css has no \"%s#...,#...)\", beside which colours can be judged",
                             words);
        }
    }
    return true;
}

static int colour_index(const char *name) {
    for (int i = 0; i < COLOUR__COUNT; i++) {
        if (strcmp(name, colour_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static bool take_scheme(const json_t *given, enum scheme scheme, struct palette *palette,
                        struct error *error) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)given, name, value) {
        int index = colour_index(name);
        const char *text = json_string_value(value);
        const char *end = "";
        if (index < 0) {
            return error_set(error, ERROR_INVALID,
                             "\"colours\" has \"%s\"; it can have paper, raised, sunk, ink, soft, "
                             "rule, edge, accent, accent-deep, tint, on-accent, warn, warn-tint, "
                             "bad and bad-tint",
                             name);
        }
        if (text == NULL || !read_colour(text, &end, &palette->colours[scheme][index]) ||
            *end != '\0') {
            return error_set(error, ERROR_INVALID,
                             "the colour %s of \"%s\" is not written as #rrggbb or #rgb", name,
                             scheme_names[scheme]);
        }
        palette->own[scheme][index] = true;
    }
    return true;
}

/* An accent alone brings no green beside it: what goes with it follows it. */
static void follow_accent(struct palette *palette, enum scheme scheme) {
    unsigned *colours = palette->colours[scheme];
    const bool *own = palette->own[scheme];
    if (!own[ACCENT]) {
        return;
    }
    if (!own[ACCENT_DEEP]) {
        colours[ACCENT_DEEP] = colours[ACCENT];
    }
    if (!own[TINT]) {
        colours[TINT] = colours[SUNK];
    }
    if (!own[ON_ACCENT]) {
        colours[ON_ACCENT] = colours[PAPER];
    }
}

static bool judge_pair(const struct palette *palette, enum scheme scheme, enum colour front,
                       enum colour back, double least, struct error *error) {
    unsigned one = palette->colours[scheme][front];
    unsigned other = palette->colours[scheme][back];
    double ratio = contrast(one, other);
    return ratio >= least ||
           error_set(error, ERROR_INVALID,
                     "%s #%06x on %s #%06x has a contrast of %.2f in the %s scheme; %s needs %.1f "
                     "(WCAG 2.2 AA)",
                     colour_names[front], one, colour_names[back], other, floor(ratio * 100) / 100,
                     scheme_names[scheme], least < text_contrast ? "an edge" : "text", least);
}

static bool judge(const struct palette *palette, struct error *error) {
    for (int scheme = 0; scheme < SCHEME__COUNT; scheme++) {
        for (size_t i = 0; i < ARRAY_LENGTH(text_pairs); i++) {
            if (!judge_pair(palette, (enum scheme)scheme, text_pairs[i].front, text_pairs[i].back,
                            text_contrast, error)) {
                return false;
            }
        }
        if (!judge_pair(palette, (enum scheme)scheme, EDGE, PAPER, edge_contrast, error) ||
            !judge_pair(palette, (enum scheme)scheme, EDGE, RAISED, edge_contrast, error)) {
            return false;
        }
    }
    return true;
}

/* In the layer of the program's tokens, behind them; who asks for more contrast keeps the program's
 * own. */
static bool write_sheet(const struct palette *palette, struct arena *arena, struct look *look,
                        struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    buf_add_text(&text, "@layer tokens{@media not (prefers-contrast: more){:root{");
    for (int i = 0; i < COLOUR__COUNT; i++) {
        buf_add_format(&text, "--%s:light-dark(#%06x,#%06x);", colour_names[i],
                       palette->colours[LIGHT][i], palette->colours[DARK][i]);
    }
    bool added = buf_add_text(&text, "}}}\n");
    struct builtin_file *file = &look->files[look->file_count++];
    *file = (struct builtin_file){.name = LOOK_SHEET, .length = text.length};
    char *copy = added ? arena_text(arena, text.data) : NULL;
    file->bytes = (const unsigned char *)copy;
    buf_free(&text);
    return copy != NULL || error_no_memory(error);
}

bool look_colours(const json_t *colours, const struct builtin_file *sheet, struct arena *arena,
                  struct look *look, struct error *error) {
    struct palette palette = {0};
    const char *name = NULL;
    json_t *given = NULL;
    if (!read_sheet(sheet, &palette, error)) {
        return false;
    }
    json_object_foreach((json_t *)colours, name, given) {
        bool is_dark = strcmp(name, scheme_names[DARK]) == 0;
        if ((!is_dark && strcmp(name, scheme_names[LIGHT]) != 0) || !json_is_object(given)) {
            return error_set(error, ERROR_INVALID,
                             "\"colours\" takes the objects \"light\" and \"dark\", not \"%s\"",
                             name);
        }
        if (!take_scheme(given, is_dark ? DARK : LIGHT, &palette, error)) {
            return false;
        }
    }
    follow_accent(&palette, LIGHT);
    follow_accent(&palette, DARK);
    (void)snprintf(look->paper, sizeof(look->paper), "#%06x", palette.colours[LIGHT][PAPER]);
    (void)snprintf(look->accent, sizeof(look->accent), "#%06x", palette.colours[LIGHT][ACCENT]);
    look->has_colours = true;
    return judge(&palette, error) && write_sheet(&palette, arena, look, error);
}
