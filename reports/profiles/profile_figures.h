/* profile_figures.h - the figures of a report on profiler traces, for its page and for --figures.
 */
#ifndef HC_REPORTS_PROFILES_PROFILE_FIGURES_H
#define HC_REPORTS_PROFILES_PROFILE_FIGURES_H

#include "reports/figure/figure.h"
#include "reports/profiles/profile_report.h"

/* Figures of what was asked for: what the GPU of each rank did, whom the others wait for, what each
 * rank costs, how long each rank waits in each collective. HC_INTERNAL with err filled when memory
 * was short. */
enum hc_status hc_profile_put_figures(const struct hc_figure_sink *sink,
                                      const struct hc_profile_report *report, struct hc_error *err);

#endif
