/* Synthetic timelines: rows made, and rows written as Parquet, as the archive of a big benchmark is
 * made from. */
#include "bench/bench.h"

#include "core/tables/op_table.h"
#include "reports/export/step_parquet_writer.h"
#include "sim/synth/step_synth.h"

#include <stdio.h>
#include <stdlib.h>

struct run {
    struct hc_synth_steps_options options;
    struct hc_table ops;
    bool writes;
    int64_t n_rows;
};

static enum hc_status make(struct run *run, struct hc_synth_steps *generator,
                           struct hc_step_parquet *parquet, struct hc_error *err)
{
    run->n_rows = 0;
    for (;;) {
        run->ops.n_rows = 0;
        if (hc_synth_steps_next(generator, &run->ops, err))
            return err->status;
        if (run->ops.n_rows == 0)
            return parquet ? hc_step_parquet_finish(parquet, err) : HC_OK;
        run->n_rows += (int64_t)run->ops.n_rows;
        if (parquet && hc_step_parquet_write(parquet, &run->ops, err))
            return err->status;
    }
}

static void run_once(void *context)
{
    struct run *run = context;
    struct hc_error err = {0};
    struct hc_synth_steps *generator = NULL;
    struct hc_step_parquet *parquet = NULL;
    FILE *stream = run->writes ? fopen("/dev/null", "w") : NULL;
    if (run->writes && (!stream || hc_step_parquet_open(&parquet, stream, "null", NULL, &err)))
        exit(1);
    if (hc_synth_steps_open(&generator, &run->options, &err) || make(run, generator, parquet, &err))
        hc_bench_stop(&err);
    hc_synth_steps_close(generator);
    hc_step_parquet_close(parquet);
    if (stream)
        fclose(stream);
}

static void measure(struct hc_bench *bench, const char *name, struct run *run, double most)
{
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, run_once, run);
    hc_bench_limit(bench, name, &pair, (double)run->n_rows, "M rows/s", most);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_error err = {0};
    struct run run = {.options = hc_synth_steps_defaults()};
    run.options.dp = 64;
    run.options.microbatches = 32;
    run.options.n_steps = 10;
    if (hc_table_init(&run.ops, &hc_ops_def, 65536, &err))
        hc_bench_stop(&err);
    measure(&bench, "synth, healthy", &run, 240);
    run.writes = true;
    measure(&bench, "synth, healthy, to Parquet", &run, 460);
    run.writes = false;
    run.options.sequence_cv = 0.3;
    run.options.gc_pause_ns = 300000000;
    run.options.gc_every = 10;
    run.options.step_cv = 0.02;
    run.options.step_rho = 0.8;
    measure(&bench, "synth, sequences, pauses, step noise", &run, 360);
    hc_table_fini(&run.ops);
    return hc_bench_end(&bench);
}
