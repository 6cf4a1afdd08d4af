/* job_summary.h - what one pass over a segment tells about its job. */
#ifndef HC_PIPELINE_INPUTS_JOB_SUMMARY_H
#define HC_PIPELINE_INPUTS_JOB_SUMMARY_H

#include "core/base/status.h"
#include "core/tables/op_type.h"
#include "store/segment/segment.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_job_summary {
    int64_t n_ops, n_by_type[HC_N_OP_TYPES];
    int32_t dp_size, pp_size, vpp_size; /* of the trace: largest index + 1; 0 without ops */
    int64_t n_steps, n_left_out;        /* left out: with bad, duplicate or absent rows */
    int32_t first_step, last_step, n_structures;
    int64_t first_start_ns, last_end_ns;
    int64_t shortest_ns, longest_ns, total_ns; /* spans of the steps, and their sum */
    int64_t n_overlaps; /* steps that start before the one before them ends */
};

/* Whether the times of each step are counted from a start of its own, as the artifact's are. */
bool hc_job_has_step_clocks(const struct hc_job_summary *summary);

enum hc_status hc_job_summarise(struct hc_segment *segment, struct hc_job_summary *summary,
                                struct hc_error *err);

#endif
