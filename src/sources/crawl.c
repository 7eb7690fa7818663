/* Which request is next: the clockwork of the crawl. */
#include "crawl_private.h"
#include "limit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MILLISECONDS = 1000, WAIT_MS = 1000 };

int64_t crawl_now(void) {
    enum { NANOSECONDS = 1000000 };
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * MILLISECONDS + now.tv_nsec / NANOSECONDS;
}

static struct host *find_host(struct crawl *crawl, const char *name) {
    struct host *host = crawl->hosts;
    while (host != NULL && strcmp(host->name, name) != 0) {
        host = host->next;
    }
    if (host == NULL && (host = calloc(1, sizeof(*host))) != NULL) {
        (void)snprintf(host->name, sizeof(host->name), "%s", name);
        host->next = crawl->hosts;
        crawl->hosts = host;
    }
    return host;
}

static struct origin *find_origin(struct crawl *crawl, const struct fetch_address *address) {
    struct origin *origin = crawl->origins;
    while (origin != NULL && strcmp(origin->name, address->origin) != 0) {
        origin = origin->next;
    }
    struct host *host = origin == NULL ? find_host(crawl, address->host) : NULL;
    if (host != NULL && (origin = calloc(1, sizeof(*origin))) != NULL) {
        (void)snprintf(origin->name, sizeof(origin->name), "%s", address->origin);
        origin->host = host;
        origin->next = crawl->origins;
        crawl->origins = origin;
    }
    return origin;
}

bool errand_aim(struct crawl *crawl, struct errand *errand, const char *url, struct error *error) {
    struct fetch_address address;
    if (!fetch_split(url, &address, error)) {
        return false;
    }
    struct origin *origin = find_origin(crawl, &address);
    char *copy = origin == NULL ? NULL : strdup(url);
    if (copy == NULL) {
        return error_no_memory(error);
    }
    free(errand->url);
    errand->url = copy;
    errand->origin = origin;
    (void)snprintf(errand->target, sizeof(errand->target), "%s", address.target);
    return true;
}

struct errand *errand_add(struct crawl *crawl, struct crawl_page *page, struct origin *owner) {
    struct errand *errand = calloc(1, sizeof(*errand));
    if (errand != NULL) {
        *errand = (struct errand){
            .page = page, .owner = owner, .permanent = true, .next = crawl->errands};
        crawl->errands = errand;
    }
    return errand;
}

static void fail(struct crawl *crawl) {
    crawl->stopped = true;
    (void)error_no_memory(crawl->error);
}

static void ask_robots(struct crawl *crawl, struct origin *origin) {
    char url[sizeof(origin->name) + 16];
    (void)snprintf(url, sizeof(url), "%s/robots.txt", origin->name);
    struct errand *errand = errand_add(crawl, NULL, origin);
    origin->state = ROBOTS_ASKED;
    crawl->added = true;
    if (errand == NULL || !errand_aim(crawl, errand, url, crawl->error)) {
        fail(crawl);
    }
}

/* Whether robots.txt lets the errand go now. One that may never go is ended. */
static bool is_permitted(struct crawl *crawl, struct errand *errand) {
    struct origin *origin = errand->origin;
    if (errand->page == NULL) {
        return true;
    }
    switch (origin->state) {
    case ROBOTS_UNKNOWN:
        ask_robots(crawl, origin);
        return false;
    case ROBOTS_ASKED:
        return false;
    case ROBOTS_FORBIDDEN:
        errand_end(crawl, errand, CRAWL_BLOCKED, "%s", origin->reason);
        return false;
    case ROBOTS_FAILED:
        errand_end(crawl, errand, CRAWL_UNREACHABLE, "%s", origin->reason);
        return false;
    case ROBOTS_KNOWN:
        break;
    }
    if (origin->robots != NULL && !robots_allow(origin->robots, errand->target)) {
        errand_end(crawl, errand, CRAWL_BLOCKED, "robots.txt of %s asks to stay out",
                   origin->host->name);
        return false;
    }
    return true;
}

static void start(struct crawl *crawl, struct errand *errand) {
    bool first = errand->page != NULL && errand->redirects == 0;
    const struct fetch_request request = {
        .url = errand->url,
        .etag = first ? errand->page->etag : NULL,
        .last_modified = first ? errand->page->last_modified : NULL,
        .allow_private = crawl->options->allow_private && errand->origin->host->named,
        .context = errand};
    if (!fetcher_start(crawl->fetcher, &request, crawl->error)) {
        crawl->stopped = true;
        return;
    }
    errand->tries++;
    errand->under_way = true;
    errand->origin->host->busy = true;
    crawl->under_way++;
}

/* Starts what may start. Answers how many milliseconds nothing else will, or -1 where all is done.
 */
static int64_t start_due(struct crawl *crawl) {
    int64_t now = crawl_now();
    int64_t soonest = -1;
    for (struct errand *errand = crawl->errands; errand != NULL && !crawl->stopped;
         errand = errand->next) {
        if (errand->finished || errand->under_way || !is_permitted(crawl, errand)) {
            soonest = errand->finished || soonest >= 0 ? soonest : WAIT_MS;
            continue;
        }
        struct host *host = errand->origin->host;
        int64_t due = host->free_at > errand->not_before ? host->free_at : errand->not_before;
        if (due <= now && !host->busy && crawl->under_way < LIMIT_FETCH_PARALLEL) {
            start(crawl, errand);
            due = now + WAIT_MS;
        } else if (due <= now) {
            due = now + WAIT_MS; /* an answer comes first */
        }
        soonest = soonest < 0 || due - now < soonest ? due - now : soonest;
    }
    return soonest;
}

static bool step(struct crawl *crawl, bool *out_more) {
    int64_t wait = start_due(crawl);
    *out_more = wait >= 0;
    if (crawl->stopped || wait < 0) {
        return !crawl->stopped;
    }
    if (crawl->added) {
        crawl->added = false;
        return true; /* a robots.txt to ask for, which no errand waited for before */
    }
    bool any = false;
    struct fetch_answer answer = {0};
    if (!fetcher_wait(crawl->fetcher, (int)(wait < WAIT_MS ? wait : WAIT_MS), &answer, &any,
                      crawl->error)) {
        return false;
    }
    if (any) {
        struct errand *errand = answer.context;
        errand->under_way = false;
        errand->origin->host->busy = false;
        crawl->under_way--;
        errand_answered(crawl, errand, &answer);
        fetch_answer_free(&answer);
    }
    return !crawl->stopped;
}

static void crawl_free(struct crawl *crawl) {
    fetcher_destroy(crawl->fetcher);
    for (struct errand *errand = crawl->errands; errand != NULL;) {
        struct errand *next = errand->next;
        free(errand->url);
        free(errand);
        errand = next;
    }
    for (struct origin *origin = crawl->origins; origin != NULL;) {
        struct origin *next = origin->next;
        robots_free(origin->robots);
        free(origin);
        origin = next;
    }
    for (struct host *host = crawl->hosts; host != NULL;) {
        struct host *next = host->next;
        free(host);
        host = next;
    }
}

static bool add_pages(struct crawl *crawl, struct crawl_page *pages, size_t count) {
    /* From the last, since each goes in front. */
    for (size_t i = count; i > 0; i--) {
        struct error error;
        struct errand *errand = errand_add(crawl, &pages[i - 1], NULL);
        if (errand == NULL) {
            return error_no_memory(crawl->error);
        }
        if (errand_aim(crawl, errand, pages[i - 1].url, &error)) {
            errand->origin->host->named = true;
        } else {
            errand_end(crawl, errand, CRAWL_UNREACHABLE, "%s", error.message);
        }
    }
    return !crawl->stopped;
}

bool crawl_run(const struct crawl_options *options, struct crawl_page *pages, size_t count,
               crawl_done_function *done, void *context, struct error *error) {
    struct crawl crawl = {.options = options, .done = done, .context = context, .error = error};
    const struct fetch_options fetching = {.user_agent = options->user_agent,
                                           .timeout_ms =
                                               (long)(options->timeout_seconds * MILLISECONDS),
                                           .max_bytes = options->max_bytes};
    crawl.fetcher = fetcher_create(&fetching, error);
    bool good = crawl.fetcher != NULL && add_pages(&crawl, pages, count);
    bool more = true;
    while (good && more) {
        good = step(&crawl, &more);
    }
    crawl_free(&crawl);
    return good;
}
