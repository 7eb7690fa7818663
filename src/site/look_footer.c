/* The footer of a site: paragraphs, lists and links, by the renderer of all prose, which lets no
 * markup and no script address through. */
#include "../prose/markdown.h"
#include "limit.h"
#include "look_private.h"
#include "text.h"

static bool on_mark(void *context, const char *text, struct buf *html, struct error *error) {
    (void)context;
    (void)html;
    return error_set(error, ERROR_INVALID,
                     "\"footer\" cannot have [%s]: marks belong to guides and terms", text);
}

static bool on_link(void *context, const char *address, struct error *error) {
    (void)context;
    bool is_known = text_starts(address, "https://") || text_starts(address, "http://") ||
                    text_starts(address, "mailto:") || (address[0] == '/' && address[1] != '/');
    return is_known ||
           error_set(error, ERROR_INVALID,
                     "\"footer\" links to \"%s\"; an address starts with https://, http://, "
                     "mailto: or, on this site, with /",
                     address);
}

static bool on_block(void *context, const struct markdown_block *block, struct error *error) {
    struct buf *html = context;
    if (block->kind != MARKDOWN_TEXT) {
        return error_set(error, ERROR_INVALID,
                         "\"footer\" can have paragraphs and lists, not headings or tables");
    }
    return buf_add_text(html, block->html) || error_no_memory(error);
}

bool look_footer(const char *markdown, struct arena *arena, struct look *look,
                 struct error *error) {
    struct buf html;
    buf_init(&html, LIMIT_ANSWER_BYTES);
    const struct markdown_hooks hooks = {
        .context = &html, .mark = on_mark, .link = on_link, .block = on_block};
    size_t words = 0;
    bool good = markdown_walk(markdown, &hooks, &words, error);
    if (good && words > 0) {
        look->footer = arena_text(arena, markdown);
        look->footer_html = arena_text(arena, html.data);
        good = (look->footer != NULL && look->footer_html != NULL) || error_no_memory(error);
    }
    buf_free(&html);
    return good;
}
