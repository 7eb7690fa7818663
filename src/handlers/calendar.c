/* /calendar.ics: when facts are to be looked at again, and when something ends, as iCalendar. */
#include "folder.h"
#include "handlers.h"
#include "hash.h"
#include "ical.h"
#include "limit.h"
#include "parameter.h"
#include "providers_parameter.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 8 * 1024, STAMP_BYTES = 24 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- one event --- */

/* The day number of a day, or of the first day of a month or a year; after is the day after it. */
static bool days_of(const char *date, int64_t *out_first, int64_t *out_after) {
    enum { MONTH_CHARS = 7, DECEMBER = 12 };
    char first[TEXT_DATE_BYTES];
    char after[TEXT_DATE_BYTES];
    long long year = 0;
    long long month = 1;
    char part[5] = "";
    (void)snprintf(part, sizeof(part), "%.4s", date);
    if (!text_integer(part, 0, 9999, &year)) {
        return false;
    }
    size_t length = strlen(date);
    if (length > MONTH_CHARS) {
        *out_after = text_day(date, out_first) ? *out_first + 1 : 0;
        return *out_after != 0;
    }
    (void)snprintf(part, sizeof(part), "%.2s", length == MONTH_CHARS ? date + 5 : "01");
    if (!text_integer(part, 1, DECEMBER, &month)) {
        return false;
    }
    bool ends_year = length < MONTH_CHARS || month == DECEMBER;
    (void)snprintf(first, sizeof(first), "%04lld-%02lld-01", year, month);
    (void)snprintf(after, sizeof(after), "%04lld-%02lld-01", ends_year ? year + 1 : year,
                   ends_year ? 1 : month + 1);
    return text_day(first, out_first) && text_day(after, out_after);
}

/* A day as RFC 5545 writes it, with what follows it. */
static void add_day(struct buf *out, const char *name, int64_t day, const char *rest) {
    char iso[TEXT_DATE_BYTES];
    char value[STAMP_BYTES];
    text_iso_date(day, iso);
    (void)snprintf(value, sizeof(value), "%.4s%.2s%.2s%s", iso, iso + 5, iso + 8, rest);
    ical_add(out, name, value);
}

struct event {
    const char *uid; /* before the "@" */
    const char *date;
    const char *stamp; /* the day of the data that it is made of */
    const char *summary;
    const char *description;
    const char *category;
    const char *slug;
};

static bool add_event(const struct call *call, const struct event *event, struct buf *out) {
    int64_t first = 0;
    int64_t after = 0;
    int64_t stamp = 0;
    if (!days_of(event->date, &first, &after) || !text_day(event->stamp, &stamp)) {
        return false;
    }
    struct buf line;
    buf_init(&line, LINE_BYTES);
    ical_begin(out, "VEVENT");
    char key[WORDS_BYTES];
    buf_add_format(&line, "%s@%s", event->uid, words_key(call, key));
    ical_add(out, "UID", line.data == NULL ? "" : line.data);
    add_day(out, "DTSTAMP", stamp, "T000000Z");
    add_day(out, "DTSTART;VALUE=DATE", first, "");
    add_day(out, "DTEND;VALUE=DATE", after, "");
    ical_add_text(out, "SUMMARY", event->summary);
    ical_add_text(out, "DESCRIPTION", event->description);
    line.length = 0;
    buf_add_format(&line, "%s/%s/%s/", call->site->public_url, folder_of(call), event->slug);
    ical_add(out, "URL", line.data == NULL ? "" : line.data);
    ical_add(out, "CATEGORIES", event->category);
    ical_add(out, "TRANSP", "TRANSPARENT");
    ical_end(out, "VEVENT");
    out->failed = out->failed || line.failed;
    buf_free(&line);
    return true;
}

/* --- what is due, and what ends --- */

/* One event a provider and kind of fact, so that its day moves when the facts are read again. */
static bool add_review(const struct call *call, const json_t *row, struct buf *out) {
    const char *slug = string_of(row, "provider");
    const char *name = string_of(row, "provider_name");
    const char *label = string_of(row, "label");
    long long days = (long long)json_integer_value(json_object_get(row, "review_days"));
    long long facts = (long long)json_integer_value(json_object_get(row, "facts"));
    json_t *uid = json_sprintf("review-%s-%s", slug, string_of(row, "volatility"));
    json_t *summary = json_sprintf("Review due: %s, %s", name, label);
    json_t *description = json_sprintf(
        "%s of %s, %lld documented. The oldest was checked on %s; facts of this kind are to be "
        "looked at again after %lld days.",
        label, name, facts, string_of(row, "checked_first"), days);
    const struct event event = {.uid = json_string_value(uid),
                                .date = string_of(row, "due"),
                                .stamp = string_of(row, "checked_last"),
                                .summary = json_string_value(summary),
                                .description = json_string_value(description),
                                .category = "REVIEW",
                                .slug = slug};
    bool good =
        uid != NULL && summary != NULL && description != NULL && add_event(call, &event, out);
    json_decref(uid);
    json_decref(summary);
    json_decref(description);
    return good;
}

static bool add_end(const struct call *call, const json_t *row, struct buf *out) {
    const char *slug = string_of(row, "provider");
    const char *text = string_of(row, "text");
    enum { HASH_CHARS = 12 };
    char hash[HASH_HEX_BYTES];
    hash_sha256_hex(text, strlen(text), hash);
    json_t *uid = json_sprintf("event-%s-%.*s", slug, HASH_CHARS, hash);
    json_t *summary = json_sprintf("%s: %s", string_of(row, "provider_name"), text);
    json_t *description =
        json_sprintf("%s\nDate: %s\nSource, read on %s: %s", text, string_of(row, "date"),
                     string_of(row, "accessed_on"), string_of(row, "url"));
    bool ends = json_is_true(json_object_get(row, "ends"));
    const struct event event = {.uid = json_string_value(uid),
                                .date = string_of(row, "date"),
                                .stamp = string_of(row, "accessed_on"),
                                .summary = json_string_value(summary),
                                .description = json_string_value(description),
                                .category = ends ? "SHUTDOWN" : "ANNOUNCED",
                                .slug = slug};
    bool good =
        uid != NULL && summary != NULL && description != NULL && add_event(call, &event, out);
    json_decref(uid);
    json_decref(summary);
    json_decref(description);
    return good;
}

typedef bool row_writer(const struct call *call, const json_t *row, struct buf *out);

/* Takes rows over. */
static bool add_rows(const struct call *call, json_t *rows, const json_t *slugs, row_writer *writer,
                     struct buf *out, struct error *error) {
    bool good = rows != NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        if (good && providers_parameter_has(slugs, string_of(row, "provider")) &&
            !writer(call, row, out)) {
            good = error_set(error, ERROR_CORRUPT, "a date of %s cannot be shown",
                             string_of(row, "provider"));
        }
    }
    json_decref(rows);
    return good;
}

bool canonical_calendar(const struct call *call, struct buf *out, struct reply *reply,
                        bool *out_refused, struct error *error) {
    json_t *slugs = NULL;
    bool good = providers_parameter(call, &slugs, reply, out_refused, error);
    if (good && slugs != NULL) {
        providers_parameter_add(slugs, out);
    }
    json_decref(slugs);
    return good;
}

bool handle_calendar(const struct call *call, struct reply *reply, struct error *error) {
    json_t *slugs = NULL;
    bool refused = false;
    if (!providers_parameter(call, &slugs, reply, &refused, error) || refused) {
        return refused;
    }
    const char *title = words_get(call, WORD_TITLE);
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    ical_begin(&out, "VCALENDAR");
    ical_add(&out, "VERSION", "2.0");
    char product[WORDS_BYTES];
    (void)snprintf(product, sizeof(product), "-//%.200s//Dates//EN", title);
    ical_add_text(&out, "PRODID", product);
    ical_add(&out, "CALSCALE", "GREGORIAN");
    ical_add(&out, "METHOD", "PUBLISH");
    ical_add_text(&out, "X-WR-CALNAME", title);
    bool good =
        add_rows(call, catalogue_rows(call->catalogue, STATEMENT_REVIEWS_DUE, NULL, 0, error),
                 slugs, add_review, &out, error) &&
        add_rows(call, catalogue_rows(call->catalogue, STATEMENT_ENDS, NULL, 0, error), slugs,
                 add_end, &out, error);
    ical_end(&out, "VCALENDAR");
    if (good) {
        reply->text = buf_take(&out);
        good = reply->text != NULL || error_no_memory(error);
    }
    buf_free(&out);
    json_decref(slugs);
    return good;
}
