/* whatif_json.h - the record of a straggler what-if as JSON: everything the text says, and the
 * rest. */
#ifndef HC_REPORTS_WHATIF_WHATIF_JSON_H
#define HC_REPORTS_WHATIF_WHATIF_JSON_H

#include "core/base/status.h"
#include "reports/whatif/whatif_report.h"

#include <stdio.h>

/* A minor version only adds keys. */
#define HC_WHATIF_SCHEMA       "hindcast-whatif"
#define HC_WHATIF_SCHEMA_MAJOR 2
#define HC_WHATIF_SCHEMA_MINOR 0

/* Write the record: keys in a fixed order, units in the keys (_s seconds, _ns nanoseconds), doubles
 * with the fewest digits that read back the same, null for what is not known, not done or not a
 * number. The same result gives the same bytes. HC_IO when the stream fails. */
enum hc_status hc_whatif_write_json(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err);

#endif
