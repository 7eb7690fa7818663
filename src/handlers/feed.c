#include "feed.h"
#include "buf.h"
#include "hash.h"
#include "limit.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <ctype.h>
#include <string.h>

enum { ID_BYTES = 4 * LIMIT_TARGET_BYTES };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- ids --- */

/* The host of the public address: the authority of every id. */
static void add_authority(const char *url, struct buf *out) {
    const char *host = strstr(url, "://");
    host = host == NULL ? url : host + strlen("://");
    size_t before = out->length;
    for (; *host != '\0' && *host != '/' && *host != ':'; host++) {
        unsigned char byte = (unsigned char)*host;
        if (isalnum(byte) != 0 || byte == '.' || byte == '-') {
            buf_add_char(out, (char)tolower(byte));
        }
    }
    if (out->length == before) {
        buf_add_text(out, "localhost");
    }
}

json_t *feed_tag(const struct call *call, const char *text) {
    struct buf tag;
    buf_init(&tag, ID_BYTES);
    buf_add_text(&tag, "tag:");
    add_authority(call->site->public_url, &tag);
    buf_add_text(&tag, ",2026:");
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 128 && (isalnum(byte) != 0 || strchr("-._~!$&'()*+,;=:@/?%", byte) != NULL)) {
            buf_add_char(&tag, *text);
        } else {
            buf_add_format(&tag, "%%%02X", byte);
        }
    }
    json_t *result = tag.failed ? NULL : json_stringn(tag.data, tag.length);
    buf_free(&tag);
    return result;
}

/* --- entries --- */

/* A day, a month or a year as the first moment of it. */
static json_t *moment(const char *day) {
    static const char *const rest[] = {"-01-01", "-01", ""};
    size_t length = strlen(day);
    return json_sprintf("%s%sT00:00:00Z", day, rest[length < 7 ? 0 : length < 10 ? 1 : 2]);
}

json_t *feed_address(const json_t *source) {
    json_t *url = json_object_get(source, "url");
    return text_is_web_address(json_string_value(url)) ? url : NULL;
}

json_t *feed_fact_line(const char *offering, const char *label, const json_t *fact,
                       const json_t *before) {
    const json_t *source = json_object_get(fact, "source");
    json_t *full = offering == NULL ? json_string(label) : json_sprintf("%s, %s", offering, label);
    return json_pack("{s:o, s:O, s:O?, s:O?, s:O?, s:O?}", "label", full, "text",
                     json_object_get(fact, "text"), "before", json_object_get(before, "text"),
                     "source", json_object_get(source, "title"), "url", feed_address(source),
                     "checked", json_object_get(fact, "checked_on"));
}

/* What a line says, for the id of its entry: what is read again and still holds keeps its id. */
static void add_line(const json_t *line, struct buf *out) {
    const char *before = string_of(line, "before");
    buf_add_format(out, "\n%s\t%s\t%s", string_of(line, "label"), string_of(line, "text"),
                   before == NULL ? "" : before);
}

static json_t *id_of(const struct feed *feed, const struct feed_entry *entry) {
    struct buf what;
    buf_init(&what, LIMIT_ANSWER_BYTES);
    buf_add_text(&what, entry->tag);
    size_t i = 0;
    json_t *line = NULL;
    json_array_foreach(entry->lines, i, line) {
        add_line(line, &what);
    }
    char hash[HASH_HEX_BYTES];
    hash_sha256_hex(what.failed ? "" : what.data, what.failed ? 0 : what.length, hash);
    bool failed = what.failed;
    buf_free(&what);
    const char *query = feed->call->query;
    json_t *text = json_sprintf("%.*s%s%s/%s/%s/%.16s", (int)strlen(feed->page) - 2, feed->page + 1,
                                query[0] == '\0' ? "" : "?", query, entry->key, entry->day, hash);
    json_t *id = failed || text == NULL ? NULL : feed_tag(feed->call, json_string_value(text));
    json_decref(text);
    return id;
}

bool feed_add(struct feed *feed, const struct feed_entry *entry) {
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:s, s:o, s:s?, s:s, s:o}", "id", id_of(feed, entry), "title",
                  entry->title, "updated", moment(entry->day), "summary", entry->summary, "href",
                  json_sprintf("%s%s", feed->call->site->public_url, entry->path), "external",
                  entry->external, "tag", entry->tag, "lines", entry->lines);
    return json_array_append_new(feed->entries, object) == 0;
}

/* --- the two forms --- */

static json_t *address(const struct feed *feed, const char *path) {
    const char *query = feed->call->query;
    return json_sprintf("%s%s%s%s", feed->call->site->public_url, path, query[0] == '\0' ? "" : "?",
                        query);
}

/* An entry's lines as text, below its summary. */
static json_t *content_of(const json_t *entry) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    buf_add_text(&text, string_of(entry, "summary"));
    size_t i = 0;
    json_t *line = NULL;
    json_array_foreach(json_object_get(entry, "lines"), i, line) {
        const char *before = string_of(line, "before");
        const char *url = string_of(line, "url");
        const char *checked = string_of(line, "checked");
        buf_add_format(&text, "\n%s: %s", string_of(line, "label"), string_of(line, "text"));
        if (before != NULL) {
            buf_add_format(&text, " (was %s)", before);
        }
        if (url != NULL) {
            buf_add_format(&text, ". Source: %s", url);
        }
        if (checked != NULL) {
            buf_add_format(&text, ", checked %s", checked);
        }
    }
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

static json_t *item_of(const json_t *entry) {
    json_t *external = json_object_get(entry, "external");
    json_t *item =
        json_pack("{s:O, s:O, s:O, s:O, s:o, s:O, s:O, s:[O]}", "id", json_object_get(entry, "id"),
                  "url", json_object_get(entry, "href"), "title", json_object_get(entry, "title"),
                  "summary", json_object_get(entry, "summary"), "content_text", content_of(entry),
                  "date_published", json_object_get(entry, "updated"), "date_modified",
                  json_object_get(entry, "updated"), "tags", json_object_get(entry, "tag"));
    if (json_is_string(external) && json_object_set(item, "external_url", external) != 0) {
        json_decref(item);
        return NULL;
    }
    return item;
}

static json_t *json_form(const struct feed *feed) {
    const struct site *site = feed->call->site;
    json_t *items = json_array();
    bool good = items != NULL;
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(feed->entries, i, entry) {
        good = good && json_array_append_new(items, item_of(entry)) == 0;
    }
    if (!good) {
        json_decref(items);
        return NULL;
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:s, s:[{s:s?, s:o}], s:o}", "version",
                     "https://jsonfeed.org/version/1.1", "title", feed->title, "home_page_url",
                     address(feed, feed->page), "feed_url", address(feed, feed->json),
                     "description", feed->description, "favicon",
                     json_sprintf("%s/%s", site->public_url,
                                  site->look.logo == NULL ? "favicon.svg" : site->look.logo),
                     "language", "en-GB", "authors", "name", words_get(feed->call, WORD_TITLE),
                     "url", json_sprintf("%s/", site->public_url), "items", items);
}

static json_t *atom_form(const struct feed *feed) {
    const struct generation *generation = catalogue_generation(feed->call->catalogue);
    const char *licence = generation_setting(generation, "data_licence_url");
    bool is_web = text_is_web_address(licence);
    json_t *id = address(feed, feed->atom);
    const char *path = json_string_value(id);
    json_t *tag =
        path == NULL ? NULL : feed_tag(feed->call, path + strlen(feed->call->site->public_url) + 1);
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:s?, s:O}", "feed_id", tag, "feed_title",
                     feed->title, "feed_description", feed->description, "feed_updated",
                     moment(feed->updated), "feed_atom", id, "feed_json", address(feed, feed->json),
                     "feed_page", address(feed, feed->page), "feed_licence",
                     is_web ? licence : NULL, "entries", feed->entries);
}

bool feed_finish(struct feed *feed, struct reply *reply, struct error *error) {
    bool is_json = feed->call->media == MEDIA_JSON;
    reply->model = is_json ? json_form(feed) : atom_form(feed);
    reply->template_name = "xml/feed.xml";
    json_decref(feed->entries);
    feed->entries = NULL;
    return reply->model != NULL || error_no_memory(error);
}
