/* serve: start, then wait for signals and for a changed catalogue. */
#include "cli.h"
#include "confine.h"
#include "limit.h"
#include "log.h"
#include "metrics.h"
#include "serve_options.h"
#include "server.h"
#include "text.h"
#include "thread.h"
#include "warm.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

/* --- the running server --- */

/* What tells a changed file from the same one. */
struct file_state {
    struct timespec modified;
    off_t size;
    ino_t inode;
};

static struct file_state file_state(const char *path) {
    struct stat status;
    if (path == NULL || stat(path, &status) != 0) {
        return (struct file_state){0};
    }
    return (struct file_state){
        .modified = status.st_mtim, .size = status.st_size, .inode = status.st_ino};
}

static bool file_state_same(const struct file_state *one, const struct file_state *other) {
    return one->modified.tv_sec == other->modified.tv_sec &&
           one->modified.tv_nsec == other->modified.tv_nsec && one->size == other->size &&
           one->inode == other->inode;
}

/* Puts another generation in the place of the one that is not warm yet. Both are retained; NULL is
 * none. */
static void cool(struct generation **place, struct generation *generation) {
    generation_release(*place);
    *place = generation;
}

/* Makes ahead what the first request would have to wait for. */
static void warm(struct generation **place, const struct site *site) {
    struct error error;
    if (*place == NULL) {
        return;
    }
    if (warm_generation(*place, site, &error)) {
        LOG(LOG_DEBUG, "warm", LOG_STR("generation", generation_id(*place)));
    } else {
        LOG(LOG_WARN, "not_warm", LOG_STR("error", error.message));
    }
    cool(place, NULL);
}

static void reload(struct server *server, const struct serve_options *options, const char *reason,
                   struct generation **cold) {
    struct error error;
    struct generation *generation = cli_load_overlaid(options->db, options->overlay, &error);
    if (generation == NULL) {
        metrics_add(METRIC_RELOADS_REFUSED, 1);
        LOG(LOG_ERROR, "catalogue_refused", LOG_STR("reason", reason),
            LOG_STR("error", error.message), LOG_STR("serving", "the generation before"));
        return;
    }
    char id[16];
    (void)snprintf(id, sizeof(id), "%.12s", generation_id(generation));
    cool(cold, generation_retain(generation));
    if (!server_swap(server, generation, &error)) {
        cool(cold, NULL);
        metrics_add(METRIC_RELOADS_REFUSED, 1);
        LOG(LOG_ERROR, "catalogue_refused", LOG_STR("reason", reason),
            LOG_STR("error", error.message));
        return;
    }
    LOG(LOG_INFO, "catalogue_loaded", LOG_STR("reason", reason), LOG_STR("generation", id));
}

/* Answers that were made, as they are counted: when it was last looked, and when memory was last
 * given back. */
struct made {
    int64_t seen;
    int64_t trimmed;
};

/* Gives memory that answers were made in back to the system, when a second went by without one
 * being made: the allocator's pools are locked meanwhile. */
static void give_memory_back(struct made *made) {
    int64_t now = metrics_get(METRIC_CACHE_MISSES);
    if (now == made->seen && now != made->trimmed) {
        (void)malloc_trim(0);
        made->trimmed = now;
    }
    made->seen = now;
}

/* Returns at SIGTERM or SIGINT. */
static void watch(struct server *server, const struct serve_options *options,
                  const struct site *site, const sigset_t *signals, struct generation **cold) {
    struct file_state state = file_state(options->db);
    struct file_state overlay_state = file_state(options->overlay);
    int64_t today = text_today();
    struct made made = {0};
    const struct timespec second = {.tv_sec = 1};
    for (;;) {
        int number = sigtimedwait(signals, NULL, &second);
        if (number == SIGTERM || number == SIGINT) {
            LOG(LOG_INFO, "stopping", LOG_STR("signal", number == SIGTERM ? "SIGTERM" : "SIGINT"));
            return;
        }
        struct file_state now = file_state(options->db);
        struct file_state overlay_now = file_state(options->overlay);
        const int64_t today_now = text_today(); /* a day that begins during a reload is a new one */
        if (number == SIGHUP) {
            reload(server, options, "SIGHUP", cold);
        } else if (!file_state_same(&state, &now)) {
            reload(server, options, "the file changed", cold);
        } else if (!file_state_same(&overlay_state, &overlay_now)) {
            reload(server, options, "the overlay changed", cold);
        } else if (today != today_now) {
            reload(server, options, "a new day", cold);
        } else {
            server_tidy(server);
            warm(cold, site);
            give_memory_back(&made);
        }
        state = now;
        overlay_state = overlay_now;
        today = today_now;
    }
}

/* Sockets need file handles: takes as many as the system allows without asking. */
static void raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* --- confinement --- */

struct confinement {
    struct confine_needs needs;
    struct confine_report report;
    char folder[PATH_MAX];
    char overlay_folder[PATH_MAX];
};

static void confine_when_bound(void *context) {
    struct confinement *confinement = context;
    confine_process(&confinement->needs, &confinement->report);
}

/* Names the folder of a file. */
static void name_folder(const char *path, char out[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    int length = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);
    (void)snprintf(out, PATH_MAX, "%.*s", length, slash == NULL ? "." : path);
}

/* A reload reads the folders of catalogue and overlay, where a new file takes the old one's name;
 * metrics read the process's own numbers. Nothing is bound any more. */
static void find_needs(const struct serve_options *options, struct confinement *confinement) {
    size_t count = 0;
    if (options->db != NULL) {
        name_folder(options->db, confinement->folder);
        confinement->needs.folders[count++] = confinement->folder;
    }
    if (options->overlay != NULL) {
        name_folder(options->overlay, confinement->overlay_folder);
        confinement->needs.folders[count++] = confinement->overlay_folder;
    }
    if (options->server.admin != NULL) {
        confinement->needs.folders[count++] = "/proc/self";
    }
}

static bool finish_confinement(const struct serve_options *options, struct confinement *confinement,
                               struct error *error) {
    const struct confine_report *report = &confinement->report;
    if (options->confine != CONFINE_NOTHING) {
        confine_calls(&confinement->report);
    }
    struct log_field fields[CONFINE__COUNT + 1];
    for (int layer = 0; layer < CONFINE__COUNT; layer++) {
        fields[layer] = LOG_STR(confine_layer_name((enum confine_layer)layer),
                                confine_state_name(report->states[layer]));
    }
    fields[CONFINE__COUNT] = LOG_INT("landlock_version", report->landlock_version);
    bool complete = confine_complete(report, error);
    log_event(complete || options->confine == CONFINE_NOTHING ? LOG_INFO : LOG_WARN, "confinement",
              fields, CONFINE__COUNT + 1);
    return complete || options->confine != CONFINE_REQUIRE;
}

/* Encoders, bodies and images take much memory for a moment: it goes back to the system at once,
 * however much was asked for before. Threads share one pool: what one of them lets go of serves the
 * others, and each keeps small pieces for itself, so that they seldom meet. */
static void tame_allocator(void) {
    enum { LARGE_BYTES = 256 * 1024, POOLS = 1 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
    (void)mallopt(M_ARENA_MAX, POOLS);
}

static int serve(struct serve_options *options, const sigset_t *signals) {
    struct error error;
    tame_allocator();
    struct site site = {0};
    if (options->site.public_url == NULL) {
        const char *base = options->site.base_path == NULL ? "" : options->site.base_path;
        (void)snprintf(options->default_url, sizeof(options->default_url), "http://%s%s",
                       options->server.listen, base);
        options->site.public_url = options->default_url;
    }
    struct generation *generation = cli_load_overlaid(options->db, options->overlay, &error);
    if (generation == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    if (!site_load(&options->site, &site, &error)) {
        generation_release(generation);
        return cli_fail(EXIT_FAULT, &error);
    }
    char id[16];
    (void)snprintf(id, sizeof(id), "%.12s", generation_id(generation));
    struct confinement confinement = {.report = {.landlock_version = 0}};
    find_needs(options, &confinement);
    options->server.program_modified = cli_modified(NULL);
    if (options->confine != CONFINE_NOTHING) {
        options->server.bound = confine_when_bound;
        options->server.bound_context = &confinement;
    }
    struct generation *cold = generation_retain(generation);
    struct server *server = server_start(&options->server, &site, generation, &error);
    if (server != NULL && !finish_confinement(options, &confinement, &error)) {
        (void)server_stop(server);
        server = NULL;
    }
    if (server == NULL) {
        generation_release(cold);
        site_free(&site);
        return cli_fail(EXIT_FAULT, &error);
    }
    LOG(LOG_INFO, "listening", LOG_STR("address", server_address(server)),
        LOG_STR("generation", id),
        LOG_STR("catalogue", options->db == NULL ? "built-in" : options->db),
        LOG_STR("overlay", options->overlay == NULL ? "" : options->overlay),
        LOG_STR("admin", server_admin_address(server)));
    thread_step_back();
    watch(server, options, &site, signals, &cold);
    generation_release(cold);
    unsigned cut = server_stop(server);
    site_free(&site);
    LOG(LOG_INFO, "stopped", LOG_INT("requests_cut", cut));
    return EXIT_OK;
}

int cli_serve(int argc, char **argv) {
    struct serve_options options = {.server = {.listen = "127.0.0.1:8080",
                                               .cache_bytes = LIMIT_CACHE_BYTES,
                                               .limits = server_default_limits()},
                                    .confine = CONFINE_AUTO,
                                    .level = LOG_INFO,
                                    .format = LOG_TEXT};
    int code = EXIT_OK;
    if (!serve_parse_options(argc, argv, &options, &code)) {
        return code;
    }
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGHUP);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR) {
        const struct error error = {.kind = ERROR_INTERNAL, .message = "cannot set up signals"};
        return cli_fail(EXIT_FAULT, &error);
    }
    log_configure(options.level, options.format);
    raise_file_limit();
    return serve(&options, &signals);
}
