/* study_html.h - a study of a scenario as one self-contained HTML page. */
#ifndef HC_REPORTS_STUDY_STUDY_HTML_H
#define HC_REPORTS_STUDY_STUDY_HTML_H

#include "core/base/status.h"
#include "reports/figure/figure.h"
#include "study/run/study_result.h"

#include <stdio.h>

/* Write the page: the question and its answer first, then ETTR and where the GPU-time went, the
 * variants, sweeps and sensitivities, one life, and where all of it comes from. What was not
 * studied is left out. Fails when memory is short or the stream does. */
enum hc_status hc_study_html_write(FILE *stream, const struct hc_study_result *result,
                                   struct hc_error *err);

/* The figures of the page, into a sink. */
enum hc_status hc_study_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_study_result *result, struct hc_error *err);

#endif
