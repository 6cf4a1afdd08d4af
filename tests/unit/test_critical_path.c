/* The critical path and the slacks of steps: a case by hand, and random graphs with planted ties
 * against the event-driven oracle. */
#include "core/tables/op_type.h"
#include "models/steps/step_graph.h"
#include "sim/paths/critical_path.h"
#include "tests/support/oracle.h"
#include "tests/support/random_numbers.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES   30
#define MAX_MEMBERS 4
#define MAX_OPS     (MAX_NODES * MAX_MEMBERS)
#define MAX_EDGES   (MAX_OPS * 8)
#define MAX_DP      4
#define MAX_STEPS   5
#ifdef HC_SANITIZED
#define N_ROUNDS 100
#else
#define N_ROUNDS 1000
#endif

/* Steps on dp_size dp ranks: durations and delays by position, a lane a step and dp rank. One of
 * the steps is looked at. */
struct trial {
    struct hc_step_structure structure;
    struct hc_lane_block block;
    size_t step[MAX_STEPS], k, first_lane;
    int32_t dp_size;
    struct hc_critical_steps found;
};

static void start_trial(struct trial *t, const struct hc_graph_lists *lists, int32_t dp_size,
                        size_t n_steps, size_t k)
{
    struct hc_error err;
    *t = (struct trial){.dp_size = dp_size, .k = k, .first_lane = k * (size_t)dp_size};
    struct hc_step_structure *of = &t->structure;
    ck_assert_msg(!hc_step_graph_build(&of->graph, lists, &err), "%s", err.message);
    ck_assert_msg(!hc_op_order_compile(&of->order, &of->graph, &err), "%s", err.message);
    size_t n = of->order.n_ops;
    of->op_type = calloc(n, sizeof *of->op_type);
    of->stage = calloc(n, sizeof *of->stage);
    for (size_t p = 0; p < n; p++) {
        of->op_type[p] = of->graph.ops[of->order.op_at[p]].op_type;
        of->stage[p] = of->graph.ops[of->order.op_at[p]].stage;
    }
    size_t n_lanes = n_steps * (size_t)dp_size;
    t->block = (struct hc_lane_block){.n_steps = n_steps,
                                      .n_lanes = n_lanes,
                                      .stride = n_lanes,
                                      .step = t->step,
                                      .duration = calloc(n * n_lanes, sizeof(double)),
                                      .delay = calloc(n * n_lanes, sizeof(double))};
}

static void end_trial(struct trial *t)
{
    hc_critical_steps_fini(&t->found);
    hc_step_graph_fini(&t->structure.graph);
    hc_op_order_fini(&t->structure.order);
    free(t->structure.op_type);
    free(t->structure.stage);
    free(t->block.duration);
    free(t->block.delay);
}

static void find(struct trial *t, bool has_delays)
{
    struct hc_error err;
    const struct hc_step_run of = {.structure = &t->structure,
                                   .block = &t->block,
                                   .n = t->block.n_steps,
                                   .dp_size = (size_t)t->dp_size,
                                   .has_delays = has_delays};
    ck_assert(!hc_critical_steps_find(&t->found, &of, &err));
}

static const struct hc_critical_path *path_of(const struct trial *t)
{
    return &t->found.path[t->k];
}

static const struct hc_critical_part *part_of(const struct trial *t, size_t i)
{
    return &t->found.parts[path_of(t)->first + i];
}

/* The end and the span of the step by the oracle. */
struct ends {
    double end, span;
};

static struct ends ask_oracle(const struct trial *t, bool has_delays)
{
    size_t n = t->structure.order.n_ops, width = (size_t)t->dp_size;
    double *duration = calloc(n * width, sizeof(double)),
           *delay = calloc(n * width, sizeof(double));
    for (size_t p = 0; p < n; p++)
        for (size_t d = 0; d < width; d++) {
            size_t at = t->structure.order.op_at[p] * width + d;
            size_t from = p * t->block.stride + t->first_lane + d;
            duration[at] = t->block.duration[from];
            delay[at] = t->block.delay[from];
        }
    const struct hc_oracle_step step = {&t->structure.graph, width, duration,
                                        has_delays ? delay : NULL};
    struct hc_oracle_times times = {0};
    struct hc_error err;
    ck_assert(!hc_oracle_run(&step, &times, &err));
    free(duration);
    free(delay);
    return (struct ends){times.span_end, times.span_end - times.span_start};
}

/* ---- by hand ---- */

static const struct hc_graph_op hand_ops[] = {
    {.op_type = HC_FORWARD_COMPUTE, .seq_id = 0, .stage = 0},
    {.op_type = HC_FORWARD_SEND, .seq_id = 0, .stage = 0},
    {.op_type = HC_FORWARD_RECV, .seq_id = 0, .stage = 1},
    {.op_type = HC_FORWARD_COMPUTE, .seq_id = 0, .stage = 1},
    {.op_type = HC_GRADS_REDUCE_SCATTER, .seq_id = 0, .stage = 1},
    {.op_type = HC_GRADS_REDUCE_SCATTER, .seq_id = 0, .stage = 0},
};
static const uint32_t hand_edges[][2] = {{0, 1}, {2, 3}, {3, 4}, {0, 5}};
static const int32_t hand_groups[] = {-1, 0, 0, -1, 1, 2};
static const uint8_t hand_synced[] = {0, 1, 1};

static void set_duration(struct trial *t, uint32_t op, double first_ns, double second_ns)
{
    double *row = t->block.duration + t->structure.order.position[op] * t->block.stride;
    row[0] = first_ns;
    row[1] = second_ns;
}

static void start_hand(struct trial *t)
{
    start_trial(t,
                &(struct hc_graph_lists){hand_ops, 6, hand_edges, 4, hand_groups, 3, hand_synced},
                2, 1, 0);
    set_duration(t, 0, 100, 130);
    set_duration(t, 1, 5, 6);
    set_duration(t, 2, 10, 11);
    set_duration(t, 3, 50, 40);
    set_duration(t, 4, 20, 15);
    set_duration(t, 5, 3, 4);
}

static void check_part(const struct trial *t, size_t i, uint32_t op, int32_t dp_rank,
                       int64_t delay_ns, int64_t own_ns)
{
    const struct hc_critical_part *part = part_of(t, i);
    ck_assert_uint_eq(t->structure.order.op_at[part->position], op);
    ck_assert_int_eq(part->dp_rank, dp_rank);
    ck_assert_int_eq(part->delay_ns, delay_ns);
    ck_assert_int_eq(part->own_ns, own_ns);
}

static int64_t slack_of(const struct trial *t, uint32_t op, size_t dp_rank)
{
    return hc_critical_slack(&t->found, t->k, t->structure.order.position[op], dp_rank);
}

/* Dp rank 0: pass to 100, received at 110, pass to 160. Dp rank 1: pass to 130, received at 141,
 * pass to 181. The reduction of stage 1 begins at 181 and lasts longest on dp rank 0: 201. */
START_TEST(test_by_hand)
{
    struct trial t;
    start_hand(&t);
    find(&t, false);
    ck_assert_int_eq(path_of(&t)->span_ns, 201);
    ck_assert_uint_eq(path_of(&t)->n_parts, 4);
    check_part(&t, 0, 4, 0, 0, 20); /* its transfer, on its own worker */
    check_part(&t, 1, 3, 1, 0, 40); /* what it waited for */
    check_part(&t, 2, 2, 1, 0, 11);
    check_part(&t, 3, 0, 1, 0, 130);
    ck_assert_int_eq(slack_of(&t, 4, 0), 0);
    ck_assert_int_eq(slack_of(&t, 4, 1), 5);
    ck_assert_int_eq(slack_of(&t, 3, 0), 21); /* 181 - 160 */
    ck_assert_int_eq(slack_of(&t, 0, 0), 21);
    ck_assert_int_eq(slack_of(&t, 1, 0), 96); /* a send that nothing waits for: 201 - 105 */
    ck_assert_int_eq(slack_of(&t, 5, 1), 67); /* 201 - 134 */
    end_trial(&t);
}
END_TEST

/* A launch delay of 30 before the pass of stage 1 on dp rank 0 brings it to 190; the path is then
 * on dp rank 0, with the delay for itself. */
START_TEST(test_delay_is_a_part)
{
    struct trial t;
    struct hc_error err;
    struct hc_critical_sums sums;
    start_hand(&t);
    t.block.delay[t.structure.order.position[3] * 2] = 30;
    t.block.delay[t.structure.order.position[0] * 2] = 2;
    find(&t, true);
    ck_assert_int_eq(path_of(&t)->span_ns, 212);
    check_part(&t, 0, 4, 0, 0, 20);
    check_part(&t, 1, 3, 0, 30, 50);
    check_part(&t, 2, 2, 0, 0, 10);
    check_part(&t, 3, 0, 0, 2, 100);
    ck_assert(!hc_critical_sums_init(&sums, 2, 2, &err));
    hc_critical_sums_add(&sums, &t.found);
    ck_assert_int_eq(sums.span_ns, 212);
    ck_assert_int_eq(sums.delay_ns, 32);
    ck_assert_int_eq(sums.of_type_ns[HC_FORWARD_COMPUTE], 150);
    ck_assert_int_eq(sums.of_type_ns[HC_FORWARD_RECV], 10);
    ck_assert_int_eq(sums.of_type_ns[HC_GRADS_REDUCE_SCATTER], 20);
    ck_assert_int_eq(sums.of_worker_ns[0], 102); /* dp 0, stage 0 */
    ck_assert_int_eq(sums.of_worker_ns[1], 110); /* dp 0, stage 1 */
    ck_assert_int_eq(sums.of_worker_ns[2], 0);
    ck_assert_int_eq(sums.n_tight[0], 1);
    ck_assert_int_eq(sums.slack_ns[3], 5); /* its reduction, with its whole transfer: 212 - 207 */
    ck_assert_int_eq(sums.n_tight[3], 0);
    hc_critical_sums_fini(&sums);
    end_trial(&t);
}
END_TEST

/* All alike: the path goes by the smallest dp rank, and by it alone. */
START_TEST(test_ties)
{
    struct trial t;
    start_hand(&t);
    for (uint32_t op = 0; op < 6; op++)
        set_duration(&t, op, 10, 10);
    find(&t, false);
    for (size_t i = 0; i < path_of(&t)->n_parts; i++)
        ck_assert_int_eq(part_of(&t, i)->dp_rank, 0);
    ck_assert_int_eq(path_of(&t)->span_ns, 40);
    end_trial(&t);
}
END_TEST

/* ---- random graphs ---- */

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(hc_test_random(state) % n);
}

static struct hc_graph_op ops[MAX_OPS];
static uint32_t edges[MAX_EDGES][2];
static int32_t group_of[MAX_OPS];
static uint8_t is_synced[MAX_NODES];

/* Nodes of one op, or of a group that may be synchronised; edges lead to later nodes. */
static void start_random(struct trial *t, uint64_t *state)
{
    uint32_t n_nodes = 1 + below(state, MAX_NODES), n_ops = 0, first_of_node = 0;
    size_t n_steps = 1 + below(state, MAX_STEPS);
    size_t n_edges = 0, n_groups = 0;
    for (uint32_t n = 0; n < n_nodes; n++) {
        uint32_t members = 1 + below(state, MAX_MEMBERS);
        bool is_group = members > 1 || below(state, 3) == 0;
        first_of_node = n_ops;
        for (uint32_t m = 0; m < members; m++, n_ops++) {
            ops[n_ops] = (struct hc_graph_op){.op_type = (int32_t)below(state, HC_N_OP_TYPES),
                                              .seq_id = (int32_t)n_ops,
                                              .stage = (int32_t)below(state, 3)};
            group_of[n_ops] = is_group ? (int32_t)n_groups : -1;
            for (uint32_t k = first_of_node ? below(state, 5) : 0; k > 0; k--) {
                edges[n_edges][0] = below(state, first_of_node);
                edges[n_edges++][1] = n_ops;
            }
        }
        if (is_group)
            is_synced[n_groups++] = below(state, 3) == 0;
    }
    start_trial(t,
                &(struct hc_graph_lists){ops, n_ops, (const uint32_t(*)[2])edges, n_edges, group_of,
                                         n_groups, is_synced},
                1 + (int32_t)below(state, MAX_DP), n_steps, below(state, (uint32_t)n_steps));
    /* Few values make many ties. */
    uint32_t n_values = below(state, 2) ? 4 : 100000;
    bool has_negative = below(state, 4) == 0;
    for (size_t i = 0; i < t->structure.order.n_ops * t->block.stride; i++) {
        t->block.duration[i] = below(state, n_values);
        t->block.duration[i] -= has_negative && below(state, 5) == 0 ? 3 : 0;
        t->block.delay[i] = below(state, 3) ? 0 : below(state, n_values);
    }
}

static int64_t sum_of_parts(const struct trial *t)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < path_of(t)->n_parts; i++)
        sum_ns += part_of(t, i)->own_ns + part_of(t, i)->delay_ns;
    return sum_ns;
}

/* What is on the path has no slack: an op that it goes through would move all that comes after. */
static void check_path_is_tight(const struct trial *t)
{
    for (size_t i = 0; i < path_of(t)->n_parts; i++) {
        const struct hc_critical_part *part = part_of(t, i);
        bool is_only_delay = part->own_ns == 0 && part->delay_ns != 0;
        if (!is_only_delay)
            ck_assert_int_eq(
                hc_critical_slack(&t->found, t->k, part->position, (size_t)part->dp_rank), 0);
    }
}

/* Longer by its slack the step ends when it did; by one more it does not. */
static void check_slack(struct trial *t, size_t p, size_t d, bool has_delays, double end)
{
    double *duration = &t->block.duration[p * t->block.stride + t->first_lane + d],
           kept = *duration;
    int64_t slack = hc_critical_slack(&t->found, t->k, p, d);
    ck_assert_int_ge(slack, 0);
    *duration = kept + (double)slack;
    ck_assert_double_eq(ask_oracle(t, has_delays).end, end);
    *duration = kept + (double)slack + 1;
    ck_assert_double_eq(ask_oracle(t, has_delays).end, end + 1);
    *duration = kept;
}

START_TEST(test_random_graphs)
{
    uint64_t state = 20261126 + (uint64_t)_i;
    for (int round = 0; round < N_ROUNDS; round++) {
        struct trial t;
        bool has_delays = round % 2;
        start_random(&t, &state);
        find(&t, has_delays);
        struct ends ends = ask_oracle(&t, has_delays);
        ck_assert_double_eq((double)path_of(&t)->span_ns, ends.span);
        ck_assert_int_eq(sum_of_parts(&t), path_of(&t)->span_ns);
        check_path_is_tight(&t);
        for (int k = 0; k < 5; k++)
            check_slack(&t, below(&state, (uint32_t)t.structure.order.n_ops),
                        below(&state, (uint32_t)t.dp_size), has_delays, ends.end);
        end_trial(&t);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("critical_path");
    TCase *tests = tcase_create("critical_path");
    tcase_add_test(tests, test_by_hand);
    tcase_add_test(tests, test_delay_is_a_part);
    tcase_add_test(tests, test_ties);
    tcase_add_loop_test(tests, test_random_graphs, 0, 2);
    tcase_set_timeout(tests, 300);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
