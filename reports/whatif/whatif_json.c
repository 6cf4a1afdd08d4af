#include "reports/whatif/whatif_json.h"

#include "reports/whatif/whatif_records.h"

enum hc_status hc_whatif_write_json(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_text(&json, "schema", HC_WHATIF_SCHEMA);
    hc_json_i32(&json, "schema_major", HC_WHATIF_SCHEMA_MAJOR);
    hc_json_i32(&json, "schema_minor", HC_WHATIF_SCHEMA_MINOR);
    hc_json_text(&json, "tool_version", HC_VERSION);
    if (report->run_id)
        hc_json_text(&json, "run_id", report->run_id);
    hc_record_members(&json, &hc_whatif_record, &(struct hc_item){.record = report});
    hc_json_end(&json);
    fputc('\n', stream);
    return hc_json_finish(&json, "the JSON record", err);
}
