/* fleet_row_json.h - rows of a fleet read back from what the cache and the partials hold: as
 * hc_record_store wrote them by hc_fleet_row_record, doubles with the same bits.
 * Private to this wing. */
#ifndef HC_PIPELINE_FLEET_FLEET_ROW_JSON_H
#define HC_PIPELINE_FLEET_FLEET_ROW_JSON_H

#include "core/base/status.h"
#include "sim/fleet/fleet_row.h"

#include <jansson.h>

/* Fill row from the object of a row. On success, and then only, the caller releases it with
 * hc_fleet_row_fini. HC_BAD_INPUT names the member that is missing or wrong. */
enum hc_status hc_fleet_row_read(struct hc_fleet_row *row, json_t *object, struct hc_error *err);

#endif
