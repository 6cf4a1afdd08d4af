/* gnuplot_run.h - gnuplot as a process of its own. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_RUN_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum hc_gnuplot_end {
    HC_GNUPLOT_DONE,
    HC_GNUPLOT_ABSENT, /* there is no such program */
    HC_GNUPLOT_FAILED,
};

/* Run `gnuplot --default-settings script` in directory, without a shell, and wait for its end. Of a
 * failure, why holds the first line that it said. */
enum hc_gnuplot_end hc_gnuplot_run(const char *directory, const char *script, char *why,
                                   size_t size);

#endif
