/* serve: start, then wait for signals and for a changed catalogue. */
#include "base_path.h"
#include "cli.h"
#include "limit.h"
#include "log.h"
#include "options.h"
#include "server.h"
#include "text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

struct serve_options {
    struct server_options server;
    struct site_options site;
    const char *db;
    enum log_level level;
    enum log_format format;
    char default_url[sizeof("http://") + SERVER_ADDRESS_BYTES +
                     BASE_PATH_BYTES]; /* where public_url points unless given */
};

static int take_level(struct serve_options *options, const char *value) {
    static const char *const levels[] = {"error", "warn", "info", "debug"};
    int index = cli_word_index(value, levels, ARRAY_LENGTH(levels));
    if (index < 0) {
        return cli_usage_error("serve", "--log-level takes error, warn, info or debug, not \"%s\"",
                               value);
    }
    options->level = (enum log_level)index;
    return EXIT_OK;
}

static int take_format(struct serve_options *options, const char *value) {
    static const char *const formats[] = {"text", "json"};
    int index = cli_word_index(value, formats, ARRAY_LENGTH(formats));
    if (index < 0) {
        return cli_usage_error("serve", "--log-format takes text or json, not \"%s\"", value);
    }
    options->format = (enum log_format)index;
    return EXIT_OK;
}

static int take_number(const char *name, const char *value, long long low, long long high,
                       long long *out_number) {
    return text_integer(value, low, high, out_number)
               ? EXIT_OK
               : cli_usage_error("serve", "--%s takes a whole number from %lld to %lld, not \"%s\"",
                                 name, low, high, value);
}

static int take_public_url(struct serve_options *options, const char *value) {
    size_t length = strlen(value);
    if ((!text_starts(value, "https://") && !text_starts(value, "http://")) ||
        value[length - 1] == '/') {
        return cli_usage_error(
            "serve",
            "--public-url takes an http or https address without a slash at its end, not \"%s\"",
            value);
    }
    options->site.public_url = value;
    return EXIT_OK;
}

/* The base path is named by its own option, by the path of the public address, or by both alike. */
static int take_base_path(struct serve_options *options, const char *value) {
    if (value != NULL && !base_path_valid(value)) {
        return cli_usage_error("serve",
                               "--base-path takes a path such as /guide, of letters, digits, "
                               "\"-\", \"_\" and \".\", without a slash at its end, not \"%s\"",
                               value);
    }
    options->site.base_path = value;
    if (options->site.public_url == NULL) {
        return EXIT_OK;
    }
    const char *host = strstr(options->site.public_url, "://") + strlen("://");
    const char *path = host + strcspn(host, "/");
    if (value != NULL && strcmp(path, value) != 0) {
        return cli_usage_error("serve", "--public-url %s does not end in --base-path %s",
                               options->site.public_url, value);
    }
    if (path[0] != '\0' && !base_path_valid(path)) {
        return cli_usage_error("serve", "--public-url has a path that no site can be at: \"%s\"",
                               path);
    }
    options->site.base_path = path[0] == '\0' ? NULL : path;
    return EXIT_OK;
}

/* What is typed as a word or a number, before it is understood. */
struct serve_words {
    const char *public_url;
    const char *base_path;
    const char *workers;
    const char *cache_bytes;
    const char *level;
    const char *format;
};

static int take_words(struct serve_options *options, const struct serve_words *words) {
    enum { WORKERS_MAXIMUM = 1024 };
    long long number = 0;
    int result = EXIT_OK;
    if (words->public_url != NULL) {
        result = take_public_url(options, words->public_url);
    }
    if (result == EXIT_OK) {
        result = take_base_path(options, words->base_path);
    }
    if (result == EXIT_OK && words->workers != NULL) {
        result = take_number("workers", words->workers, 1, WORKERS_MAXIMUM, &number);
        options->server.workers = (unsigned)number;
    }
    if (result == EXIT_OK && words->cache_bytes != NULL) {
        result =
            take_number("cache-bytes", words->cache_bytes, 0, LIMIT_ANSWER_BYTES * 16LL, &number);
        options->server.cache_bytes = (size_t)number;
    }
    if (result == EXIT_OK && words->level != NULL) {
        result = take_level(options, words->level);
    }
    if (result == EXIT_OK && words->format != NULL) {
        result = take_format(options, words->format);
    }
    return result;
}

/* False: do not go on but return *out_code. */
static bool parse_options(int argc, char **argv, struct serve_options *options, int *out_code) {
    struct serve_words words = {0};
    const struct cli_option accepted[] = {
        {"listen", "ADDRESS:PORT",
         "where to listen; port 0 takes a free one (default 127.0.0.1:8080)", NULL,
         &options->server.listen},
        {"db", "FILE", "serve this catalogue instead of the built-in one", NULL, &options->db},
        {"templates", "FOLDER", "use these templates instead of the built-in ones", NULL,
         &options->site.templates_folder},
        {"public", "FOLDER", "serve these assets instead of the built-in ones", NULL,
         &options->site.public_folder},
        {"public-url", "URL",
         "the address that readers use, for canonical links (default http://ADDRESS:PORT)", NULL,
         &words.public_url},
        {"base-path", "PATH",
         "serve below this path of the host, such as /guide (default: the path of --public-url)",
         NULL, &words.base_path},
        {"workers", "N", "threads (default: one per processor)", NULL, &words.workers},
        {"cache-bytes", "N",
         "memory for finished answers; 0 switches the cache off (default 16777216)", NULL,
         &words.cache_bytes},
        {"log-level", "LEVEL", "error, warn, info (one line per request) or debug (default info)",
         NULL, &words.level},
        {"log-format", "FORMAT", "text or json (default text)", NULL, &words.format},
    };
    const struct cli_line line = {
        .command = "serve",
        .synopsis = "[--listen ADDRESS:PORT] [options]",
        .about = "Serves the comparison over HTTP until SIGTERM or SIGINT. SIGHUP, or a changed "
                 "--db file, loads the catalogue anew.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    if (!cli_parse(&line, argc, argv, out_code)) {
        return false;
    }
    *out_code = take_words(options, &words);
    return *out_code == EXIT_OK;
}

/* --- the running server
 * ------------------------------------------------------------------------------------------- */

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

static void reload(struct server *server, const char *db, const char *reason) {
    struct error error;
    struct generation *generation = cli_load_catalogue(db, &error);
    if (generation == NULL) {
        LOG(LOG_ERROR, "catalogue_refused", LOG_STR("reason", reason),
            LOG_STR("error", error.message), LOG_STR("serving", "the generation before"));
        return;
    }
    char id[16];
    (void)snprintf(id, sizeof(id), "%.12s", generation_id(generation));
    if (!server_swap(server, generation, &error)) {
        LOG(LOG_ERROR, "catalogue_refused", LOG_STR("reason", reason),
            LOG_STR("error", error.message));
        return;
    }
    LOG(LOG_INFO, "catalogue_loaded", LOG_STR("reason", reason), LOG_STR("generation", id));
}

/* Returns at SIGTERM or SIGINT. */
static void watch(struct server *server, const struct serve_options *options,
                  const sigset_t *signals) {
    struct file_state state = file_state(options->db);
    int64_t today = text_today();
    const struct timespec second = {.tv_sec = 1};
    for (;;) {
        int number = sigtimedwait(signals, NULL, &second);
        if (number == SIGTERM || number == SIGINT) {
            LOG(LOG_INFO, "stopping", LOG_STR("signal", number == SIGTERM ? "SIGTERM" : "SIGINT"));
            return;
        }
        struct file_state now = file_state(options->db);
        if (number == SIGHUP) {
            reload(server, options->db, "SIGHUP");
        } else if (!file_state_same(&state, &now)) {
            reload(server, options->db, "the file changed");
        } else if (today != text_today()) {
            reload(server, options->db, "a new day");
        }
        state = now;
        today = text_today();
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

static int serve(struct serve_options *options, const sigset_t *signals) {
    struct error error;
    struct site site = {0};
    if (options->site.public_url == NULL) {
        const char *base = options->site.base_path == NULL ? "" : options->site.base_path;
        (void)snprintf(options->default_url, sizeof(options->default_url), "http://%s%s",
                       options->server.listen, base);
        options->site.public_url = options->default_url;
    }
    struct generation *generation = cli_load_catalogue(options->db, &error);
    if (generation == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    if (!site_load(&options->site, &site, &error)) {
        generation_release(generation);
        return cli_fail(EXIT_FAULT, &error);
    }
    char id[16];
    (void)snprintf(id, sizeof(id), "%.12s", generation_id(generation));
    struct server *server = server_start(&options->server, &site, generation, &error);
    if (server == NULL) {
        site_free(&site);
        return cli_fail(EXIT_FAULT, &error);
    }
    LOG(LOG_INFO, "listening", LOG_STR("address", server_address(server)),
        LOG_STR("generation", id),
        LOG_STR("catalogue", options->db == NULL ? "built-in" : options->db));
    watch(server, options, signals);
    unsigned cut = server_stop(server);
    site_free(&site);
    LOG(LOG_INFO, "stopped", LOG_INT("requests_cut", cut));
    return EXIT_OK;
}

int cli_serve(int argc, char **argv) {
    struct serve_options options = {
        .server = {.listen = "127.0.0.1:8080", .cache_bytes = LIMIT_CACHE_BYTES},
        .level = LOG_INFO,
        .format = LOG_TEXT};
    int code = EXIT_OK;
    if (!parse_options(argc, argv, &options, &code)) {
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
