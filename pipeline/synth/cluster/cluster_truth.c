#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>

/* Unix seconds; nothing where there is no such time. */
static void put_seconds(FILE *stream, int64_t time_s)
{
    if (time_s != HC_CLUSTER_NO_TIME_S)
        fprintf(stream, "%" PRId64, time_s);
}

static void put_number(FILE *stream, int32_t number)
{
    if (number != HC_CLUSTER_NONE)
        fprintf(stream, "%d", number);
}

void hc_cluster_write_attempts(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("attempt,job,raw_job,array_task,restarts,run,state,submit_s,start_s,end_s,nodes,gpus,"
          "fault\n",
          stream);
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &cluster->attempts[i];
        fprintf(stream, "%zu,%" PRId64 ",%" PRId64 ",", i, a->job, a->raw_job);
        put_number(stream, a->array_task);
        fprintf(stream, ",%d,", a->restarts);
        if (a->run != HC_CLUSTER_NONE)
            hc_cluster_put_run(stream, a);
        fprintf(stream, ",%s,%" PRId64 ",", hc_cluster_state(a), a->submit_s);
        put_seconds(stream, a->start_s);
        fputc(',', stream);
        put_seconds(stream, a->end_s);
        fprintf(stream, ",%d,%d,", a->n_nodes, a->gpus);
        put_number(stream, a->fault);
        fputc('\n', stream);
    }
}

void hc_cluster_write_cycles(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("attempt,raw_job,cycle,start_s,first_step_s,end_s,first_iteration,last_iteration,"
          "saved_iteration,fault\n",
          stream);
    for (size_t i = 0; i < cluster->n_cycles; i++) {
        const struct hc_cluster_cycle *c = &cluster->cycles[i];
        fprintf(stream, "%d,%" PRId64 ",%d,", c->attempt, cluster->attempts[c->attempt].raw_job,
                c->number);
        put_seconds(stream, c->start_s);
        fputc(',', stream);
        put_seconds(stream, c->first_step_s);
        fputc(',', stream);
        put_seconds(stream, c->end_s);
        fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",", c->first_iteration,
                c->last_iteration, c->saved_iteration);
        put_number(stream, c->fault);
        fputc('\n', stream);
    }
}

void hc_cluster_write_runs(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("run,forked_from,nodes,step_s,checkpoint_iterations,iterations,saved_iteration,stall_s,"
          "evaluation_iterations,evaluation_s\n",
          stream);
    for (size_t i = 0; i < cluster->n_runs; i++) {
        const struct hc_cluster_run *run = &cluster->runs[i];
        fprintf(stream, "run-%02zu,", i + 1);
        if (run->forked_from != HC_CLUSTER_NONE)
            fprintf(stream, "run-%02d", run->forked_from + 1);
        fprintf(stream, ",%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, run->n_nodes,
                run->step_s, run->checkpoint_iterations, run->iterations, run->saved_iteration);
        fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", run->stall_s,
                run->evaluation_iterations, run->evaluation_s);
    }
}

void hc_cluster_write_faults(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("fault,kind,time_s,notice_s,repaired_s,node,nodes,gpu,stopped\n", stream);
    for (size_t i = 0; i < cluster->n_faults; i++) {
        const struct hc_cluster_fault *f = &cluster->faults[i];
        fprintf(stream, "%zu,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",", i,
                hc_cluster_fault_name(f->kind), f->time_s, f->notice_s, f->repaired_s);
        hc_cluster_put_node(stream, f->node);
        fprintf(stream, ",%d,%d,%d\n", f->n_nodes, f->gpu, f->n_stopped);
    }
}

static void put_subject(FILE *stream, const struct hc_cluster_plant *plant)
{
    switch (plant->kind) {
    case HC_CLUSTER_LEMON:
        hc_cluster_put_node(stream, plant->subject);
        return;
    case HC_CLUSTER_XID:
        fputs(hc_cluster_fault_name((enum hc_cluster_fault_kind)plant->subject), stream);
        return;
    case HC_CLUSTER_ETTR:
    case HC_CLUSTER_SAVES:
    case HC_CLUSTER_EVALUATIONS:
        fprintf(stream, "run-%02d", plant->subject + 1);
        return;
    case HC_CLUSTER_PULLS:
    case HC_CLUSTER_QUEUE:
    case HC_CLUSTER_LOOKS:
    case HC_CLUSTER_N_PLANTS:
        fputs("cluster", stream);
    }
}

void hc_cluster_write_planted(FILE *stream, const struct hc_cluster *cluster)
{
    fputs("kind,subject,day,factor\n", stream);
    for (int32_t i = 0; i < cluster->options.n_plants; i++) {
        const struct hc_cluster_plant *plant = &cluster->options.plants[i];
        fprintf(stream, "%s,", hc_cluster_plant_name(plant->kind));
        put_subject(stream, plant);
        fputc(',', stream);
        hc_cluster_put_date(stream, hc_cluster_plant_s(cluster, plant));
        fprintf(stream, ",%g\n", hc_cluster_plant_factor(plant->kind));
    }
}
