#include "metrics.h"
#include "base.h"
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DURATION_BUCKETS = 8, GENERATION_BYTES = 16, STATUS_CLASS = 100 };

static atomic_llong values[METRIC__COUNT];

static struct {
    atomic_llong buckets[DURATION_BUCKETS + 1];
    atomic_llong microseconds;
} durations;

static pthread_mutex_t generation_lock = PTHREAD_MUTEX_INITIALIZER;
static char generation[GENERATION_BYTES] = "none";

/* Upper bounds in microseconds, and as written. */
static const struct {
    int64_t microseconds;
    const char *text;
} bounds[DURATION_BUCKETS] = {{250, "0.00025"}, {1000, "0.001"}, {5000, "0.005"}, {25000, "0.025"},
                              {100000, "0.1"},  {500000, "0.5"}, {1000000, "1"},  {5000000, "5"}};

/* One line a metric; a family is named where it begins. */
static const struct {
    enum metric metric;
    const char *sample; /* name and labels */
    const char *family; /* NULL: that of the line before */
    const char *type;
    const char *help;
} lines[] = {
    {METRIC_ANSWERS_2XX, "http_answers_total{class=\"2xx\"}", "http_answers_total", "counter",
     "Answers, by class of status."},
    {METRIC_ANSWERS_3XX, "http_answers_total{class=\"3xx\"}", NULL, NULL, NULL},
    {METRIC_ANSWERS_4XX, "http_answers_total{class=\"4xx\"}", NULL, NULL, NULL},
    {METRIC_ANSWERS_5XX, "http_answers_total{class=\"5xx\"}", NULL, NULL, NULL},
    {METRIC_ANSWER_BYTES, "http_answer_bytes_total", "http_answer_bytes_total", "counter",
     "Bytes of the bodies of answers, before coding."},
    {METRIC_REQUESTS_OPEN, "http_requests_open", "http_requests_open", "gauge",
     "Requests between their request line and their last byte."},
    {METRIC_CONNECTIONS, "http_connections_total", "http_connections_total", "counter",
     "Connections accepted."},
    {METRIC_CONNECTIONS_OPEN, "http_connections_open", "http_connections_open", "gauge",
     "Connections open now."},
    {METRIC_REFUSED_CONNECTIONS, "http_connections_refused_total", "http_connections_refused_total",
     "counter", "Connections closed at once: their address holds its share already."},
    {METRIC_REFUSED_RATE, "http_rate_limited_total", "http_rate_limited_total", "counter",
     "Requests answered with 429."},
    {METRIC_CUT_HEAD, "http_cut_total{reason=\"head\"}", "http_cut_total", "counter",
     "Connections cut at a deadline."},
    {METRIC_CUT_ANSWER, "http_cut_total{reason=\"answer\"}", NULL, NULL, NULL},
    {METRIC_ADDRESSES, "http_addresses", "http_addresses", "gauge",
     "Addresses remembered by the limits per address."},
    {METRIC_CACHE_HITS, "cache_hits_total", "cache_hits_total", "counter",
     "Answers taken from the cache."},
    {METRIC_CACHE_MISSES, "cache_misses_total", "cache_misses_total", "counter",
     "Answers that the cache did not have."},
    {METRIC_CACHE_EVICTIONS, "cache_evictions_total", "cache_evictions_total", "counter",
     "Answers dropped for room."},
    {METRIC_CACHE_BYTES, "cache_bytes", "cache_bytes", "gauge", "Bytes of the answers kept."},
    {METRIC_CACHE_ENTRIES, "cache_entries", "cache_entries", "gauge", "Answers kept."},
    {METRIC_RELOADS, "catalogue_loads_total{result=\"served\"}", "catalogue_loads_total", "counter",
     "Catalogues loaded since the start, the first included."},
    {METRIC_RELOADS_REFUSED, "catalogue_loads_total{result=\"refused\"}", NULL, NULL, NULL},
    {METRIC_GENERATION_LOADED, "catalogue_loaded_timestamp_seconds",
     "catalogue_loaded_timestamp_seconds", "gauge",
     "When the generation that is served was loaded."},
    {METRIC_STARTED, "process_start_time_seconds", "process_start_time_seconds", "gauge",
     "When the process started."},
};

void metrics_add(enum metric metric, int64_t amount) {
    (void)atomic_fetch_add_explicit(&values[metric], amount, memory_order_relaxed);
}

void metrics_set(enum metric metric, int64_t value) {
    atomic_store_explicit(&values[metric], value, memory_order_relaxed);
}

int64_t metrics_get(enum metric metric) {
    return atomic_load_explicit(&values[metric], memory_order_relaxed);
}

void metrics_answer(unsigned status, size_t bytes, int64_t microseconds) {
    static const enum metric classes[] = {METRIC_ANSWERS_2XX, METRIC_ANSWERS_3XX,
                                          METRIC_ANSWERS_4XX, METRIC_ANSWERS_5XX};
    unsigned class = status / STATUS_CLASS;
    if (class >= 2 && class - 2 < ARRAY_LENGTH(classes)) {
        metrics_add(classes[class - 2], 1);
    }
    metrics_add(METRIC_ANSWER_BYTES, (int64_t)bytes);
    size_t bucket = 0;
    while (bucket < DURATION_BUCKETS && microseconds > bounds[bucket].microseconds) {
        bucket++;
    }
    (void)atomic_fetch_add_explicit(&durations.buckets[bucket], 1, memory_order_relaxed);
    (void)atomic_fetch_add_explicit(&durations.microseconds, microseconds, memory_order_relaxed);
}

void metrics_generation(const char *id) {
    (void)pthread_mutex_lock(&generation_lock);
    (void)snprintf(generation, sizeof(generation), "%.12s", id);
    (void)pthread_mutex_unlock(&generation_lock);
}

#define PREFIX "agent_sandboxes_"

static void write_family(struct buf *out, const char *name, const char *type, const char *help) {
    buf_add_format(out, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", name, help, name, type);
}

static void write_durations(struct buf *out) {
    long long sum = 0;
    write_family(out, "http_answer_seconds", "histogram",
                 "From the request line to the last byte of the answer.");
    for (size_t i = 0; i <= DURATION_BUCKETS; i++) {
        sum += atomic_load_explicit(&durations.buckets[i], memory_order_relaxed);
        buf_add_format(out, PREFIX "http_answer_seconds_bucket{le=\"%s\"} %lld\n",
                       i == DURATION_BUCKETS ? "+Inf" : bounds[i].text, sum);
    }
    long long total = atomic_load_explicit(&durations.microseconds, memory_order_relaxed);
    enum { MICROSECONDS = 1000000 };
    buf_add_format(out, PREFIX "http_answer_seconds_sum %lld.%06lld\n", total / MICROSECONDS,
                   total % MICROSECONDS);
    buf_add_format(out, PREFIX "http_answer_seconds_count %lld\n", sum);
}

static long long resident_bytes(void) {
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL) {
        char text[128] = "";
        char *second = NULL;
        if (fgets(text, sizeof(text), file) != NULL && (second = strchr(text, ' ')) != NULL) {
            for (second++; *second >= '0' && *second <= '9'; second++) {
                pages = pages * 10 + (*second - '0');
            }
        }
        (void)fclose(file);
    }
    return pages * sysconf(_SC_PAGESIZE);
}

static long long open_files(void) {
    long long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder != NULL) {
        while (readdir(folder) != NULL) {
            count++;
        }
        (void)closedir(folder);
    }
    enum { DOTS_AND_ITSELF = 3 };
    return count > DOTS_AND_ITSELF ? count - DOTS_AND_ITSELF : 0;
}

static void write_process(struct buf *out) {
    struct rlimit limit = {0};
    struct rusage usage = {0};
    const long long thousand = 1000;
    write_family(out, "process_resident_memory_bytes", "gauge", "Memory in use.");
    buf_add_format(out, PREFIX "process_resident_memory_bytes %lld\n", resident_bytes());
    write_family(out, "process_open_fds", "gauge", "File handles open.");
    buf_add_format(out, PREFIX "process_open_fds %lld\n", open_files());
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        write_family(out, "process_max_fds", "gauge", "File handles that may be open.");
        buf_add_format(out, PREFIX "process_max_fds %llu\n", (unsigned long long)limit.rlim_cur);
    }
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        write_family(out, "process_cpu_seconds_total", "counter", "Processor time used.");
        long long microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
        buf_add_format(out, PREFIX "process_cpu_seconds_total %lld.%03lld\n",
                       (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           microseconds / (thousand * thousand),
                       microseconds / thousand % thousand);
    }
}

void metrics_write(struct buf *out) {
    for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
        if (lines[i].family != NULL) {
            write_family(out, lines[i].family, lines[i].type, lines[i].help);
        }
        buf_add_format(out, PREFIX "%s %lld\n", lines[i].sample,
                       (long long)metrics_get(lines[i].metric));
    }
    write_durations(out);
    (void)pthread_mutex_lock(&generation_lock);
    write_family(out, "catalogue_generation_info", "gauge", "The generation that is served.");
    buf_add_format(out, PREFIX "catalogue_generation_info{id=\"%s\"} 1\n", generation);
    (void)pthread_mutex_unlock(&generation_lock);
    write_process(out);
}
