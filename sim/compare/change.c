#include "sim/compare/change.h"

#include "models/stats/serial_ratio.h"

#include <math.h>

/* A difference below this share of the figures is rounding, not a change. */
#define ROUNDING 1e-9

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

static struct hc_change make_change(double a, double b, double low, double high)
{
    struct hc_change change = {.a = a, .b = b, .difference = b - a, .low = low, .high = high};
    change.relative = over(change.difference, a);
    change.relative_low = over(low, a);
    change.relative_high = over(high, a);
    change.sign = sign_of(&change, low, high);
    return change;
}

struct hc_change hc_change_of_values(double a, double b)
{
    return make_change(a, b, NAN, NAN);
}

struct hc_change hc_change_of_series(const struct hc_step_series *a, const struct hc_step_series *b,
                                     size_t n_asked)
{
    struct hc_serial_ratio left = hc_serial_ratio_find(a->part, a->whole, a->n);
    struct hc_serial_ratio right = hc_serial_ratio_find(b->part, b->whole, b->n);
    if (a->n < HC_INTERVALS_LEAST_STEPS || b->n < HC_INTERVALS_LEAST_STEPS)
        return hc_change_of_values(left.value, right.value);
    struct hc_serial_difference plain = hc_serial_difference_find(&left, &right, HC_COMPARE_LEVEL);
    struct hc_change change = make_change(left.value, right.value, plain.low, plain.high);
    if (n_asked > 1) {
        struct hc_serial_difference wide =
            hc_serial_difference_find(&left, &right, 1 - (1 - HC_COMPARE_LEVEL) / (double)n_asked);
        change.sign = sign_of(&change, wide.low, wide.high);
    }
    return change;
}

/* Not hypot, whose last bit is the library's own. */
static double root_of_squares(double x, double y)
{
    return sqrt(x * x + y * y);
}

struct hc_change hc_change_of_intervals(const struct hc_measured *a, const struct hc_measured *b)
{
    double difference = b->value - a->value;
    double down = root_of_squares(b->value - b->low, a->high - a->value);
    double up = root_of_squares(b->high - b->value, a->value - a->low);
    return make_change(a->value, b->value, difference - down, difference + up);
}
