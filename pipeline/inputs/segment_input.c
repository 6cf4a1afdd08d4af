#include "pipeline/inputs/segment_input.h"

#include "core/tables/op_table.h"
#include "parsers/registry/format_registry.h"
#include "store/segment/segment_each.h"

#include <inttypes.h>

static enum hc_status take_bad_steps(const struct hc_table *steps, void *context,
                                     struct hc_error *err)
{
    struct hc_row_report *report = context;
    const int32_t *step = hc_table_i32(steps, HC_STEPS_STEP);
    const int64_t *n_bad = hc_table_i64(steps, HC_STEPS_BAD);
    for (size_t i = 0; i < steps->n_rows; i++) {
        size_t entry = 0;
        if (n_bad[i] <= 0)
            continue;
        if (n_bad[i] > INT32_MAX)
            return hc_fail(err, HC_BAD_INPUT, "step %d has %" PRId64 " bad rows: out of range",
                           step[i], n_bad[i]);
        if (hc_int_map_insert(&report->bad_steps, (uint32_t)step[i], (int32_t)n_bad[i], &entry,
                              err))
            return err->status;
        report->bad_without_step -= n_bad[i];
    }
    return HC_OK;
}

enum hc_status hc_segment_row_report(struct hc_segment *segment, struct hc_row_report *report,
                                     struct hc_error *err)
{
    const struct hc_provenance *provenance = hc_segment_provenance(segment);
    *report = (struct hc_row_report){.rows_read = provenance->rows_read,
                                     .rows_ignored = provenance->rows_ignored};
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        if (reason == HC_BAD_DUPLICATE || reason == HC_BAD_ABSENT)
            continue;
        report->count[reason] = provenance->bad[reason];
        report->bad_without_step += hc_bad_reason_is_skipped(reason) ? provenance->bad[reason] : 0;
    }
    return hc_segment_each(segment, &hc_steps_def, 1U << HC_STEPS_STEP | 1U << HC_STEPS_BAD,
                           take_bad_steps, report, err);
}

static enum hc_status take_ops(const struct hc_table *ops, void *context, struct hc_error *err)
{
    return hc_step_trace_add(context, ops, err);
}

enum hc_status hc_segment_load(struct hc_segment *segment, struct hc_step_trace *trace,
                               struct hc_error *err)
{
    struct hc_row_report report = {0};
    const struct hc_format *format = hc_format_find(hc_segment_provenance(segment)->format);
    trace->hides_waiting = format && format->hides_waiting;
    enum hc_status status =
        hc_segment_each(segment, &hc_ops_def, (1U << HC_OPS_N_COLUMNS) - 1, take_ops, trace, err);
    if (status == HC_OK)
        status = hc_segment_row_report(segment, &report, err);
    if (status == HC_OK)
        hc_step_trace_set_report(trace, &report);
    hc_row_report_fini(&report);
    return status;
}
