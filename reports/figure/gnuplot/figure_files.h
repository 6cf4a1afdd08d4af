/* figure_files.h - figures as files of a directory: for each its data (NAME.dat), a script for
 * gnuplot (NAME.gp), and what gnuplot made of them (NAME.svg, .pdf or .png).
 *
 *     struct hc_figure_files *files = NULL;
 *     if (hc_figure_files_open(&files, set, directory, HC_FIGURE_SVG, run_id, err))
 *         goto out;
 *     const struct hc_figure_sink sink = hc_figure_files_sink(files);
 *     status = hc_whatif_put_figures(&sink, report, err);
 *   out:
 *     hc_figure_files_close(files);
 *
 * All of them come with the other files of the set, or none does (core/files/outset.h); gnuplot
 * works in a directory of its own under TMPDIR. Where there is no gnuplot, or it fails, data and
 * scripts are still written, and close says so in one line.
 */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_FIGURE_FILES_H
#define HC_REPORTS_FIGURE_GNUPLOT_FIGURE_FILES_H

#include "core/files/outset.h"
#include "reports/figure/figure.h"
#include "reports/figure/gnuplot/gnuplot_script.h"

/* The list of the files with their digests, in the directory. */
#define HC_FIGURE_INDEX "figures.sha256"

struct hc_figure_files;

enum hc_status hc_figure_files_open(struct hc_figure_files **files, struct hc_outset *set,
                                    const char *directory, enum hc_figure_format format,
                                    const char *run_id, struct hc_error *err);

struct hc_figure_sink hc_figure_files_sink(struct hc_figure_files *files);

/* Say what gnuplot could not do, and free. NULL is fine. */
void hc_figure_files_close(struct hc_figure_files *files);

#endif
