/* gnuplot_script.h - a figure as a script for gnuplot 5.2 or newer. Private to this wing.
 *
 * The script runs alone in the directory of its data: `gnuplot NAME.gp` writes NAME.svg (or .pdf,
 * .png). It asks nothing of the settings of whoever runs it. Texts are in single quotes, in which
 * gnuplot neither runs a command (`...`) nor replaces a variable (@...); the terminals are told
 * `noenhanced`, so that ^, _ and {} are text.
 */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_SCRIPT_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_SCRIPT_H

#include "reports/figure/figure.h"

#include <stdio.h>

enum hc_figure_format { HC_FIGURE_SVG, HC_FIGURE_PDF, HC_FIGURE_PNG, HC_N_FIGURE_FORMATS };

/* "svg", "pdf", "png", NULL. */
extern const char *const hc_figure_formats[HC_N_FIGURE_FORMATS + 1];

/* name: of the files, without directory and ending. */
void hc_gnuplot_write_script(FILE *stream, const struct hc_figure *figure, const char *name,
                             enum hc_figure_format format);

#endif
