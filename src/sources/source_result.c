#include "source_result.h"
#include "limit.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { FEW_WORDS = 50 };

enum passage { PASSAGE_FOUND, PASSAGE_MISSING, PASSAGE_NONE, PASSAGE_UNREAD };

static const char *const passage_names[] = {"found", "missing", "none", "unread"};

const char *const source_state_names[SOURCE__COUNT] = {
    "verified", "reachable", "changed", "redirected", "blocked", "gone", "unreachable", "exempt"};

enum source_state source_result_state(const json_t *result) {
    const char *name = json_string_value(json_object_get(result, "state"));
    for (size_t i = 0; name != NULL && i < SOURCE__COUNT; i++) {
        if (strcmp(name, source_state_names[i]) == 0) {
            return (enum source_state)i;
        }
    }
    return SOURCE_UNREACHABLE;
}

static bool contains(const char *text, const char *part) {
    return text != NULL && strcasestr(text, part) != NULL;
}

static bool is_html(const struct crawl_page *page) {
    if (page->content_type != NULL) {
        return contains(page->content_type, "html");
    }
    size_t blanks = page->body.data == NULL ? 0 : strspn(page->body.data, " \t\r\n");
    return blanks < page->body.length && page->body.data[blanks] == '<';
}

static bool is_text(const struct crawl_page *page) {
    static const char *const kinds[] = {"html", "json", "xml", "yaml", "javascript"};
    bool text = page->content_type == NULL ||
                strncasecmp(page->content_type, "text/", strlen("text/")) == 0;
    for (size_t i = 0; i < ARRAY_LENGTH(kinds) && !text; i++) {
        text = contains(page->content_type, kinds[i]);
    }
    /* Some servers call everything a text. */
    return text && (page->body.length < 4 || memcmp(page->body.data, "%PDF", 4) != 0);
}

/* A file of plain text or Markdown may hold HTML, so it is read as that too. */
bool page_readings_make(struct page_readings *readings, const struct crawl_page *page,
                        struct error *error) {
    *readings = (struct page_readings){.page = page, .is_text = is_text(page)};
    if (page->outcome != CRAWL_READ || !readings->is_text || page->body.data == NULL) {
        return true;
    }
    for (int i = is_html(page) ? PAGE_APART : PAGE_PLAIN; i <= PAGE_INLINE; i++) {
        struct buf *words = &readings->words[readings->count++];
        /* A word and its blank take two bytes at least where one stood, so twice is enough. */
        buf_init(words, 2 * page->body.length + 1);
        if (!page_words(page->body.data, page->body.length, (enum page_reading)i, words)) {
            return error_no_memory(error);
        }
    }
    return true;
}

void page_readings_free(struct page_readings *readings) {
    for (size_t i = 0; i < readings->count; i++) {
        buf_free(&readings->words[i]);
    }
}

static enum passage look_for(const json_t *source, const struct page_readings *readings) {
    const char *sha256 = json_string_value(json_object_get(source, "quote_sha256"));
    json_int_t words = json_integer_value(json_object_get(source, "quote_words"));
    if (sha256 == NULL || words <= 0) {
        return PASSAGE_NONE;
    }
    if (readings->page->outcome != CRAWL_READ || !readings->is_text) {
        return PASSAGE_UNREAD;
    }
    for (size_t i = 0; i < readings->count; i++) {
        if (page_words_hold(&readings->words[i], (size_t)words, sha256)) {
            return PASSAGE_FOUND;
        }
    }
    return PASSAGE_MISSING;
}

static enum source_state judge(const struct crawl_page *page, enum passage passage) {
    switch (page->outcome) {
    case CRAWL_GONE:
        return SOURCE_GONE;
    case CRAWL_BLOCKED:
        return SOURCE_BLOCKED;
    case CRAWL_READ:
        if (page->moved_to != NULL) {
            return SOURCE_REDIRECTED;
        }
        return passage == PASSAGE_FOUND     ? SOURCE_VERIFIED
               : passage == PASSAGE_MISSING ? SOURCE_CHANGED
                                            : SOURCE_REACHABLE;
    default:
        return SOURCE_UNREACHABLE;
    }
}

static size_t count_words(const struct page_readings *readings) {
    size_t count = 0;
    for (size_t i = 0; readings->count > 0 && i < readings->words[0].length; i++) {
        count += i == 0 || readings->words[0].data[i] == ' ';
    }
    return count;
}

/* What a server sends may steer a terminal: control characters go, and so do bytes that are not
 * ASCII. */
static void disarm(char *text) {
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7F) {
            *text = '?';
        }
    }
}

static void describe(const struct page_readings *readings, enum passage passage, char out[400]) {
    const struct crawl_page *page = readings->page;
    out[0] = '\0';
    if (page->outcome != CRAWL_READ) {
        (void)snprintf(out, 400, "%s", page->reason);
    } else if (passage == PASSAGE_UNREAD) {
        (void)snprintf(out, 400, "no text to look in: %.200s",
                       page->content_type == NULL ? "unknown type" : page->content_type);
    } else if (passage == PASSAGE_MISSING && count_words(readings) < FEW_WORDS) {
        (void)snprintf(out, 400,
                       "the passage is not there, but the page has only %zu words: a script may "
                       "write the rest",
                       count_words(readings));
    } else if (passage == PASSAGE_MISSING) {
        (void)snprintf(out, 400, "the passage is not among the page's %zu words",
                       count_words(readings));
    }
}

static json_t *text_or_null(const char *text) {
    /* Text that is not UTF-8 makes no JSON string. */
    json_t *string = text == NULL || text[0] == '\0' ? NULL : json_string(text);
    return string == NULL ? json_null() : string;
}

/* Nothing changed since a result that is remembered: it holds on, but the passage was seen then and
 * not today. */
static json_t *again(const json_t *remembered, const char *today) {
    json_t *result = json_copy((json_t *)remembered);
    (void)json_object_set_new(result, "checked_on", json_string(today));
    (void)json_object_set_new(result, "not_modified", json_true());
    (void)json_object_set_new(result, "status", json_integer(304));
    return result;
}

static json_t *seen_on(enum passage passage, const json_t *remembered, const char *today) {
    const json_t *before = json_object_get(remembered, "seen_on");
    if (passage == PASSAGE_FOUND) {
        return json_string(today);
    }
    return before == NULL ? json_null() : json_incref((json_t *)before);
}

json_t *source_result(const json_t *source, const struct page_readings *readings,
                      const json_t *remembered, const char *today) {
    const struct crawl_page *page = readings->page;
    if (page->outcome == CRAWL_NOT_MODIFIED && remembered != NULL) {
        return again(remembered, today);
    }
    enum passage passage = look_for(source, readings);
    enum source_state state = judge(page, passage);
    /* Validators belong to the address that is asked, so those of another one are not kept. */
    bool keep = page->outcome == CRAWL_READ && page->redirects == 0;
    char reason[400];
    describe(readings, passage, reason);
    disarm(reason);
    return json_pack("{s:O, s:O, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:b, s:o, s:o, s:O}",
                     "source", json_object_get(source, "id"), "url", json_object_get(source, "url"),
                     "state", source_state_names[state], "passage", passage_names[passage],
                     "status", page->status == 0 ? json_null() : json_integer(page->status), "read",
                     text_or_null(page->final_url), "moved_to",
                     text_or_null(state == SOURCE_REDIRECTED ? page->moved_to : NULL), "reason",
                     text_or_null(reason), "checked_on", today, "seen_on",
                     seen_on(passage, remembered, today), "not_modified", 0, "etag",
                     text_or_null(keep ? page->new_etag : NULL), "last_modified",
                     text_or_null(keep ? page->new_last_modified : NULL), "quote_sha256",
                     json_object_get(source, "quote_sha256"));
}
