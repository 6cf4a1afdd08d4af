/* step_means.c - the mean of a figure over steps, and how sure it is. */
#include "sim/whatif/cause/culprit_search.h"

#include "models/stats/student.h"

#include <math.h>

struct hc_measured hc_mean_of_steps(const double *values, size_t n)
{
    double sum = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    struct hc_measured mean = {n ? sum / (double)n : NAN, NAN, NAN};
    if (n < 3)
        return mean;
    for (size_t i = 0; i < n; i++) {
        double x = values[i] - mean.value;
        squares += x * x;
        if (i > 0)
            products += x * (values[i - 1] - mean.value);
    }
    /* The lag-1 correlation, with what a short series takes from it (Marriott and Pope 1954). */
    double r = squares > 0 ? products / squares : 0;
    r = fmin(fmax(r + (1 + 3 * r) / (double)n, 0), 0.9);
    double n_independent = fmax(2, (double)n * (1 - r) / (1 + r));
    double error = sqrt(squares / (double)(n - 1) / n_independent);
    double half = hc_student_t(n_independent - 1, HC_CONFIDENCE) * error;
    mean.low = mean.value - half;
    mean.high = mean.value + half;
    return mean;
}
