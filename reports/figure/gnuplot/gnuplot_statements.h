/* gnuplot_statements.h - the statements of a script for gnuplot. Private to this wing. */
#ifndef HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_STATEMENTS_H
#define HC_REPORTS_FIGURE_GNUPLOT_GNUPLOT_STATEMENTS_H

#include "reports/figure/gnuplot/gnuplot_script.h"

#include <stdio.h>

struct hc_gnuplot {
    FILE *stream;
    const struct hc_figure *figure;
    const char *name; /* of the data, without ".dat" */
    double width;     /* of the picture, in units of 12 to the size of the letters */
    enum hc_figure_format format;
    bool has_plotted; /* the plot command is open */
};

/* Above the plot: the title. Below it: ticks, the title of the axis, and lines of the legend. */
#define HC_GNUPLOT_TOP_MARGIN 34
double hc_gnuplot_bottom_margin(size_t n_legend_lines);

/* "set tmargin" and "set bmargin", which leave that room of the height of the picture: left to
 * itself, gnuplot puts the title of the axis upon ticks or legend, differently for each format. */
void hc_gnuplot_frame(const struct hc_gnuplot *gnuplot, double height, size_t n_legend_lines);

/* " font ',10'": of texts in small places, against 12 of all others. */
void hc_gnuplot_small_letters(const struct hc_gnuplot *gnuplot);

/* A text in single quotes, no longer than columns. */
void hc_gnuplot_text(const struct hc_gnuplot *gnuplot, const char *text, size_t columns);

/* The same for the label of a tick, in which gnuplot looks for formats: "%" is doubled. */
void hc_gnuplot_tick(const struct hc_gnuplot *gnuplot, const char *text, size_t columns);

/* How many letters fit into a share of the width of the picture. */
size_t hc_gnuplot_columns(const struct hc_gnuplot *gnuplot, double share);

void hc_gnuplot_number(const struct hc_gnuplot *gnuplot, double value);

/* "set xrange [...]", "set xtics (...)" with about n_ticks ticks as on the page, "set xlabel". */
void hc_gnuplot_axis(const struct hc_gnuplot *gnuplot, char which, const struct hc_axis *axis,
                     size_t n_ticks);

/* Begin one more element of the plot command, of table `table` of the data; its first line is the
 * head. What follows in the script is " using ...". */
void hc_gnuplot_element(struct hc_gnuplot *gnuplot, size_t table);

/* " lc rgb '#...'", and of lines with the dash. */
void hc_gnuplot_color(const struct hc_gnuplot *gnuplot, enum hc_color color);
void hc_gnuplot_dash(const struct hc_gnuplot *gnuplot, enum hc_color color);

/* " fs ... fc ...": of an area, hatched where its colour has a hatch and it is one of several. */
void hc_gnuplot_fill(const struct hc_gnuplot *gnuplot, enum hc_color color, bool is_hatched);

/* " title '...'", or " notitle" where name is NULL. */
void hc_gnuplot_title(const struct hc_gnuplot *gnuplot, const char *name);

/* A dashed line over the plot at an x or y, with its text. */
void hc_gnuplot_rule(const struct hc_gnuplot *gnuplot, const struct hc_figure_rule *rule);

/* "set key ..." so that n names have room, in as many lines as the next says. */
void hc_gnuplot_legend(const struct hc_gnuplot *gnuplot, const char *const *names, size_t n);

/* Lines that n names take in a legend. */
size_t hc_gnuplot_legend_lines(const struct hc_gnuplot *gnuplot, const char *const *names,
                               size_t n);

#endif
