#include "pipeline/choice/timeline_steps.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/op_table.h"
#include "store/segment/segment_each.h"

#include <stdio.h>
#include <stdlib.h>

#define BIT(column) ((uint64_t)1 << (column))

static enum hc_status take_steps(const struct hc_table *table, void *context, struct hc_error *err)
{
    struct hc_timeline_steps *steps = context;
    if (hc_reserve(&steps->spans, &steps->room, steps->n + table->n_rows, sizeof *steps->spans,
                   err))
        return err->status;
    for (size_t i = 0; i < table->n_rows; i++) {
        const struct hc_step_span span = {hc_table_i64(table, HC_STEPS_FIRST_START_NS)[i],
                                          hc_table_i64(table, HC_STEPS_LAST_END_NS)[i],
                                          hc_table_i32(table, HC_STEPS_STEP)[i]};
        if (span.from_ns != HC_MISSING_I64 && span.to_ns != HC_MISSING_I64)
            steps->spans[steps->n++] = span;
    }
    return HC_OK;
}

enum hc_status hc_timeline_steps_load(struct hc_timeline_steps *steps,
                                      const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    enum hc_status status = hc_archive_open_segment(archive, entry, &segment, err);
    if (!status)
        status = hc_segment_each(segment, &hc_steps_def,
                                 BIT(HC_STEPS_STEP) | BIT(HC_STEPS_FIRST_START_NS) |
                                     BIT(HC_STEPS_LAST_END_NS),
                                 take_steps, steps, err);
    if (!status)
        steps->is_dated = hc_step_dates_set(
            steps->spans, steps->n, hc_segment_job(segment)->start_unix_ns, &steps->is_estimated);
    hc_segment_close(segment);
    return status;
}

void hc_timeline_steps_fini(struct hc_timeline_steps *steps)
{
    free(steps->spans);
    *steps = (struct hc_timeline_steps){.n = 0};
}

void hc_timeline_name(const struct hc_manifest_entry *entry, char name[HC_TIMELINE_NAME])
{
    snprintf(name, HC_TIMELINE_NAME, "%s/%s#%d", entry->cluster, entry->job_id, entry->attempt);
}
