#include "represent.h"
#include "as_of_links.h"
#include "base_path.h"
#include "folder.h"
#include "json_text.h"
#include "limit.h"
#include "route.h"
#include "text.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

/* The names of a past day: null in the present. */
static bool add_past_names(const struct call *call, json_t *names) {
    char text[TEXT_DATE_BYTES] = "";
    bool is_past =
        call->as_of != NULL && text_human_date(call->site->look.language, call->as_of, text);
    bool has_query = call->query[0] != '\0';
    return json_object_set_new(names, "site_as_of",
                               is_past ? json_string(call->as_of) : json_null()) == 0 &&
           json_object_set_new(names, "site_as_of_text", json_string(text)) == 0 &&
           json_object_set_new(
               names, "site_present",
               json_sprintf("%s%s%s", call->path, has_query ? "?" : "", call->query)) == 0;
}

/* What an overlay says of itself: null where there is none. */
static bool add_overlay_names(const struct call *call, json_t *names) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const char *words = generation_beneath(generation) == NULL
                            ? NULL
                            : generation_setting(generation, "overlay_words");
    return json_object_set_new(names, "site_overlay",
                               words == NULL ? json_null() : json_string(words)) == 0;
}

/* The name of a template's twin: html/page_x.html has md/page_x.md. Others are their own. */
static bool add_twin_name(const char *name, struct buf *out) {
    static const char folder[] = "html/";
    static const char ending[] = ".html";
    size_t length = strlen(name);
    size_t cut = strlen(folder) + strlen(ending);
    if (!text_starts(name, folder) || length <= cut) {
        return buf_add_text(out, name);
    }
    return buf_add_format(out, "md/%.*s.md", (int)(length - cut), name + strlen(folder));
}

/* Sections that show nothing leave blank lines behind: of several one is kept, in front none. */
static void tidy_lines(struct buf *out, size_t from) {
    size_t to = from;
    size_t breaks = 2;
    for (size_t i = from; i < out->length; i++) {
        breaks = out->data[i] == '\n' ? breaks + 1 : 0;
        if (breaks <= 2) {
            out->data[to++] = out->data[i];
        }
    }
    out->length = to;
    if (out->data != NULL) {
        out->data[to] = '\0';
    }
}

/* What stands above a Markdown text: of which day it is, and what is laid over it. */
static bool add_notes(const struct call *call, const json_t *model, struct buf *out,
                      struct error *error) {
    const bool is_markdown = call->media == MEDIA_MARKDOWN;
    const bool is_overlaid = !json_is_null(json_object_get(model, "site_overlay"));
    return (!is_markdown || call->as_of == NULL ||
            template_render(call->site->templates, "md/note_as_of.md", model, out, error)) &&
           (!is_markdown || !is_overlaid ||
            template_render(call->site->templates, "md/note_overlay.md", model, out, error));
}

/* HTML, Markdown, XML and plain text: all are templates. */
static bool represent_template(const struct call *call, const struct reply *reply, struct buf *out,
                               struct error *error) {
    const char *name = reply->template_name != NULL ? reply->template_name
                       : call->route == NULL        ? NULL
                                                    : call->route->template_name;
    json_t *model = words_names(call);
    if (name == NULL) {
        json_decref(model);
        return error_set(error, ERROR_INTERNAL, "the page has no template");
    }
    if (model == NULL || !add_past_names(call, model) || !add_overlay_names(call, model) ||
        json_object_update(model, reply->model) != 0 ||
        (reply->page != NULL && json_object_update(model, reply->page) != 0)) {
        json_decref(model);
        return error_no_memory(error);
    }
    struct buf twin;
    buf_init(&twin, LIMIT_TARGET_BYTES);
    if (call->media == MEDIA_MARKDOWN) {
        name = add_twin_name(name, &twin) ? twin.data : "";
    }
    size_t from = out->length;
    bool good = add_notes(call, model, out, error) &&
                template_render(call->site->templates, name, model, out, error);
    if (call->media == MEDIA_MARKDOWN) {
        tidy_lines(out, from);
    }
    buf_free(&twin);
    json_decref(model);
    return good;
}

static bool represent_json(const struct reply *reply, struct buf *out, struct error *error) {
    return (json_text_add(out, reply->model) && buf_add_char(out, '\n')) || error_no_memory(error);
}

/* The answer as the present has it, but for its words on the day. */
static bool represent_plain(const struct call *call, const struct reply *reply, struct buf *out,
                            struct error *error) {
    if (reply->text != NULL || reply->bytes != NULL) {
        bool added = reply->text != NULL ? buf_add_text(out, reply->text)
                                         : buf_add(out, reply->bytes, reply->length);
        return added || error_no_memory(error);
    }
    if (reply->model == NULL) {
        return true;
    }
    return call->media == MEDIA_JSON ? represent_json(reply, out, error)
                                     : represent_template(call, reply, out, error);
}

/* The answer as a site with the whole host to itself has it: links of a past day stay in it. Files
 * are as they were. */
static bool represent_at_root(const struct call *call, const struct reply *reply, struct buf *out,
                              struct error *error) {
    bool is_html = call->media == MEDIA_HTML;
    if (call->as_of == NULL || reply->model == NULL || reply->text != NULL ||
        reply->bytes != NULL || (!is_html && call->media != MEDIA_MARKDOWN)) {
        return represent_plain(call, reply, out, error);
    }
    struct buf page;
    buf_init(&page, LIMIT_ANSWER_BYTES);
    bool good = represent_plain(call, reply, &page, error) &&
                (is_html ? as_of_links_html(call->as_of, page.data, page.length, out, error)
                         : as_of_links_markdown(call->as_of, page.data, page.length, out, error));
    buf_free(&page);
    return good;
}

/* The answer with the addresses that it has outside. */
static bool represent_outside(const struct outside *outside, const struct call *call,
                              const struct reply *reply, struct buf *out, struct error *error) {
    if (reply->text == NULL && reply->model != NULL && call->media == MEDIA_JSON) {
        const struct reply turned = {.model = outside_model(outside, reply->model)};
        bool good =
            turned.model == NULL ? error_no_memory(error) : represent_json(&turned, out, error);
        json_decref(turned.model);
        return good;
    }
    struct buf inside;
    buf_init(&inside, LIMIT_ANSWER_BYTES);
    bool good = represent_at_root(call, reply, &inside, error);
    const char *bytes = inside.data == NULL ? "" : inside.data;
    bool is_markup = reply->text == NULL;
    const char *name = call->route == NULL ? NULL : call->route->template_name;
    bool is_markdown = call->media == MEDIA_MARKDOWN ||
                       (call->media == MEDIA_TEXT && name != NULL && text_starts(name, "md/"));
    if (good && is_markup && is_markdown) {
        good = outside_markdown(outside, bytes, inside.length, out, error);
    } else if (good && is_markup && (call->media == MEDIA_HTML || call->media == MEDIA_XML)) {
        bool xml = call->media == MEDIA_XML;
        good = outside_html(outside, bytes, inside.length, xml, out, error);
    } else if (good) {
        good = outside_text(outside, bytes, inside.length, out) || error_no_memory(error);
    }
    buf_free(&inside);
    return good;
}

bool represent(const struct call *call, const struct reply *reply, struct buf *out,
               struct error *error) {
    char folder[FOLDER_BYTES];
    const struct outside outside = outside_of(call, folder);
    bool is_inside = outside.base[0] == '\0' && outside.folder == NULL;
    return is_inside || reply->bytes != NULL ? represent_at_root(call, reply, out, error)
                                             : represent_outside(&outside, call, reply, out, error);
}
