#include "models/evidence/failures.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "models/stats/poisson_interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.95

static bool is_node_failure(int32_t state)
{
    return state == HC_JOB_NODE_FAIL || state == HC_JOB_BOOT_FAIL;
}

static bool is_failure(const struct hc_failure *failure)
{
    return failure->cycle != HC_MISSING_I32 || hc_job_state_is_failure(failure->state);
}

/* ---- what the log of the job says ---- */

/* Signals and ends by the scheduler follow a failure, and say nothing of its cause. */
static bool tells_cause(const struct hc_own_event *own)
{
    return own->effect == HC_EFFECT_STOPS || own->effect == HC_EFFECT_MAY_STOP ||
           own->effect == HC_EFFECT_PROGRAM || own->effect == HC_EFFECT_HARDWARE;
}

static bool is_users(const struct hc_own_event *own)
{
    return own->effect == HC_EFFECT_PROGRAM || own->event_class == HC_EVENT_PYTHON ||
           own->event_class == HC_EVENT_OUT_OF_MEMORY;
}

/* The node that "srun: error: Node failure on n1" names, or NULL. Slurm before 23.02 records none.
 */
static const char *node_told(const struct hc_failures *failures, const struct hc_own_event *own)
{
    bool is_told = own->event_class == HC_EVENT_SCHEDULER && own->node != HC_MISSING_I32 &&
                   own->name != HC_MISSING_I32 &&
                   strcmp(failures->texts.text[own->name], "NODE FAILURE") == 0;
    return is_told ? failures->texts.text[own->node] : NULL;
}

/* The earliest fault, the rank that failed first, and whose failure the log takes it for. */
static void hear_log(const struct hc_failures *failures, struct hc_failure_row *row)
{
    struct hc_failure *failure = &row->failure;
    failure->own = -1;
    failure->notice_ns = failure->bound_ns = HC_MISSING_I64;
    for (size_t i = 0; i < row->n_own; i++) {
        const struct hc_own_event *own = &failures->own[row->own[i]];
        if (!tells_cause(own))
            continue;
        if (!row->failed_node && row->end.is_node_failure)
            row->failed_node = node_told(failures, own);
        int64_t from_ns = own->from_ns == HC_MISSING_I64 ? own->time_ns : own->from_ns;
        if (from_ns < row->end.fault_ns)
            row->end.fault_ns = from_ns;
        if (own->is_stamped &&
            (failure->notice_ns == HC_MISSING_I64 || own->time_ns < failure->notice_ns))
            failure->notice_ns = own->time_ns;
        if (own->event_class == HC_EVENT_WATCHDOG && own->from_ns != HC_MISSING_I64 &&
            (failure->bound_ns == HC_MISSING_I64 || own->from_ns < failure->bound_ns))
            failure->bound_ns = own->from_ns;
        if (failure->own < 0 || own->time_ns < failures->own[failure->own].time_ns)
            failure->own = row->own[i];
        if (own->event_class == HC_EVENT_TORCHRUN && own->pid != HC_MISSING_I64 &&
            own->node != HC_MISSING_I32) {
            row->end.root_pid = own->pid;
            row->end.root_node = failures->texts.text[own->node];
        }
    }
    if (!row->has_log && !row->end.is_node_failure)
        row->end.fault_ns = row->end.end_ns - HC_EVIDENCE_HANG_NS;
    if (row->end.fault_ns < row->end.start_ns)
        row->end.fault_ns = row->end.start_ns;
    failure->fault_ns = row->end.fault_ns;
}

static enum hc_failure_side side_of(const struct hc_failures *failures,
                                    const struct hc_failure *failure)
{
    if (failure->evidence <= HC_EVIDENCE_LIKELY)
        return HC_SIDE_INFRASTRUCTURE;
    if (failure->event && failure->event->names_job && failure->event->effect == HC_EFFECT_PROGRAM)
        return HC_SIDE_USER;
    if (failure->own >= 0 && is_users(&failures->own[failure->own]))
        return HC_SIDE_USER;
    return HC_SIDE_UNKNOWN;
}

/* ---- adding ---- */

static void count_healthy(struct hc_failures *failures, const struct hc_failure_row *row)
{
    struct hc_judgement judgement;
    hc_evidence_judge(failures->set, &row->end, &judgement);
    failures->n_healthy++;
    failures->n_healthy_beside += judgement.evidence <= HC_EVIDENCE_LIKELY;
    failures->n_healthy_any += judgement.evidence != HC_EVIDENCE_NONE;
}

static enum hc_status intern(struct hc_text_set *set, const char *text, int32_t *code,
                             struct hc_error *err)
{
    *code = HC_MISSING_I32;
    return text ? hc_text_set_add(set, text, strlen(text), code, err) : HC_OK;
}

static enum hc_status keep(struct hc_failures *failures, const struct hc_failure_row *row,
                           struct hc_error *err)
{
    struct hc_failure failure = row->failure;
    if (intern(&failures->texts, row->cluster, &failure.cluster, err) ||
        intern(&failures->texts, row->user, &failure.user, err) ||
        intern(&failures->texts, row->name, &failure.name, err) ||
        intern(&failures->texts, row->source, &failure.source, err) ||
        intern(&failures->texts, row->end.partition, &failure.partition, err) ||
        intern(&failures->texts, row->end.nodes, &failure.node_list, err) ||
        intern(&failures->texts, row->failed_node, &failure.failed_node, err) ||
        hc_reserve(&failures->failures, &failures->room, failures->n + 1,
                   sizeof *failures->failures, err))
        return err->status;
    failures->failures[failures->n++] = failure;
    return HC_OK;
}

/* What a person says of the end, or NULL. */
static const struct hc_correction *ask(struct hc_failures *failures,
                                       const struct hc_failure_row *row)
{
    const struct hc_failure *failure = &row->failure;
    const struct hc_corrected_end end = {
        .cluster = row->cluster,
        .nodes = row->end.nodes,
        .job = failure->job,
        .from_ns = row->end.fault_ns - HC_EVIDENCE_BEFORE_NS,
        .to_ns = row->end.end_ns + HC_EVIDENCE_AFTER_NS,
        .gpu_ns = failure->gpu_ns,
        .array_task = failure->array_task,
        .restarts = failure->restarts,
        .is_launch = failure->cycle != HC_MISSING_I32,
        .is_failure = failure->is_by_rules,
    };
    return failures->corrections ? hc_corrections_find(failures->corrections, &end) : NULL;
}

/* Whether an end is a failure, after what a person says of it. */
static bool is_kept(struct hc_failures *failures, struct hc_failure *failure)
{
    if (!failure->correction)
        return failure->is_by_rules;
    enum hc_correction_cause cause = failure->correction->cause;
    bool is_one = cause == HC_CORRECTION_INFRASTRUCTURE || cause == HC_CORRECTION_USER ||
                  (cause == HC_CORRECTION_UNKNOWN && failure->is_by_rules);
    failures->n_taken_out += failure->is_by_rules && !is_one;
    failures->n_put_in += is_one && !failure->is_by_rules;
    return is_one;
}

static void judge(struct hc_failures *failures, struct hc_failure_row *row)
{
    struct hc_failure *failure = &row->failure;
    struct hc_judgement judgement;
    hc_evidence_judge(failures->set, &row->end, &judgement);
    failure->evidence = judgement.evidence;
    failure->event = judgement.event;
    failure->n_shifts = judgement.n_shifts;
    failure->n_chance = judgement.n_chance;
    failure->side = side_of(failures, failure);
    failure->ruled_evidence = failure->evidence;
    failure->ruled_side = failure->side;
    failures->n_without_log += !row->has_log && !row->end.is_node_failure;
    failures->n_bad_lists += judgement.has_bad_list;
    if (!failure->correction)
        return;
    bool is_ours = failure->correction->cause == HC_CORRECTION_INFRASTRUCTURE;
    failure->evidence = is_ours ? HC_EVIDENCE_CERTAIN : HC_EVIDENCE_NONE;
    failure->side = is_ours                                            ? HC_SIDE_INFRASTRUCTURE
                    : failure->correction->cause == HC_CORRECTION_USER ? HC_SIDE_USER
                                                                       : HC_SIDE_UNKNOWN;
}

enum hc_status hc_failures_add(struct hc_failures *failures, struct hc_failure_row *row,
                               struct hc_error *err)
{
    struct hc_failure *failure = &row->failure;
    bool is_whole = failure->cycle == HC_MISSING_I32;
    row->end.job = failure->job;
    row->end.restarts = failure->restarts;
    row->end.cluster = row->cluster;
    row->end.fault_ns = row->end.end_ns;
    row->end.is_node_failure = is_whole && is_node_failure(failure->state);
    if (is_whole && failure->gpus > 0 && failure->nodes > 0)
        failures->gpu_node_ns +=
            (hc_lost_gpu_ns)failure->nodes * (row->end.end_ns - row->end.start_ns);
    failures->n_ends += is_whole;
    failure->is_by_rules = is_failure(failure);
    if (failure->is_by_rules)
        hear_log(failures, row);
    failure->correction = ask(failures, row);
    if (!is_kept(failures, failure)) {
        if (!failure->is_by_rules && failure->state == HC_JOB_COMPLETED)
            count_healthy(failures, row);
        else if (!failure->is_by_rules)
            failures->n_stopped++;
        return HC_OK;
    }
    if (!failure->is_by_rules)
        hear_log(failures, row);
    judge(failures, row);
    return keep(failures, row, err);
}

/* ---- sums ---- */

static void add(struct hc_failure_sum *sum, const struct hc_failure *failure)
{
    sum->n++;
    sum->gpu_ns += failure->gpu_ns;
}

/* What chance gives: of each failure the share of other days on which it would have counted. A
 * failure of a node, and what a person says, are certain without an event, and no subject of
 * chance. */
static void sum_chance(struct hc_failures *failures)
{
    double expected = 0;
    int64_t n_chance = 0, n_known = 0;
    double n_shifts = 0;
    for (size_t i = 0; i < failures->n; i++) {
        const struct hc_failure *f = &failures->failures[i];
        if (f->n_shifts == 0 || f->correction || is_node_failure(f->state))
            continue;
        n_known++;
        n_shifts += f->n_shifts;
        n_chance += f->n_chance;
        expected += (double)f->n_chance / f->n_shifts;
    }
    failures->chance = failures->chance_low = failures->chance_high = NAN;
    if (n_known == 0)
        return;
    /* An event in the window of one failure may be in that of several: counted as if independent.
     */
    double low, high, scale = n_chance ? expected / (double)n_chance : (double)n_known / n_shifts;
    hc_poisson_interval(n_chance, LEVEL, &low, &high);
    failures->chance = expected;
    failures->chance_low = low * scale;
    failures->chance_high = high * scale;
}

const char *hc_failure_node(const struct hc_failures *failures, const struct hc_failure *failure)
{
    const struct hc_node_event *event = failure->event;
    if (event && failure->evidence <= HC_EVIDENCE_LIKELY && event->node != HC_MISSING_I32) {
        const char *node = failures->set->nodes.text[event->node];
        if (node[0] != HC_EVIDENCE_JOB[0]) /* else a place that is no node */
            return node;
    }
    return failure->failed_node == HC_MISSING_I32 ? NULL
                                                  : failures->texts.text[failure->failed_node];
}

void hc_failures_sum(struct hc_failures *failures)
{
    for (size_t i = 0; i < failures->n; i++) {
        add(&failures->by_evidence[failures->failures[i].evidence], &failures->failures[i]);
        add(&failures->by_side[failures->failures[i].side], &failures->failures[i]);
    }
    sum_chance(failures);
}

void hc_failures_fini(struct hc_failures *failures)
{
    hc_text_set_fini(&failures->texts);
    free(failures->failures);
    free(failures->own);
    *failures = (struct hc_failures){0};
}
