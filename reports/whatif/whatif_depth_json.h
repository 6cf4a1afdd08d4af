/* whatif_depth_json.h - the deeper parts of a straggler what-if, as members of its JSON record. */
#ifndef HC_REPORTS_WHATIF_WHATIF_DEPTH_JSON_H
#define HC_REPORTS_WHATIF_WHATIF_DEPTH_JSON_H

#include "core/text/json_writer.h"
#include "sim/whatif/whatif.h"

/* "verdict", "intervals", "cost", "fixes" and "shapley": null where a part was not done. */
void hc_whatif_depth_write_json(struct hc_json_writer *json, const struct hc_whatif_result *result);

#endif
