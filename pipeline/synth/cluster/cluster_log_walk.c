#include "pipeline/synth/cluster/cluster_log_walk.h"

#define LINES_A_RUN 500 /* of iterations, about */
#define SECOND_MS   1000

/* How many iterations a line is for. */
static int64_t interval_of(const struct hc_cluster_run *run)
{
    if (run->line_iterations)
        return run->line_iterations;
    int64_t interval = run->iterations / LINES_A_RUN / 10 * 10;
    return interval < 10 ? 10 : interval;
}

void hc_cluster_log_begin(struct hc_cluster_log_walk *walk, const struct hc_cluster *cluster,
                          const struct hc_cluster_cycle *cycle)
{
    *walk = (struct hc_cluster_log_walk){.last_iteration = cycle->last_iteration,
                                         .stops_ms = cycle->stops_s * SECOND_MS,
                                         .told = HC_CLUSTER_SAVED + 1};
    hc_cluster_steps_begin(&walk->steps, cluster, cycle);
    walk->interval = interval_of(walk->steps.run);
}

static bool next_step(struct hc_cluster_log_walk *walk)
{
    walk->told = HC_CLUSTER_LINE;
    if (walk->steps.iteration >= walk->last_iteration ||
        !hc_cluster_steps_next(&walk->steps, &walk->step))
        return false;
    walk->sum_ms += walk->step.end_ms - walk->step.begin_ms;
    walk->n++;
    return true;
}

static bool is_told(const struct hc_cluster_log_walk *walk, enum hc_cluster_log_what what)
{
    const struct hc_cluster_step *step = &walk->step;
    switch (what) {
    case HC_CLUSTER_LINE:
        return step->iteration % walk->interval == 0;
    case HC_CLUSTER_EVALUATED:
        return step->is_evaluated && step->evaluated_ms <= walk->stops_ms;
    case HC_CLUSTER_SAVED:
        return step->is_saved && step->saved_ms <= walk->stops_ms;
    }
    return false;
}

bool hc_cluster_log_next(struct hc_cluster_log_walk *walk, struct hc_cluster_log_event *event)
{
    do {
        if (walk->told > HC_CLUSTER_SAVED && !next_step(walk))
            return false;
    } while (!is_told(walk, (enum hc_cluster_log_what)walk->told++));
    const struct hc_cluster_step *step = &walk->step;
    *event = (struct hc_cluster_log_event){.what = (enum hc_cluster_log_what)(walk->told - 1),
                                           .iteration = step->iteration};
    if (event->what == HC_CLUSTER_LINE) {
        event->time_ms = step->end_ms;
        event->mean_us = (walk->sum_ms * 10 + walk->n / 2) / walk->n * 100;
        walk->sum_ms = walk->n = 0;
    } else if (event->what == HC_CLUSTER_EVALUATED) {
        event->time_ms = step->evaluated_ms;
        event->took_ms = step->evaluated_ms - step->end_ms;
    } else {
        event->time_ms = step->saved_ms;
        event->took_ms = step->saved_ms - step->evaluated_ms;
    }
    return true;
}

int64_t hc_cluster_done_s(const struct hc_cluster *cluster, const struct hc_cluster_cycle *cycle)
{
    struct hc_cluster_steps steps;
    struct hc_cluster_step step;
    if (!cycle->is_done)
        return HC_CLUSTER_NO_TIME_S;
    hc_cluster_steps_begin(&steps, cluster, cycle);
    while (hc_cluster_steps_next(&steps, &step))
        ;
    return (steps.time_ms + SECOND_MS - 1) / SECOND_MS;
}
