/* Counters and gauges of the running server, and their text for Prometheus. Thread-safe. */
#ifndef AGENT_SANDBOXES_METRICS_H
#define AGENT_SANDBOXES_METRICS_H

#include "buf.h"
#include <stdint.h>

enum metric {
    METRIC_ANSWERS_2XX,
    METRIC_ANSWERS_3XX,
    METRIC_ANSWERS_4XX,
    METRIC_ANSWERS_5XX,
    METRIC_ANSWER_BYTES,
    METRIC_REQUESTS_OPEN,
    METRIC_CONNECTIONS,
    METRIC_CONNECTIONS_OPEN,
    METRIC_REFUSED_CONNECTIONS,
    METRIC_REFUSED_RATE,
    METRIC_CUT_HEAD,
    METRIC_CUT_ANSWER,
    METRIC_ADDRESSES,
    METRIC_CACHE_HITS,
    METRIC_CACHE_MISSES,
    METRIC_CACHE_EVICTIONS,
    METRIC_CACHE_BYTES,
    METRIC_CACHE_ENTRIES,
    METRIC_RELOADS,
    METRIC_RELOADS_REFUSED,
    METRIC_GENERATION_LOADED,
    METRIC_STARTED,
    METRIC__COUNT
};

/* Adds to a counter or gauge. */
void metrics_add(enum metric metric, int64_t amount);

/* Sets a gauge. */
void metrics_set(enum metric metric, int64_t value);

/* The value now. */
int64_t metrics_get(enum metric metric);

/* Counts one answer by its class of status, its bytes before coding and the time it took to make.
 */
void metrics_answer(unsigned status, size_t bytes, int64_t microseconds);

/* The id of the generation that is served, as the label of a gauge. */
void metrics_generation(const char *id);

/* Appends everything in the text format of Prometheus, the use of memory and files by the process
 * included. */
void metrics_write(struct buf *out);

#endif
