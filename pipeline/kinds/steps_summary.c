#include "pipeline/kinds/steps_summary.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "store/segment/segment_each.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* What one pass over a segment tells about its job. */
struct summary {
    int64_t n_ops, n_by_type[HC_N_OP_TYPES];
    int32_t dp_size, pp_size, vpp_size; /* of the trace: largest index + 1; 0 without ops */
    int64_t n_steps, n_left_out;        /* left out: with bad, duplicate or absent rows */
    int32_t first_step, last_step, n_structures;
    int64_t first_start_ns, last_end_ns;
    int64_t shortest_ns, longest_ns, total_ns; /* spans of the steps, and their sum */
    int64_t n_overlaps; /* steps that start before the one before them ends */
};

/* ---- reading ---- */

#define OPS_COLUMNS                                                                                \
    (1U << HC_OPS_DP_RANK | 1U << HC_OPS_STAGE | 1U << HC_OPS_MODEL_CHUNK | 1U << HC_OPS_OP_TYPE)
#define ALL_COLUMNS(n) ((1U << (n)) - 1)

static int32_t largest(const int32_t *values, size_t n, int32_t so_far)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] >= so_far)
            so_far = values[i] < INT32_MAX ? values[i] + 1 : INT32_MAX;
    return so_far;
}

static enum hc_status take_ops(const struct hc_table *ops, void *context, struct hc_error *err)
{
    struct summary *summary = context;
    struct hc_op_columns columns = hc_op_columns(ops);
    (void)err;
    summary->n_ops += (int64_t)ops->n_rows;
    summary->dp_size = largest(columns.dp_rank, ops->n_rows, summary->dp_size);
    summary->pp_size = largest(columns.stage, ops->n_rows, summary->pp_size);
    summary->vpp_size = largest(columns.model_chunk, ops->n_rows, summary->vpp_size);
    for (size_t i = 0; i < ops->n_rows; i++)
        if (columns.op_type[i] >= 0 && columns.op_type[i] < HC_N_OP_TYPES)
            summary->n_by_type[columns.op_type[i]]++;
    return HC_OK;
}

/* Take the time span of one step, which comes after that of the steps before it. */
static void take_span(struct summary *summary, int64_t start_ns, int64_t end_ns,
                      int64_t previous_end_ns)
{
    bool is_first = summary->first_start_ns == HC_MISSING_I64;
    int64_t span_ns = end_ns - start_ns;
    summary->n_overlaps += !is_first && start_ns < previous_end_ns;
    if (is_first || start_ns < summary->first_start_ns)
        summary->first_start_ns = start_ns;
    if (is_first || end_ns > summary->last_end_ns)
        summary->last_end_ns = end_ns;
    if (is_first || span_ns < summary->shortest_ns)
        summary->shortest_ns = span_ns;
    if (is_first || span_ns > summary->longest_ns)
        summary->longest_ns = span_ns;
    summary->total_ns += span_ns;
}

static enum hc_status take_steps(const struct hc_table *steps, void *context, struct hc_error *err)
{
    struct summary *summary = context;
    const int32_t *step = hc_table_i32(steps, HC_STEPS_STEP);
    const int32_t *structure = hc_table_i32(steps, HC_STEPS_STRUCTURE);
    const int64_t *start = hc_table_i64(steps, HC_STEPS_FIRST_START_NS);
    const int64_t *end = hc_table_i64(steps, HC_STEPS_LAST_END_NS);
    (void)err;
    for (size_t i = 0; i < steps->n_rows; i++) {
        summary->first_step = summary->n_steps ? summary->first_step : step[i];
        summary->last_step = step[i];
        summary->n_steps++;
        summary->n_left_out += structure[i] < 0 || hc_table_i64(steps, HC_STEPS_BAD)[i] > 0 ||
                               hc_table_i64(steps, HC_STEPS_DUPLICATE)[i] > 0 ||
                               hc_table_i64(steps, HC_STEPS_ABSENT)[i] > 0;
        summary->n_structures = largest(&structure[i], 1, summary->n_structures);
        if (start[i] != HC_MISSING_I64) /* missing: none of its rows could be read */
            take_span(summary, start[i], end[i], i > 0 ? end[i - 1] : INT64_MIN);
    }
    return HC_OK;
}

static enum hc_status summarise(struct hc_segment *segment, struct summary *summary,
                                struct hc_error *err)
{
    summary->first_start_ns = summary->last_end_ns = HC_MISSING_I64;
    if (hc_segment_each(segment, &hc_ops_def, OPS_COLUMNS, take_ops, summary, err) ||
        hc_segment_each(segment, &hc_steps_def, ALL_COLUMNS(HC_STEPS_N_COLUMNS), take_steps,
                        summary, err))
        return err->status;
    return HC_OK;
}

/* Whether the times of each step are counted from a start of its own, as the artifact's are. */
static bool has_step_clocks(const struct summary *summary)
{
    return summary->n_steps > 1 && summary->n_overlaps == summary->n_steps - 1;
}

/* ---- text ---- */

static enum hc_status tell_steps(const struct summary *summary, struct hc_facts *facts,
                                 struct hc_error *err)
{
    char steps[HC_NUMBER_TEXT], out[HC_NUMBER_TEXT];
    return hc_facts_add(
        facts, err, "steps",
        "%s, from %" PRId32 " to %" PRId32 ", of %" PRId32 " structure%s; %s left out of analyses",
        hc_format_count(summary->n_steps, steps), summary->first_step, summary->last_step,
        summary->n_structures, summary->n_structures == 1 ? "" : "s",
        hc_format_count(summary->n_left_out, out));
}

static enum hc_status tell_time(const struct summary *summary, int64_t start_unix_ns,
                                struct hc_facts *facts, struct hc_error *err)
{
    char all[HC_NUMBER_TEXT], shortest[HC_NUMBER_TEXT], longest[HC_NUMBER_TEXT], when[32];
    bool is_by_step = has_step_clocks(summary);
    int64_t span_ns =
        is_by_step ? summary->total_ns : summary->last_end_ns - summary->first_start_ns;
    enum hc_status status = HC_OK;
    if (summary->first_start_ns != HC_MISSING_I64)
        status =
            hc_facts_add(facts, err, "time span", "%s %s; steps %s to %s",
                         hc_format_seconds((double)span_ns * 1e-9, all),
                         is_by_step ? "in all, a clock for each step" : "from first step to last",
                         hc_format_seconds((double)summary->shortest_ns * 1e-9, shortest),
                         hc_format_seconds((double)summary->longest_ns * 1e-9, longest));
    if (status == HC_OK && start_unix_ns != HC_MISSING_I64) {
        hc_format_iso8601(start_unix_ns, when);
        status = hc_facts_add(facts, err, "started", "%s", when);
    }
    return status;
}

static enum hc_status tell_ops(const struct summary *summary, struct hc_description *description,
                               struct hc_error *err)
{
    char count[HC_NUMBER_TEXT];
    enum hc_status status = hc_facts_add(&description->contents, err, "ops", "%s",
                                         hc_format_count(summary->n_ops, count));
    for (int type = 0; type < HC_N_OP_TYPES && status == HC_OK; type++)
        if (summary->n_by_type[type])
            status = hc_facts_add(&description->parts, err, hc_op_type_name(type), "%s",
                                  hc_format_count(summary->n_by_type[type], count));
    return status;
}

enum hc_status hc_steps_describe(struct hc_segment *segment, struct hc_description *description,
                                 struct hc_error *err)
{
    struct summary *summary = hc_new_array(1, sizeof *summary, err);
    if (!summary)
        return err->status;
    description->record = summary;
    if (summarise(segment, summary, err) ||
        hc_facts_add(&description->shape, err, "trace",
                     "dp %" PRId32 ", pp %" PRId32 ", vpp %" PRId32, summary->dp_size,
                     summary->pp_size, summary->vpp_size) ||
        tell_steps(summary, &description->extent, err) ||
        tell_time(summary, hc_segment_job(segment)->start_unix_ns, &description->extent, err))
        return err->status;
    return tell_ops(summary, description, err);
}

/* ---- JSON ---- */

HC_GIVES_TEXT(clock_of, has_step_clocks(at->record) ? "of each step" : "common")
HC_GIVES(size_t, count_types, HC_N_OP_TYPES)

/* An item is the summary itself at the place of a type. */
static const void *type_at(const struct hc_item *at, size_t type)
{
    const struct summary *summary = at->record;
    return summary->n_by_type[type] ? summary : NULL;
}

HC_GIVES_TEXT(type_of, hc_op_type_name((int)at->index))
HC_GIVES(int64_t, ops_of, HC_OF(struct summary, at)->n_by_type[at->index])

static const struct hc_field type_fields[] = {
    HC_TEXT_OF("type", type_of, "of the ops"),
    HC_INTEGER_OF("ops", ops_of, "", "of this type"),
};
static const struct hc_record_def type_record = HC_RECORD(NULL, type_fields);

#define TRACE(...) HC_FIELD(struct summary, __VA_ARGS__)
static const struct hc_field trace_fields[] = {
    TRACE("dp_size", dp_size, "", "largest data-parallel rank + 1"),
    TRACE("pp_size", pp_size, "", "largest stage + 1"),
    TRACE("vpp_size", vpp_size, "", "largest model chunk + 1"),
    TRACE("steps", n_steps, "", "recorded"),
    TRACE("steps_left_out", n_left_out, "", "with bad, duplicate or absent rows"),
    TRACE("first_step", first_step, "", "its number"),
    TRACE("last_step", last_step, "", "its number"),
    TRACE("structures", n_structures, "", "sets of ops that steps have"),
    HC_TEXT_OF("clock", clock_of, "`common`, or `of each step`"),
    TRACE("first_start_ns", first_start_ns, "ns", "of the first op, on the clock of the source"),
    TRACE("last_end_ns", last_end_ns, "ns", "of the last op"),
    TRACE("shortest_step_ns", shortest_ns, "ns", "from its first start to its last end"),
    TRACE("longest_step_ns", longest_ns, "ns", "the same"),
    TRACE("all_steps_ns", total_ns, "ns", "sum over the steps"),
    TRACE("ops", n_ops, "", "recorded"),
    {.name = "ops_by_type",
     .type = HC_AS_MAP,
     .list = &(const struct hc_list_source){count_types, type_at},
     .record = &type_record,
     .sentence = "ops of each type that there is"},
};
const struct hc_record_def hc_steps_summary_record = HC_RECORD(NULL, trace_fields);
