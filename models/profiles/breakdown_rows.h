/* breakdown_rows.h - the breakdown of every step of every rank, as a report lists it. */
#ifndef HC_MODELS_PROFILES_BREAKDOWN_ROWS_H
#define HC_MODELS_PROFILES_BREAKDOWN_ROWS_H

#include "models/profiles/breakdown.h"

struct hc_breakdown_row {
    int32_t rank;
    int64_t step;        /* number; HC_MISSING_I64: the whole trace, or what a tool takes of it */
    int64_t cpu_step_ns; /* from the start of the step to its end on the CPU */
    int64_t lag_ns; /* by which the GPU ends after the CPU window of the step; 0: it does not */
    struct hc_breakdown breakdown;
};

/* Rows by rank, then step. Ours has one for each step, over its GPU window; steps without a GPU
 * event have none, and are counted. Like another tool: one for each rank, over the window that this
 * tool takes. Zeroed memory is an empty list. */
struct hc_breakdown_rows {
    enum hc_breakdown_like like;
    size_t n;
    struct hc_breakdown_row *rows;
    size_t n_without_gpu;
};

/* Of a linked profile. rows is filled on success only. */
enum hc_status hc_breakdown_rows_make(struct hc_breakdown_rows *rows,
                                      const struct hc_profile *profile, enum hc_breakdown_like like,
                                      struct hc_error *err);
void hc_breakdown_rows_fini(struct hc_breakdown_rows *rows);

#endif
