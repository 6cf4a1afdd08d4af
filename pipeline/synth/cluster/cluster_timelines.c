/* cluster_timelines.c - what a profiler recorded of the first step of each run: a trace of two of
 * its ranks, at the Unix time of that step, in a directory that is called by the job. */
#include "pipeline/synth/cluster/cluster_files.h"
#include "reports/export/kineto_writer.h"

#include <inttypes.h>
#include <stdio.h>

#define N_RANKS     2
#define NS_PER_S    ((int64_t)1000000000)
#define NS_PER_US   ((int64_t)1000)
#define LONGEST_S   60 /* a trace is over by then */
#define MOST_PROBED 99 /* runs */

/* The cycle whose first step is recorded, of each run that came to one; *n of them. */
static void choose(const struct hc_cluster *cluster, int32_t chosen[MOST_PROBED], size_t *n)
{
    bool has_one[MOST_PROBED] = {false};
    *n = 0;
    for (size_t i = 0; i < cluster->n_cycles; i++) {
        const struct hc_cluster_cycle *c = &cluster->cycles[i];
        int32_t run = cluster->attempts[c->attempt].run;
        int64_t end_s = c->end_s == HC_CLUSTER_NO_TIME_S ? cluster->end_s : c->end_s;
        if (run >= MOST_PROBED || has_one[run] || c->first_step_s == HC_CLUSTER_NO_TIME_S ||
            c->first_step_s + LONGEST_S > end_s)
            continue;
        has_one[run] = true;
        chosen[(*n)++] = (int32_t)i;
    }
}

static void write_rank(FILE *stream, const struct hc_cluster_site *site, int32_t cycle, int rank)
{
    struct hc_kineto_writer writer;
    struct hc_error never = {0}; /* nothing is packed */
    char name[40];
    size_t n_events;
    const struct hc_trace_event *events = hc_trace_synth_events(site->trace, rank, &n_events);
    struct hc_kineto_head head = {.rank = rank, .world_size = N_RANKS};
    head.base_ns = site->cluster.cycles[cycle].first_step_s * NS_PER_S;
    head.groups = hc_trace_synth_groups(site->trace, rank, &head.n_groups);
    snprintf(name, sizeof name, "rank-%d.pt.trace.json", rank);
    hc_kineto_start(&writer, stream, false, &head, &never);
    hc_kineto_write(&writer, events, n_events);
    hc_kineto_end(&writer, name, &never);
}

static enum hc_status add_trace(struct hc_cluster_site *site, int32_t cycle, struct hc_error *err)
{
    const struct hc_cluster_cycle *c = &site->cluster.cycles[cycle];
    int64_t raw_job = site->cluster.attempts[c->attempt].raw_job;
    char name[100];
    snprintf(name, sizeof name, "timelines/%" PRId64, raw_job);
    enum hc_status status = hc_cluster_add_directory(site, name, err);
    for (int rank = 0; rank < N_RANKS && !status; rank++) {
        const struct hc_cluster_part part = {.write = write_rank, .of = cycle, .dialect = rank};
        snprintf(name, sizeof name, "timelines/%" PRId64 "/rank-%d.pt.trace.json", raw_job, rank);
        status = hc_cluster_add_part(site, name, &part, false, err);
    }
    return status;
}

enum hc_status hc_cluster_add_timelines(struct hc_cluster_site *site, struct hc_error *err)
{
    const struct hc_trace_synth_options options = {.seed = site->cluster.options.seed,
                                                   .dp = N_RANKS,
                                                   .pp = 1,
                                                   .layers = 1,
                                                   .microbatches = 1,
                                                   .n_steps = 1,
                                                   .first_step = 1,
                                                   .kernel_ns = 200 * NS_PER_US,
                                                   .p2p_ns = 60 * NS_PER_US,
                                                   .all_reduce_ns = 150 * NS_PER_US,
                                                   .jitter_cv = 0.002};
    int32_t chosen[MOST_PROBED];
    size_t n;
    bool is_end;
    choose(&site->cluster, chosen, &n);
    if (hc_trace_synth_open(&site->trace, &options, err) ||
        hc_trace_synth_step(site->trace, &is_end, err))
        return err->status;
    enum hc_status status = hc_cluster_add_directory(site, "timelines", err);
    for (size_t i = 0; i < n && !status; i++)
        status = add_trace(site, chosen[i], err);
    return status;
}

void hc_cluster_write_timelines(FILE *stream, const struct hc_cluster *cluster)
{
    int32_t chosen[MOST_PROBED];
    size_t n;
    choose(cluster, chosen, &n);
    fputs("raw_job,start_s\n", stream);
    for (size_t i = 0; i < n; i++) {
        const struct hc_cluster_cycle *c = &cluster->cycles[chosen[i]];
        fprintf(stream, "%" PRId64 ",%" PRId64 "\n", cluster->attempts[c->attempt].raw_job,
                c->first_step_s);
    }
}
