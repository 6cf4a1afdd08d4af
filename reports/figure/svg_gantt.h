/* svg_gantt.h - who did what when: bars on named lanes over time, in inline SVG. */
#ifndef HC_REPORTS_FIGURE_SVG_GANTT_H
#define HC_REPORTS_FIGURE_SVG_GANTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct hc_svg_gantt_bar {
    size_t lane;
    double start_s, end_s;
    int series;        /* index into the classes */
    bool is_thin;      /* drawn in a strip under the other bars of its lane, which it may overlap */
    const char *title; /* shows when it is pointed at; NULL: none */
};

struct hc_svg_gantt {
    size_t n_lanes;
    const char *const *lane_names; /* NULL: an empty lane that sets groups apart */
    size_t n_series;
    const char *const *series_names, *const *series_classes; /* classes: "s1" to "s6" */
    size_t n_bars;
    const struct hc_svg_gantt_bar *bars;
    double end_s;           /* of the axis, which begins at 0 */
    const char *axis_title; /* NULL: of a step; times may then be in the unit that it names */
    bool has_no_legend;     /* its lanes say what the colours do */
};

/* Draw it at the width of a page. Bars shorter than can be seen get the least width that can. */
void hc_svg_gantt(FILE *stream, const char *label, const struct hc_svg_gantt *gantt);

#endif
