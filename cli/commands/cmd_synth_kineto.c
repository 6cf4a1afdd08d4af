/* cmd_synth_kineto.c - `hindcast synth kineto`. */
#include "cli/frame/command.h"
#include "cli/options/synth_trace_options.h"
#include "pipeline/synth/synth_traces.h"

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct hc_synth_trace_settings *s = settings;
    struct hc_synth_trace_lists lists = {0};
    (void)words;
    if (!s->common.output)
        return hc_fail(err, HC_USAGE, "say where to: -o DIR");
    struct hc_synth_traces traces = {.directory = s->common.output, .packs = s->gzip};
    enum hc_status status = hc_synth_trace_options_fill(&traces.options, &lists, s, err);
    if (status == HC_OK)
        status = hc_synth_traces_write(&traces, err);
    hc_synth_trace_lists_fini(&lists);
    return status;
}

const struct hc_command hc_command_synth_kineto = {
    .name = "synth kineto",
    .summary = "make profiler traces of many ranks whose stragglers are known",
    .description =
        "Simulates the ranks of a training job and writes for each what the PyTorch profiler would "
        "have recorded: steps, ops, calls, kernels on streams of computation and communication, "
        "collectives, waits. truth.json beside them says what was planted, what that costs by the "
        "same simulation without it, and by how much the clocks are off.\n"
        "Without plants the job is healthy but for the jitter of its kernels.",
    .options = hc_synth_trace_options,
    .examples =
        (const char *const[]){"hindcast synth kineto --dp 8 --slow-rank 5,1.3 -o traces",
                              "hindcast synth kineto --dp 2 --pp 2 --late-host 1,20 "
                              "--clock-spread-ms 500 --no-seq --gzip -o traces",
                              NULL},
    .settings_size = sizeof(struct hc_synth_trace_settings),
    .run = run,
};
