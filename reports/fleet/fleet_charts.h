/* fleet_charts.h - the figures of the page of a fleet; for reports/fleet/fleet_html.c. */
#ifndef HC_REPORTS_FLEET_FLEET_CHARTS_H
#define HC_REPORTS_FLEET_FLEET_CHARTS_H

#include "reports/fleet/fleet_report.h"
#include "sim/fleet/fleet_summary.h"

#include <stdio.h>

/* Cumulative distributions of one figure: by jobs with the quantiles marked, then by other weights,
 * whose quantiles the note under it says. */
struct hc_fleet_curves {
    const char *title, *axis; /* of the figure, of its x axis */
    size_t n;
    enum hc_fleet_cdf_id ids[3];
    double low, high; /* shown even where no value is */
    double rule;      /* a limit to be drawn, NaN: none */
    const char *rule_text;
    const char *note; /* put before the quantiles, or NULL */
};

void hc_fleet_draw_curves(FILE *stream, const struct hc_fleet_summary *summary,
                          const struct hc_fleet_curves *curves);

/* S against GPUs, a dot a job, with the median of each size class. */
enum hc_status hc_fleet_draw_sizes(FILE *stream, const struct hc_fleet_report *report,
                                   const struct hc_fleet_summary *summary, struct hc_error *err);

/* Bars: shares by cause of the straggling jobs and of the GPU-hours lost; waste by op type by jobs
 * and by GPU-hours. */
void hc_fleet_draw_causes(FILE *stream, const struct hc_fleet_summary *summary);
enum hc_status hc_fleet_draw_types(FILE *stream, const struct hc_fleet_summary *summary,
                                   struct hc_error *err);

#endif
