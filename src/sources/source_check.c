#include "source_check.h"
#include "journal.h"
#include "limit.h"
#include "source_result.h"
#include <stdlib.h>
#include <string.h>

struct checking {
    const struct source_check_options *options;
    struct journal *journal; /* NULL: nothing is remembered */
    json_t *results;         /* by source */
    struct crawl_page *pages;
    json_t **sources; /* of each page: the rows that are read there */
    size_t count;
    size_t done;
    char today[TEXT_DATE_BYTES];
};

static const char *column(const json_t *row, const char *name) {
    return json_string_value(json_object_get(row, name));
}

char *source_reading_address(const char *url) {
    static const char shown[] = "https://github.com/";
    static const char file[] = "https://raw.githubusercontent.com/";
    size_t length = strcspn(url, "#");
    struct buf out;
    buf_init(&out, LIMIT_JOURNAL_BYTES);
    if (text_starts(url, shown)) {
        const char *owner = url + strlen(shown);
        size_t to_name = strcspn(owner, "/?#");
        const char *name = owner + to_name + (owner[to_name] == '/');
        const char *rest = name + strcspn(name, "/?#");
        if (text_starts(rest, "/blob/")) {
            const char *path = rest + strlen("/blob");
            buf_add_text(&out, file);
            buf_add(&out, owner, (size_t)(rest - owner));
            buf_add(&out, path, strcspn(path, "?#"));
            return buf_take(&out);
        }
    }
    buf_add(&out, url, length);
    return buf_take(&out);
}

/* What is remembered of a source, unless it is of another address or passage. */
static const json_t *recall(const struct checking *checking, const json_t *row) {
    const json_t *remembered =
        checking->journal == NULL ? NULL : journal_remembered(checking->journal, column(row, "id"));
    bool same = remembered != NULL &&
                json_equal(json_object_get(remembered, "url"), json_object_get(row, "url")) &&
                json_equal(json_object_get(remembered, "quote_sha256"),
                           json_object_get(row, "quote_sha256"));
    return same ? remembered : NULL;
}

static bool add_row(struct checking *checking, json_t *row, struct error *error) {
    const json_t *remembered = recall(checking, row);
    if (remembered != NULL && journal_is_done(checking->journal, column(row, "id"))) {
        return json_object_set(checking->results, column(row, "id"), (json_t *)remembered) == 0 ||
               error_no_memory(error);
    }
    char *url = source_reading_address(column(row, "url"));
    if (url == NULL) {
        return error_no_memory(error);
    }
    size_t i = 0;
    while (i < checking->count && checking->pages[i].url != NULL &&
           strcmp(checking->pages[i].url, url) != 0) {
        i++;
    }
    if (i == checking->count) {
        checking->pages[i].url = url;
        checking->sources[i] = json_array();
        checking->count++;
    } else {
        free(url);
    }
    return json_array_append(checking->sources[i], row) == 0 || error_no_memory(error);
}

/* A page is asked for with what is remembered of it only where that holds for all its sources. */
static void add_validators(struct checking *checking, size_t page) {
    const json_t *first = NULL;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(checking->sources[page], i, row) {
        const json_t *remembered = recall(checking, row);
        if (remembered == NULL || checking->options->fresh ||
            (first != NULL &&
             (!json_equal(json_object_get(first, "etag"), json_object_get(remembered, "etag")) ||
              !json_equal(json_object_get(first, "last_modified"),
                          json_object_get(remembered, "last_modified"))))) {
            return;
        }
        first = first == NULL ? remembered : first;
    }
    checking->pages[page].etag = column(first, "etag");
    checking->pages[page].last_modified = column(first, "last_modified");
}

static bool plan(struct checking *checking, struct error *error) {
    size_t all = json_array_size(checking->options->sources);
    checking->pages = calloc(all + 1, sizeof(*checking->pages));
    checking->sources = calloc(all + 1, sizeof(*checking->sources));
    if (checking->pages == NULL || checking->sources == NULL) {
        return error_no_memory(error);
    }
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(checking->options->sources, i, row) {
        if (!add_row(checking, row, error)) {
            return false;
        }
    }
    for (size_t page = 0; page < checking->count; page++) {
        add_validators(checking, page);
    }
    return true;
}

static void tell(struct checking *checking, const char *url) {
    if (checking->options->progress != NULL) {
        checking->options->progress(checking->options->context, checking->done, checking->count,
                                    url);
    }
}

static bool page_done(void *context, struct crawl_page *page, struct error *error) {
    struct checking *checking = context;
    struct page_readings readings = {0};
    bool good = page_readings_make(&readings, page, error);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(checking->sources[page - checking->pages], i, row) {
        json_t *result =
            good ? source_result(row, &readings, recall(checking, row), checking->today) : NULL;
        good = good && (result != NULL || error_no_memory(error)) &&
               (checking->journal == NULL || journal_add(checking->journal, result, error)) &&
               (json_object_set(checking->results, column(row, "id"), result) == 0 ||
                error_no_memory(error));
        json_decref(result);
    }
    page_readings_free(&readings);
    checking->done++;
    tell(checking, page->url);
    return good;
}

static json_t *in_order(const struct checking *checking) {
    json_t *results = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(checking->options->sources, i, row) {
        (void)json_array_append(results, json_object_get(checking->results, column(row, "id")));
    }
    return results;
}

static void checking_free(struct checking *checking) {
    for (size_t i = 0; i < checking->count; i++) {
        free((char *)checking->pages[i].url);
        json_decref(checking->sources[i]);
    }
    free(checking->pages);
    free(checking->sources);
    json_decref(checking->results);
    journal_close(checking->journal);
}

json_t *source_check(const struct source_check_options *options, struct error *error) {
    struct checking checking = {.options = options, .results = json_object()};
    json_t *results = NULL;
    text_iso_date(options->today, checking.today);
    if (options->journal != NULL) {
        checking.journal = journal_open(options->journal, options->today, error);
    }
    bool good = (options->journal == NULL || checking.journal != NULL) && plan(&checking, error);
    if (good) {
        tell(&checking, "");
        good = crawl_run(&options->crawl, checking.pages, checking.count, page_done, &checking,
                         error) &&
               (checking.journal == NULL || journal_end(checking.journal, error));
    }
    if (good) {
        results = in_order(&checking);
    }
    checking_free(&checking);
    return results;
}
