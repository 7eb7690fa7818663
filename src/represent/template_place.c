#include "template_place.h"

#include <string.h>

static bool is_modifier(const struct token *token, const char *name) {
    return token->modifier_length == strlen(name) &&
           (token->modifier == NULL || memcmp(token->modifier, name, token->modifier_length) == 0);
}

static bool name_ends(const struct token *token, const char *suffix) {
    size_t length = strlen(suffix);
    return token->length >= length &&
           memcmp(token->text + token->length - length, suffix, length) == 0;
}

void template_place_start(struct template_place *place, enum template_kind kind) {
    memset(place, 0, sizeof *place);
    place->kind = kind;
    html_scan_start(&place->html, kind == TEMPLATE_XML);
}

const char *template_place_text(struct template_place *place, const struct token *text) {
    if (place->kind == TEMPLATE_MARKDOWN) {
        md_scan_text(&place->md, text->text, text->length);
        return NULL;
    }
    return html_scan_text(&place->html, text->text, text->length);
}

static const char *markdown_variable(struct template_place *place, const struct token *variable,
                                     const char **out_modifier) {
    static const char *const modifiers[] = {
        [MD_TEXT] = ":x-md", [MD_CELL] = ":x-cell", [MD_CODE] = ":x-code",
        [MD_URL] = ":x-url", [MD_RAW] = ":x-raw",   [MD_CODE_CELL] = ":x-code-cell",
    };
    for (enum md_form form = MD_TEXT; form <= MD_RAW; form++) {
        if (form != MD_CODE_CELL && is_modifier(variable, modifiers[form] + 1)) {
            const char *fault = md_scan_variable(&place->md, &form);
            *out_modifier = modifiers[form];
            return fault;
        }
    }
    return "needs one of :x-md, :x-cell, :x-code, :x-url and :x-raw";
}

static const char *html_variable(struct template_place *place, const struct token *variable,
                                 const char **out_modifier) {
    bool markup = name_ends(variable, "_html");
    bool plain = is_modifier(variable, "");
    enum html_print print = HTML_ESCAPED;
    *out_modifier = html_scan_keeps_lines(&place->html) ? ":p" : "";
    if (markup && is_modifier(variable, "x-html")) {
        print = HTML_MARKUP;
        *out_modifier = ":x-html";
    } else if (name_ends(variable, "_json") && is_modifier(variable, "x-json")) {
        print = HTML_JSON;
        *out_modifier = ":x-json";
    } else if (!plain || markup) {
        return ":x-html goes with a name ending in _html, :x-json with one ending in _json, and no "
               "modifier with any other";
    }
    return html_scan_variable(&place->html, print);
}

const char *template_place_variable(struct template_place *place, const struct token *variable,
                                    const char **out_modifier) {
    switch (place->kind) {
    case TEMPLATE_HTML:
        return html_variable(place, variable, out_modifier);
    case TEMPLATE_XML:
        *out_modifier = "";
        return is_modifier(variable, "") ? html_scan_variable(&place->html, HTML_ESCAPED)
                                         : "XML knows no modifiers";
    case TEMPLATE_MARKDOWN:
        break;
    }
    return markdown_variable(place, variable, out_modifier);
}

const char *template_place_leave(struct template_place *place, const struct template_place *start) {
    if (place->kind == TEMPLATE_MARKDOWN) {
        return NULL;
    }
    if (!html_scan_same_place(&start->html, &place->html)) {
        return "the section does not end in the kind of place where it began";
    }
    html_scan_leave(&place->html, &start->html);
    return NULL;
}

const char *template_place_finish(const struct template_place *place) {
    bool finished = place->kind == TEMPLATE_MARKDOWN || place->html.state == HTML_TEXT;
    return finished ? NULL : "the template ends within a tag, a comment or a raw element";
}
