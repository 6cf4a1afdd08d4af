/* night_figures.h - the figures of a night. Private to this wing. */
#ifndef HC_REPORTS_NIGHT_NIGHT_FIGURES_H
#define HC_REPORTS_NIGHT_NIGHT_FIGURES_H

#include "reports/figure/figure.h"
#include "reports/night/night_report.h"

/* Where the GPU-hours of the day went. */
enum hc_status hc_night_put_tree(const struct hc_figure_sink *sink,
                                 const struct hc_night_report *report, struct hc_error *err);
/* The same of one group. */
enum hc_status hc_night_put_group_stack(const struct hc_figure_sink *sink,
                                        const struct hc_group_row *row, struct hc_error *err);
/* Every leaf that made no progress, in the order of the tree. */
enum hc_status hc_night_put_losses(const struct hc_figure_sink *sink,
                                   const struct hc_night_report *report, struct hc_error *err);
/* Where the installed GPU-time went, where that is known. */
enum hc_status hc_night_put_installed(const struct hc_figure_sink *sink,
                                      const struct hc_night_report *report, struct hc_error *err);
/* The same day by day over the window. */
enum hc_status hc_night_put_days(const struct hc_figure_sink *sink,
                                 const struct hc_night_report *report, struct hc_error *err);
/* What causes cost in these days. */
enum hc_status hc_night_put_causes(const struct hc_figure_sink *sink,
                                   const struct hc_night_report *report, struct hc_error *err);

#endif
