/* night_context.h - what stands around the account of a night: how much its sources cover and how
 * far they reach, how logs came to attempts, and how long starts and waits took.
 */
#ifndef HC_MODELS_ACCOUNT_NIGHT_NIGHT_CONTEXT_H
#define HC_MODELS_ACCOUNT_NIGHT_NIGHT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kind of source: a table of records. */
struct hc_night_source {
    const char *table;
    int64_t last_ns;         /* its last time stamp that is known then; missing: none */
    double gpu_hours, share; /* of the days reported, that it covers; NaN: it is of no
                              * GPU-time */
};

/* Launches of training by how their log came to an attempt, or why it has none. */
struct hc_night_join {
    const char *method; /* "path"; "several" */
    bool is_joined;
    int64_t launches;
    double gpu_hours; /* that their attempts held; of those without one NaN */
};

/* Times of the days that are reported, beside those of 28 days before. */
struct hc_night_times {
    const char *name; /* phase of start-up, or queue; of the caller's */
    size_t n, n_before;
    double median_s, p90_s; /* nearest rank; NaN: none */
    double median_before_s;
};

struct hc_night_context {
    size_t n_sources, n_joins, n_starts, n_waits;
    struct hc_night_source *sources;
    struct hc_night_join *joins;
    struct hc_night_times *starts, *waits; /* by name */
};

#endif
