#include "sim/synth/cluster/cluster_runs.h"

#include "core/base/memory.h"
#include "sim/synth/cluster/cluster_plan.h"
#include "sim/synth/cluster/cluster_steps.h"

#include <string.h>

#define SECOND_MS 1000
#define BACK_SHARE                                                                                 \
    0.04 /* of launches that go back behind the last checkpoint, which is damaged                  \
          */

/* The checkpoint of a run that another one forks: one that it has gone on from, or 0 where it has
 * no such. From its last one it may go on itself after that, and then no record tells which of the
 * two is the fork. */
static int64_t forks_at(const struct hc_cluster_cycles *cycles, size_t parent)
{
    const struct hc_cluster_progress *of = &cycles->progress[parent];
    int64_t before = of->saved_iteration - 2 * cycles->cluster->runs[parent].checkpoint_iterations;
    return before > of->first_iteration ? before : 0;
}

/* What a run begins from: its own last checkpoint, or at first that of the run it is forked from.
 */
static int64_t resumes_from(const struct hc_cluster_cycles *cycles, size_t run)
{
    struct hc_cluster_progress *own = &cycles->progress[run];
    const struct hc_cluster_run *r = &cycles->cluster->runs[run];
    struct hc_philox rng;
    if (!own->has_begun && r->forked_from != HC_CLUSTER_NONE)
        return forks_at(cycles, (size_t)r->forked_from);
    hc_philox_seek(&rng, cycles->cluster->options.seed, HC_CLUSTER_RESUME_STREAM,
                   cycles->cluster->n_cycles);
    if (own->saved_iteration - r->checkpoint_iterations > own->first_iteration &&
        hc_philox_uniform(&rng) < BACK_SHARE)
        own->saved_iteration -= r->checkpoint_iterations;
    return own->saved_iteration;
}

/* When the training of a launch would be complete, rounded up; at most just behind until_s. */
static int64_t complete_s(const struct hc_cluster *cluster, const struct hc_cluster_cycle *cycle,
                          int64_t until_s)
{
    struct hc_cluster_steps steps;
    struct hc_cluster_step step = {.saved_ms = cycle->first_step_s * SECOND_MS};
    hc_cluster_steps_begin(&steps, cluster, cycle);
    while (step.saved_ms <= until_s * SECOND_MS && hc_cluster_steps_next(&steps, &step))
        ;
    return (step.saved_ms + SECOND_MS - 1) / SECOND_MS;
}

enum hc_status hc_cluster_cycle_begin(struct hc_cluster_cycles *cycles, size_t attempt,
                                      int64_t start_s, int64_t *end_s, struct hc_error *err)
{
    struct hc_cluster *cluster = cycles->cluster;
    struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    struct hc_cluster_run *run = &cluster->runs[a->run];
    bool is_bursty = cluster->options.model == HC_CLUSTER_BURSTY;
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
        cycles->progress[a->run].first_iteration = cycle->first_iteration;
    }
    cycles->progress[a->run].has_begun = true;
    cycle->first_step_s =
        start_s + hc_cluster_draw_s(cycles->rng, 240, is_bursty ? 0.8 : 0.4, 1800);
    *end_s = complete_s(cluster, cycle, a->start_s + a->limit_s) + HC_CLUSTER_IDLE_S;
    return HC_OK;
}

/* The steps of a cycle that are complete at stops_s, and its last checkpoint that was saved by
 * then.
 */
static void count_steps(const struct hc_cluster *cluster, struct hc_cluster_cycle *cycle)
{
    struct hc_cluster_steps steps;
    struct hc_cluster_step step;
    int64_t stops_ms = cycle->stops_s * SECOND_MS;
    cycle->last_iteration = cycle->saved_iteration = cycle->first_iteration;
    hc_cluster_steps_begin(&steps, cluster, cycle);
    while (hc_cluster_steps_next(&steps, &step) && step.end_ms <= stops_ms) {
        cycle->last_iteration = step.iteration;
        cycle->is_done = step.iteration >= steps.run->iterations && step.saved_ms <= stops_ms;
        if (step.is_saved && step.saved_ms <= stops_ms)
            cycle->saved_iteration = step.iteration;
    }
}

void hc_cluster_cycle_end(struct hc_cluster_cycles *cycles, size_t attempt, int64_t stops_s,
                          int64_t end_s)
{
    struct hc_cluster *cluster = cycles->cluster;
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    struct hc_cluster_progress *progress = &cycles->progress[a->run];
    struct hc_cluster_cycle *cycle = &cluster->cycles[a->last_cycle];
    bool is_over = end_s != HC_CLUSTER_NO_TIME_S;
    cycle->end_s = end_s;
    cycle->stops_s = stops_s;
    if (is_over && cycle->start_s > end_s)
        cycle->start_s = end_s; /* the node failed before its processes were there */
    count_steps(cluster, cycle);
    if (stops_s < cycle->first_step_s ||
        (is_over && cycle->last_iteration == cycle->first_iteration))
        cycle->first_step_s = HC_CLUSTER_NO_TIME_S;
    progress->saved_iteration = cycle->saved_iteration;
    progress->is_done = cycle->is_done;
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
