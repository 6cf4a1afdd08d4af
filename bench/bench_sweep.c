/* The sweep alone: op-lanes a second on op orders of pipelined steps. */
#include "bench/bench.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "sim/replay/op_order.h"
#include "sim/replay/sweep.h"
#include "sim/synth/step_synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subject {
    struct hc_op_order order;
    struct hc_sweep sweep;
    struct hc_sweep_space space;
    struct hc_sweep_times times;
    double *matrix, *constant;
};

/* The op order of one synthetic step: about n_ops = pp * microbatches * 6. */
static void make_order(struct hc_op_order *order, int32_t pp, int32_t microbatches, int32_t dp)
{
    struct hc_error err;
    struct hc_synth_steps_options options = hc_synth_steps_defaults();
    struct hc_synth_steps *generator = NULL;
    struct hc_table ops;
    options.pp = pp;
    options.dp = dp;
    options.microbatches = microbatches;
    options.n_steps = 1;
    if (hc_synth_steps_open(&generator, &options, &err))
        hc_bench_stop(&err);
    size_t n_rows = (size_t)hc_synth_steps_rows(generator), n = 0;
    if (hc_table_init(&ops, &hc_ops_def, n_rows, &err) ||
        hc_synth_steps_next(generator, &ops, &err))
        hc_bench_stop(&err);
    struct hc_graph_op *template = hc_new_array(n_rows, sizeof *template, &err);
    if (!template)
        hc_bench_stop(&err);
    struct hc_op_columns row = hc_op_columns(&ops);
    for (size_t i = 0; i < ops.n_rows; i++)
        if (row.dp_rank[i] == 0)
            template[n++] =
                (struct hc_graph_op){row.op_type[i],      row.seq_id[i],
                                     row.stage[i],        row.model_chunk[i],
                                     row.global_chunk[i], row.microbatch[i],
                                     row.start_ns[i],     row.start_ns[i] + row.duration_ns[i]};
    struct hc_step_graph graph;
    struct hc_graph_options graph_options = {.n_stages = pp, .uses_dp = dp > 1};
    if (hc_step_graph_derive(&graph, template, n, &graph_options, &err) ||
        hc_op_order_compile(order, &graph, &err))
        hc_bench_stop(&err);
    hc_step_graph_fini(&graph);
    hc_synth_steps_close(generator);
    hc_table_fini(&ops);
    free(template);
}

static void start(struct subject *s, size_t n_lanes, size_t width, bool dense)
{
    struct hc_error err;
    size_t n_ops = s->order.n_ops;
    s->constant = hc_new_array(n_ops, sizeof *s->constant, &err);
    s->times.end = hc_new_array(n_lanes, sizeof(double), &err);
    s->times.span_start = hc_new_array(n_lanes, sizeof(double), &err);
    s->times.span_end = hc_new_array(n_lanes, sizeof(double), &err);
    if (!s->constant || !s->times.end || !s->times.span_start || !s->times.span_end ||
        hc_sweep_space_init(&s->space, &s->order, n_lanes, &err))
        hc_bench_stop(&err);
    if (dense) {
        s->matrix = hc_new_aligned(n_ops * n_lanes, sizeof *s->matrix, &err);
        if (!s->matrix)
            hc_bench_stop(&err);
        for (size_t i = 0; i < n_ops * n_lanes; i++)
            s->matrix[i] = (double)(i * 2654435761u % 1000000);
    }
    for (size_t i = 0; i < n_ops; i++)
        s->constant[i] = (double)(i * 2654435761u % 1000000);
    s->sweep = (struct hc_sweep){.order = &s->order,
                                 .duration = {s->matrix, n_lanes, s->constant, NULL},
                                 .n_lanes = n_lanes,
                                 .width = width};
}

static void finish(struct subject *s)
{
    hc_sweep_space_fini(&s->space);
    free(s->constant);
    free(s->matrix);
    free(s->times.end);
    free(s->times.span_start);
    free(s->times.span_end);
    s->matrix = NULL;
}

static void sweep(void *context)
{
    struct subject *s = context;
    hc_sweep_run(&s->sweep, &s->space, &s->times);
}

/* The sweep of n_lanes, each with the same durations. */
static void measure(struct hc_bench *bench, const char *name, struct subject *s, size_t n_lanes,
                    size_t width, double limit)
{
    start(s, n_lanes, width, false);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, sweep, s);
    finish(s);
    hc_bench_limit(bench, name, &pair, (double)(s->order.n_ops * n_lanes), "G op-lanes/s", limit);
}

/* The same of a matrix, of which memory tells how fast it is read. */
static void measure_dense(struct hc_bench *bench, const char *name, struct subject *s,
                          size_t n_lanes, size_t width, double limit)
{
    start(s, n_lanes, width, true);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_COPY, sweep, s);
    finish(s);
    hc_bench_limit(bench, name, &pair, (double)(s->order.n_ops * n_lanes), "G op-lanes/s", limit);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct subject large = {0}, ar = {0};
    make_order(&large.order, 16, 10410, 1);
    hc_bench_note(&bench, "large plan", (double)large.order.n_ops, "ops");
    hc_bench_note(&bench, "large plan, live ends", (double)large.order.n_slots, "slots");
    measure(&bench, "large plan, 1 lane", &large, 1, 1, 2.5);
    measure(&bench, "large plan, 64 lanes", &large, 64, 1, 0.66);
    measure_dense(&bench, "large plan, 64 lanes, dense matrix", &large, 64, 1, 11);
    hc_op_order_fini(&large.order);
    make_order(&ar.order, 4, 32, 512);
    hc_bench_note(&bench, "AR's plan", (double)ar.order.n_ops, "ops");
    hc_bench_note(&bench, "AR's plan, live ends", (double)ar.order.n_slots, "slots");
    measure_dense(&bench, "512 dp ranks, dense matrix", &ar, 512, 512, 4.2);
    measure(&bench, "512 dp ranks", &ar, 512, 512, 0.52);
    hc_op_order_fini(&ar.order);
    return hc_bench_end(&bench);
}
