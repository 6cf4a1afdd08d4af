#include "store/segment/segment_each.h"

#include "core/base/log.h"

enum hc_status hc_segment_each(struct hc_segment *segment, const struct hc_table_def *def,
                               uint64_t column_mask, hc_segment_chunk *chunk, void *context,
                               struct hc_error *err)
{
    int64_t n_rows = hc_segment_n_rows(segment, def);
    int64_t chunk_rows = hc_segment_chunk_rows(segment, def);
    if (n_rows == 0)
        return HC_OK;
    struct hc_table table = {0};
    struct hc_progress progress;
    hc_progress_start(&progress, hc_segment_job(segment)->id, "rows", n_rows);
    enum hc_status status = hc_table_init(&table, def, (size_t)chunk_rows, err);
    for (int64_t i = 0; i * chunk_rows < n_rows && status == HC_OK; i++) {
        status = hc_segment_read(segment, def, column_mask, i, &table, err);
        if (status == HC_OK)
            status = chunk(&table, context, err);
        hc_progress_update(&progress, i * chunk_rows + (int64_t)table.n_rows);
    }
    hc_progress_end(&progress);
    hc_table_fini(&table);
    return status;
}
