#include "pipeline/capacity/capacity_days.h"

#include "core/base/memory.h"

#define NS_PER_S  ((int64_t)1000000000)
#define DAY_S     ((int64_t)86400)
#define LONGEST_S (HC_CAPACITY_MOST_DAYS * DAY_S)

static int64_t floor_divided(int64_t value, int64_t unit)
{
    return value / unit - (value % unit < 0);
}

enum hc_status hc_capacity_days_make(int64_t **day_ns, size_t *n_days, const struct hc_zone *zone,
                                     const int64_t window_ns[2], struct hc_error *err)
{
    int64_t from_s = floor_divided(window_ns[0], NS_PER_S);
    int64_t to_s = floor_divided(window_ns[1], NS_PER_S);
    *day_ns = NULL;
    *n_days = 0;
    if (window_ns[0] >= window_ns[1] || to_s - from_s > LONGEST_S)
        return hc_fail(err, HC_BAD_INPUT,
                       window_ns[0] >= window_ns[1]
                           ? "the time that is asked for is empty: give other --from and --to"
                           : "the time is longer than %d days: give --from and --to",
                       HC_CAPACITY_MOST_DAYS);
    size_t most = (size_t)((to_s - from_s) / (22 * 3600)) + 4;
    int64_t *days = hc_new_array(most, sizeof *days, err), midnight_s;
    if (!days)
        return err->status;
    size_t n = 0;
    days[n++] = window_ns[0];
    int64_t local_s = floor_divided(from_s + hc_zone_offset_s(zone, from_s), DAY_S) * DAY_S;
    while (n + 1 < most) {
        local_s += DAY_S;
        hc_zone_to_unix_s(zone, local_s, &midnight_s);
        if (midnight_s * NS_PER_S >= window_ns[1])
            break;
        if (midnight_s * NS_PER_S > days[n - 1])
            days[n++] = midnight_s * NS_PER_S;
    }
    days[n] = window_ns[1];
    *day_ns = days;
    *n_days = n;
    return HC_OK;
}
