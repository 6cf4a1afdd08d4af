/* capacity_loading.h - what the files share that load a capacity. Private to this wing. */
#ifndef HC_PIPELINE_CAPACITY_CAPACITY_LOADING_H
#define HC_PIPELINE_CAPACITY_CAPACITY_LOADING_H

#include "core/base/int_map.h"
#include "core/base/missing.h"
#include "pipeline/capacity/capacity_input.h"
#include "pipeline/daily/record_scan.h"

#define HC_CAPACITY_BIT(column) ((uint64_t)1 << (column))

/* Records of which nothing says what cluster they are of. */
#define HC_CAPACITY_NO_CLUSTER "default"

struct hc_capacity_loading {
    struct hc_capacity_records *records;
    const struct hc_capacity_choice *choice;
    int64_t from_ns, to_ns;
    /* What jobs asked for, by hc_capacity_job_key: looks at the queue may leave it out. Filled
     * where has_queue. */
    bool has_queue;
    struct hc_int_map gpus_of_job;
};

/* Whether a time or duration is within 73 years of 1970, so that differences of any two fit. */
static inline bool hc_capacity_is_sane(int64_t ns)
{
    return ns > -((int64_t)1 << 61) && ns < (int64_t)1 << 61;
}

/* A time or duration of a record; one of a damaged record is missing, and counted as bad. */
static inline int64_t hc_capacity_sane(const struct hc_capacity_loading *loading, int64_t ns)
{
    if (hc_capacity_is_sane(ns))
        return ns;
    loading->records->capacity.n_bad += ns != HC_MISSING_I64;
    return HC_MISSING_I64;
}

/* A job, or a component of one; all tasks of an array are one. */
static inline uint64_t hc_capacity_job_key(int64_t job, int32_t het_component)
{
    return (uint64_t)job << 8 ^ (uint64_t)(uint32_t)(het_component < 0 ? 0 : het_component + 1);
}

/* Until when an attempt held its GPUs, as far as its record says; HC_MISSING_I64: it does not say,
 * or it never began. *is_running where it had not ended. */
int64_t hc_capacity_end_of(const struct hc_table *jobs, size_t row, bool *is_running);

/* Rows of the tables `jobs`, `node_states` and `queue`; context is a struct hc_capacity_loading. */
hc_record_sink hc_capacity_take_jobs, hc_capacity_take_states, hc_capacity_take_queue;
extern const uint64_t hc_capacity_job_columns, hc_capacity_state_columns, hc_capacity_queue_columns;

#endif
