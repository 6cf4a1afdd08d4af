/* The fast sweep against the event-driven oracle: equal to the last bit over random graphs. */
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "models/steps/step_graph.h"
#include "sim/replay/op_order.h"
#include "sim/replay/sweep.h"
#include "sim/synth/step_synth.h"
#include "tests/support/oracle.h"
#include "tests/support/random_numbers.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES   60
#define MAX_MEMBERS 4
#define MAX_OPS     (MAX_NODES * MAX_MEMBERS)
#define MAX_EDGES   (MAX_OPS * 8)
#ifdef HC_SANITIZED
#define N_ROUNDS 400
#else
#define N_ROUNDS 4000
#endif

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(hc_test_random(state) % n);
}

/* Edges lead from earlier nodes to later ones; ops get shuffled numbers; a node is one op, or a
 * group that may be synchronised over dp ranks. */
static void make_graph(struct hc_step_graph *graph, uint64_t *state)
{
    static struct hc_graph_op ops[MAX_OPS];
    static uint32_t edges[MAX_EDGES][2], number[MAX_OPS];
    static int32_t group_of[MAX_OPS];
    static uint8_t is_synced[MAX_NODES];
    uint32_t n_nodes = 1 + below(state, MAX_NODES), first[MAX_NODES + 1] = {0};
    size_t n_edges = 0, n_groups = 0;
    for (uint32_t n = 0; n < n_nodes; n++)
        first[n + 1] = first[n] + 1 + below(state, MAX_MEMBERS);
    uint32_t n_ops = first[n_nodes];
    for (uint32_t i = 0; i < n_ops; i++)
        number[i] = i;
    for (uint32_t i = n_ops; i > 1; i--) {
        uint32_t other = below(state, i), kept = number[i - 1];
        number[i - 1] = number[other];
        number[other] = kept;
    }
    for (uint32_t n = 0; n < n_nodes; n++) {
        bool is_group = first[n + 1] - first[n] > 1 || below(state, 3) == 0;
        for (uint32_t i = first[n]; i < first[n + 1]; i++) {
            ops[number[i]] =
                (struct hc_graph_op){.op_type = below(state, 4) ? HC_FORWARD_COMPUTE : HC_OPTIMIZER,
                                     .seq_id = (int32_t)i,
                                     .start_ns = below(state, 1000)};
            group_of[number[i]] = is_group ? (int32_t)n_groups : -1;
            for (uint32_t k = first[n] ? below(state, 7) : 0; k > 0; k--) {
                edges[n_edges][0] = number[below(state, first[n])];
                edges[n_edges++][1] = number[i];
            }
        }
        if (is_group)
            is_synced[n_groups++] = below(state, 3) == 0;
    }
    struct hc_error err;
    struct hc_graph_lists lists = {
        ops, n_ops, (const uint32_t(*)[2])edges, n_edges, group_of, n_groups, is_synced};
    ck_assert_msg(!hc_step_graph_build(graph, &lists, &err), "%s", err.message);
}

/* One case: a graph, its op order, and durations for n_steps steps of dp_size dp ranks. */
struct trial {
    struct hc_step_graph graph;
    struct hc_op_order order;
    size_t n_steps, dp_size, n_lanes, stride;
    double *duration, *delay, *constant; /* by position */
    uint8_t *mask;
    bool has_negative;
};

/* Compile the graph of the trial and draw durations and delays. */
static void start_trial(struct trial *t, uint64_t *state)
{
    struct hc_error err;
    ck_assert_msg(!hc_op_order_compile(&t->order, &t->graph, &err), "%s", err.message);
    t->n_steps = 1 + below(state, 4);
    t->dp_size = 1 + below(state, 5);
    t->n_lanes = t->n_steps * t->dp_size;
    t->stride = t->n_lanes + below(state, 9);
    t->has_negative = below(state, 4) == 0;
    t->duration = calloc(t->order.n_ops * t->stride, sizeof(double));
    t->delay = calloc(t->order.n_ops * t->stride, sizeof(double));
    t->constant = calloc(t->order.n_ops, sizeof(double));
    t->mask = calloc(t->order.n_ops, 1);
    for (size_t p = 0; p < t->order.n_ops; p++) {
        t->constant[p] = below(state, 1000000);
        t->mask[p] = below(state, 2);
        for (size_t l = 0; l < t->n_lanes; l++) {
            bool negative = t->has_negative && below(state, 5) == 0;
            t->duration[p * t->stride + l] = (double)below(state, 1000000) - 500000.0 * negative;
            t->delay[p * t->stride + l] = (double)below(state, 10000) - 100;
        }
    }
}

static void end_trial(struct trial *t)
{
    hc_step_graph_fini(&t->graph);
    hc_op_order_fini(&t->order);
    free(t->duration);
    free(t->delay);
    free(t->constant);
    free(t->mask);
}

/* What the sweep uses for op position p, lane l. */
static double chosen(const struct hc_rows *rows, size_t p, size_t l, size_t n_dense)
{
    bool dense = rows->matrix && (!rows->use_matrix || rows->use_matrix[p]) && l < n_dense;
    return dense ? rows->matrix[p * rows->stride + l] : rows->constant[p];
}

/* Run the oracle on the step whose dp ranks are the lanes listed, and compare with the sweep. */
static void compare_step(const struct trial *t, const struct hc_sweep *sweep, const size_t *lane,
                         size_t dp_size, const struct hc_sweep_times *times)
{
    size_t n_ops = t->order.n_ops;
    size_t n_dense = sweep->sync == HC_SYNC_FOLD ? sweep->n_lanes / 2 : sweep->n_lanes;
    bool delayed = sweep->delay.matrix || sweep->delay.constant;
    double *duration = calloc(n_ops * dp_size, sizeof(double));
    double *delay = calloc(n_ops * dp_size, sizeof(double));
    for (size_t p = 0; p < n_ops; p++)
        for (size_t d = 0; d < dp_size; d++) {
            size_t at = t->order.op_at[p] * dp_size + d;
            duration[at] = chosen(&sweep->duration, p, lane[d], n_dense);
            if (delayed)
                delay[at] = chosen(&sweep->delay, p, lane[d], n_dense);
        }
    struct hc_oracle_step step = {&t->graph, dp_size, duration, delayed ? delay : NULL};
    struct hc_oracle_times oracle = {0};
    struct hc_error err;
    ck_assert_msg(!hc_oracle_run(&step, &oracle, &err), "%s", err.message);
    double end = -INFINITY, span_end = -INFINITY, span_start = INFINITY;
    for (size_t d = 0; d < dp_size; d++) {
        end = fmax(end, times->end[lane[d]]);
        span_end = fmax(span_end, times->span_end[lane[d]]);
        span_start = fmin(span_start, times->span_start[lane[d]]);
    }
    ck_assert_double_eq(span_end, oracle.span_end);
    ck_assert_double_eq(span_start, oracle.span_start);
    ck_assert(end == oracle.end);
    free(duration);
    free(delay);
}

static void compare_sweep(const struct trial *t, const struct hc_sweep *sweep)
{
    struct hc_error err;
    struct hc_sweep_space space;
    double end[64], span_start[64], span_end[64];
    size_t lane[64];
    struct hc_sweep_times times = {end, span_start, span_end};
    ck_assert(!hc_sweep_space_init(&space, &t->order, sweep->n_lanes, &err));
    hc_sweep_run(sweep, &space, &times);
    if (sweep->sync == HC_SYNC_FOLD) {
        for (size_t l = 0; l < sweep->n_lanes / 2; l++) {
            lane[0] = l;
            lane[1] = l + sweep->n_lanes / 2;
            compare_step(t, sweep, lane, 2, &times);
        }
    } else {
        for (size_t first = 0; first < sweep->n_lanes; first += sweep->width) {
            for (size_t d = 0; d < sweep->width; d++)
                lane[d] = first + d;
            compare_step(t, sweep, lane, sweep->width, &times);
        }
    }
    hc_sweep_space_fini(&space);
}

/* Sweep in every way and compare with the oracle. */
static void compare_all_ways(struct trial *t)
{
    struct hc_rows dense = {t->duration, t->stride, t->constant, NULL};
    struct hc_rows masked = {t->duration, t->stride, t->constant, t->mask};
    struct hc_rows delays = {t->delay, t->stride, t->constant, NULL};
    struct hc_rows none = {0};
    struct hc_sweep sweep = {&t->order,    dense,      none,           t->n_lanes,
                             HC_SYNC_STEP, t->dp_size, t->has_negative};
    compare_sweep(t, &sweep);
    sweep.duration = masked;
    compare_sweep(t, &sweep);
    sweep.delay = delays;
    compare_sweep(t, &sweep);
    sweep.delay.use_matrix = t->mask;
    compare_sweep(t, &sweep);
    sweep.delay = none;
    sweep.duration = dense;
    sweep.sync = HC_SYNC_FOLD;
    sweep.n_lanes = 2 * t->n_lanes;
    compare_sweep(t, &sweep);
    sweep.sync = HC_SYNC_STEP;
    sweep.n_lanes = sweep.width = 1;
    compare_sweep(t, &sweep);
}

START_TEST(test_random_graphs)
{
    uint64_t seed = 20261121;
    const char *given = getenv("HC_TEST_SEED");
    if (given)
        seed = strtoull(given, NULL, 10);
    printf("test_sweep: seed %" PRIu64 ", %d graphs, each swept in 6 ways\n", seed, N_ROUNDS);
    for (int round = 0; round < N_ROUNDS; round++) {
        struct trial t = {0};
        make_graph(&t.graph, &seed);
        start_trial(&t, &seed);
        compare_all_ways(&t);
        end_trial(&t);
    }
}
END_TEST

/* ---- real shapes: pipelines with dp, pp, vpp and collectives, and with ops missing ---- */

static struct hc_synth_steps_options draw_shape(uint64_t *state)
{
    struct hc_synth_steps_options shape = hc_synth_steps_defaults();
    shape.pp = 1 + (int32_t)below(state, 5);
    shape.vpp = shape.pp > 1 && below(state, 2) ? 1 + (int32_t)below(state, 3) : 1;
    shape.microbatches = shape.pp * (1 + (int32_t)below(state, 3));
    shape.dp = 1 + (int32_t)below(state, 3);
    shape.dsp = 1 + (int32_t)below(state, 2);
    shape.overlap_dp = shape.dp * shape.dsp > 1 && below(state, 2);
    shape.launch_ns = below(state, 2) ? 1000000 : 0;
    shape.seed = hc_test_random(state);
    shape.n_steps = 1;
    return shape;
}

/* The ops of dp rank 0; one in three shapes lacks some of them. */
static size_t draw_template(const struct hc_synth_steps_options *shape, struct hc_graph_op *ops,
                            size_t capacity, uint64_t *state)
{
    struct hc_error err;
    struct hc_synth_steps *generator = NULL;
    struct hc_table table;
    ck_assert_msg(!hc_synth_steps_open(&generator, shape, &err), "%s", err.message);
    ck_assert(!hc_table_init(&table, &hc_ops_def, (size_t)hc_synth_steps_rows(generator), &err));
    ck_assert(!hc_synth_steps_next(generator, &table, &err));
    struct hc_op_columns row = hc_op_columns(&table);
    uint32_t n_missing = below(state, 3) ? 0 : 1 + below(state, 2);
    size_t n = 0;
    for (size_t i = 0; i < table.n_rows && n < capacity; i++)
        if (row.dp_rank[i] == 0)
            ops[n++] =
                (struct hc_graph_op){row.op_type[i],      row.seq_id[i],
                                     row.stage[i],        row.model_chunk[i],
                                     row.global_chunk[i], row.microbatch[i],
                                     row.start_ns[i],     row.start_ns[i] + row.duration_ns[i]};
    for (; n_missing > 0; n_missing--) {
        size_t gone = below(state, (uint32_t)n);
        memmove(ops + gone, ops + gone + 1, (--n - gone) * sizeof *ops);
    }
    hc_synth_steps_close(generator);
    hc_table_fini(&table);
    return n;
}

START_TEST(test_pipelines)
{
    static struct hc_graph_op ops[4096];
    uint64_t seed = 4711;
    int n_refused = 0;
    printf("test_sweep: seed %" PRIu64 ", %d pipelines\n", seed, N_ROUNDS / 4);
    for (int round = 0; round < N_ROUNDS / 4; round++) {
        struct trial t = {0};
        struct hc_error err;
        struct hc_synth_steps_options shape = draw_shape(&seed);
        struct hc_graph_options options = {.n_stages = shape.pp,
                                           .uses_dp = shape.dp * shape.dsp > 1};
        size_t n = draw_template(&shape, ops, 4096, &seed);
        if (hc_step_graph_derive(&t.graph, ops, n, &options, &err)) {
            ck_assert_int_eq(err.status, HC_BAD_INPUT);
            ck_assert_ptr_nonnull(strstr(err.message, "stage"));
            n_refused++;
            continue;
        }
        start_trial(&t, &seed);
        compare_all_ways(&t);
        end_trial(&t);
    }
    /* Most ops are needed; the whole shapes and the ones without a no-op must pass. */
    ck_assert_int_gt(n_refused, 0);
    ck_assert_int_lt(n_refused, N_ROUNDS / 4 / 2);
}
END_TEST

START_TEST(test_cycle_is_named)
{
    struct hc_graph_op ops[3] = {{.op_type = HC_FORWARD_COMPUTE, .seq_id = 7, .stage = 2},
                                 {.op_type = HC_FORWARD_SEND, .seq_id = 8, .stage = 2},
                                 {.op_type = HC_GC, .seq_id = 0, .stage = 2}};
    uint32_t edges[][2] = {{0, 1}, {1, 0}, {1, 2}};
    int32_t group_of[3] = {-1, -1, -1};
    struct hc_graph_lists lists = {ops,      3, (const uint32_t(*)[2])edges, 3,
                                   group_of, 0, (const uint8_t *)""};
    struct hc_step_graph graph;
    struct hc_op_order order;
    struct hc_error err;
    ck_assert(!hc_step_graph_build(&graph, &lists, &err));
    ck_assert_int_eq(hc_op_order_compile(&order, &graph, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "cycle"));
    ck_assert_ptr_nonnull(strstr(err.message, "forward-compute seq 7, stage 2"));
    ck_assert_ptr_nonnull(strstr(err.message, "forward-send seq 8, stage 2"));
    ck_assert_ptr_null(strstr(err.message, "gc seq 0"));
    hc_step_graph_fini(&graph);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tc = tcase_create("sweep");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, test_random_graphs);
    tcase_add_test(tc, test_pipelines);
    tcase_add_test(tc, test_cycle_is_named);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed ? 1 : 0;
}
