#include "pipeline/fleet/fleet_row_json.h"

#include "pipeline/records/record_read.h"
#include "reports/fleet/fleet_records.h"

enum hc_status hc_fleet_row_read(struct hc_fleet_row *row, json_t *object, struct hc_error *err)
{
    const char *cluster = json_string_value(json_object_get(object, "cluster"));
    const char *job_id = json_string_value(json_object_get(object, "job_id"));
    if (!cluster || !job_id)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is missing, or not what a row of a fleet has",
                       cluster ? "job_id" : "cluster");
    if (hc_fleet_row_init(row, cluster, job_id, 0, err))
        return err->status;
    enum hc_status status = hc_record_read(&hc_fleet_row_record, object, row, err);
    if (status)
        hc_fleet_row_fini(row);
    return status;
}
