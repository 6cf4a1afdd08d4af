/* fit_phases.c - how long the phases of start-up took, on a node or as a log tells it. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/nodes/phase_table.h"
#include "pipeline/daily/record_scan.h"

#define BIT(column) ((uint64_t)1 << (column))
#define MOST_PHASES ((size_t)1 << 20)

static enum hc_status take_phases(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_fit_records *records = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_PHASES_START_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_PHASES_END_NS)[i];
        int32_t phase = hc_table_i32(t, HC_PHASES_PHASE)[i];
        if (phase < 0 || phase >= HC_N_PHASES || start_ns < records->from_ns ||
            start_ns >= records->to_ns)
            continue;
        if (end_ns == HC_MISSING_I64 || end_ns < start_ns || records->n_phases >= MOST_PHASES) {
            records->n_phases_left_out++;
            continue;
        }
        if (hc_reserve(&records->phases, &records->phases_room, records->n_phases + 1,
                       sizeof *records->phases, err))
            return err->status;
        records->phases[records->n_phases++] =
            (struct hc_fit_phase){phase, (double)(end_ns - start_ns) * 1e-9};
    }
    return HC_OK;
}

enum hc_status hc_fit_load_phases(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_record_scan scan = {.archive = loading->choice->archive,
                                        .def = &hc_phases_def,
                                        .from_ns = loading->records->from_ns,
                                        .to_ns = loading->records->to_ns,
                                        .columns = BIT(HC_PHASES_START_NS) | BIT(HC_PHASES_END_NS) |
                                                   BIT(HC_PHASES_PHASE)};
    return hc_record_scan_run(&scan, take_phases, loading->records, err);
}
