/* partial_record.h - what is in the file of a partial (fleet_partial.h), field by field: written,
 * read back and documented (docs/formats/partial.md) by this table. */
#ifndef HC_PIPELINE_FLEET_PARTIAL_RECORD_H
#define HC_PIPELINE_FLEET_PARTIAL_RECORD_H

#include "core/tables/record.h"
#include "pipeline/fleet/fleet_partial.h"

#define HC_PARTIAL_SCHEMA "hindcast-fleet-partial"
#define HC_PARTIAL_MAJOR  1
#define HC_PARTIAL_MINOR                                                                           \
    3 /* 1.1: fates "damaged" and "no_memory"; 1.2: hosts of a row; 1.3: the command */

struct hc_partial_file {
    const char *schema;
    int32_t major, minor;
    const char *hindcast;
    struct hc_fleet_partial partial;
};

extern const struct hc_record_def hc_partial_file_record;

/* Its parts, since the version is read first, and the rest only where it is known. */
extern const struct hc_record_def hc_partial_version_record, hc_partial_rest_record;

#endif
