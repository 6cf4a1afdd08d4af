/* cluster_timelines.c - what a profiler recorded of the first step of each run: a trace of two of
 * its ranks, at the Unix time of that step, in a directory that is called by the job. */
#include "pipeline/synth/cluster/cluster_files.h"

#include "core/base/memory.h"
#include "reports/export/kineto_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define N_RANKS   2
#define NS_PER_S  ((int64_t)1000000000)
#define NS_PER_US ((int64_t)1000)
#define LONGEST_S 60 /* a trace is over by then */

/* The cycles whose first step is recorded: of each run that came to one, the first such. */
struct chosen {
    size_t n;
    int32_t *cycles;
    bool *has_one; /* by run */
};

static enum hc_status choose(struct chosen *chosen, const struct hc_cluster *cluster,
                             struct hc_error *err)
{
    size_t n_runs = cluster->n_runs ? cluster->n_runs : 1;
    *chosen = (struct chosen){.cycles = hc_new_array(n_runs, sizeof *chosen->cycles, err)};
    chosen->has_one = hc_new_array(n_runs, sizeof *chosen->has_one, err);
    if (!chosen->cycles || !chosen->has_one)
        return err->status;
    for (size_t i = 0; i < cluster->n_cycles; i++) {
        const struct hc_cluster_cycle *c = &cluster->cycles[i];
        int32_t run = cluster->attempts[c->attempt].run;
        int64_t end_s = c->end_s == HC_CLUSTER_NO_TIME_S ? cluster->end_s : c->end_s;
        if (chosen->has_one[run] || c->first_step_s == HC_CLUSTER_NO_TIME_S ||
            c->first_step_s + LONGEST_S > end_s)
            continue;
        chosen->has_one[run] = true;
        chosen->cycles[chosen->n++] = (int32_t)i;
    }
    return HC_OK;
}

static void chosen_fini(struct chosen *chosen)
{
    free(chosen->cycles);
    free(chosen->has_one);
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
    struct chosen chosen;
    bool is_end;
    if (hc_trace_synth_open(&site->trace, &options, err) ||
        hc_trace_synth_step(site->trace, &is_end, err))
        return err->status;
    enum hc_status status = choose(&chosen, &site->cluster, err);
    if (!status)
        status = hc_cluster_add_directory(site, "timelines", err);
    for (size_t i = 0; i < chosen.n && !status; i++)
        status = add_trace(site, chosen.cycles[i], err);
    chosen_fini(&chosen);
    return status;
}

enum hc_status hc_cluster_write_timelines(FILE *stream, const struct hc_cluster *cluster,
                                          struct hc_error *err)
{
    struct chosen chosen;
    enum hc_status status = choose(&chosen, cluster, err);
    fputs("raw_job,start_s\n", stream);
    for (size_t i = 0; i < chosen.n && !status; i++) {
        const struct hc_cluster_cycle *c = &cluster->cycles[chosen.cycles[i]];
        fprintf(stream, "%" PRId64 ",%" PRId64 "\n", cluster->attempts[c->attempt].raw_job,
                c->first_step_s);
    }
    chosen_fini(&chosen);
    return status;
}
