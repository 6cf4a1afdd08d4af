/* rearranged_job.h - a job with another schedule, other chunks, microbatches or stages, by the
 * durations that were measured (docs/methods/rearranging.md). */
#ifndef HC_SIM_REARRANGE_REARRANGED_JOB_H
#define HC_SIM_REARRANGE_REARRANGED_JOB_H

#include "sim/rearrange/planned_job.h"

/* Rearrange all steps of the lanes. HC_BAD_INPUT with the reason, and in refusal what of `to` asks
 * for it, where there is no such plan. job is the caller's to hc_planned_job_fini whatever the
 * result. */
enum hc_status hc_job_rearrange(struct hc_planned_job *job, const struct hc_edited_lanes *lanes,
                                const struct hc_rearrangement *to, struct hc_plan_refusal *refusal,
                                struct hc_error *err);

/* Whether hc_job_rearrange would refuse, without making the job. */
enum hc_status hc_job_rearrange_check(const struct hc_replay_base *base,
                                      const struct hc_rearrangement *to,
                                      struct hc_plan_refusal *refusal, struct hc_error *err);

#endif
