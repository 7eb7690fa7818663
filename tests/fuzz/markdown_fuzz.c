/* Whatever a guide's Markdown holds, its HTML has no element that runs, and its text is text. */
#include "../../src/prose/markdown.h"
#include "text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static bool on_mark(void *context, const char *text, struct buf *html, struct error *error) {
    (void)context;
    (void)error;
    demand(text != NULL);
    return buf_add_text(html, "MARK");
}

static bool on_link(void *context, const char *address, struct error *error) {
    (void)context;
    (void)error;
    demand(address != NULL);
    return true;
}

static void check_html(const char *html) {
    static const char *const never[] = {
        "<script",           "<iframe",          "<style",      "<object", "href=\"javascript:",
        "src=\"javascript:", "href=\"vbscript:", "href=\"data:"};
    demand(text_is_utf8(html, strlen(html)));
    for (size_t i = 0; i < ARRAY_LENGTH(never); i++) {
        demand(strcasestr(html, never[i]) == NULL);
    }
}

static bool on_block(void *context, const struct markdown_block *block, struct error *error) {
    (void)context;
    (void)error;
    if (block->html != NULL) {
        check_html(block->html);
    }
    if (block->text != NULL) {
        demand(text_is_utf8(block->text, strlen(block->text)));
    }
    demand(block->kind != MARKDOWN_TABLE || json_is_array(block->rows));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    const struct markdown_hooks hooks = {.mark = on_mark, .link = on_link, .block = on_block};
    struct error error = {0};
    size_t words = 0;
    char *text = malloc(length + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    /* The catalogue holds no other texts. */
    if (strlen(text) == length && text_is_utf8(text, length)) {
        bool walked = markdown_walk(text, &hooks, &words, &error);
        demand(walked || error.message[0] != '\0');
    }
    free(text);
    return 0;
}
