/* fleet_charts.h - the figures of the page of a fleet, for any renderer. */
#ifndef HC_REPORTS_FLEET_FLEET_CHARTS_H
#define HC_REPORTS_FLEET_FLEET_CHARTS_H

#include "reports/figure/figure.h"
#include "reports/fleet/fleet_report.h"
#include "sim/fleet/fleet_summary.h"

/* Put the figures of one section into the sink, in the order of the page. */
typedef enum hc_status hc_fleet_figure_section(const struct hc_figure_sink *sink,
                                               const struct hc_fleet_report *report,
                                               const struct hc_fleet_summary *summary,
                                               struct hc_error *err);

/* Cumulative distributions, by jobs with the quantiles marked and by other weights: waste and
 * slowdown of jobs; the figures of the tests for causes; steps, and the discrepancy of the replay.
 */
hc_fleet_figure_section hc_fleet_waste_figures, hc_fleet_test_figures, hc_fleet_step_figures;

/* Bars: shares by cause of the straggling jobs and of the GPU-hours lost; waste by op type by jobs
 * and by GPU-hours. */
hc_fleet_figure_section hc_fleet_cause_figures, hc_fleet_type_figures;

/* S against GPUs, a dot a job, with the median of each size class. */
hc_fleet_figure_section hc_fleet_size_figures;

/* All of them; none when no job was analysed. */
enum hc_status hc_fleet_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_fleet_report *report, struct hc_error *err);

#endif
