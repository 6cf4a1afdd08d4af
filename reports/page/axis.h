/* axis.h - from values to places on an axis, with ticks at round numbers. */
#ifndef HC_REPORTS_PAGE_AXIS_H
#define HC_REPORTS_PAGE_AXIS_H

#include "core/text/number_format.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_MAX_TICKS 24

struct hc_axis {
    const char *title; /* what is on it: "step time"; NULL: none */
    const char *unit;  /* "s"; NULL: none, or the title says it */
    const char *power; /* the power of ten by which `factor` shortens the numbers at the ticks: "k",
                          "M"; NULL: they are not shortened */
    double low, high;  /* what is shown; of a log axis both positive */
    bool is_log;
    bool is_share;  /* ticks as per cent */
    bool is_counts; /* ticks are whole numbers */
    double factor;  /* ticks say so many times the value: 1e-6 with the power "M"; 0: 1 */
};

/* Title, power and unit as one text: "GPU-hours (M GPU-h)"; NULL without a title. */
#define HC_AXIS_TEXT 256
const char *hc_axis_text(const struct hc_axis *axis, char text[HC_AXIS_TEXT]);

/* Make room on the axis for those of n values that are finite. */
void hc_axis_widen(struct hc_axis *axis, const double *values, size_t n);

struct hc_ticks {
    size_t n;
    double at[HC_MAX_TICKS];
    int decimals; /* enough to tell them apart */
};

/* Widen low and high to ticks. Values that are not finite, or not positive on a log axis, become
 * 0 and 1 (1 and 10); equal ones are moved apart. */
void hc_axis_round(struct hc_axis *axis, size_t n_ticks);

/* About n_ticks ticks within [low, high]. */
void hc_axis_ticks(const struct hc_axis *axis, size_t n_ticks, struct hc_ticks *ticks);

/* 0 at low, 1 at high, and beyond them for values beyond. */
double hc_axis_place(const struct hc_axis *axis, double value);

const char *hc_tick_text(const struct hc_axis *axis, const struct hc_ticks *ticks, size_t tick,
                         char text[HC_NUMBER_TEXT]);

#endif
