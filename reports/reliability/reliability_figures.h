/* reliability_figures.h - the figures of a reliability report. */
#ifndef HC_REPORTS_RELIABILITY_RELIABILITY_FIGURES_H
#define HC_REPORTS_RELIABILITY_RELIABILITY_FIGURES_H

#include "reports/figure/figure.h"
#include "reports/reliability/reliability_report.h"

/* Put them into the sink: rates of the most frequent causes with their intervals (where nodes and
 * time of watching are known), their mean time to repair, incidents of each month. Fails when
 * memory is short, or as the sink does. */
enum hc_status hc_reliability_put_figures(const struct hc_figure_sink *sink,
                                          const struct hc_reliability_report *report,
                                          struct hc_error *err);

#endif
