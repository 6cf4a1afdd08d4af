#include "pipeline/synth/cluster/cluster_log_walk.h"
#include "pipeline/synth/cluster/cluster_text.h"
#include "pipeline/synth/cluster/cluster_writers.h"

#include <inttypes.h>
#include <string.h>

#define GLOBAL_BATCH  1024
#define WATCHDOG_MS   600000
#define LOSS_AT_START 10.0
#define SECOND_MS     1000

struct log {
    FILE *stream;
    const struct hc_cluster *cluster;
    const struct hc_cluster_attempt *attempt;
    const struct hc_cluster_run *run;
    const struct hc_zone *zone;
};

static void put_stamp(const struct log *log, int64_t time_ms)
{
    fputs(" [", log->stream);
    hc_cluster_put_time(log->stream, log->zone, time_ms / SECOND_MS, ' ');
    fprintf(log->stream, ".%03d000]", (int)(time_ms % SECOND_MS));
}

double hc_cluster_loss(int64_t iteration)
{
    return 1.5 + LOSS_AT_START * 100.0 / (100.0 + (double)iteration);
}

static void put_iteration(const struct log *log, const struct hc_cluster_log_event *line)
{
    const struct hc_cluster_run *run = log->run;
    put_stamp(log, line->time_ms);
    fprintf(log->stream,
            " iteration %8" PRId64 "/%8" PRId64 " | consumed samples: %12" PRId64
            " | elapsed time per iteration (ms): %" PRId64
            ".%d | throughput per GPU (TFLOP/s/GPU): 410.3 | learning rate: 1.500000E-04 | global "
            "batch size: %5d | lm loss: %.6E | loss scale: 1.0 | grad norm: 0.123 | number of "
            "skipped iterations:   0 | number of nan iterations:   0 |\n",
            line->iteration, run->iterations, line->iteration * GLOBAL_BATCH, line->mean_us / 1000,
            (int)(line->mean_us / 100 % 10), GLOBAL_BATCH, hc_cluster_loss(line->iteration));
}

/* What Megatron prints of a timer at once: the fastest rank, and the slowest. */
static void put_timer(const struct log *log, const char *name, int64_t ms)
{
    static const char dots[] = "................................................";
    fprintf(log->stream,
            "(min, max) time across ranks (ms):\n    %s %s: (%" PRId64 ".00, %" PRId64 ".00)\n",
            name, dots + strlen(name), ms - ms / 1000, ms);
}

static void put_checkpoint_directory(const struct log *log, int32_t run)
{
    fprintf(log->stream, "/ckpt/run-%02d", run + 1);
}

int32_t hc_cluster_loaded_run(const struct hc_cluster *cluster,
                              const struct hc_cluster_cycle *cycle)
{
    int32_t own = cluster->attempts[cycle->attempt].run, parent = cluster->runs[own].forked_from;
    if (parent == HC_CLUSTER_NONE)
        return own;
    for (const struct hc_cluster_cycle *c = cluster->cycles; c < cycle; c++)
        if (cluster->attempts[c->attempt].run == own && c->saved_iteration > c->first_iteration)
            return own;
    return parent;
}

static void put_datetime(const struct log *log, const char *what, int64_t time_s)
{
    fprintf(log->stream, "[%s] datetime: ", what);
    hc_cluster_put_time(log->stream, log->zone, time_s, ' ');
    fputs(" \n", log->stream);
}

static void put_start(const struct log *log, const struct hc_cluster_cycle *cycle)
{
    struct hc_cluster_launch_times times;
    hc_cluster_launch_times(&times, cycle);
    fprintf(log->stream,
            "using world size: %d, data-parallel size: %d, tensor-model-parallel size: 8, "
            "pipeline-model-parallel size: 1\n",
            log->attempt->gpus, log->attempt->n_nodes);
    fprintf(log->stream, "time to initialize megatron (seconds): %" PRId64 ".000\n",
            times.initialised_s - cycle->start_s);
    put_datetime(log, "after megatron is initialized", times.initialised_s);
    if (cycle->first_iteration > 0) {
        fputs("  successfully loaded checkpoint from ", log->stream);
        put_checkpoint_directory(log, hc_cluster_loaded_run(log->cluster, cycle));
        fprintf(log->stream, " [ t 1/8, p 1/1 ] at iteration %" PRId64 "\n",
                cycle->first_iteration);
        put_timer(log, "load-checkpoint", (times.built_s - times.loads_s) * SECOND_MS);
    }
    put_datetime(log, "after model, optimizer, and learning rate scheduler are built",
                 times.built_s);
    put_datetime(log, "after dataloaders are built", cycle->first_step_s);
    put_datetime(log, "before the start of training step", cycle->first_step_s);
}

static void put_evaluation(const struct log *log, const struct hc_cluster_log_event *event)
{
    static const char line[] = "-------------------------------------------------------------";
    put_timer(log, "evaluate", event->took_ms);
    fprintf(log->stream,
            "%s\n validation loss at iteration %" PRId64
            " | lm loss value: %.6E | lm loss PPL: 1.234567E+01 | \n%s\n",
            line, event->iteration, hc_cluster_loss(event->iteration), line);
}

static void put_save(const struct log *log, const struct hc_cluster_log_event *event)
{
    fprintf(log->stream, "  successfully saved checkpoint from iteration %7" PRId64 " to ",
            event->iteration);
    put_checkpoint_directory(log, log->attempt->run);
    fputs(" [ t 1/8, p 1/1 ]\n", log->stream);
    if (event->took_ms)
        put_timer(log, "save-checkpoint", event->took_ms);
}

static void put_steps(const struct log *log, const struct hc_cluster_cycle *cycle)
{
    struct hc_cluster_log_walk walk;
    struct hc_cluster_log_event event;
    hc_cluster_log_begin(&walk, log->cluster, cycle);
    while (hc_cluster_log_next(&walk, &event)) {
        if (event.what == HC_CLUSTER_LINE)
            put_iteration(log, &event);
        else if (event.what == HC_CLUSTER_EVALUATED)
            put_evaluation(log, &event);
        else
            put_save(log, &event);
    }
    int64_t done_s = hc_cluster_done_s(log->cluster, cycle);
    if (done_s != HC_CLUSTER_NO_TIME_S)
        put_datetime(log, "after training is done", done_s);
}

/* ---- what ends a cycle ---- */

static void put_watchdog(const struct log *log, const struct hc_cluster_fault *fault)
{
    fputs("[rank12]:[E] ", log->stream);
    put_stamp(log, fault->notice_s * SECOND_MS);
    fprintf(log->stream,
            " [Rank 12] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4711, "
            "OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=%d) ran for %d "
            "milliseconds before timing out.\n",
            WATCHDOG_MS, WATCHDOG_MS + 41);
}

static void put_root_cause(const struct log *log, const struct hc_cluster_fault *fault)
{
    int32_t rank = fault->gpu;
    const struct hc_cluster_attempt *a = log->attempt;
    for (int32_t k = 0; k < a->n_nodes; k++)
        if (log->cluster->nodes[a->nodes + (size_t)k] == fault->node)
            rank += k * HC_CLUSTER_GPUS;
    fprintf(log->stream,
            "[rank%d]: torch.AcceleratorError: CUDA error: %s\n"
            "============================================================\n"
            "pretrain_gpt.py FAILED\n"
            "------------------------------------------------------------\n"
            "Root Cause (first observed failure):\n"
            "[0]:\n"
            "  time      : ",
            rank,
            fault->kind == HC_CLUSTER_ECC ? "uncorrectable ECC error encountered"
                                          : "unspecified launch failure");
    hc_cluster_put_time(log->stream, log->zone, fault->notice_s, '_');
    fputs("\n  host      : ", log->stream);
    hc_cluster_put_node(log->stream, fault->node);
    fprintf(log->stream,
            "\n  rank      : %d (local_rank: %d)\n"
            "  exitcode  : 1 (pid: %d)\n"
            "  error_file: <N/A>\n"
            "============================================================\n",
            rank, fault->gpu, 20000 + fault->node * HC_CLUSTER_GPUS + fault->gpu);
}

static void put_cancelled(const struct log *log, int64_t time_s, const char *why)
{
    fprintf(log->stream, "slurmstepd: error: *** JOB %" PRId64 " ON ", log->attempt->raw_job);
    hc_cluster_put_node(log->stream, log->cluster->nodes[log->attempt->nodes]);
    fputs(" CANCELLED AT ", log->stream);
    hc_cluster_put_time(log->stream, log->zone, time_s, 'T');
    fprintf(log->stream, " DUE TO %s ***\n", why);
}

static void put_end(const struct log *log, const struct hc_cluster_cycle *cycle, bool is_last)
{
    if (cycle->fault != HC_CLUSTER_NONE) {
        const struct hc_cluster_fault *fault = &log->cluster->faults[cycle->fault];
        if (fault->kind == HC_CLUSTER_NODE_DOWN)
            put_cancelled(log, cycle->end_s, "NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS");
        else if (fault->kind == HC_CLUSTER_LINK || fault->kind == HC_CLUSTER_SWITCH)
            put_watchdog(log, fault);
        else
            put_root_cause(log, fault);
    } else if (is_last && log->attempt->end == HC_CLUSTER_TIMEOUT) {
        put_cancelled(log, cycle->end_s, "TIME LIMIT");
    } else if (is_last && log->attempt->end == HC_CLUSTER_FAILED) {
        fputs("Traceback (most recent call last):\n"
              "  File \"/work/pretrain_gpt.py\", line 311, in <module>\n"
              "    pretrain(train_valid_test_datasets_provider)\n"
              "ValueError: shape of the batch does not fit\n",
              log->stream);
    }
}

void hc_cluster_write_log(FILE *stream, const struct hc_cluster *cluster, size_t attempt,
                          const struct hc_zone *zone)
{
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    const struct log log = {stream, cluster, a, &cluster->runs[a->run], zone};
    int32_t n = 0;
    for (size_t i = 0; i <= a->last_cycle && n < a->n_cycles; i++) {
        const struct hc_cluster_cycle *cycle = &cluster->cycles[i];
        if (cycle->attempt != (int32_t)attempt)
            continue;
        n++;
        if (cycle->first_step_s != HC_CLUSTER_NO_TIME_S) {
            put_start(&log, cycle);
            put_steps(&log, cycle);
        }
        if (cycle->end_s != HC_CLUSTER_NO_TIME_S)
            put_end(&log, cycle, n == a->n_cycles);
    }
}
