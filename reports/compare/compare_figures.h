/* compare_figures.h - the figures of a comparison, for any renderer. */
#ifndef HC_REPORTS_COMPARE_COMPARE_FIGURES_H
#define HC_REPORTS_COMPARE_COMPARE_FIGURES_H

#include "reports/compare/compare_report.h"
#include "reports/figure/figure.h"

typedef enum hc_status hc_compare_figure_section(const struct hc_figure_sink *sink,
                                                 const struct hc_compare_report *report,
                                                 struct hc_error *err);

/* Time and slowdown of the steps of A and B; changes by op type and stage; workers that changed
 * most. Each puts its figures into the sink, and none where there is nothing to compare. They fail
 * when memory is short, or as the sink does. */
hc_compare_figure_section hc_compare_step_figures, hc_compare_part_figures,
    hc_compare_worker_figures;

/* All of them. */
hc_compare_figure_section hc_compare_put_figures;

#endif
