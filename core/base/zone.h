/* zone.h - local times of a place, as the times that logs and schedulers write without saying where
 * they were written.
 *
 * A zone is made once and then read by any number of threads. It knows the years 1990 to 2099.
 */
#ifndef HC_CORE_BASE_ZONE_H
#define HC_CORE_BASE_ZONE_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* From this instant on the clocks of the place are offset_s ahead of UTC. */
struct hc_zone_change {
    int64_t from_s; /* Unix seconds */
    int64_t offset_s;
};

/* Zeroed memory is UTC. */
struct hc_zone {
    size_t n;
    struct hc_zone_change *changes; /* ascending; the first holds from the beginning of time */
};

/* "UTC", "Europe/Berlin" (a name of the system's time zone database), "+05:30". HC_USAGE: no such
 * zone. Not to be called while other threads ask the system for local times. */
enum hc_status hc_zone_init(struct hc_zone *zone, const char *name, struct hc_error *err);
void hc_zone_fini(struct hc_zone *zone);

/* Of a local time as it reads in the year that the clocks are set back or forward. */
enum hc_local_time {
    HC_LOCAL_ONCE,
    HC_LOCAL_TWICE, /* the hour before the clocks were set back, or the same after it */
    HC_LOCAL_NEVER  /* within the hour that was left out */
};

/* Unix seconds of a local time, which is given as if it were UTC. Of two, the earlier; of none, as
 * the clocks would have read had they not been set. */
enum hc_local_time hc_zone_to_unix_s(const struct hc_zone *zone, int64_t local_s, int64_t *unix_s);

/* By how many seconds the clocks of the place are ahead of UTC at an instant. */
int64_t hc_zone_offset_s(const struct hc_zone *zone, int64_t unix_s);

#endif
