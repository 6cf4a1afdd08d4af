#include "models/findings/day_summary.h"

#include "core/base/select.h"
#include "core/random/stable_math.h"

#include <math.h>

#define TRIMMED_SHARE 0.1
#define LEAST_VALUES  5

/* Of the logarithms value[n], ascending, without cut of them on each side. */
static void trim(struct hc_day_summary *day, const double *value, size_t n, size_t cut)
{
    double sum = 0, squares = 0;
    size_t kept = n - 2 * cut;
    for (size_t i = cut; i < n - cut; i++)
        sum += value[i];
    day->location = sum / (double)kept;
    if (n < LEAST_VALUES)
        return;
    double low = value[cut], high = value[n - cut - 1];
    double mean = (sum + (double)cut * (low + high)) / (double)n;
    for (size_t i = cut; i < n - cut; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    squares += (double)cut * ((low - mean) * (low - mean) + (high - mean) * (high - mean));
    double share = (double)kept / (double)n;
    day->error = sqrt(squares / (double)(n - 1) / (double)n) / share;
}

struct hc_day_summary hc_day_summarise(double *seconds, size_t n)
{
    struct hc_day_summary day = {.location = NAN, .error = NAN, .median_s = NAN};
    for (size_t i = 0; i < n; i++) {
        if (isfinite(seconds[i]) && seconds[i] >= 0)
            seconds[day.n++] = seconds[i];
        else
            day.n_bad++;
    }
    if (day.n == 0)
        return day;
    hc_sort(seconds, day.n);
    day.median_s =
        day.n % 2 ? seconds[day.n / 2] : (seconds[day.n / 2 - 1] + seconds[day.n / 2]) / 2;
    for (size_t i = 0; i < day.n; i++)
        seconds[i] = hc_stable_log(fmax(seconds[i], HC_DAY_LEAST_S));
    trim(&day, seconds, day.n, (size_t)(TRIMMED_SHARE * (double)day.n));
    return day;
}
