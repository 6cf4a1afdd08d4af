/* capacity_days.h - the days of a place that a time is divided into. */
#ifndef HC_PIPELINE_CAPACITY_CAPACITY_DAYS_H
#define HC_PIPELINE_CAPACITY_CAPACITY_DAYS_H

#include "core/base/status.h"
#include "core/base/zone.h"

#include <stddef.h>
#include <stdint.h>

#define HC_CAPACITY_MOST_DAYS 40000 /* of a time: more than a century */

/* The midnights of a zone within [from_ns, to_ns), with the two ends: (*day_ns)[0] is from_ns and
 * (*day_ns)[*n_days] is to_ns, ascending; days in which the clocks change have 23 or 25 hours.
 * HC_BAD_INPUT: the time is empty, or longer than so many days. */
enum hc_status hc_capacity_days_make(int64_t **day_ns, size_t *n_days, const struct hc_zone *zone,
                                     const int64_t window_ns[2], struct hc_error *err);

#endif
