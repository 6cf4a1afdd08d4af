#include "sim/rearrange/edited_job.h"

#include "core/base/memory.h"
#include "sim/rearrange/rearranged_job.h"

#include <stdlib.h>
#include <string.h>

/* The job between two plans: the trace's own at first. */
struct editing {
    const struct hc_edited_job *job;
    const struct hc_edit_draws *draws;
    struct hc_edited_outcome *outcome;
    const struct hc_replay_base *base; /* that of the job, or of planned */
    struct hc_planned_job planned;
    double *extra_ns; /* [n_steps] that edits before have added to steps as a whole; or NULL */
    struct hc_edited_lanes lanes;
    size_t *failed;
    struct hc_error *err;
};

/* ---- lanes ---- */

/* Apply edits [first, end), none of which is a plan, to the base at hand. */
static enum hc_status edit_lanes(struct editing *e, size_t first, size_t end)
{
    size_t failed = 0;
    enum hc_status status = hc_edited_lanes_make(&e->lanes, e->base, e->job->edits + first,
                                                 end - first, e->draws, &failed, e->err);
    *e->failed = first + failed;
    if (status)
        return status;
    if (end > first)
        memcpy(e->outcome->n_selected + first, e->lanes.n_selected,
               (end - first) * sizeof *e->lanes.n_selected);
    /* And what edits before the plan had added beside durations. */
    return hc_edited_lanes_carry(&e->lanes, &e->planned.delays, e->extra_ns, e->err);
}

/* ---- plans ---- */

/* The numbers of an edit: other edits do not change them. */
static uint64_t seed_of(const struct hc_edit *edit, const struct hc_edit_draws *draws)
{
    uint64_t which = (uint64_t)draws->draw << 32 | edit->stream;
    return draws->seed ^ draws->key ^ which * 0x9E3779B97F4A7C15u;
}

static enum hc_status make_plan(struct editing *e, const struct hc_edit *edit,
                                struct hc_planned_job *planned)
{
    struct hc_plan_refusal refusal;
    if (edit->kind == HC_EDIT_REARRANGE)
        return hc_job_rearrange(planned, &e->lanes, &edit->rearrange, &refusal, e->err);
    const struct hc_extrapolating how = {edit->extrapolate.dp, seed_of(edit, e->draws)};
    return hc_job_extrapolate(planned, &e->lanes, &how, &e->outcome->extrapolation, e->err);
}

/* From the lanes at hand to those of the plan of edit `which`. */
static enum hc_status change_plan(struct editing *e, size_t which, bool is_edited_on)
{
    struct hc_planned_job planned = {.base = NULL};
    *e->failed = which;
    enum hc_status status = make_plan(e, &e->job->edits[which], &planned);
    free(e->extra_ns);
    e->extra_ns = e->lanes.extra_ns;
    e->lanes.extra_ns = NULL;
    hc_edited_lanes_fini(&e->lanes);
    hc_planned_job_fini(&e->planned);
    e->planned = planned;
    e->base = planned.base;
    if (status)
        return status;
    e->outcome->n_selected[which] = planned.base->lanes.n_rows;
    return is_edited_on ? hc_replay_base_finish(planned.base, e->err) : HC_OK;
}

static size_t next_plan(const struct hc_edited_job *job, size_t from)
{
    while (from < job->n_edits && !hc_edit_is_plan(&job->edits[from]))
        from++;
    return from;
}

/* Microbatches of all lanes: forward passes of the first chunk. */
static double count_microbatches(const struct hc_step_lanes *lanes)
{
    double n = 0;
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        double n_lanes = 0;
        for (size_t k = 0; k < of->n_blocks; k++)
            n_lanes += (double)of->blocks[k].n_lanes;
        for (size_t at = 0; at < of->graph.n_ops; at++) {
            const struct hc_graph_op *op = &of->graph.ops[at];
            bool is_first = op->model_chunk == HC_MISSING_I32 || op->model_chunk == 0;
            n += is_first && op->stage == 0 && op->op_type == HC_FORWARD_COMPUTE ? n_lanes : 0;
        }
    }
    return n;
}

static enum hc_status run(struct editing *e)
{
    const struct hc_edited_job *job = e->job;
    for (size_t first = 0;;) {
        size_t plan = next_plan(job, first);
        if (edit_lanes(e, first, plan))
            return e->err->status;
        if (plan == job->n_edits)
            break;
        first = plan + 1;
        if (change_plan(e, plan, next_plan(job, first) > first))
            return e->err->status;
    }
    e->outcome->dp_size = e->base->lanes.dp_size;
    e->outcome->n_stages = e->base->lanes.n_stages;
    e->outcome->work = 1;
    if (e->base != job->base)
        e->outcome->work =
            count_microbatches(&e->base->lanes) / count_microbatches(&job->base->lanes);
    enum hc_status status = HC_OK;
    if (e->outcome->times)
        status = hc_edited_replay(e->outcome->times, &e->lanes, e->err);
    e->outcome->dealt = e->lanes.dealt;
    if (!status && e->outcome->take)
        status = e->outcome->take(e->outcome->context, &e->lanes, e->err);
    return status;
}

enum hc_status hc_edited_job_replay(struct hc_edited_outcome *outcome,
                                    const struct hc_edited_job *job,
                                    const struct hc_edit_draws *draws, size_t *failed,
                                    struct hc_error *err)
{
    struct editing e = {.job = job,
                        .draws = draws,
                        .outcome = outcome,
                        .base = job->base,
                        .failed = failed,
                        .err = err};
    enum hc_status status = run(&e);
    if (e.lanes.base)
        hc_edited_lanes_fini(&e.lanes);
    hc_planned_job_fini(&e.planned);
    free(e.extra_ns);
    return status;
}

/* ---- before a run ---- */

static enum hc_status check_plan(const struct hc_replay_base *base, const struct hc_edit *edit,
                                 struct hc_job_refusal *refusal, struct hc_error *err)
{
    if (edit->kind == HC_EDIT_REARRANGE)
        return hc_job_rearrange_check(base, &edit->rearrange, &refusal->plan, err);
    refusal->plan.member = base->lanes.dp_size < 2 ? "" : "dp";
    return hc_job_extrapolate_check(base, edit->extrapolate.dp, err);
}

/* Two plans of a kind in one variant exclude each other. */
static enum hc_status check_first(const struct hc_edited_job *job, size_t which,
                                  struct hc_error *err)
{
    const struct hc_edit *edits = job->edits;
    for (size_t i = 0; i < which; i++)
        if (edits[i].kind == edits[which].kind)
            return hc_fail(err, HC_BAD_INPUT,
                           "a job has one plan: '%s', which is applied before, %s it already",
                           edits[i].name,
                           edits[i].kind == HC_EDIT_REARRANGE ? "rearranges" : "extrapolates");
    return HC_OK;
}

/* What edits before have done to durations makes no difference to whether there is a plan. */
static enum hc_status try_plan(struct editing *e, size_t which)
{
    size_t failed = 0;
    if (hc_edited_lanes_make(&e->lanes, e->base, NULL, 0, e->draws, &failed, e->err))
        return e->err->status;
    return change_plan(e, which, false);
}

enum hc_status hc_edited_job_check(const struct hc_edited_job *job, struct hc_job_refusal *refusal,
                                   struct hc_error *err)
{
    const struct hc_edit_draws draws = {0, 0, 0};
    struct hc_edited_outcome outcome = {.n_selected =
                                            hc_new_array(job->n_edits, sizeof(int64_t), err)};
    struct editing e = {.job = job,
                        .draws = &draws,
                        .outcome = &outcome,
                        .base = job->base,
                        .failed = &refusal->edit,
                        .err = err};
    enum hc_status status = outcome.n_selected ? HC_OK : err->status;
    for (size_t plan = next_plan(job, 0); plan < job->n_edits && !status;) {
        size_t next = next_plan(job, plan + 1);
        refusal->edit = plan;
        refusal->plan.member = "";
        status = check_first(job, plan, err);
        if (!status)
            status = check_plan(e.base, &job->edits[plan], refusal, err);
        if (!status && next < job->n_edits)
            status = try_plan(&e, plan);
        plan = next;
    }
    if (e.lanes.base)
        hc_edited_lanes_fini(&e.lanes);
    hc_planned_job_fini(&e.planned);
    free(e.extra_ns);
    free(outcome.n_selected);
    return status;
}
