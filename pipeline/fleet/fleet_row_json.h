/* fleet_row_json.h - fleet rows as JSON and back, exactly: what the cache and the partials hold.
 * Private to this wing. */
#ifndef HC_PIPELINE_FLEET_FLEET_ROW_JSON_H
#define HC_PIPELINE_FLEET_FLEET_ROW_JSON_H

#include "core/base/status.h"
#include "core/text/json_writer.h"
#include "sim/fleet/fleet_row.h"

#include <jansson.h>

/* Write a row as an object. Doubles read back as the same bits; NaN is null. */
void hc_fleet_row_write(struct hc_json_writer *json, const char *key,
                        const struct hc_fleet_row *row);

/* Fill row from such an object; the row is the caller's to hc_fleet_row_fini on success only.
 * HC_BAD_INPUT names the member that is not there or not what it should be. */
enum hc_status hc_fleet_row_read(struct hc_fleet_row *row, json_t *object, struct hc_error *err);

#endif
