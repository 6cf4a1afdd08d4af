/* culprit_figure.h - when which part of a job is slow, upon the chart of its steps. */
#ifndef HC_REPORTS_WHATIF_CULPRITS_CULPRIT_FIGURE_H
#define HC_REPORTS_WHATIF_CULPRITS_CULPRIT_FIGURE_H

#include "core/base/status.h"
#include "reports/figure/figure.h"
#include "sim/whatif/whatif.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_MOST_CULPRIT_BANDS 4

/* A strip at the top of the plot for each of the culprits that are slow in part of the steps, the
 * one with the largest share at the top: it is filled where the culprit is slow, and its name
 * stands at the first slow step. Upon the curve, the levels of the job, where there are several. */
struct hc_culprit_bands {
    size_t n_series; /* bands, then the levels */
    struct hc_figure_series series[HC_MOST_CULPRIT_BANDS + 1];
    size_t n_marks, n_unseen; /* n_unseen: further culprits that there is no strip for */
    struct hc_figure_mark marks[HC_MOST_CULPRIT_BANDS];
    bool has_levels;
    char names[HC_MOST_CULPRIT_BANDS][192];
    double *values; /* what the series point to */
};

/* The strips make room for themselves on the axis y, which must be rounded before. `plot` is the
 * height of the plot in units of the page. */
enum hc_status hc_culprit_bands_init(struct hc_culprit_bands *bands,
                                     const struct hc_whatif_result *result, struct hc_axis *y,
                                     double plot, struct hc_error *err);
void hc_culprit_bands_fini(struct hc_culprit_bands *bands);

/* The workers that belong to a culprit other than the job as a whole, as [n_workers] flags in the
 * order of the workers; the caller's to free. NULL where there is none. */
enum hc_status hc_culprit_workers(const struct hc_whatif_result *result, bool **is_marked,
                                  struct hc_error *err);

#endif
