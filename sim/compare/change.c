#include "sim/compare/change.h"

#include "models/stats/serial_ratio.h"

#include <math.h>

/* A difference below this share of the figures is rounding, not a change. */
#define ROUNDING 1e-9
/* Too few steps for an interval show a change where the steps of A and of B do not touch: where
 * chance alone would order independent steps so in fewer cases than this, and where they are this
 * many standard deviations apart by which a step differs from the one before. Of pairs whose steps
 * are correlated by 0.5, 2 in 100 are (docs/methods/compare.md). */
#define MOST_CHANCE 0.01
#define LEAST_GAP   1.5

static enum hc_change_sign sign_of(const struct hc_change *change, double low, double high)
{
    if (isnan(low) || isnan(high))
        return HC_CHANGE_UNKNOWN;
    if (fabs(change->difference) <= ROUNDING * fmax(fabs(change->a), fabs(change->b)))
        return HC_CHANGE_NONE;
    return low > 0 ? HC_CHANGE_UP : high < 0 ? HC_CHANGE_DOWN : HC_CHANGE_NONE;
}

static double over(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

struct hc_change hc_change_of_values(double a, double b)
{
    return (struct hc_change){.a = a,
                              .b = b,
                              .difference = b - a,
                              .low = NAN,
                              .high = NAN,
                              .relative = over(b - a, a),
                              .relative_low = NAN,
                              .relative_high = NAN};
}

/* ---- of steps ---- */

/* How often chance puts all of n_a independent values below, or all above, all of n_b. */
static double chance_apart(size_t n_a, size_t n_b)
{
    double chance = 2;
    for (size_t i = 1; i <= n_a; i++)
        chance *= (double)i / (double)(n_b + i);
    return chance;
}

double hc_step_noise(const struct hc_step_series *series)
{
    double squares = 0, largest = 0, before = NAN;
    for (size_t i = 0; i < series->n; i++) {
        double step = over(series->part[i], series->whole ? series->whole[i] : 1);
        double square = i > 0 ? (step - before) * (step - before) : 0;
        squares += square;
        largest = fmax(largest, square);
        before = step;
    }
    return series->n > 2 ? sqrt((squares - largest) / (2 * (double)(series->n - 2))) : 0;
}

static enum hc_change_sign sign_of_few(const struct hc_step_series *a,
                                       const struct hc_step_series *b,
                                       const struct hc_serial_ratio *left,
                                       const struct hc_serial_ratio *right, size_t n_asked)
{
    double up = right->least - left->most, down = left->least - right->most;
    double noise = fmax(hc_step_noise(a), hc_step_noise(b));
    if (chance_apart(a->n, b->n) * (double)n_asked > MOST_CHANCE ||
        !(fmax(up, down) > 0 && fmax(up, down) >= LEAST_GAP * noise))
        return HC_CHANGE_UNKNOWN;
    return up > 0 ? HC_CHANGE_UP : HC_CHANGE_DOWN;
}

struct hc_change hc_change_of_series(const struct hc_step_series *a, const struct hc_step_series *b,
                                     size_t n_asked)
{
    struct hc_serial_ratio left = hc_serial_ratio_find(a->part, a->whole, a->n);
    struct hc_serial_ratio right = hc_serial_ratio_find(b->part, b->whole, b->n);
    struct hc_change change = hc_change_of_values(left.value, right.value);
    if (a->n < HC_INTERVALS_LEAST_STEPS || b->n < HC_INTERVALS_LEAST_STEPS) {
        change.sign = sign_of_few(a, b, &left, &right, n_asked);
        change.is_by_range = change.sign != HC_CHANGE_UNKNOWN;
        return change;
    }
    struct hc_serial_difference plain = hc_serial_difference_find(&left, &right, HC_COMPARE_LEVEL);
    struct hc_serial_difference wide =
        hc_serial_difference_find(&left, &right, 1 - (1 - HC_COMPARE_LEVEL) / (double)n_asked);
    change.low = plain.low;
    change.high = plain.high;
    change.relative_low = plain.ratio_low - 1;
    change.relative_high = plain.ratio_high - 1;
    change.sign = sign_of(&change, wide.low, wide.high);
    change.is_by_range = wide.is_bounded;
    return change;
}

/* ---- of intervals ---- */

struct hc_change hc_change_of_intervals(const struct hc_measured *a, const struct hc_measured *b)
{
    struct hc_change change = hc_change_of_values(a->value, b->value);
    struct hc_apart m =
        hc_apart_find(&(struct hc_reach){a->value, a->value - a->low, a->high - a->value},
                      &(struct hc_reach){b->value, b->value - b->low, b->high - b->value});
    change.low = m.low;
    change.high = m.high;
    if (a->low > 0 && b->low > 0) {
        change.relative_low = m.ratio_low - 1;
        change.relative_high = m.ratio_high - 1;
    }
    change.sign = sign_of(&change, m.low, m.high);
    return change;
}
