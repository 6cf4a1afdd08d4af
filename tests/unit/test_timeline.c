/* Timelines op by op: against the recorded rows, the oracle and the what-if; the picture of a step;
 * the tracks that slices are put on. */
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/registry/format_registry.h"
#include "reports/export/perfetto/timeline_tracks.h"
#include "sim/replay/ideal.h"
#include "sim/replay/op_times.h"
#include "sim/replay/timeline.h"
#include "sim/whatif/whatif.h"
#include "tests/support/oracle.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 20000

static const char *const fixtures[] = {"absts", "dp1", "launch", "noop1", "ovlp", "pp1", "vpp2"};
#define N_FIXTURES (int)(sizeof fixtures / sizeof *fixtures)

static const struct hc_whatif_options defaults = {
    .threshold = 1.03, .replay.max_bad = 0.01, .picture_step = HC_MISSING_I32};

static struct hc_error err;
static struct hc_table rows;

static struct hc_step_trace *load(const char *name)
{
    char path[256];
    struct hc_source source;
    struct hc_parse_options options = {0};
    struct hc_row_report report = {0};
    struct hc_step_trace *trace = NULL;
    struct hc_job job;
    void *parser = NULL;
    snprintf(path, sizeof path, "tests/fixtures/straggler/trace-%s.csv", name);
    ck_assert_msg(!hc_source_open(&source, path, &err), "%s", err.message);
    ck_assert(!hc_table_init(&rows, &hc_ops_def, MAX_ROWS, &err));
    ck_assert(!hc_format_step_csv.open(&parser, &source, &options, &err));
    for (size_t before = SIZE_MAX; before != rows.n_rows;) {
        before = rows.n_rows;
        ck_assert(!hc_format_step_csv.next_batch(parser, &rows, &report, &err));
    }
    hc_format_step_csv.close(parser);
    hc_row_report_fini(&report);
    hc_source_close(&source);
    ck_assert(!hc_job_init(&job, name, &err));
    ck_assert(!hc_step_trace_new(&trace, &job, &err));
    ck_assert(!hc_step_trace_add(trace, &rows, &err));
    hc_job_fini(&job);
    return trace;
}

static void unload(struct hc_step_trace *trace)
{
    hc_step_trace_free(trace);
    hc_table_fini(&rows);
}

/* ---- against the recorded rows ---- */

struct seen {
    int64_t n_ops, n_different, n_clamped, n_steps;
    int32_t last_step, last_rank;
    int64_t spans_ns[64], worst_ns;
};

/* Rows of a fixture are sorted by step, rank, type and seq_id, as the ops of a timeline are. */
static enum hc_status compare_rows(const struct hc_timeline_step *step, void *context,
                                   struct hc_error *error)
{
    struct seen *seen = context;
    struct hc_op_columns row = hc_op_columns(&rows);
    int64_t first_ns = INT64_MAX;
    (void)error;
    ck_assert_int_gt(step->step, seen->last_step);
    seen->last_step = step->step;
    ck_assert_uint_eq(step->source->n_ops, rows.n_rows);
    for (size_t i = 0; i < step->n_ops; i++) {
        size_t r = (size_t)seen->n_ops + i;
        first_ns = row.start_ns[r] < first_ns ? row.start_ns[r] : first_ns;
    }
    for (size_t i = 0; i < step->n_ops; i++) {
        const struct hc_timeline_op *op = &step->ops[i];
        size_t r = (size_t)seen->n_ops++;
        ck_assert_int_eq(op->op_type, row.op_type[r]);
        ck_assert_int_eq(op->seq_id, row.seq_id[r]);
        ck_assert_int_eq(op->rank, row.rank[r]);
        ck_assert_int_eq(op->dp_rank, row.dp_rank[r]);
        ck_assert_int_eq(op->stage, row.stage[r]);
        ck_assert_int_eq(op->model_chunk, row.model_chunk[r]);
        ck_assert_int_eq(op->microbatch, row.microbatch[r]);
        seen->n_different += op->start_ns != row.start_ns[r] - first_ns ||
                             op->end_ns != row.start_ns[r] - first_ns + row.duration_ns[r];
        ck_assert_int_ge(op->transfer_ns, op->start_ns);
    }
    int64_t off_ns = llabs(step->span_ns - step->recorded_ns);
    seen->worst_ns = off_ns > seen->worst_ns ? off_ns : seen->worst_ns;
    seen->n_clamped = step->source->clamped_delays + step->source->clamped_transfers;
    seen->n_steps++;
    return HC_OK;
}

START_TEST(the_traced_times_are_those_recorded_where_nothing_is_clamped)
{
    const struct hc_timeline_request request = {&defaults.replay, 1, {HC_TIMELINE_TRACED}};
    struct seen seen = {.last_step = -1};
    struct hc_step_trace *trace = load(fixtures[_i]);
    ck_assert_msg(!hc_timeline_each(trace, &request, compare_rows, &seen, &err), "%s", err.message);
    ck_assert_int_eq(seen.n_ops, (int64_t)rows.n_rows);
    ck_assert_int_eq(seen.n_different > 0, seen.n_clamped > 0);
    if (seen.n_clamped == 0)
        ck_assert_int_eq(seen.worst_ns, 0);
    ck_assert_int_eq(seen.n_clamped > 0, strcmp(fixtures[_i], "vpp2") == 0);
    unload(trace);
}
END_TEST

/* ---- against the oracle ---- */

static double *by_op(const struct hc_step_place *place, const double *matrix, size_t dp_size)
{
    const struct hc_op_order *order = &place->structure->order;
    double *values = hc_new_array(order->n_ops * dp_size, sizeof *values, &err);
    ck_assert_ptr_nonnull(values);
    for (size_t p = 0; p < order->n_ops; p++)
        for (size_t d = 0; d < dp_size; d++)
            values[order->op_at[p] * dp_size + d] =
                matrix ? matrix[p * place->block->stride + place->k * dp_size + d]
                       : place->structure->ideal[p];
    return values;
}

static void compare_with_oracle(const struct hc_step_place *place, size_t dp_size,
                                enum hc_timeline timeline)
{
    const struct hc_op_order *order = &place->structure->order;
    bool ideal = timeline == HC_TIMELINE_IDEAL;
    size_t n = order->n_ops * dp_size;
    double *durations = by_op(place, ideal ? NULL : place->block->duration, dp_size);
    double *delays =
        timeline == HC_TIMELINE_TRACED ? by_op(place, place->block->delay, dp_size) : NULL;
    struct hc_oracle_times oracle = {.start_ns = hc_new_array(n, sizeof(double), &err),
                                     .end_ns = hc_new_array(n, sizeof(double), &err)};
    struct hc_oracle_step step = {&place->structure->graph, dp_size, durations, delays};
    ck_assert(!hc_oracle_run(&step, &oracle, &err));
    struct hc_op_times times = {0};
    ck_assert(!hc_op_times_find(&times, place, (int32_t)dp_size, timeline, &err));
    for (size_t p = 0; p < order->n_ops; p++)
        for (size_t d = 0; d < dp_size; d++) {
            size_t at = hc_op_times_index(&times, p, d), o = order->op_at[p] * dp_size + d;
            ck_assert(times.start[at] == oracle.start_ns[o]);
            ck_assert(times.end[at] == oracle.end_ns[o]);
            ck_assert(times.transfer[at] + durations[o] == times.end[at]);
        }
    hc_op_times_fini(&times);
    free(oracle.start_ns);
    free(oracle.end_ns);
    free(durations);
    free(delays);
}

START_TEST(every_op_is_when_the_oracle_has_it)
{
    struct hc_step_trace *trace = load(fixtures[_i]);
    struct hc_step_lanes lanes;
    struct hc_ideals ideals;
    ck_assert(!hc_step_lanes_build(&lanes, trace, &defaults.replay, &err));
    ck_assert(!hc_ideals_find(&ideals, &lanes, &err));
    struct hc_step_place *places = hc_step_places(&lanes, &err);
    ck_assert_ptr_nonnull(places);
    for (size_t s = 0; s < lanes.n_steps; s++)
        for (int t = 0; t < HC_N_TIMELINES; t++)
            compare_with_oracle(&places[s], (size_t)lanes.dp_size, (enum hc_timeline)t);
    free(places);
    hc_step_lanes_fini(&lanes);
    unload(trace);
}
END_TEST

/* ---- against the what-if ---- */

static enum hc_status note_span(const struct hc_timeline_step *step, void *context,
                                struct hc_error *error)
{
    struct seen *seen = context;
    (void)error;
    seen->spans_ns[seen->n_steps++] = step->span_ns;
    return HC_OK;
}

static void get_spans(const char *name, enum hc_timeline timeline, struct seen *seen)
{
    struct hc_step_trace *trace = load(name);
    memset(seen, 0, sizeof *seen);
    const struct hc_timeline_request request = {&defaults.replay, 1, {timeline}};
    ck_assert(!hc_timeline_each(trace, &request, note_span, seen, &err));
    unload(trace);
}

static struct hc_whatif_result analyse(const char *name, const struct hc_whatif_options *options)
{
    struct hc_whatif_result result;
    struct hc_step_trace *trace = load(name);
    ck_assert_msg(!hc_whatif_run(&result, trace, options, &err), "%s", err.message);
    unload(trace);
    return result;
}

START_TEST(the_spans_are_those_of_the_whatif)
{
    struct seen traced, replayed, ideal;
    struct hc_whatif_result result = analyse(fixtures[_i], &defaults);
    get_spans(fixtures[_i], HC_TIMELINE_TRACED, &traced);
    get_spans(fixtures[_i], HC_TIMELINE_REPLAYED, &replayed);
    get_spans(fixtures[_i], HC_TIMELINE_IDEAL, &ideal);
    ck_assert_int_eq(traced.n_steps, (int64_t)result.n_steps);
    for (size_t s = 0; s < result.n_steps; s++) {
        ck_assert_int_eq(traced.spans_ns[s], result.traced_ns[s]);
        ck_assert_int_eq(replayed.spans_ns[s], result.replayed_ns[s]);
        ck_assert_int_eq(ideal.spans_ns[s], result.ideal_ns[s]);
    }
    hc_whatif_result_fini(&result);
}
END_TEST

/* ---- pictures ---- */

START_TEST(a_picture_is_of_the_step_of_median_slowdown)
{
    struct hc_whatif_options options = defaults;
    options.depth = HC_DEPTH_PICTURE;
    struct hc_whatif_result result = analyse(fixtures[_i], &options);
    const struct hc_step_picture *picture = &result.depth.picture;
    ck_assert(picture->done);
    size_t at = 0, n_faster = 0, n_slower = 0;
    while (result.steps[at] != picture->step)
        at++;
    for (size_t s = 0; s < result.n_steps; s++) {
        n_faster += result.step_slowdown[s] < result.step_slowdown[at];
        n_slower += result.step_slowdown[s] > result.step_slowdown[at];
    }
    ck_assert_uint_le(n_faster, result.n_steps / 2);
    ck_assert_uint_le(n_slower, result.n_steps / 2);
    ck_assert_int_eq(picture->traced_span_ns, result.traced_ns[at]);
    ck_assert_int_eq(picture->ideal_span_ns, result.ideal_ns[at]);
    ck_assert_uint_eq(picture->n_ops, result.n_graph_ops * (size_t)result.dp_size);
    int64_t traced_end_ns = 0, ideal_end_ns = 0;
    for (size_t i = 0; i < picture->n_ops; i++) {
        const struct hc_picture_op *op = &picture->ops[i], *before = i ? op - 1 : op;
        ck_assert_int_ge(op->dp_rank, before->dp_rank);
        if (op->dp_rank == before->dp_rank && op->stage == before->stage)
            ck_assert_int_ge(op->traced_start_ns, before->traced_start_ns);
        if (op->traced_start_ns + op->traced_ns > traced_end_ns)
            traced_end_ns = op->traced_start_ns + op->traced_ns;
        if (op->ideal_start_ns + op->ideal_ns > ideal_end_ns)
            ideal_end_ns = op->ideal_start_ns + op->ideal_ns;
        ck_assert_int_eq(op->ideal_ns, result.ideal_duration_ns[op->op_type]);
    }
    ck_assert_int_eq(traced_end_ns, picture->traced_span_ns);
    ck_assert_int_eq(ideal_end_ns, picture->ideal_span_ns);
    hc_whatif_result_fini(&result);
}
END_TEST

START_TEST(a_picture_of_a_step_that_is_not_there_is_refused)
{
    struct hc_whatif_result result = analyse("vpp2", &defaults);
    int32_t first = result.steps[0], second = result.steps[1],
            last = result.steps[result.n_steps - 1];
    hc_whatif_result_fini(&result);
    struct hc_whatif_options options = defaults;
    options.depth = HC_DEPTH_PICTURE;
    options.picture_step = second;
    result = analyse("vpp2", &options);
    ck_assert_int_eq(result.depth.picture.step, second);
    hc_whatif_result_fini(&result);
    options.picture_step = last + 1;
    struct hc_step_trace *trace = load("vpp2");
    ck_assert_int_eq(hc_whatif_run(&result, trace, &options, &err), HC_USAGE);
    char expected[64];
    snprintf(expected, sizeof expected, "no step %d", last + 1);
    ck_assert_msg(strstr(err.message, expected), "%s", err.message);
    snprintf(expected, sizeof expected, "(%d to %d)", first, last);
    ck_assert_msg(strstr(err.message, expected), "%s", err.message);
    unload(trace);
    int32_t range[1][2] = {{first, first}};
    options.replay.steps = &(struct hc_step_ranges){.n = 1, .range = range};
    options.picture_step = second;
    trace = load("vpp2");
    ck_assert_int_eq(hc_whatif_run(&result, trace, &options, &err), HC_USAGE);
    ck_assert_msg(strstr(err.message, "left out of the steps asked for"), "%s", err.message);
    unload(trace);
}
END_TEST

/* ---- tracks ---- */

static struct hc_timeline_op compute(int64_t start_ns, int64_t end_ns, int32_t seq_id)
{
    return (struct hc_timeline_op){.op_type = HC_FORWARD_COMPUTE,
                                   .seq_id = seq_id,
                                   .start_ns = start_ns,
                                   .transfer_ns = start_ns,
                                   .end_ns = end_ns};
}

START_TEST(what_overlaps_goes_to_a_further_track)
{
    struct hc_track_layout layout;
    /* Not in order; 2 overlaps 0 by 1 ns, 3 overlaps both; 4 is empty, 5 ends before it starts. */
    struct hc_timeline_op ops[] = {compute(0, 100, 0),   compute(100, 200, 1), compute(99, 150, 2),
                                   compute(99, 120, 3),  compute(200, 200, 4), compute(210, 205, 5),
                                   compute(205, 215, 6), compute(0, 100, 7)};
    ops[7].op_type = HC_FORWARD_SEND; /* a lane of its own */
    ck_assert(!hc_track_layout_init(&layout, 1, 1, &err));
    ck_assert(!hc_track_layout_place(&layout, ops, 8, 1000, &err));
    static const uint32_t expected[] = {0,          0, HC_N_LANES + 1,      HC_N_LANES, 0,
                                        HC_N_LANES, 0, HC_LANE_FORWARD_SEND};
    for (size_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(layout.slices[i].op, i);
        ck_assert_msg(layout.slices[i].track == expected[i], "op %zu on track %u", i,
                      layout.slices[i].track);
        ck_assert_int_eq(layout.slices[i].start_ns, 1000 + ops[i].start_ns);
    }
    ck_assert_int_eq(layout.slices[5].end_ns, layout.slices[5].start_ns);
    ck_assert_int_eq(layout.n_moved, 3);
    ck_assert_uint_eq(layout.n_tracks, HC_N_LANES + 2);
    /* The next step finds all tracks free, and needs no more. */
    ck_assert(!hc_track_layout_place(&layout, ops, 8, 2000, &err));
    ck_assert_uint_eq(layout.slices[3].track, HC_N_LANES);
    ck_assert_uint_eq(layout.n_tracks, HC_N_LANES + 2);
    hc_track_layout_fini(&layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("timeline");
    TCase *tcase = tcase_create("timeline");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, the_traced_times_are_those_recorded_where_nothing_is_clamped, 0,
                        N_FIXTURES);
    tcase_add_loop_test(tcase, every_op_is_when_the_oracle_has_it, 0, N_FIXTURES);
    tcase_add_loop_test(tcase, the_spans_are_those_of_the_whatif, 0, N_FIXTURES);
    tcase_add_loop_test(tcase, a_picture_is_of_the_step_of_median_slowdown, 0, N_FIXTURES);
    tcase_add_test(tcase, a_picture_of_a_step_that_is_not_there_is_refused);
    tcase_add_test(tcase, what_overlaps_goes_to_a_further_track);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
