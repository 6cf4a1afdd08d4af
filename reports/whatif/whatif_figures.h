/* whatif_figures.h - the figures of the page about one job, for any renderer.
 *
 * Each function puts the figures of one section into the sink, in the order of the page, and none
 * where its part was not done. They fail when memory is short, or as the sink does. */
#ifndef HC_REPORTS_WHATIF_WHATIF_FIGURES_H
#define HC_REPORTS_WHATIF_WHATIF_FIGURES_H

#include "reports/figure/figure.h"
#include "reports/whatif/whatif_report.h"

typedef enum hc_status hc_whatif_figure_section(const struct hc_figure_sink *sink,
                                                const struct hc_whatif_report *report,
                                                struct hc_error *err);

/* The map of the workers. */
hc_whatif_figure_section hc_whatif_worker_figures;

/* Slowdown and time step by step, and the workers of each step. */
hc_whatif_figure_section hc_whatif_step_figures, hc_whatif_step_map_figures;

/* By op type, stage and dp rank, and Shapley values. */
hc_whatif_figure_section hc_whatif_split_figures;

/* What a fix would bring. */
hc_whatif_figure_section hc_whatif_fix_figures;

/* One step as recorded and ideal. */
hc_whatif_figure_section hc_whatif_picture_figures;

/* All of them. */
hc_whatif_figure_section hc_whatif_put_figures;

#endif
