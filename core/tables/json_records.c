#include "core/tables/json_records.h"

void hc_json_job_sizes(struct hc_json_writer *json, const struct hc_job *job)
{
    hc_json_i32(json, "dp_size", job->dp_size);
    hc_json_i32(json, "pp_size", job->pp_size);
    hc_json_i32(json, "tp_size", job->tp_size);
    hc_json_i32(json, "dsp_size", job->dsp_size);
    hc_json_i32(json, "vpp_size", job->vpp_size);
    hc_json_i32(json, "world_size", job->world_size);
}

void hc_json_row_report(struct hc_json_writer *json, const struct hc_row_report *rows)
{
    hc_json_object(json, "rows");
    hc_json_i64(json, "read", rows->rows_read);
    hc_json_i64(json, "ignored", rows->rows_ignored);
    hc_json_i64(json, "skipped", hc_row_report_total_bad(rows));
    hc_json_i64(json, "skipped_without_step", rows->bad_without_step);
    hc_json_i64(json, "absent", rows->count[HC_BAD_ABSENT]);
    hc_json_i64(json, "clipped", rows->count[HC_BAD_CLIPPED]);
    hc_json_array(json, "skipped_by_reason");
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        if (rows->count[reason] == 0 || !hc_bad_reason_is_skipped(reason))
            continue;
        hc_json_object(json, NULL);
        hc_json_text(json, "reason", hc_bad_reason_key(reason));
        hc_json_i64(json, "rows", rows->count[reason]);
        hc_json_text(json, "first", rows->example[reason][0] ? rows->example[reason] : NULL);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}
