#include "pipeline/daily/correction_input.h"

#include "core/base/missing.h"
#include "pipeline/daily/record_scan.h"

#include <string.h>

struct loading {
    struct hc_corrections *corrections;
    const char *cluster;
};

static enum hc_status take_rows(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    const struct loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *cluster = hc_record_text(rows, HC_CORRECTIONS_CLUSTER, i);
        const struct hc_correction row = {
            .date_ns = hc_table_i64(t, HC_CORRECTIONS_DATE_NS)[i],
            .job = hc_table_i64(t, HC_CORRECTIONS_JOB)[i],
            .time_ns = hc_table_i64(t, HC_CORRECTIONS_TIME_NS)[i],
            .line = hc_table_i64(t, HC_CORRECTIONS_LINE)[i],
            .array_task = hc_table_i32(t, HC_CORRECTIONS_ARRAY_TASK)[i],
            .restarts = hc_table_i32(t, HC_CORRECTIONS_RESTARTS)[i],
            .cluster = cluster ? cluster : rows->entry->cluster,
            .incident = hc_record_text(rows, HC_CORRECTIONS_INCIDENT, i),
            .node = hc_record_text(rows, HC_CORRECTIONS_NODE, i),
            .detail = hc_record_text(rows, HC_CORRECTIONS_DETAIL, i),
            .author = hc_record_text(rows, HC_CORRECTIONS_AUTHOR, i),
            .reason = hc_record_text(rows, HC_CORRECTIONS_REASON, i),
            .source = hc_record_text(rows, HC_CORRECTIONS_SOURCE, i),
            .cause = (enum hc_correction_cause)hc_table_i32(t, HC_CORRECTIONS_CAUSE)[i],
            .scope = hc_table_i32(t, HC_CORRECTIONS_SCOPE)[i],
        };
        bool is_wanted = !loading->cluster || strcmp(row.cluster, loading->cluster) == 0 ||
                         strcmp(row.cluster, "default") == 0;
        if (is_wanted && hc_corrections_add(loading->corrections, &row, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_corrections_load(struct hc_corrections *corrections,
                                   const struct hc_archive *archive, const char *cluster,
                                   struct hc_error *err)
{
    struct loading loading = {corrections, cluster};
    const struct hc_record_scan scan = {.archive = archive,
                                        .def = &hc_corrections_def,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .columns = ~(uint64_t)0};
    if (hc_record_scan_run(&scan, take_rows, &loading, err))
        return err->status;
    return hc_corrections_end(corrections, err);
}
