#include "core/random/stable_rows.h"

#include "core/base/dispatch.h"
#include "core/random/stable_inline.h"

#include <stdbool.h>

/* Values at a time: what is found of them on the way stays in the first cache. */
#define CHUNK 256
/* The most values of a vector: of so many, or a multiple, none is left over for scalar code. */
#define WIDEST 8

/* Functions of several instruction sets are static: clang leaves no plain symbol of others. */

/* ---- exp and log ---- */

HC_DISPATCH_WIDE
static void exp_middle_row(double *value, size_t n)
{
    HC_LANES(n) value[l] = hc_exp_middle(value[l]);
}

/* How many values are more than limit away from centre. */
HC_DISPATCH_WIDE
static int64_t count_beyond(const double *value, size_t n, double centre, double limit)
{
    int64_t n_beyond = 0;
    for (size_t l = 0; l < n; l++)
        n_beyond += !(__builtin_fabs(value[l] - centre) <= limit);
    return n_beyond;
}

/* Values that are not in the middle, which are few or none, one by one. */
static void exp_chunk(double *value, size_t n)
{
    if (count_beyond(value, n, 0, HC_EXP_MIDDLE))
        for (size_t l = 0; l < n; l++)
            value[l] = hc_exp_inline(value[l]);
    else
        exp_middle_row(value, n);
}

HC_DISPATCH_WIDE
static void log_row(double *value, size_t n)
{
    HC_LANES(n) value[l] = hc_log_inline(value[l]);
}

/* ---- the standard normal distribution ---- */

HC_DISPATCH_WIDE
static void middle_row(const double *u, size_t n, double *z)
{
    HC_LANES(n) z[l] = hc_normal_middle(u[l]);
}

/* Where u stand that are not in the middle, without a branch: which they are is as good as random.
 */
static size_t find_tails(const double *u, size_t n, uint32_t *at)
{
    size_t n_tails = 0;
    for (size_t l = 0; l < n; l++) {
        at[n_tails] = (uint32_t)l;
        n_tails += !(__builtin_fabs(u[l] - 0.5) <= HC_WICHURA_MIDDLE);
    }
    return n_tails;
}

/* The tails, which is right as far as 1.4e-11; tail[i] becomes how far out it is. */
HC_DISPATCH_WIDE
static void near_row(double *tail, size_t n, double *z)
{
    HC_LANES(n)
    {
        double u = tail[l], r = hc_wichura_distance(u);
        z[l] = hc_normal_near(u, r);
        tail[l] = r;
    }
}

/* The middle for all of them, which is right for 85 %; the tails gathered and put in their places.
 */
static void normal_chunk(double *value, size_t n)
{
    double z[CHUNK], tail[CHUNK], tail_z[CHUNK];
    uint32_t at[CHUNK];
    size_t n_tails = find_tails(value, n, at);
    middle_row(value, n, z);
    for (size_t i = 0; i < n_tails; i++)
        tail[i] = value[at[i]];
    size_t n_whole = (n_tails + WIDEST - 1) / WIDEST * WIDEST; /* at most CHUNK */
    for (size_t i = n_tails; i < n_whole; i++)
        tail[i] = 0.01;
    near_row(tail, n_whole, tail_z);
    bool all_near = !count_beyond(tail, n_tails, 0, HC_WICHURA_NEAR);
    for (size_t i = 0; i < n_tails; i++)
        z[at[i]] =
            all_near || tail[i] <= HC_WICHURA_NEAR ? tail_z[i] : hc_normal_inline(value[at[i]]);
    memcpy(value, z, n * sizeof *value);
}

static void in_chunks(double *value, size_t n, void (*function)(double *value, size_t n))
{
    for (; n > CHUNK; n -= CHUNK, value += CHUNK)
        function(value, CHUNK);
    function(value, n);
}

void hc_exp_row(double *value, size_t n)
{
    in_chunks(value, n, exp_chunk);
}

void hc_log_row(double *value, size_t n)
{
    log_row(value, n);
}

void hc_normal_row(double *value, size_t n)
{
    in_chunks(value, n, normal_chunk);
}
