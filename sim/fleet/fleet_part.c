/* fleet_part.c - the part of a fleet that passes a test, among the jobs that the test applies to:
 * as a number of jobs and in GPU-hours. */
#include "sim/fleet/fleet_summary_tables.h"

#include <math.h>

bool hc_fleet_is_analysed(const struct hc_fleet_row *row)
{
    return row->fate == HC_FLEET_ANALYSED;
}

bool hc_fleet_is_straggling(const struct hc_fleet_row *row)
{
    return hc_fleet_is_analysed(row) && row->slowdown >= HC_STRAGGLING;
}

double hc_fleet_row_hours(const struct hc_fleet_row *row)
{
    bool is_known = row->n_gpus > 0 && isfinite(row->gpu_hours_traced) &&
                    row->gpu_hours_traced >= 0 &&
                    (!hc_fleet_is_analysed(row) || isfinite(row->gpu_hours_lost));
    return is_known ? row->gpu_hours_traced : NAN;
}

double hc_fleet_ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

void hc_fleet_part_add(struct hc_fleet_part *part, const struct hc_fleet_row *row, bool is_in)
{
    double hours = hc_fleet_row_hours(row);
    bool is_known = !isnan(hours);
    part->of++;
    part->n += is_in;
    part->unknown += !is_known && is_in;
    part->of_unknown += !is_known;
    part->of_hours += is_known ? hours : 0;
    part->hours += is_known && is_in ? hours : 0;
}

void hc_fleet_part_close(struct hc_fleet_part *part)
{
    part->share = hc_fleet_ratio((double)part->n, (double)part->of);
    part->hours_share = hc_fleet_ratio(part->hours, part->of_hours);
}
