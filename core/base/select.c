#include "core/base/select.h"

#include <stdint.h>
#include <stdlib.h>

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Median of three values at places drawn by a fixed congruential generator: no input can be made to
 * degrade it short of knowing the sequence, and the result never depends on it. */
static double choose_pivot(const double *values, size_t low, size_t high, uint64_t *state)
{
    double drawn[3];
    for (int i = 0; i < 3; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        drawn[i] = values[low + (size_t)((*state >> 33) % (high - low + 1))];
    }
    if (drawn[0] > drawn[1])
        swap(&drawn[0], &drawn[1]);
    if (drawn[1] > drawn[2])
        swap(&drawn[1], &drawn[2]);
    return drawn[0] > drawn[1] ? drawn[0] : drawn[1];
}

/* Hoare's FIND: equal values stop both scans, so long runs of them split evenly. */
double hc_select(double *values, size_t n, size_t k)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, rank = (ptrdiff_t)k;
    while (low < high) {
        double pivot = choose_pivot(values, (size_t)low, (size_t)high, &state);
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j)
                swap(&values[i++], &values[j--]);
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break; /* between the two, all values are the pivot */
    }
    return values[k];
}

double hc_median(double *values, size_t n)
{
    double upper = hc_select(values, n, n / 2);
    if (n % 2)
        return upper;
    double lower = values[0]; /* after selection all values below n / 2 are no larger */
    for (size_t i = 1; i < n / 2; i++)
        if (values[i] > lower)
            lower = values[i];
    return (lower + upper) / 2;
}

double hc_lower_median(double *values, size_t n)
{
    return hc_select(values, n, (n - 1) / 2);
}

static void swap_i64(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_few(int64_t *values, ptrdiff_t low, ptrdiff_t high)
{
    for (ptrdiff_t i = low + 1; i <= high; i++) {
        int64_t value = values[i];
        ptrdiff_t at = i;
        for (; at > low && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/* As hc_select, with the middle one of three drawn places, and few values sorted at once: most
 * calls are for the members of a collective. */
int64_t hc_select_i64(int64_t *values, size_t n, size_t k)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, rank = (ptrdiff_t)k;
    while (high - low > 16) {
        int64_t drawn[3];
        for (int i = 0; i < 3; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            drawn[i] = values[low + (ptrdiff_t)((state >> 33) % (uint64_t)(high - low + 1))];
        }
        sort_few(drawn, 0, 2);
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (values[i] < drawn[1])
                i++;
            while (values[j] > drawn[1])
                j--;
            if (i <= j)
                swap_i64(&values[i++], &values[j--]);
        }
        if (rank > j && rank < i)
            return drawn[1]; /* between the two, all values are the pivot */
        if (rank <= j)
            high = j;
        else
            low = i;
    }
    sort_few(values, low, high);
    return values[rank];
}

int64_t hc_lower_median_i64(int64_t *values, size_t n)
{
    return hc_select_i64(values, n, (n - 1) / 2);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void hc_sort(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_size);
}
