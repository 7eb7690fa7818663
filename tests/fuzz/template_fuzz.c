/* Whatever a value holds, it changes neither the markup around it nor the shape of a Markdown
 * table. */
#include "template.h"
#include "text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char page[] = "{{%AUTOESCAPE context=\"HTML\"}}\n"
                           "<p title=\"{{v}}\">{{v}}</p><a href=\"{{v}}\" "
                           "lang='{{v}}'>\n<pre>{{v}}</pre></a><title>{{v}}</title>";
static const char table[] = "| {{v:x-cell}} | `{{v:x-code}}` | [a]({{v:x-url}}) |";
static const char running[] = "a\n{{v:x-md}}\nb";

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static size_t count(const struct buf *buf, char c) {
    size_t found = 0;
    for (size_t i = 0; i < buf->length; i++) {
        found += buf->data[i] == c;
    }
    return found;
}

static size_t count_unescaped_pipes(const struct buf *buf) {
    size_t found = 0;
    bool escaped = false;
    for (size_t i = 0; i < buf->length; i++) {
        found += buf->data[i] == '|' && !escaped;
        escaped = buf->data[i] == '\\' && !escaped;
    }
    return found;
}

static void check_address(const char *html) {
    static const char *const schemes[] = {"http:", "https:", "ftp:"};
    const char *address = strstr(html, "<a href=\"") + strlen("<a href=\"");
    bool known = false;
    for (size_t i = 0; i < ARRAY_LENGTH(schemes); i++) {
        known = known || strncasecmp(address, schemes[i], strlen(schemes[i])) == 0;
    }
    demand(known || address[strcspn(address, ":/?#\"")] != ':');
}

static void render(const struct template_set *set, const char *name, const json_t *model,
                   struct buf *out) {
    struct error error;
    buf_init(out, 1 << 22);
    demand(template_render(set, name, model, out, &error));
}

static void check_all(const struct template_set *set, const json_t *model) {
    struct buf out;
    render(set, "html/page.html", model, &out);
    demand(count(&out, '<') == 8 && count(&out, '>') == 8);
    demand(count(&out, '"') == 4 && count(&out, '\'') == 2);
    check_address(out.data);
    buf_free(&out);
    render(set, "md/table.md", model, &out);
    demand(count(&out, '\n') == 0 && count_unescaped_pipes(&out) == 4 && count(&out, '`') >= 2);
    buf_free(&out);
    render(set, "md/running.md", model, &out);
    demand(count(&out, '\n') == 2 && count(&out, '<') == 0);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct template_set *set;
    struct error error;
    if (set == NULL) {
        const struct template_file files[] = {{"html/page.html", page, sizeof page - 1},
                                              {"md/table.md", table, sizeof table - 1},
                                              {"md/running.md", running, sizeof running - 1}};
        set = template_load(files, ARRAY_LENGTH(files), &error);
        demand(set != NULL);
    }
    if (size > 4096 || !text_is_utf8((const char *)data, size) ||
        memchr(data, '\0', size) != NULL) {
        return 0;
    }
    json_t *model = json_pack("{s:s%}", "v", size == 0 ? "" : (const char *)data, size);
    demand(model != NULL);
    check_all(set, model);
    json_decref(model);
    return 0;
}
