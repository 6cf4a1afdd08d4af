/* Scenarios on a step timeline as a user runs them: a sweep of 1,000 variants of a job of the size
 * of the published trace AR (44 steps, 4 dp ranks of 4 stages, some 117,000 ops), on one core, from
 * the scenario to the answer. What reading the trace takes is measured by a scenario without a
 * sweep and taken off. */
#include "bench/bench.h"

#include "pipeline/inputs/study_data.h"
#include "sim/edits/replay_base.h"
#include "study/engines/replay/replay_engine.h"
#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"

#include <stdio.h>
#include <stdlib.h>

#define N_POINTS 1000

static char trace[HC_BENCH_PATH], scenario_path[HC_BENCH_PATH];

static void make_trace(void)
{
    struct hc_bench_usage usage;
    hc_bench_scratch(trace, "trace-big.csv");
    const char *const argv[] = {
        hc_bench_hindcast(), "synth", "steps",   "-q", "--dp", "4",   "--pp", "4",
        "--microbatches",    "32",    "--steps", "44", "-o",   trace, NULL};
    if (!hc_bench_command(argv, &usage))
        exit(1);
}

static void write_scenario(const char *edit)
{
    hc_bench_scratch(scenario_path, "scenario.json");
    FILE *file = fopen(scenario_path, "w");
    if (!file)
        exit(1);
    fprintf(file,
            "{\"schema\": \"hindcast/scenario/1\", \"kind\": \"replay\", \"input\": {\"file\": "
            "\"trace-big.csv\"}, \"edits\": {\"it\": %s}, \"report\": {\"figures\": [\"step_s\", "
            "\"slowdown\"]}}",
            edit);
    if (fclose(file))
        exit(1);
}

/* What is asked beside the scenario. */
struct asked {
    const char *setting; /* NULL: nothing */
    int64_t n_ops;
};

static void answer(void *context)
{
    struct asked *asked = context;
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_study_answer answer = {.arena = {NULL}};
    struct hc_error err = {.status = HC_OK};
    struct hc_study_data data = {.archive_path = "."};
    const struct hc_data_provider provider = hc_study_data_provider(&data);
    const struct hc_scenario_request request = {.path = scenario_path,
                                                .settings = &asked->setting,
                                                .n_settings = asked->setting ? 1 : 0,
                                                .engines = hc_engines,
                                                .data = &provider};
    if (hc_scenario_prepare(&scenario, &study, &request, &err) ||
        hc_scenario_errors_status(&scenario.errors, &err) ||
        hc_study_run(&answer, &scenario, &study, 1, &err))
        hc_bench_stop(&err);
    const struct hc_replay_input *input = scenario.sources->timeline;
    asked->n_ops = input->steps->lanes.n_rows;
    hc_study_answer_fini(&answer);
    hc_scenario_fini(&scenario);
}

/* The op-lanes of the points of a sweep. */
static void measure(struct hc_bench *bench, const char *name, const char *edit, const char *setting,
                    double limit)
{
    struct asked one = {.setting = NULL}, all = {.setting = setting};
    write_scenario(edit);
    struct hc_bench_pair alone = hc_bench_beside(HC_BENCH_BYTES, answer, &one),
                         pair = hc_bench_beside(HC_BENCH_BYTES, answer, &all);
    pair.seconds -= alone.seconds;
    pair.units -= alone.units;
    hc_bench_limit(bench, name, &pair, (double)N_POINTS * (double)all.n_ops, "M op-lanes/s", limit);
}

int main(void)
{
    static const char scales[] = "/sweep=[{\"path\": \"/edits/it/scale\", \"range\": {\"from\": "
                                 "1.001, \"to\": 2, \"step\": 0.001}}]";
    struct hc_bench bench = hc_bench_start();
    make_trace();
    measure(&bench, "replay: variants of an op type",
            "{\"select\": {\"op\": \"forward-compute\"}, \"scale\": 1.1}", scales, 1.3);
    measure(&bench, "replay: variants of a worker",
            "{\"select\": {\"worker\": [\"1/1\"]}, \"scale\": 1.1}", scales, 2.1);
    measure(&bench, "replay: all ops drawn",
            "{\"scale\": {\"lognormal\": {\"mean\": 1.1, \"sd\": 0.1}}}", "/draws=1000", 22);
    hc_bench_note(&bench, "replay: memory", hc_bench_peak_mb(), "MB");
    return hc_bench_end(&bench);
}
