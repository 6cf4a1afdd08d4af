/* replica_range.h - replicas that are named by their numbers: "7", or "7-9". */
#ifndef HC_CLI_OPTIONS_REPLICA_RANGE_H
#define HC_CLI_OPTIONS_REPLICA_RANGE_H

#include "core/base/status.h"

#include <stdint.h>

struct hc_replica_range {
    int64_t first, end; /* end: one beyond the last; 0: none were named */
};

/* For an option: target is a struct hc_replica_range. HC_USAGE when text is no such range. */
enum hc_status hc_replica_range_parse(const char *text, void *target, struct hc_error *err);

#endif
