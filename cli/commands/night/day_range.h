/* day_range.h - which days a command looks at: --last, or --from and --to. Private to this wing. */
#ifndef HC_CLI_COMMANDS_NIGHT_DAY_RANGE_H
#define HC_CLI_COMMANDS_NIGHT_DAY_RANGE_H

#include "cli/commands/night/night_options.h"

struct hc_range_options {
    struct hc_moment from, to, last;
};
extern const struct hc_option hc_range_options[];

struct hc_day_range {
    int64_t first_day, last_day; /* since 1970-01-01 */
};

/* Days of --from and --to; else so many as --last says, which end with --date.
 * HC_USAGE: they contradict each other, or are none. */
enum hc_status hc_day_range_find(struct hc_day_range *range, const struct hc_range_options *options,
                                 const struct hc_night_options *night,
                                 const struct hc_night_inputs *inputs, struct hc_error *err);
/* From the beginning of the day of --from to the end of that of --to, in Unix time; where one is
 * not given, there is no bound: INT64_MIN, INT64_MAX. HC_USAGE: they are no days, or nothing lies
 * between. */
enum hc_status hc_day_bounds_find(int64_t bounds_ns[2], const struct hc_moment *from,
                                  const struct hc_moment *to, const struct hc_zone *zone,
                                  struct hc_error *err);

#endif
