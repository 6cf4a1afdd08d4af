/* Rearranged plans a second, each made anew from the measured lanes and replayed, with its ideal:
 * at the size of AR (117,216 ops: 44 steps of 4 dp ranks, 4 stages, 32 microbatches). */
#include "bench/bench.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "sim/rearrange/edited_job.h"
#include "sim/synth/step_synth.h"

#include <stdlib.h>

struct subject {
    struct hc_replay_base *base;
    struct hc_edit edit;
    struct hc_edited_times times;
};

static struct hc_replay_base *make_base(void)
{
    struct hc_error err;
    struct hc_synth_steps_options options = hc_synth_steps_defaults();
    struct hc_synth_steps *generator = NULL;
    struct hc_step_trace *trace = NULL;
    struct hc_replay_base *base = NULL;
    struct hc_table ops;
    options.dp = 4;
    options.pp = 4;
    options.microbatches = 32;
    options.n_steps = 44;
    if (hc_synth_steps_open(&generator, &options, &err) ||
        hc_step_trace_new(&trace, hc_synth_steps_job(generator), &err) ||
        hc_table_init(&ops, &hc_ops_def, (size_t)hc_synth_steps_rows(generator), &err) ||
        hc_synth_steps_next(generator, &ops, &err) || hc_step_trace_add(trace, &ops, &err))
        hc_bench_stop(&err);
    const struct hc_replay_options replay = {.max_bad = 0.01};
    if (hc_replay_base_new(&base, trace, &replay, &err))
        hc_bench_stop(&err);
    hc_table_fini(&ops);
    hc_step_trace_free(trace);
    hc_synth_steps_close(generator);
    return base;
}

static void replay_once(void *context)
{
    struct subject *s = context;
    struct hc_error err;
    int64_t n_selected[1];
    size_t failed;
    const struct hc_edited_job job = {s->base, &s->edit, 1};
    const struct hc_edit_draws draws = {1, 0, 0};
    struct hc_edited_outcome outcome = {.times = &s->times, .n_selected = n_selected};
    if (hc_edited_job_replay(&outcome, &job, &draws, &failed, &err))
        hc_bench_stop(&err);
}

static struct hc_bench_pair replay(struct subject *s, const struct hc_edit *edit)
{
    s->edit = *edit;
    return hc_bench_beside(HC_BENCH_BYTES, replay_once, s);
}

int main(void)
{
    static const struct {
        const char *name;
        struct hc_rearrangement to;
        double most; /* for each op of the job as measured */
    } plans[] = {{"1F1B, as measured", {.schedule = HC_PLAN_1F1B}, 14},
                 {"GPipe", {.schedule = HC_PLAN_GPIPE}, 14},
                 {"16 microbatches", {.microbatches = 16}, 8.3},
                 {"2 stages", {.stages = 2}, 5.5},
                 {"interleaved, 2 chunks (232,320 ops)",
                  {.schedule = HC_PLAN_INTERLEAVED, .chunks = 2},
                  24}};
    struct hc_bench bench = hc_bench_start();
    struct hc_error err;
    struct subject subject = {.base = make_base()};
    size_t n = subject.base->lanes.n_steps;
    double *const times = hc_new_array(4 * n, sizeof(double), &err);
    if (!times)
        hc_bench_stop(&err);
    subject.times = (struct hc_edited_times){times, times + n, times + 2 * n, times + 3 * n};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const struct hc_edit edit = {
            .name = plans[i].name, .kind = HC_EDIT_REARRANGE, .rearrange = plans[i].to};
        struct hc_bench_pair pair = replay(&subject, &edit);
        hc_bench_note(&bench, plans[i].name, 1 / pair.seconds, "plans/s");
        hc_bench_limit(&bench, plans[i].name, &pair, (double)subject.base->lanes.n_rows, "M ops/s",
                       plans[i].most);
    }
    for (int32_t dp = 64; dp <= 1024; dp *= 16) {
        const struct hc_edit edit = {
            .name = "more", .kind = HC_EDIT_EXTRAPOLATE, .extrapolate.dp = dp};
        double n_ops = (double)subject.base->lanes.n_rows * dp / 4;
        hc_bench_note(&bench, dp == 64 ? "drawn to 64 dp ranks" : "drawn to 1,024 dp ranks",
                      n_ops / replay(&subject, &edit).seconds / 1e6, "M op-lanes/s");
    }
    free(times);
    hc_replay_base_free(subject.base);
    return hc_bench_end(&bench);
}
