/* Prose as it can stand beside an earlier catalogue, which lacks some of what it names. */
#include "limit.h"
#include "prose_private.h"
#include <string.h>

struct known {
    const struct prose_names *names;
    struct buf *out;
    bool changed;
};

static void add_fact(struct known *known, const struct mark *mark) {
    if (prose_fact(known->names->facts, mark->provider, mark->offering, mark->attribute) == NULL) {
        known->changed = true;
        mark_add_words(mark->words != NULL ? mark->words : "(not known that day)", known->out);
        return;
    }
    buf_add_format(known->out, "[[%s%s%s:%s%s%s]]", mark->provider,
                   mark->offering == NULL ? "" : "/", mark->offering == NULL ? "" : mark->offering,
                   mark->attribute, mark->words == NULL ? "" : "|",
                   mark->words == NULL ? "" : mark->words);
}

/* Appends the names of a list (up to the end or "&") that are those of providers; answers how many.
 */
static size_t add_providers(struct known *known, const char *list, size_t length, struct buf *out) {
    size_t count = 0;
    for (size_t at = 0; at < length;) {
        size_t end = at + strcspn(list + at, ",&");
        end = end > length ? length : end;
        char name[LIMIT_TARGET_BYTES];
        size_t size = end - at < sizeof(name) ? end - at : sizeof(name) - 1;
        memcpy(name, list + at, size);
        name[size] = '\0';
        if (json_object_get(known->names->providers, name) != NULL) {
            buf_add_format(out, "%s%s", count == 0 ? "" : ",", name);
            count++;
        } else {
            known->changed = true;
        }
        at = end + 1;
    }
    return count;
}

/* A table of providers keeps those that are there; without any it is its caption. */
static void add_table(struct known *known, const struct mark *mark) {
    static const char parameter[] = "providers=";
    const char *list = strstr(mark->name, parameter);
    struct buf query;
    buf_init(&query, LIMIT_TARGET_BYTES);
    bool good = true;
    if (list == NULL) {
        buf_add_text(&query, mark->name);
    } else {
        list += strlen(parameter);
        size_t length = strcspn(list, "&");
        buf_add(&query, mark->name, (size_t)(list - mark->name));
        good = add_providers(known, list, length, &query) > 0;
        buf_add_text(&query, list + length);
    }
    if (good) {
        buf_add_format(known->out, "[[table %s | %s]]", query.data, mark->words);
    } else {
        mark_add_words(mark->words, known->out);
        buf_add_text(known->out, " (not known that day)");
    }
    known->out->failed = known->out->failed || query.failed;
    buf_free(&query);
}

static bool add_mark(void *context, const struct mark *mark, struct error *error) {
    struct known *known = context;
    switch (mark->kind) {
    case MARK_SOURCE:
        if (json_object_get(known->names->sources, mark->name) == NULL) {
            known->changed = true;
        } else {
            buf_add_format(known->out, "[^%s]", mark->name);
        }
        break;
    case MARK_TABLE:
        add_table(known, mark);
        break;
    case MARK_DIAGRAM:
        buf_add_format(known->out, "[[diagram %s | %s]]", mark->name, mark->words);
        break;
    case MARK_FACT:
        add_fact(known, mark);
        break;
    }
    return !known->out->failed || error_no_memory(error);
}

bool prose_known(const struct prose_names *names, const char *markdown, struct buf *out,
                 bool *out_changed, struct error *error) {
    struct known known = {.names = names, .out = out};
    const struct mark_hooks hooks = {&known, add_mark, out};
    bool good = mark_walk(markdown, &hooks, error);
    *out_changed = known.changed;
    return good;
}
