#include "models/account/tree/steady_steps.h"

#include "core/base/missing.h"

#define FEWEST    8
#define SAMPLE    255  /* rows of the later half that the median is of, evenly spread */
#define SCALE_MIL 1483 /* a median absolute deviation is 0.6745 standard deviations of a normal */

static void sort(int64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int64_t value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

/* Durations of the later half, in order; how many. */
static size_t sample(const struct hc_step_row *rows, size_t n, int64_t values[SAMPLE])
{
    size_t first = n / 2, n_half = n - first, made = 0;
    size_t every = (n_half + SAMPLE - 1) / SAMPLE;
    for (size_t i = first; i < n && made < SAMPLE; i += every)
        if (rows[i].duration_ns >= 0)
            values[made++] = rows[i].duration_ns;
    sort(values, made);
    return made;
}

/* The longest that a steady step takes: three standard deviations above the median, at least a 50th
 * of it. Damaged logs may have any duration. */
static int64_t most_steady(int64_t median_ns, int64_t deviation_ns)
{
    __extension__ typedef __int128 wide;
    wide spread_ns = (wide)deviation_ns / 1000 * 3 * SCALE_MIL;
    if (spread_ns < median_ns / 50)
        spread_ns = median_ns / 50;
    return median_ns + spread_ns > INT64_MAX ? INT64_MAX : (int64_t)(median_ns + spread_ns);
}

struct hc_steady_steps hc_steady_steps_find(const struct hc_step_row *rows, size_t n)
{
    struct hc_steady_steps steady = {.n_warm = 0, .median_ns = HC_MISSING_I64};
    int64_t values[SAMPLE];
    size_t n_values = n < FEWEST ? 0 : sample(rows, n, values);
    if (n_values < FEWEST / 2)
        return steady;
    steady.median_ns = values[n_values / 2];
    for (size_t i = 0; i < n_values; i++)
        values[i] = values[i] > steady.median_ns ? values[i] - steady.median_ns
                                                 : steady.median_ns - values[i];
    sort(values, n_values);
    int64_t most_ns = most_steady(steady.median_ns, values[n_values / 2]);
    while (steady.n_warm < n / 2 && rows[steady.n_warm].duration_ns > most_ns)
        steady.n_warm++;
    if (steady.n_warm == n / 2)
        steady.n_warm = 0;
    return steady;
}
