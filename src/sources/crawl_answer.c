/* What an answer means: done, onwards to another address, or once more later. */
#include "crawl_private.h"
#include "limit.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MILLISECONDS = 1000 };

enum status {
    STATUS_OK = 200,
    STATUS_NON_AUTHORITATIVE = 203,
    STATUS_MOVED = 301,
    STATUS_NOT_MODIFIED = 304,
    STATUS_PERMANENT = 308,
    STATUS_UNAUTHORIZED = 401,
    STATUS_PAYMENT = 402,
    STATUS_FORBIDDEN = 403,
    STATUS_NOT_FOUND = 404,
    STATUS_PROXY_AUTHORIZATION = 407,
    STATUS_GONE = 410,
    STATUS_TOO_MANY = 429,
    STATUS_LEGAL = 451,
    STATUS_CLIENT_ERRORS = 400,
    STATUS_SERVER_ERRORS = 500,
    STATUS_END = 600
};

static void page_clear(struct crawl_page *page) {
    free(page->final_url);
    free(page->moved_to);
    free(page->content_type);
    free(page->new_etag);
    free(page->new_last_modified);
    buf_free(&page->body);
    page->final_url = page->moved_to = NULL;
    page->content_type = page->new_etag = page->new_last_modified = NULL;
}

static void finish(struct crawl *crawl, struct errand *errand) {
    struct crawl_page *page = errand->page;
    errand->finished = true;
    page->redirects = errand->redirects;
    page->final_url = errand->url;
    errand->url = NULL;
    if (!crawl->done(crawl->context, page, crawl->error)) {
        crawl->stopped = true;
    }
    page_clear(page);
}

void errand_end(struct crawl *crawl, struct errand *errand, enum crawl_outcome outcome,
                const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(errand->page->reason, sizeof(errand->page->reason), format, arguments);
    va_end(arguments);
    errand->page->outcome = outcome;
    finish(crawl, errand);
}

/* robots.txt: no rules where there is none, and none of the site where nobody knows. */
static void end_robots(struct errand *errand, enum robots_state state, const char *reason) {
    struct origin *owner = errand->owner;
    errand->finished = true;
    owner->state = state;
    if (state == ROBOTS_FORBIDDEN) {
        (void)snprintf(owner->reason, sizeof(owner->reason),
                       "robots.txt of %.180s cannot be read (%.60s), so nothing there may be",
                       owner->host->name, reason);
    } else {
        (void)snprintf(owner->reason, sizeof(owner->reason), "%.250s", reason);
    }
}

static double rest_seconds(const struct crawl *crawl, const struct origin *origin) {
    double asked = origin->robots == NULL ? 0 : robots_delay(origin->robots);
    asked = asked < LIMIT_RETRY_AFTER_SECONDS ? asked : LIMIT_RETRY_AFTER_SECONDS;
    return asked > crawl->options->delay_seconds ? asked : crawl->options->delay_seconds;
}

/* Whether the same request may do better a little later; sets when. A host that names the time is
 * left alone until then. */
static bool try_again(struct crawl *crawl, struct errand *errand,
                      const struct fetch_answer *answer) {
    bool failed = answer->outcome == FETCH_FAILED;
    bool server = answer->outcome == FETCH_ANSWERED &&
                  (answer->status == STATUS_TOO_MANY || answer->status >= STATUS_SERVER_ERRORS);
    if ((!failed && !server) || errand->tries >= LIMIT_FETCH_TRIES ||
        answer->retry_after > LIMIT_RETRY_AFTER_SECONDS) {
        return false;
    }
    double seconds = crawl->options->delay_seconds * (double)(1U << errand->tries);
    errand->not_before = crawl_now() + (int64_t)(seconds * MILLISECONDS);
    if (answer->retry_after > 0) {
        struct host *host = errand->origin->host;
        int64_t until = crawl_now() + answer->retry_after * MILLISECONDS;
        host->free_at = until > host->free_at ? until : host->free_at;
    }
    return true;
}

static bool is_redirect(const struct fetch_answer *answer) {
    return answer->outcome == FETCH_ANSWERED && answer->status > 300 &&
           answer->status < STATUS_CLIENT_ERRORS && answer->status != STATUS_NOT_MODIFIED &&
           answer->location != NULL;
}

static void keep_moved(struct errand *errand, const struct fetch_answer *answer) {
    errand->permanent =
        errand->permanent && (answer->status == STATUS_MOVED || answer->status == STATUS_PERMANENT);
    if (errand->permanent) {
        free(errand->page->moved_to);
        errand->page->moved_to = strdup(answer->location);
    }
}

static void follow(struct crawl *crawl, struct errand *errand, const struct fetch_answer *answer) {
    struct error error = {0};
    unsigned limit = errand->page == NULL ? LIMIT_ROBOTS_REDIRECTS : LIMIT_REDIRECTS;
    bool good = ++errand->redirects <= limit;
    if (!good) {
        (void)error_set(&error, ERROR_INVALID, "more than %u redirects, the last one to %.150s",
                        limit, answer->location);
    } else if (!errand_aim(crawl, errand, answer->location, &error)) {
        char words[128];
        (void)snprintf(words, sizeof(words), "%.100s", error.message);
        (void)error_set(&error, ERROR_INVALID, "redirects to %.150s: %.100s", answer->location,
                        words);
        good = false;
    }
    if (errand->page == NULL) {
        if (!good) {
            end_robots(errand, ROBOTS_KNOWN, ""); /* RFC 9309, 2.3.1.2: as if there were none */
        }
    } else if (good) {
        keep_moved(errand, answer);
    } else {
        errand_end(crawl, errand, CRAWL_UNREACHABLE, "%s", error.message);
    }
    errand->tries = 0;
}

static void robots_answered(struct crawl *crawl, struct errand *errand,
                            const struct fetch_answer *answer) {
    struct origin *owner = errand->owner;
    bool has_text =
        answer->outcome == FETCH_TOO_LARGE ||
        (answer->outcome == FETCH_ANSWERED && answer->status >= STATUS_OK && answer->status < 300);
    if (has_text) {
        size_t length = answer->body.length < LIMIT_ROBOTS_BYTES ? answer->body.length
                                                                 : (size_t)LIMIT_ROBOTS_BYTES;
        owner->robots = robots_parse(answer->body.data == NULL ? "" : answer->body.data, length,
                                     crawl->options->product);
        crawl->stopped =
            crawl->stopped || (owner->robots == NULL && !error_no_memory(crawl->error));
        end_robots(errand, ROBOTS_KNOWN, "");
    } else if (answer->outcome != FETCH_ANSWERED) {
        end_robots(errand, ROBOTS_FAILED, answer->reason);
    } else if (answer->status >= STATUS_SERVER_ERRORS || answer->status == STATUS_TOO_MANY) {
        char words[32];
        (void)snprintf(words, sizeof(words), "it answers %ld", answer->status);
        end_robots(errand, ROBOTS_FORBIDDEN, words);
    } else {
        end_robots(errand, ROBOTS_KNOWN, "");
    }
}

static bool is_blocked(long status) {
    return status == STATUS_UNAUTHORIZED || status == STATUS_PAYMENT ||
           status == STATUS_FORBIDDEN || status == STATUS_PROXY_AUTHORIZATION ||
           status == STATUS_TOO_MANY || status == STATUS_LEGAL;
}

static void take_answer(struct crawl_page *page, struct fetch_answer *answer) {
    page->status = answer->status;
    page->body = answer->body;
    page->content_type = answer->content_type;
    page->new_etag = answer->etag;
    page->new_last_modified = answer->last_modified;
    answer->body = (struct buf){0};
    answer->content_type = answer->etag = answer->last_modified = NULL;
}

static void page_answered(struct crawl *crawl, struct errand *errand, struct fetch_answer *answer) {
    take_answer(errand->page, answer);
    if (answer->outcome != FETCH_ANSWERED) {
        errand_end(crawl, errand, CRAWL_UNREACHABLE, "%s", answer->reason);
    } else if (answer->status == STATUS_OK || answer->status == STATUS_NON_AUTHORITATIVE) {
        errand_end(crawl, errand, CRAWL_READ, "%s", "");
    } else if (answer->status == STATUS_NOT_MODIFIED && errand->redirects == 0 &&
               (errand->page->etag != NULL || errand->page->last_modified != NULL)) {
        errand_end(crawl, errand, CRAWL_NOT_MODIFIED, "%s", "");
    } else if (answer->status == STATUS_NOT_FOUND || answer->status == STATUS_GONE) {
        errand_end(crawl, errand, CRAWL_GONE, "it answers %ld", answer->status);
    } else if (is_blocked(answer->status) && answer->retry_after > LIMIT_RETRY_AFTER_SECONDS) {
        errand_end(crawl, errand, CRAWL_BLOCKED, "it answers %ld and asks to wait %lld seconds",
                   answer->status, answer->retry_after);
    } else if (is_blocked(answer->status)) {
        errand_end(crawl, errand, CRAWL_BLOCKED, "it answers %ld", answer->status);
    } else {
        errand_end(crawl, errand, CRAWL_UNREACHABLE, "it answers %ld", answer->status);
    }
}

void errand_answered(struct crawl *crawl, struct errand *errand, struct fetch_answer *answer) {
    struct host *host = errand->origin->host;
    int64_t rested = crawl_now() + (int64_t)(rest_seconds(crawl, errand->origin) * MILLISECONDS);
    host->free_at = rested > host->free_at ? rested : host->free_at;
    if (is_redirect(answer)) {
        follow(crawl, errand, answer);
    } else if (try_again(crawl, errand, answer)) {
        return;
    } else if (errand->page == NULL) {
        robots_answered(crawl, errand, answer);
    } else {
        page_answered(crawl, errand, answer);
    }
}
