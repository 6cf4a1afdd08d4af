#include "reports/page/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 1, 2 or 5 times a power of ten, so that range is cut into at most n parts. */
static double round_step(double range, size_t n)
{
    double raw = range / (double)(n > 0 ? n : 1);
    double power = pow(10, floor(log10(raw)));
    double lead = raw / power;
    /* The slack keeps 0.2 from becoming 0.5 for a last bit. */
    return power * (lead <= 1.0000001 ? 1 : lead <= 2.0000001 ? 2 : lead <= 5.0000001 ? 5 : 10);
}

const char *hc_axis_text(const struct hc_axis *axis, char text[HC_AXIS_TEXT])
{
    const char *unit = axis->unit ? axis->unit : "", *power = axis->power ? axis->power : "";
    if (!axis->title)
        return NULL;
    snprintf(text, HC_AXIS_TEXT, power[0] || unit[0] ? "%.200s (%s%s%.40s)" : "%.200s", axis->title,
             power, power[0] && unit[0] ? " " : "", unit);
    return text;
}

void hc_axis_widen(struct hc_axis *axis, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i])) {
            axis->low = fmin(axis->low, values[i]);
            axis->high = fmax(axis->high, values[i]);
        }
}

/* What the values of an axis are multiplied by to be shown. */
static double shown_factor(const struct hc_axis *axis)
{
    return axis->factor > 0 ? axis->factor : 1;
}

static double linear_step(const struct hc_axis *axis, size_t n_ticks)
{
    double step = round_step(axis->high - axis->low, n_ticks);
    return axis->is_counts && step < 1 ? 1 : step;
}

static void make_range(struct hc_axis *axis)
{
    bool is_bad = !isfinite(axis->low) || !isfinite(axis->high) || axis->low > axis->high ||
                  (axis->is_log && axis->low <= 0);
    if (is_bad) {
        axis->low = axis->is_log ? 1 : 0;
        axis->high = axis->is_log ? 10 : 1;
    } else if (axis->low == axis->high) {
        double apart = axis->is_counts ? 1 : axis->low == 0 ? 1 : fabs(axis->low) * 0.05;
        axis->high += apart;
        axis->low -= axis->is_log ? 0 : apart;
    }
}

void hc_axis_round(struct hc_axis *axis, size_t n_ticks)
{
    make_range(axis);
    if (axis->is_log) {
        axis->low = pow(10, floor(log10(axis->low) + 1e-9));
        axis->high = pow(10, ceil(log10(axis->high) - 1e-9));
        return;
    }
    double step = linear_step(axis, n_ticks);
    axis->low = step * floor(axis->low / step + 1e-9);
    axis->high = step * ceil(axis->high / step - 1e-9);
}

static void add_tick(struct hc_ticks *ticks, double at)
{
    if (ticks->n < HC_MAX_TICKS)
        ticks->at[ticks->n++] = at;
}

/* Powers of ten; 2 and 5 times them too where there are few. */
static void log_ticks(const struct hc_axis *axis, size_t n_ticks, struct hc_ticks *ticks)
{
    static const double leads[] = {1, 2, 5};
    double decades = log10(axis->high) - log10(axis->low); /* their ratio may overflow */
    size_t n_leads = decades * 3 <= (double)n_ticks + 1 ? 3 : 1;
    int every = (int)ceil(decades / (double)HC_MAX_TICKS);
    int first = (int)floor(log10(axis->low) + 1e-9);
    for (int p = first; p <= (int)ceil(log10(axis->high)); p += every > 0 ? every : 1)
        for (size_t i = 0; i < n_leads; i++) {
            double at = leads[i] * pow(10, p);
            if (at >= axis->low * (1 - 1e-9) && at <= axis->high * (1 + 1e-9))
                add_tick(ticks, at);
        }
    ticks->decimals = 0;
}

void hc_axis_ticks(const struct hc_axis *axis, size_t n_ticks, struct hc_ticks *ticks)
{
    *ticks = (struct hc_ticks){.n = 0};
    if (!(axis->high > axis->low))
        return;
    if (axis->is_log) {
        log_ticks(axis, n_ticks, ticks);
        return;
    }
    double step = linear_step(axis, n_ticks);
    double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    for (double i = first; i <= last && ticks->n < HC_MAX_TICKS; i++)
        add_tick(ticks, i * step);
    double shown = axis->is_share ? step * 100 : step * shown_factor(axis);
    ticks->decimals = shown >= 1 ? 0 : (int)ceil(-log10(shown) - 1e-9);
    if (ticks->decimals > 9)
        ticks->decimals = 9;
}

double hc_axis_place(const struct hc_axis *axis, double value)
{
    if (axis->is_log)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

const char *hc_tick_text(const struct hc_axis *axis, const struct hc_ticks *ticks, size_t tick,
                         char text[HC_NUMBER_TEXT])
{
    double at = ticks->at[tick] * shown_factor(axis);
    if (axis->is_share) {
        hc_format_fixed(ticks->at[tick] * 100, ticks->decimals, text);
        return strcat(text, " %");
    }
    if (axis->is_log && at < 1)
        return hc_format_fixed(at, (int)fmin(9, ceil(-log10(at) - 1e-9)), text);
    if (ticks->decimals == 0 && fabs(at) < 9e15)
        return hc_format_count(llround(at), text);
    return hc_format_fixed(at, ticks->decimals, text);
}
