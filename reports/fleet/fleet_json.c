#include "reports/fleet/fleet_report.h"

#include "core/base/memory.h"
#include "core/tables/json_records.h"
#include "reports/fleet/fleet_records.h"
#include "reports/fleet/fleet_views.h"

#include <stdlib.h>

enum hc_status hc_fleet_write_json(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err)
{
    struct hc_json_writer json;
    size_t *rank = hc_fleet_ranks(report, err);
    const struct hc_fleet_document document = {report, report->summary, rank};
    hc_json_start(&json, stream, 2);
    if (rank) {
        hc_json_object(&json, NULL);
        hc_json_head(&json,
                     &(struct hc_document_head){HC_FLEET_SCHEMA, HC_FLEET_SCHEMA_MAJOR,
                                                HC_FLEET_SCHEMA_MINOR, report->run_id, false});
        hc_record_members(&json, &hc_fleet_record, &(struct hc_item){.record = &document});
        hc_json_end(&json);
        fputc('\n', stream);
    }
    enum hc_status status = rank ? hc_json_finish(&json, "the JSON record", err) : err->status;
    free(rank);
    return status;
}
