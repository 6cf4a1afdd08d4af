/* svg_axis.h - from values to places on an axis, with ticks at round numbers. */
#ifndef HC_REPORTS_PAGE_SVG_AXIS_H
#define HC_REPORTS_PAGE_SVG_AXIS_H

#include "core/text/number_format.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_SVG_MAX_TICKS 24

struct hc_svg_axis {
    const char *title; /* with its unit: "step time (s)"; NULL: none */
    double low, high;  /* what is shown; of a log axis both positive */
    bool is_log;
    bool is_share;  /* ticks as per cent */
    bool is_counts; /* ticks are whole numbers */
    double factor;  /* ticks say so many times the value, as in a title with "(millions)"; 0: 1 */
};

struct hc_svg_ticks {
    size_t n;
    double at[HC_SVG_MAX_TICKS];
    int decimals; /* enough to tell them apart */
};

/* Widen low and high to ticks. Values that are not finite, or not positive on a log axis, become
 * 0 and 1 (1 and 10); equal ones are moved apart. */
void hc_svg_axis_round(struct hc_svg_axis *axis, size_t n_ticks);

/* About n_ticks ticks within [low, high]. */
void hc_svg_axis_ticks(const struct hc_svg_axis *axis, size_t n_ticks, struct hc_svg_ticks *ticks);

/* 0 at low, 1 at high, and beyond them for values beyond. */
double hc_svg_axis_place(const struct hc_svg_axis *axis, double value);

const char *hc_svg_tick_text(const struct hc_svg_axis *axis, const struct hc_svg_ticks *ticks,
                             size_t tick, char text[HC_NUMBER_TEXT]);

#endif
