#include "pipeline/synth/cluster/cluster_log_walk.h"
#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>

#define GLOBAL_BATCH 1024

typedef void put(FILE *stream, const struct hc_cluster_run *run,
                 const struct hc_cluster_log_event *line);

/* "6.1234" */
static void put_mean_s(FILE *stream, const struct hc_cluster_log_event *line)
{
    fprintf(stream, "%" PRId64 ".%04d", line->mean_us / 1000000,
            (int)(line->mean_us / 100 % 10000));
}

static void put_megatron_old(FILE *stream, const struct hc_cluster_run *run,
                             const struct hc_cluster_log_event *line)
{
    fprintf(stream,
            " iteration %8" PRId64 "/%8" PRId64 " | elapsed time per iteration (ms): %" PRId64
            ".%d | learning rate 1.500E-04 | global batch size: %5d | lm loss %.6E | loss scale "
            "1.0 |\n",
            line->iteration, run->iterations, line->mean_us / 1000, (int)(line->mean_us / 100 % 10),
            GLOBAL_BATCH, hc_cluster_loss(line->iteration));
}

static void put_deepspeed(FILE *stream, const struct hc_cluster_run *run,
                          const struct hc_cluster_log_event *line)
{
    (void)run;
    fprintf(stream, "steps: %" PRId64 " loss: %.6f iter time (s): ", line->iteration,
            hc_cluster_loss(line->iteration));
    put_mean_s(stream, line);
    fprintf(stream, " samples/sec: %.3f\n", GLOBAL_BATCH * 1e6 / (double)line->mean_us);
}

static void put_verl(FILE *stream, const struct hc_cluster_run *run,
                     const struct hc_cluster_log_event *line)
{
    (void)run;
    fprintf(stream,
            "step:%" PRId64 " - actor/pg_loss:%.6f - actor/grad_norm:0.123 - timing_s/step:",
            line->iteration, hc_cluster_loss(line->iteration));
    put_mean_s(stream, line);
    fputc('\n', stream);
}

static void begin_event(FILE *stream, const char *key, int64_t time_ms)
{
    fprintf(stream,
            ":::MLLOG {\"namespace\": \"\", \"time_ms\": %" PRId64
            ", \"event_type\": \"POINT_IN_TIME\", \"key\": \"%s\", \"value\": ",
            time_ms, key);
}

static void end_event(FILE *stream)
{
    fputs(", \"metadata\": {\"file\": \"callbacks.py\", \"lineno\": 100}}\n", stream);
}

static void put_event(FILE *stream, const char *key, int64_t time_s)
{
    begin_event(stream, key, time_s * 1000);
    fputs("null", stream);
    end_event(stream);
}

static void put_mlperf(FILE *stream, const struct hc_cluster_run *run,
                       const struct hc_cluster_log_event *line)
{
    (void)run;
    begin_event(stream, "tracked_stats", line->time_ms);
    fputs("{\"train_step_time\": ", stream);
    put_mean_s(stream, line);
    fprintf(stream, ", \"reduced_train_loss\": %.6f}", hc_cluster_loss(line->iteration));
    end_event(stream);
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
    bool is_old = dialect == HC_CLUSTER_LOG_MEGATRON_OLD;
    struct hc_cluster_log_walk walk;
    struct hc_cluster_log_event event;
    if (is_old)
        put_old_start(stream, cluster, cycle);
    if (dialect == HC_CLUSTER_LOG_MLPERF) {
        put_event(stream, "init_start", cycle->start_s);
        put_event(stream, "run_start", cycle->first_step_s);
    }
    hc_cluster_log_begin(&walk, cluster, cycle);
    while (hc_cluster_log_next(&walk, &event)) {
        if (event.what == HC_CLUSTER_LINE)
            puts[dialect](stream, run, &event);
        else if (is_old && event.what == HC_CLUSTER_SAVED)
            fprintf(stream,
                    "  successfully saved checkpoint from iteration %7" PRId64
                    " to /ckpt/run-%02d\n",
                    event.iteration, a->run + 1);
    }
    int64_t done_s = hc_cluster_done_s(cluster, cycle);
    if (dialect == HC_CLUSTER_LOG_MLPERF && done_s != HC_CLUSTER_NO_TIME_S)
        put_event(stream, "run_stop", done_s);
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
