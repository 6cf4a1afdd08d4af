/* edited_job.h - all edits of a variant in their order, those that give the job another plan among
 * them: each acts on what the edits before it have left (docs/methods/rearranging.md). */
#ifndef HC_SIM_REARRANGE_EDITED_JOB_H
#define HC_SIM_REARRANGE_EDITED_JOB_H

#include "sim/edits/edited_replay.h"
#include "sim/rearrange/extrapolated_job.h"

struct hc_edited_job {
    const struct hc_replay_base *base;
    const struct hc_edit *edits;
    size_t n_edits;
};

/* Looks at lanes before they are released. */
typedef enum hc_status hc_lanes_look(void *context, const struct hc_edited_lanes *lanes,
                                     struct hc_error *err);

struct hc_edited_outcome {
    struct hc_edited_times *times; /* [n_steps of the base] added to; NULL: not wanted */
    int64_t *n_selected;           /* [n_edits] ops that each was for */
    int32_t dp_size, n_stages;     /* of the plan that came out */
    double work; /* microbatches of all dp ranks and steps, over those of the base */
    struct hc_extrapolation extrapolation;
    struct hc_dealt dealt; /* by the edits after the last plan */
    /* What else is found of the lanes that came out; NULL: nothing. Their base is that of the job
     * only where no edit gives it another plan. */
    hc_lanes_look *take;
    void *context;
};

/* Replay the job with its edits, once drawn. HC_BAD_INPUT: an edit cannot be applied, *failed is
 * which. */
enum hc_status hc_edited_job_replay(struct hc_edited_outcome *outcome,
                                    const struct hc_edited_job *job,
                                    const struct hc_edit_draws *draws, size_t *failed,
                                    struct hc_error *err);

/* Why the plans that the edits ask for cannot be: which edit, and what of it. */
struct hc_job_refusal {
    size_t edit;
    struct hc_plan_refusal plan;
};

/* Whether each plan that is asked for can be, before anything is replayed; of several, one after
 * the other is tried. HC_BAD_INPUT with refusal filled. */
enum hc_status hc_edited_job_check(const struct hc_edited_job *job, struct hc_job_refusal *refusal,
                                   struct hc_error *err);

/* Whether an edit gives the job another plan. */
static inline bool hc_edit_is_plan(const struct hc_edit *edit)
{
    return edit->kind == HC_EDIT_REARRANGE || edit->kind == HC_EDIT_EXTRAPOLATE;
}

#endif
