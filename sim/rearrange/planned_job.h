/* planned_job.h - a job with another plan than the one that was measured: lanes of its own, made of
 * measured (or edited) ones.
 *
 *     struct hc_planned_job job;
 *     enum hc_status status = hc_job_rearrange(&job, &lanes, &to, &refusal, err);
 *     ... hc_planned_job_edit(&job, edits, n, ...) ...
 *     hc_planned_job_fini(&job);
 */
#ifndef HC_SIM_REARRANGE_PLANNED_JOB_H
#define HC_SIM_REARRANGE_PLANNED_JOB_H

#include "sim/edits/edited_replay.h"

/* The most durations that lanes of a plan may have: 1 GiB of them. */
#define HC_PLAN_MAX_DURATIONS ((int64_t)1 << 27)

/* What of an edit asks for a plan that there cannot be: a member of struct hc_rearrangement
 * ("stages"), or "" where it is the measured job that cannot have another plan. */
struct hc_plan_refusal {
    const char *member;
};

struct hc_planned_job {
    struct hc_replay_base *base; /* its lanes and ideals; the rest with hc_replay_base_finish */
    struct hc_lane_rows delays;  /* launch delays that edits before had added; else none */
};

void hc_planned_job_fini(struct hc_planned_job *job);

/* Start a job of as many steps as the lanes have, on dp_size dp ranks and n_stages stages, with
 * empty structures: one for each of the lanes that has steps, in their order. */
enum hc_status hc_planned_job_start(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                    int32_t dp_size, int32_t n_stages, struct hc_error *err);

/* HC_BAD_INPUT for more durations than there may be; n_lanes: of all blocks of a structure. */
enum hc_status hc_planned_job_check_size(struct hc_planned_job *job, size_t n_ops, size_t n_lanes,
                                         struct hc_error *err);

/* Allocate a block of a structure whose op order is there, its steps not filled in. */
enum hc_status hc_planned_block_new(struct hc_lane_block *block, size_t n_ops, size_t n_steps,
                                    int32_t dp_size, struct hc_error *err);

#endif
