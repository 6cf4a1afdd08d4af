/* whatif_sections.h - the sections of the page about one job; only the whatif_html files include
 * it. Each writes nothing where its part was not done, and fails when memory is short.
 * Private to this wing. */
#ifndef HC_REPORTS_WHATIF_WHATIF_SECTIONS_H
#define HC_REPORTS_WHATIF_WHATIF_SECTIONS_H

#include "core/base/status.h"
#include "reports/figure/figure.h"
#include "reports/whatif/whatif_report.h"

#include <stdbool.h>
#include <stdio.h>

/* A map of n slowdowns from 1 to the next round number above the largest, so that what differs is
 * seen; no less than 1.1, from which a job straggles, and no more than 3. Its sizes and values are
 * up to the caller. */
struct hc_figure_matrix hc_whatif_slowdown_map(const char *x_name, const char *y_name,
                                               const double *values, size_t n);

/* Map of the workers, and the worst of them. */
enum hc_status hc_whatif_html_workers(FILE *stream, const struct hc_whatif_report *report,
                                      struct hc_error *err);

/* Slowdown step by step, and the workers of each step. */
enum hc_status hc_whatif_html_steps(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err);

/* The workers step by step: small maps of each step for a small job, else a row a step. */
enum hc_status hc_whatif_html_step_maps(FILE *stream, const struct hc_whatif_report *report,
                                        struct hc_error *err);

/* By op type, stage and dp rank. */
enum hc_status hc_whatif_html_splits(FILE *stream, const struct hc_whatif_report *report,
                                     struct hc_error *err);

/* Fix curves. */
enum hc_status hc_whatif_html_fixes(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err);

/* One step as recorded and ideal. */
enum hc_status hc_whatif_html_picture(FILE *stream, const struct hc_whatif_report *report,
                                      struct hc_error *err);

/* Which of these sections there are. */
bool hc_whatif_html_has_workers(const struct hc_whatif_result *result);
bool hc_whatif_html_has_splits(const struct hc_whatif_result *result);
bool hc_whatif_html_has_fixes(const struct hc_whatif_result *result);

#endif
