/* The command line of serve. */
#include "serve_options.h"
#include "cli.h"
#include "limit.h"
#include "options.h"
#include "text.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The place of a word among those that an option takes. */
static int take_word(const char *name, const char *value, const char *const *words, int count,
                     int *out_place) {
    for (int i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out_place = i;
            return EXIT_OK;
        }
    }
    char list[64] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof(list) - used, "%s%s",
                       i == 0           ? ""
                       : i == count - 1 ? " or "
                                        : ", ",
                       words[i]);
    }
    return cli_usage_error("serve", "--%s takes %s, not \"%s\"", name, list, value);
}

static int take_number(const char *name, const char *value, long long low, long long high,
                       long long *out_number) {
    return text_integer(value, low, high, out_number)
               ? EXIT_OK
               : cli_usage_error("serve", "--%s takes a whole number from %lld to %lld, not \"%s\"",
                                 name, low, high, value);
}

/* What is typed as a word or a number, before it is understood. */
struct serve_words {
    const char *public_url;
    const char *base_path;
    const char *workers;
    const char *cache_bytes;
    const char *level;
    const char *format;
    const char *connections;
    const char *address_connections;
    const char *head_seconds;
    const char *head_bytes;
    const char *target_bytes;
    const char *body_bytes;
    const char *rate;
    const char *burst;
    const char *hsts;
    const char *confine;
    const char *proxy_field;
};

enum {
    WORKERS_MAXIMUM = 1024,
    CONNECTIONS_MAXIMUM = 1000 * 1000,
    HEAD_SECONDS_MAXIMUM = 3600,
    HEAD_BYTES_MINIMUM = 4096,
    HEAD_BYTES_MAXIMUM = 1024 * 1024,
    TARGET_BYTES_MINIMUM = 256,
    RATE_MAXIMUM = 1000 * 1000,
    OPTIONS_MAXIMUM = 32
};

static int take_numbers(struct serve_options *options, const struct serve_words *words) {
    struct server_limits *limits = &options->server.limits;
    long long workers = options->server.workers;
    long long cache_bytes = (long long)options->server.cache_bytes;
    long long connections = limits->connections;
    long long address_connections = limits->address_connections;
    long long head_seconds = limits->head_seconds;
    long long head_bytes = (long long)limits->head_bytes;
    long long target_bytes = (long long)limits->target_bytes;
    long long body_bytes = (long long)limits->body_bytes;
    long long rate = 0;
    long long burst = 0;
    const struct {
        const char *name;
        const char *word;
        long long low;
        long long high;
        long long *number;
    } numbers[] = {
        {"workers", words->workers, 1, WORKERS_MAXIMUM, &workers},
        {"cache-bytes", words->cache_bytes, 0, LIMIT_ANSWER_BYTES * 16LL, &cache_bytes},
        {"connections", words->connections, 1, CONNECTIONS_MAXIMUM, &connections},
        {"address-connections", words->address_connections, 0, CONNECTIONS_MAXIMUM,
         &address_connections},
        {"head-seconds", words->head_seconds, 1, HEAD_SECONDS_MAXIMUM, &head_seconds},
        {"head-bytes", words->head_bytes, HEAD_BYTES_MINIMUM, HEAD_BYTES_MAXIMUM, &head_bytes},
        {"target-bytes", words->target_bytes, TARGET_BYTES_MINIMUM, LIMIT_TARGET_BYTES,
         &target_bytes},
        {"body-bytes", words->body_bytes, 0, LIMIT_BODY_BYTES, &body_bytes},
        {"rate", words->rate, 0, RATE_MAXIMUM, &rate},
        {"burst", words->burst, 1, RATE_MAXIMUM, &burst},
        {"hsts", words->hsts, 0, LLONG_MAX, &options->server.hsts_seconds},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++) {
        int result = numbers[i].word == NULL
                         ? EXIT_OK
                         : take_number(numbers[i].name, numbers[i].word, numbers[i].low,
                                       numbers[i].high, numbers[i].number);
        if (result != EXIT_OK) {
            return result;
        }
    }
    options->server.workers = (unsigned)workers;
    options->server.cache_bytes = (size_t)cache_bytes;
    *limits = (struct server_limits){.connections = (unsigned)connections,
                                     .address_connections = (unsigned)address_connections,
                                     .count_loopback = words->address_connections != NULL,
                                     .head_seconds = (unsigned)head_seconds,
                                     .head_bytes = (size_t)head_bytes,
                                     .target_bytes = (size_t)target_bytes,
                                     .body_bytes = (size_t)body_bytes,
                                     .rate = (unsigned)rate,
                                     .burst = (unsigned)(burst == 0 ? 2 * rate : burst)};
    return EXIT_OK;
}

/* Words, in the order of their enums. */
static int take_choices(struct serve_options *options, const struct serve_words *words) {
    static const char *const modes[] = {"require", "auto", "off"};
    static const char *const levels[] = {"error", "warn", "info", "debug"};
    static const char *const formats[] = {"text", "json"};
    static const char *const fields[] = {"x-forwarded-for", "forwarded"};
    int mode = (int)options->confine;
    int level = (int)options->level;
    int format = (int)options->format;
    int field = options->server.proxies_write_forwarded ? 1 : 0;
    const struct {
        const char *name;
        const char *word;
        const char *const *words;
        int count;
        int *place;
    } choices[] = {
        {"confine", words->confine, modes, ARRAY_LENGTH(modes), &mode},
        {"proxy-field", words->proxy_field, fields, ARRAY_LENGTH(fields), &field},
        {"log-level", words->level, levels, ARRAY_LENGTH(levels), &level},
        {"log-format", words->format, formats, ARRAY_LENGTH(formats), &format},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(choices); i++) {
        int result = choices[i].word == NULL
                         ? EXIT_OK
                         : take_word(choices[i].name, choices[i].word, choices[i].words,
                                     choices[i].count, choices[i].place);
        if (result != EXIT_OK) {
            return result;
        }
    }
    options->confine = (enum confine_mode)mode;
    options->level = (enum log_level)level;
    options->format = (enum log_format)format;
    options->server.proxies_write_forwarded = field == 1;
    return EXIT_OK;
}

static int take_words(struct serve_options *options, const struct serve_words *words) {
    int result = take_numbers(options, words);
    options->site.public_url = words->public_url;
    if (result == EXIT_OK) {
        result = cli_take_public_url("serve", words->public_url, words->base_path,
                                     &options->site.base_path);
    }
    return result == EXIT_OK ? take_choices(options, words) : result;
}

/* The options that say what is served, where, and how it is told. */
static size_t add_options(struct serve_options *options, struct serve_words *words,
                          struct cli_option *out) {
    const struct cli_option accepted[] = {
        {"listen", "ADDRESS:PORT",
         "where to listen; port 0 takes a free one (default 127.0.0.1:8080)", NULL,
         &options->server.listen},
        {"db", "FILE", "serve this catalogue instead of the built-in one", NULL, &options->db},
        {"overlay", "FILE",
         "lay this private overlay (.json or .sql) over the catalogue; a changed file is taken "
         "over while serving",
         NULL, &options->overlay},
        {"templates", "FOLDER", "use these templates instead of the built-in ones", NULL,
         &options->site.templates_folder},
        {"site", "FILE", "the site file: name, logo, colours, footer and the language of dates",
         NULL, &options->site.site_file},
        {"public", "FOLDER", "serve these assets instead of the built-in ones", NULL,
         &options->site.public_folder},
        {"public-url", "URL",
         "the address that readers use, for canonical links (default http://ADDRESS:PORT)", NULL,
         &words->public_url},
        {"base-path", "PATH",
         "serve below this path of the host, such as /guide (default: the path of --public-url)",
         NULL, &words->base_path},
        {"workers", "N", "threads (default: one per processor)", NULL, &words->workers},
        {"cache-bytes", "N",
         "memory for finished answers; 0 switches the cache off (default 10485760)", NULL,
         &words->cache_bytes},
        {"log-level", "LEVEL", "error, warn, info (one line per request) or debug (default info)",
         NULL, &words->level},
        {"log-format", "FORMAT", "text or json (default text)", NULL, &words->format},
    };
    memcpy(out, accepted, sizeof(accepted));
    return ARRAY_LENGTH(accepted);
}

/* The options that say what clients may do. */
static size_t add_limits(struct serve_options *options, struct serve_words *words,
                         struct cli_option *out) {
    const struct cli_option accepted[] = {
        {"admin", "ADDRESS:PORT", "also listen here for /metrics, /healthz and /readyz", NULL,
         &options->server.admin},
        {"confine", "MODE",
         "what the process gives up of its rights: require (all of it, or it does not start), auto "
         "(what the kernel has) or off (default auto)",
         NULL, &words->confine},
        {"trusted-proxies", "LIST",
         "addresses and networks whose word about the client and X-Request-Id are believed", NULL,
         &options->server.trusted_proxies},
        {"proxy-field", "NAME",
         "the field in which they name the client: x-forwarded-for or forwarded (default "
         "x-forwarded-for)",
         NULL, &words->proxy_field},
        {"connections", "N", "connections at once (default 12000)", NULL, &words->connections},
        {"address-connections", "N",
         "connections at once of one address, 0 for no limit; once given it holds for this machine "
         "too (default 512)",
         NULL, &words->address_connections},
        {"head-seconds", "N",
         "time in all for the head of a request, and for its body (default 10)", NULL,
         &words->head_seconds},
        {"head-bytes", "N", "memory of a connection, for heads of both sides (default 10240)", NULL,
         &words->head_bytes},
        {"target-bytes", "N", "length of a request target (default and most 4096)", NULL,
         &words->target_bytes},
        {"body-bytes", "N", "length of a request body (default and most 262144)", NULL,
         &words->body_bytes},
        {"rate", "N", "requests a second of one address, more get 429 (default: no limit)", NULL,
         &words->rate},
        {"burst", "N", "requests of one address at once (default twice the rate)", NULL,
         &words->burst},
        {"surrogate-keys", NULL,
         "name the edition of each answer for a cache in front (Surrogate-Key, Surrogate-Order)",
         &options->server.surrogate_keys, NULL},
        {"hsts", "SECONDS", "send Strict-Transport-Security, for a site behind TLS", NULL,
         &words->hsts},
    };
    memcpy(out, accepted, sizeof(accepted));
    return ARRAY_LENGTH(accepted);
}

bool serve_parse_options(int argc, char **argv, struct serve_options *options, int *out_code) {
    struct serve_words words = {0};
    struct cli_option accepted[OPTIONS_MAXIMUM];
    size_t count = add_options(options, &words, accepted);
    count += add_limits(options, &words, accepted + count);
    const struct cli_line line = {
        .command = "serve",
        .synopsis = "[--listen ADDRESS:PORT] [options]",
        .about = "Serves the comparison over HTTP until SIGTERM or SIGINT. SIGHUP, or a changed "
                 "--db or --overlay file, loads the catalogue anew.\n",
        .options = accepted,
        .option_count = count};
    if (!cli_parse(&line, argc, argv, out_code)) {
        return false;
    }
    *out_code = take_words(options, &words);
    return *out_code == EXIT_OK;
}
