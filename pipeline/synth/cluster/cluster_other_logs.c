#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>

#define GLOBAL_BATCH 1024

typedef void put(FILE *stream, const struct hc_cluster_run *run, int64_t iteration, int64_t time_s);

static void put_megatron_old(FILE *stream, const struct hc_cluster_run *run, int64_t iteration,
                             int64_t time_s)
{
    (void)time_s;
    fprintf(stream,
            " iteration %8" PRId64 "/%8" PRId64 " | elapsed time per iteration (ms): %" PRId64
            ".0 | learning rate 1.500E-04 | global batch size: %5d | lm loss %.6E | loss scale 1.0 "
            "|\n",
            iteration, run->iterations, run->step_s * 1000, GLOBAL_BATCH,
            hc_cluster_loss(iteration));
}

static void put_deepspeed(FILE *stream, const struct hc_cluster_run *run, int64_t iteration,
                          int64_t time_s)
{
    (void)time_s;
    fprintf(stream,
            "steps: %" PRId64 " loss: %.6f iter time (s): %" PRId64 ".000 samples/sec: %.3f\n",
            iteration, hc_cluster_loss(iteration), run->step_s,
            (double)GLOBAL_BATCH / (double)run->step_s);
}

static void put_verl(FILE *stream, const struct hc_cluster_run *run, int64_t iteration,
                     int64_t time_s)
{
    (void)time_s;
    fprintf(stream,
            "step:%" PRId64 " - actor/pg_loss:%.6f - actor/grad_norm:0.123 - timing_s/step:%" PRId64
            ".0\n",
            iteration, hc_cluster_loss(iteration), run->step_s);
}

static void put_event(FILE *stream, const char *key, const char *value, int64_t time_s)
{
    fprintf(stream,
            ":::MLLOG {\"namespace\": \"\", \"time_ms\": %" PRId64
            "000, \"event_type\": \"POINT_IN_TIME\", \"key\": \"%s\", \"value\": %s, \"metadata\": "
            "{\"file\": \"callbacks.py\", \"lineno\": 100}}\n",
            time_s, key, value);
}

static void put_mlperf(FILE *stream, const struct hc_cluster_run *run, int64_t iteration,
                       int64_t time_s)
{
    char value[160];
    snprintf(value, sizeof value,
             "{\"train_step_time\": %" PRId64 ".0, \"reduced_train_loss\": %.6f}", run->step_s,
             hc_cluster_loss(iteration));
    put_event(stream, "tracked_stats", value, time_s);
}

/* Where a cycle resumes from: its own run, or the one that it is forked from. */
static void put_old_start(FILE *stream, const struct hc_cluster *cluster,
                          const struct hc_cluster_cycle *cycle)
{
    const struct hc_cluster_attempt *a = &cluster->attempts[cycle->attempt];
    fprintf(stream, "using world size: %d, data-parallel size: %d\n", a->gpus, a->n_nodes);
    if (cycle->first_iteration > 0)
        fprintf(stream,
                "  successfully loaded checkpoint from /ckpt/run-%02d at iteration %" PRId64 "\n",
                hc_cluster_loaded_run(cluster, cycle) + 1, cycle->first_iteration);
}

static void put_cycle(FILE *stream, const struct hc_cluster *cluster,
                      const struct hc_cluster_cycle *cycle, enum hc_cluster_log_dialect dialect)
{
    static put *const puts[] = {[HC_CLUSTER_LOG_MEGATRON_OLD] = put_megatron_old,
                                [HC_CLUSTER_LOG_MLPERF] = put_mlperf,
                                [HC_CLUSTER_LOG_DEEPSPEED] = put_deepspeed,
                                [HC_CLUSTER_LOG_VERL] = put_verl};
    const struct hc_cluster_attempt *a = &cluster->attempts[cycle->attempt];
    const struct hc_cluster_run *run = &cluster->runs[a->run];
    int64_t interval = hc_cluster_log_interval(run);
    bool is_old = dialect == HC_CLUSTER_LOG_MEGATRON_OLD;
    if (is_old)
        put_old_start(stream, cluster, cycle);
    if (dialect == HC_CLUSTER_LOG_MLPERF) {
        put_event(stream, "init_start", "null", cycle->start_s);
        put_event(stream, "run_start", "null", cycle->first_step_s);
    }
    for (int64_t i = cycle->first_iteration + 1; i <= cycle->last_iteration; i++) {
        if (i % interval == 0)
            puts[dialect](stream, run, i,
                          cycle->first_step_s + (i - cycle->first_iteration) * run->step_s);
        if (is_old && i % run->checkpoint_iterations == 0)
            fprintf(stream,
                    "  successfully saved checkpoint from iteration %7" PRId64
                    " to /ckpt/run-%02d\n",
                    i, a->run + 1);
    }
    bool is_done = cycle->fault == HC_CLUSTER_NONE && a->end == HC_CLUSTER_COMPLETED;
    if (dialect == HC_CLUSTER_LOG_MLPERF && is_done)
        put_event(stream, "run_stop", "null", cycle->end_s - 5);
}

void hc_cluster_write_other_log(FILE *stream, const struct hc_cluster *cluster, size_t attempt,
                                enum hc_cluster_log_dialect dialect)
{
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    for (size_t i = 0; i <= a->last_cycle && a->n_cycles; i++) {
        const struct hc_cluster_cycle *cycle = &cluster->cycles[i];
        if (cycle->attempt == (int32_t)attempt && cycle->first_step_s != HC_CLUSTER_NO_TIME_S)
            put_cycle(stream, cluster, cycle, dialect);
    }
}
