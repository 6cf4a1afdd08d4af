#include "cli/commands/night/day_range.h"

#include "pipeline/night/night_input.h"

#define DAY_NS    ((int64_t)86400 * 1000000000)
#define MOST_DAYS 3660
#define LAST_DAYS 7 /* without --last and --from */

const struct hc_option hc_range_options[] = {
    {.name = "from",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct hc_range_options, from),
     .unset = "see --last",
     .parse = hc_moment_parse,
     .help = "the first day, as 2026-03-01"},
    {.name = "to",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DATE",
     .target = offsetof(struct hc_range_options, to),
     .unset = "as --date",
     .parse = hc_moment_parse,
     .help = "the last day, which is looked at too"},
    {.name = "last",
     .kind = HC_OPTION_CALLBACK,
     .argument = "DAYS",
     .target = offsetof(struct hc_range_options, last),
     .unset = "7d",
     .parse = hc_moment_parse,
     .help = "so many days, as 28d, of which the last is that of --to or --date"},
    HC_OPTION_END,
};

static enum hc_status check_days(const struct hc_moment *from, const struct hc_moment *to,
                                 struct hc_error *err)
{
    const struct hc_moment *days[] = {from, to};
    for (int i = 0; i < 2; i++)
        if (days[i]->is_given && (days[i]->is_relative || days[i]->ns % DAY_NS))
            return hc_fail(err, HC_USAGE, "--from and --to are days, as 2026-03-30");
    return HC_OK;
}

static enum hc_status check(const struct hc_range_options *options,
                            const struct hc_night_options *night, struct hc_error *err)
{
    if (check_days(&options->from, &options->to, err))
        return err->status;
    if (options->to.is_given && night->date.is_given)
        return hc_fail(err, HC_USAGE, "--to and --date both name the last day: give one of them");
    if (options->last.is_given && options->from.is_given)
        return hc_fail(err, HC_USAGE, "--last and --from both name the first day: give one");
    if (options->last.is_given &&
        (!options->last.is_relative || options->last.ns < DAY_NS || options->last.ns % DAY_NS))
        return hc_fail(err, HC_USAGE, "--last is a number of days, as 28d");
    return HC_OK;
}

enum hc_status hc_day_range_find(struct hc_day_range *range, const struct hc_range_options *options,
                                 const struct hc_night_options *night,
                                 const struct hc_night_inputs *inputs, struct hc_error *err)
{
    if (check(options, night, err))
        return err->status;
    range->last_day = options->to.is_given ? options->to.ns / DAY_NS : inputs->day;
    int64_t n_days = options->last.is_given ? options->last.ns / DAY_NS : LAST_DAYS;
    range->first_day =
        options->from.is_given ? options->from.ns / DAY_NS : range->last_day - n_days + 1;
    if (range->first_day > range->last_day)
        return hc_fail(err, HC_USAGE, "--from is behind the last day: nothing lies between");
    if (range->last_day - range->first_day >= MOST_DAYS)
        return hc_fail(err, HC_USAGE, "more than %d days: give fewer", MOST_DAYS);
    return HC_OK;
}

enum hc_status hc_day_bounds_find(int64_t bounds_ns[2], const struct hc_moment *from,
                                  const struct hc_moment *to, const struct hc_zone *zone,
                                  struct hc_error *err)
{
    if (check_days(from, to, err))
        return err->status;
    if (from->is_given && to->is_given && from->ns > to->ns)
        return hc_fail(err, HC_USAGE, "--from is behind --to: nothing lies between");
    bounds_ns[0] = from->is_given ? hc_night_day_ns(zone, from->ns / DAY_NS) : INT64_MIN;
    bounds_ns[1] = to->is_given ? hc_night_day_ns(zone, to->ns / DAY_NS + 1) : INT64_MAX;
    return HC_OK;
}
