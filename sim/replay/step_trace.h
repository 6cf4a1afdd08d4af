/* step_trace.h - a step timeline being loaded: its rows, packed by step, and the census of them.
 *
 * Rows may come in any order and from any source; nothing needs to be known in advance. A row costs
 * 24 bytes until hc_step_lanes_build has moved its step into lanes.
 */
#ifndef HC_SIM_REPLAY_STEP_TRACE_H
#define HC_SIM_REPLAY_STEP_TRACE_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/op_table.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "models/steps/census.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hc_packed_row {
    int64_t start_ns, duration_ns;
    int32_t op; /* of the census */
    int32_t dp_rank;
};

/* The rows of one step, in order of arrival. */
struct hc_packed_step {
    size_t n_rows, capacity;
    struct hc_packed_row *rows;
};

struct hc_step_trace {
    struct hc_job job;
    struct hc_census *census;
    struct hc_row_report report;
    struct hc_int_map step_map; /* step -> index into steps */
    size_t n_steps, steps_capacity;
    struct hc_packed_step *steps;
    size_t n_noted_ops, global_chunk_capacity, microbatch_capacity;
    int32_t *global_chunk; /* [n ops of the census] as the first row of the op has it */
    int32_t *microbatch;   /* the same */
    bool hides_waiting;    /* the source shows transfers without the wait before them (set by who
                              fills the trace; see hc_format.hides_waiting) */
    size_t op_index_capacity;
    int32_t *op_index; /* scratch of one batch */
};

/* An empty trace of a job (copied). */
enum hc_status hc_step_trace_new(struct hc_step_trace **trace, const struct hc_job *job,
                                 struct hc_error *err);
void hc_step_trace_free(struct hc_step_trace *trace);

/* Add rows of `ops`, in any order. */
enum hc_status hc_step_trace_add(struct hc_step_trace *trace, const struct hc_table *ops,
                                 struct hc_error *err);

/* Take over what the parser (or the archive) says of rows that could not be read; *report is left
 * empty. Call it once, before the trace is analysed. */
void hc_step_trace_set_report(struct hc_step_trace *trace, struct hc_row_report *report);

/* The packed rows of a step, or NULL. */
struct hc_packed_step *hc_step_trace_find(struct hc_step_trace *trace, int32_t step);

#endif
