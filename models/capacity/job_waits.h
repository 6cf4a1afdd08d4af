/* job_waits.h - how long jobs waited and ran, and how much longer that made them, by size, user and
 * partition.
 *
 * Of an attempt that waited w and ran r, its slowdown is (w + r) / r, and its bounded slowdown
 * max((w + r) / max(r, 10 s), 1), in which short runs do not count for everything (Feitelson and
 * Rudolph, JSSPP 1998). Both, and the run time, are of attempts that ended.
 *
 * Quantiles are order statistics: of n values the one of rank ceil(share n). Of up to
 * HC_WAITS_EXACT attempts they are exact; of more, values are counted in bins with fixed bounds,
 * 32 between two powers of two, and the middle of a bin is given, which is at most 1.6 % off.
 */
#ifndef HC_MODELS_CAPACITY_JOB_WAITS_H
#define HC_MODELS_CAPACITY_JOB_WAITS_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_WAITS_EXACT      4000000
#define HC_SLOWDOWN_BOUND_S 10

enum hc_wait_grouping {
    HC_WAITS_OF_ALL,
    HC_WAITS_BY_SIZE,
    HC_WAITS_BY_PARTITION,
    HC_WAITS_BY_USER,
    HC_N_WAIT_GROUPINGS
};

/* "size" */
const char *hc_wait_grouping_name(enum hc_wait_grouping by);

enum hc_wait_measure { HC_WAIT_S, HC_RUN_S, HC_SLOWDOWN, HC_BOUNDED_SLOWDOWN, HC_N_WAIT_MEASURES };

/* NaN where there is no value. */
struct hc_wait_spread {
    double mean, median, p90, p99;
};

struct hc_wait_group {
    enum hc_wait_grouping by;
    const char *name;      /* of the waits; NULL: not recorded, or of all */
    int64_t n, n_ended;    /* attempts that began; of them, those that ended */
    double gpu_wait_hours; /* waits times GPUs */
    struct hc_wait_spread of[HC_N_WAIT_MEASURES];
};

/* One attempt. */
struct hc_job_wait {
    int64_t wait_ns; /* from when it could begin until it did; below 0 counts as 0 */
    int64_t run_ns;  /* HC_MISSING_I64: it has not ended */
    int64_t gpus;
    const char *name[HC_N_WAIT_GROUPINGS]; /* of its groups; NULL: not recorded */
};

/* Zeroed memory is empty. */
struct hc_job_waits {
    size_t n_groups; /* after the end: by grouping, then by number of attempts, then by name */
    struct hc_wait_group *groups;
    bool is_binned;   /* quantiles are those of bins */
    size_t most_rows; /* until bins are taken; 0: HC_WAITS_EXACT */
    /* Private. */
    struct hc_text_set names[HC_N_WAIT_GROUPINGS];
    struct hc_wait_sums *sums[HC_N_WAIT_GROUPINGS]; /* [names.n + 1], the last of no name */
    size_t sums_room[HC_N_WAIT_GROUPINGS];
    size_t n_rows, room;
    struct hc_wait_row *rows;
    struct hc_int_map bins;
};

/* HC_INTERNAL only. */
enum hc_status hc_job_waits_add(struct hc_job_waits *waits, const struct hc_job_wait *job,
                                struct hc_error *err);

/* After the last: make the groups. */
enum hc_status hc_job_waits_end(struct hc_job_waits *waits, struct hc_error *err);
void hc_job_waits_fini(struct hc_job_waits *waits);

#endif
