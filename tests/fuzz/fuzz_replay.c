/* Any rows as a step timeline, through all that stands behind the parsers: census, steps, graph,
 * op order, lanes, sweep, what-if. What is accepted is swept to the same bits as the event-driven
 * oracle gives, whatever the order of the rows, and its record is JSON to others; what is not has a
 * message. Input: a byte of what to analyse, then rows (rows.h). */
#include "reports/whatif/whatif_json.h"
#include "sim/replay/step_lanes.h"
#include "sim/replay/sweep.h"
#include "sim/whatif/whatif.h"
#include "tests/fuzz/rows.h"
#include "tests/support/oracle.h"

#include <jansson.h>
#include <stdio.h>

/* ---- rows ---- */

/* The rows backwards, which must make no difference. */
static void reverse(struct hc_table *ops)
{
    for (size_t column = 0; column < ops->def->n_columns; column++) {
        size_t size = hc_type_size(ops->def->columns[column].type);
        for (size_t i = 0, j = ops->n_rows; i + 1 < j; i++) {
            char *a = (char *)ops->column[column] + i * size, kept[8];
            char *b = (char *)ops->column[column] + --j * size;
            memcpy(kept, a, size);
            memcpy(a, b, size);
            memcpy(b, kept, size);
        }
    }
}

/* ---- sweep against oracle ---- */

struct ends {
    double end, span_start, span_end; /* of a step over its dp ranks */
};

static struct ends oracle_of(const struct hc_step_structure *structure,
                             const struct hc_lane_block *block, size_t step, size_t dp_size,
                             bool delayed)
{
    size_t n_ops = structure->order.n_ops;
    double *duration = calloc(n_ops * dp_size, sizeof *duration);
    double *delay = calloc(n_ops * dp_size, sizeof *delay);
    require(duration && delay);
    for (size_t p = 0; p < n_ops; p++)
        for (size_t d = 0; d < dp_size; d++) {
            size_t to = structure->order.op_at[p] * dp_size + d;
            size_t from = p * block->stride + step * dp_size + d;
            duration[to] = block->duration[from];
            delay[to] = block->delay[from];
        }
    const struct hc_oracle_step asked = {&structure->graph, dp_size, duration,
                                         delayed ? delay : NULL};
    struct hc_oracle_times times = {0};
    struct hc_error err = {0};
    require(hc_oracle_run(&asked, &times, &err) == HC_OK);
    free(duration);
    free(delay);
    return (struct ends){times.end, times.span_start, times.span_end};
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || a == b;
}

static void compare_block(const struct hc_step_lanes *lanes,
                          const struct hc_step_structure *structure,
                          const struct hc_lane_block *block, bool delayed)
{
    size_t dp = (size_t)lanes->dp_size, n = block->n_lanes;
    struct hc_error err = {0};
    struct hc_sweep_space space;
    double *times = calloc(3 * n, sizeof *times);
    require(times && hc_sweep_space_init(&space, &structure->order, n, &err) == HC_OK);
    struct hc_sweep_times found = {times, times + n, times + 2 * n};
    const struct hc_rows duration = {block->duration, block->stride, NULL, NULL};
    const struct hc_rows delay = {block->delay, block->stride, NULL, NULL};
    struct hc_sweep sweep = {&structure->order,  duration, {0}, n, HC_SYNC_STEP, dp,
                             lanes->has_negative};
    if (delayed)
        sweep.delay = delay;
    hc_sweep_run(&sweep, &space, &found);
    for (size_t step = 0; step < block->n_steps; step++) {
        struct ends swept = {-INFINITY, INFINITY, -INFINITY};
        for (size_t l = step * dp; l < (step + 1) * dp; l++) {
            swept.end = fmax(swept.end, found.end[l]);
            swept.span_start = fmin(swept.span_start, found.span_start[l]);
            swept.span_end = fmax(swept.span_end, found.span_end[l]);
        }
        struct ends slow = oracle_of(structure, block, step, dp, delayed);
        require(same_bits(swept.end, slow.end) && same_bits(swept.span_start, slow.span_start) &&
                same_bits(swept.span_end, slow.span_end));
    }
    hc_sweep_space_fini(&space);
    free(times);
}

static void compare_lanes(const struct hc_step_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t b = 0; b < lanes->structures[i].n_blocks; b++)
            for (int delayed = 0; delayed < 2; delayed++)
                compare_block(lanes, &lanes->structures[i], &lanes->structures[i].blocks[b],
                              delayed);
}

/* ---- the what-if ---- */

static struct hc_whatif_options options_of(uint8_t what)
{
    return (struct hc_whatif_options){.threshold = what & 64 ? 1 : 1.03,
                                      .replay.max_bad = what & 128 ? 0.01 : 1,
                                      .replay.threads = 1,
                                      .depth = what & (HC_DEPTH_ALL | HC_DEPTH_PICTURE),
                                      .picture_step = HC_MISSING_I32};
}

/* The record of the result, but for what names the first of several rows that are wrong. */
static json_t *record_of(const struct hc_whatif_result *result,
                         const struct hc_whatif_options *options)
{
    const struct hc_whatif_report report = {.result = result,
                                            .source_path = "fuzz",
                                            .format = "fuzz",
                                            .source_sha256 = "00",
                                            .depth = options->depth};
    struct hc_error err = {0};
    char *text = NULL;
    size_t size = 0, i = 0;
    FILE *stream = open_memstream(&text, &size);
    require(stream && hc_whatif_write_json(stream, &report, &err) == HC_OK && !fclose(stream));
    json_error_t error;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error), *part;
    require(json);
    json_array_foreach(json_object_get(json, "steps_left_out"), i, part)
        json_object_del(part, "detail");
    json_array_foreach(json_object_get(json_object_get(json, "rows"), "skipped_by_reason"), i, part)
        json_object_del(part, "first");
    free(text);
    return json;
}

/* The record of what analysing the rows gives; null when they are refused. */
static json_t *analyse(const struct hc_table *ops, const struct hc_whatif_options *options)
{
    struct hc_step_trace *trace = fuzz_trace(ops, "fuzz");
    struct hc_error err = {0};
    struct hc_whatif_result result;
    json_t *record = json_null();
    if (trace && hc_whatif_run(&result, trace, options, &err) == HC_OK) {
        record = record_of(&result, options);
        hc_whatif_result_fini(&result);
    } else if (trace) {
        require(err.status == HC_BAD_INPUT && err.message[0]);
    }
    hc_step_trace_free(trace);
    return record;
}

static void compare_orders(struct hc_table *ops, const struct hc_whatif_options *options)
{
    json_t *record = analyse(ops, options);
    reverse(ops);
    json_t *again = analyse(ops, options);
    if (!json_equal(record, again)) {
        json_dumpf(record, stderr, JSON_INDENT(2) | JSON_ENCODE_ANY);
        json_dumpf(again, stderr, JSON_INDENT(2) | JSON_ENCODE_ANY);
    }
    require(json_equal(record, again));
    json_decref(record);
    json_decref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, data + size};
    const struct hc_whatif_options options = options_of(fuzz_byte(&input));
    struct hc_error err = {0};
    struct hc_table ops;
    struct hc_step_lanes lanes = {0};
    require(hc_table_init(&ops, &hc_ops_def, FUZZ_MAX_ROWS, &err) == HC_OK);
    fuzz_rows(&input, &ops);
    struct hc_step_trace *trace = fuzz_trace(&ops, "fuzz");
    if (trace && hc_step_lanes_build(&lanes, trace, &options.replay, &err) == HC_OK)
        compare_lanes(&lanes);
    hc_step_lanes_fini(&lanes);
    hc_step_trace_free(trace);
    compare_orders(&ops, &options);
    hc_table_fini(&ops);
    return 0;
}
