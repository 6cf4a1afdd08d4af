#include "reports/whatif/whatif_json.h"

#include "core/tables/json_records.h"
#include "reports/whatif/whatif_records.h"

enum hc_status hc_whatif_write_json(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    struct hc_json_writer json;
    hc_json_start(&json, stream, 2);
    hc_json_object(&json, NULL);
    hc_json_head(&json, &(struct hc_document_head){HC_WHATIF_SCHEMA, HC_WHATIF_SCHEMA_MAJOR,
                                                   HC_WHATIF_SCHEMA_MINOR, report->run_id, false});
    hc_record_members(&json, &hc_whatif_record, &(struct hc_item){.record = report});
    hc_json_end(&json);
    fputc('\n', stream);
    return hc_json_finish(&json, "the JSON record", err);
}
