#include "sim/synth/cluster/cluster_runs.h"

#include "core/base/memory.h"
#include "sim/synth/cluster/cluster_plan.h"

#include <string.h>

/* What a run begins from: its own last checkpoint, or at first that of the run it is forked from.
 */
static int64_t resumes_from(const struct hc_cluster_cycles *cycles, size_t run)
{
    const struct hc_cluster_progress *own = &cycles->progress[run];
    int32_t parent = cycles->cluster->runs[run].forked_from;
    if (own->has_begun || parent == HC_CLUSTER_NONE)
        return own->saved_iteration;
    return cycles->progress[parent].saved_iteration;
}

enum hc_status hc_cluster_cycle_begin(struct hc_cluster_cycles *cycles, size_t attempt,
                                      int64_t start_s, int64_t *end_s, struct hc_error *err)
{
    struct hc_cluster *cluster = cycles->cluster;
    struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    struct hc_cluster_run *run = &cluster->runs[a->run];
    if (hc_reserve(&cluster->cycles, &cycles->room, cluster->n_cycles + 1, sizeof *cluster->cycles,
                   err))
        return err->status;
    a->last_cycle = cluster->n_cycles;
    struct hc_cluster_cycle *cycle = &cluster->cycles[cluster->n_cycles++];
    *cycle = (struct hc_cluster_cycle){.attempt = (int32_t)attempt,
                                       .number = a->n_cycles++,
                                       .start_s = start_s,
                                       .end_s = HC_CLUSTER_NO_TIME_S,
                                       .fault = HC_CLUSTER_NONE};
    cycle->first_iteration = resumes_from(cycles, (size_t)a->run);
    if (!cycle->first_iteration) /* of a run that has saved nothing nobody can begin */
        run->forked_from = HC_CLUSTER_NONE;
    if (!cycles->progress[a->run].has_begun) { /* a fork makes its own iterations on top */
        run->iterations += cycle->first_iteration;
        cycles->progress[a->run].saved_iteration = cycle->first_iteration;
    }
    cycles->progress[a->run].has_begun = true;
    cycle->first_step_s = start_s + hc_cluster_draw_s(cycles->rng, 240, 0.4, 1800);
    int64_t left = run->iterations - cycle->first_iteration;
    *end_s = cycle->first_step_s + (left > 0 ? left : 0) * run->step_s + 20;
    return HC_OK;
}

void hc_cluster_cycle_end(struct hc_cluster_cycles *cycles, size_t attempt, int64_t stops_s,
                          int64_t end_s)
{
    struct hc_cluster *cluster = cycles->cluster;
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    const struct hc_cluster_run *run = &cluster->runs[a->run];
    struct hc_cluster_progress *progress = &cycles->progress[a->run];
    struct hc_cluster_cycle *cycle = &cluster->cycles[a->last_cycle];
    int64_t steps = (stops_s - cycle->first_step_s) / run->step_s;
    cycle->end_s = end_s;
    if (end_s != HC_CLUSTER_NO_TIME_S && cycle->start_s > end_s)
        cycle->start_s = end_s; /* the node failed before its processes were there */
    if (stops_s < cycle->first_step_s || steps < 1) {
        steps = 0;
        if (end_s != HC_CLUSTER_NO_TIME_S)
            cycle->first_step_s = HC_CLUSTER_NO_TIME_S;
    }
    if (steps > run->iterations - cycle->first_iteration)
        steps = run->iterations - cycle->first_iteration;
    cycle->last_iteration = cycle->first_iteration + (steps > 0 ? steps : 0);
    int64_t saved = cycle->last_iteration - cycle->last_iteration % run->checkpoint_iterations;
    cycle->saved_iteration = saved > cycle->first_iteration ? saved : cycle->first_iteration;
    progress->saved_iteration = cycle->saved_iteration;
    progress->is_done = cycle->last_iteration >= run->iterations;
}

void hc_cluster_cycle_call_off(struct hc_cluster_cycles *cycles, size_t attempt, int64_t end_s,
                               int32_t fault)
{
    struct hc_cluster *c = cycles->cluster;
    size_t off = c->attempts[attempt].last_cycle, before = off - 1;
    while (c->cycles[before].attempt != (int32_t)attempt)
        before--;
    if (c->cycles[before].fault != HC_CLUSTER_NONE)
        c->faults[c->cycles[before].fault].n_stopped--;
    c->cycles[before].fault = fault;
    c->cycles[before].end_s = end_s;
    memmove(c->cycles + off, c->cycles + off + 1, (--c->n_cycles - off) * sizeof *c->cycles);
    for (size_t i = 0; i < c->n_attempts; i++)
        c->attempts[i].last_cycle -= c->attempts[i].n_cycles && c->attempts[i].last_cycle > off;
    c->attempts[attempt].last_cycle = before;
    c->attempts[attempt].n_cycles--;
}
