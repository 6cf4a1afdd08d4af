/* figure.h - a figure as it is described once and drawn twice: on a page, and by gnuplot as a file.
 *
 * A report describes its figures one after the other to a sink, which draws each or leaves it: the
 * description, and all that it points to, need last only for the call. So the page and --figures
 * have the same figures, with the same ranges and colours.
 *
 *     enum hc_status hc_whatif_step_figures(const struct hc_figure_sink *sink, ...)
 *     {
 *         const struct hc_figure figure = {
 *             .kind = HC_FIGURE_CHART,
 *             .name = "step-slowdown",
 *             .title = "Slowdown step by step",
 *             .x = {.title = "step", .low = 0, .high = 9, .is_counts = true},
 *             .y = {.title = "slowdown S", .low = 1, .high = 1.5},
 *             .n_series = 1,
 *             .series = &(struct hc_figure_series){.kind = HC_SERIES_LINE, .color = HC_BLUE, ...},
 *         };
 *         return hc_figure_put(sink, &figure, err);
 *     }
 *
 * Texts may hold anything: each renderer shows what is foreign as core/base/printable.h says.
 */
#ifndef HC_REPORTS_FIGURE_FIGURE_H
#define HC_REPORTS_FIGURE_FIGURE_H

#include "core/base/status.h"
#include "reports/page/axis.h"
#include "reports/page/palette.h"

#include <stdint.h>

enum hc_figure_kind {
    HC_FIGURE_CHART,   /* series over two axes: lines, steps, points, bands, columns */
    HC_FIGURE_BARS,    /* rows: a bar from base to its value */
    HC_FIGURE_RANGES,  /* rows: a dot with its interval */
    HC_FIGURE_TORNADO, /* rows: what a figure becomes at the two ends of a key */
    HC_FIGURE_STACK,   /* rows of parts, one behind the other */
    HC_FIGURE_MATRIX,  /* cells in shades */
    HC_FIGURE_MAPS,    /* small matrices side by side, one for each panel */
    HC_FIGURE_GANTT,   /* rows (lanes) of bars over time */
};

/* ---- series of a chart ---- */

enum hc_series_kind {
    HC_SERIES_LINE,    /* interrupted where y is not finite */
    HC_SERIES_STEPS,   /* each y holds up to the next x */
    HC_SERIES_POINTS,  /* dots */
    HC_SERIES_BAND,    /* the area between y and high */
    HC_SERIES_COLUMNS, /* columns around x, each on top of the columns of the series before */
};

enum hc_strength { HC_PLAIN, HC_PALE, HC_DEEP }; /* of bands */

struct hc_figure_series {
    enum hc_series_kind kind;
    enum hc_color color;
    enum hc_strength strength;
    const char *name;   /* in the legend, and the head of its column; NULL: not in the legend */
    const char *column; /* the head of its column where that is not name; NULL: name or the axis */
    size_t n;
    const double *x, *y;      /* series that share x have one table in the data */
    const double *high;       /* of bands */
    const char *const *texts; /* of dots: what they tell; NULL: nothing */
};

/* A dot with its text beside it. */
struct hc_figure_mark {
    double x, y;
    enum hc_color color;
    const char *text;
    bool is_below; /* where there is room to its left only, its text is below it and not above */
};

/* A dashed line across the plot, at an x or at a y; text at its end, or NULL. */
struct hc_figure_rule {
    bool is_x;
    double at;
    const char *text;
};

/* ---- rows ---- */

struct hc_figure_row {
    const char *name, *text; /* text: the value in words, at its end */
    double value;            /* not finite: only the text */
    double low, high;        /* of ranges; not finite: none */
    enum hc_color color;
};

struct hc_figure_key {
    const char *name;
    const char *low_text, *high_text; /* the two values of the key */
    double at_low, at_high;           /* of the figure there */
    double low_interval[2], high_interval[2];
};

/* ---- parts: of stacks, and what the bars of a gantt are ---- */

struct hc_figure_part {
    const char *name;
    enum hc_color color;
};

struct hc_figure_bar {
    size_t lane, part;
    double start, end;
    bool is_thin;     /* drawn in a strip under the other bars of its lane, which it may overlap */
    const char *text; /* what it tells, or NULL */
};

/* ---- matrices ---- */

struct hc_figure_matrix {
    size_t n_x, n_y;
    const double *values;     /* [x * n_y + y]; NaN is "not known" */
    double low, high;         /* the range of the shades; beyond it the first and the last */
    const char *value, *unit; /* "slowdown S", "" */
    const char *x_name, *y_name;
    const int32_t *x_ids, *y_ids;                  /* of columns and rows; NULL: 0, 1, ... */
    const char *const *x_labels, *const *y_labels; /* instead of ids, or NULL */
    const bool *is_marked;                         /* [x * n_y + y] cells in a frame; NULL: none */
    bool is_whole_range;                           /* no value is above high */
    bool is_reversed;                              /* the light shades are for high values */
    bool has_decimals;                             /* decimals is how many values have; else 2 */
    int decimals;
};

struct hc_figure_panel {
    const char *name; /* of what it shows, as "step 12"; in the data */
    const char *caption;
    const double *values; /* as those of the matrix, which has all the rest */
};

/* ---- the figure ---- */

struct hc_figure {
    enum hc_figure_kind kind;
    const char *name; /* of its files: small letters, digits and '-'; a second one gets "-2" */
    const char *title;
    const char *says;    /* what it shows, for those who do not see it; NULL: the title */
    const char *note;    /* what is said under it, or NULL */
    bool is_wide;        /* over the width of a page, or of both columns of a paper */
    double height;       /* of a chart, in units of the page; 0: HC_SVG_HEIGHT */
    struct hc_axis x, y; /* y: of charts only; the range of x: of charts and gantts only */

    size_t n_series;
    const struct hc_figure_series *series;
    double column_width; /* of HC_SERIES_COLUMNS, in x */
    size_t n_marks, n_rules;
    const struct hc_figure_mark *marks;
    const struct hc_figure_rule *rules; /* of ranges and tornados: the first, if it is finite */

    size_t n_rows;
    double base;                      /* where bars begin */
    const struct hc_figure_row *rows; /* of bars and ranges */
    const struct hc_figure_key *keys; /* of a tornado */
    const char *const *row_names;     /* of stacks and lanes; NULL: one row without a name; a
                                         lane without one is empty and sets groups apart */
    size_t n_parts;
    const struct hc_figure_part *parts;
    const double *part_values; /* [row * n_parts + part]; what is not above 0 is left out */
    bool is_share_of_row;      /* each row of a stack as shares of its sum */
    size_t n_bars;
    const struct hc_figure_bar *bars;
    bool has_no_legend; /* the lanes of a gantt say what the colours do */

    struct hc_figure_matrix matrix;
    size_t n_panels;
    const struct hc_figure_panel *panels;
};

typedef enum hc_status hc_figure_take(const struct hc_figure *figure, void *context,
                                      struct hc_error *err);

/* Where figures go. */
struct hc_figure_sink {
    hc_figure_take *take;
    void *context;
};

enum hc_status hc_figure_put(const struct hc_figure_sink *sink, const struct hc_figure *figure,
                             struct hc_error *err);

/* ---- for those who draw ---- */

/* Whether there is nothing to draw: no series, rows or cells. */
bool hc_figure_is_empty(const struct hc_figure *figure);

/* The axis of rows (bars, ranges, tornado, stack): that of the figure with a range that holds all
 * values. Of other figures: figure->x as it is. */
void hc_figure_rows_axis(const struct hc_figure *figure, struct hc_axis *axis);

/* Whether curves of a chart go beyond its axis of values, and are cut off there: the range of all
 * that it shows. */
bool hc_figure_is_cut(const struct hc_figure *figure, double *low, double *high);

/* The sum of the parts of a row that are above 0. */
double hc_figure_row_sum(const struct hc_figure *figure, size_t row);

#endif
