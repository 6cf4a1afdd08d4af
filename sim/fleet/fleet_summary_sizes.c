#include "sim/fleet/fleet_summary_tables.h"

#include <math.h>
#include <stdlib.h>

/* Size classes: class c holds 2^c to 2^(c+1) - 1 GPUs; the last those of which they are not known.
 */
#define NOT_KNOWN 63
#define N_CLASSES 64

static int class_of(const struct hc_fleet_row *row)
{
    int c = 0;
    if (row->n_gpus <= 0)
        return NOT_KNOWN;
    while (row->n_gpus >> (c + 1))
        c++;
    return c;
}

static void find_size(struct hc_fleet_size *size, int c, const struct hc_fleet_rows *rows)
{
    size_t n = 0;
    *size = (struct hc_fleet_size){.hours_lost = 0};
    if (c != NOT_KNOWN) {
        size->from = (int64_t)1 << c;
        size->to = c < 62 ? (int64_t)1 << (c + 1) : INT64_MAX;
    }
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (!hc_fleet_is_analysed(row) || class_of(row) != c)
            continue;
        if (isfinite(row->slowdown))
            rows->scratch[n++] = (struct hc_weighted){row->slowdown, 1};
        size->hours_lost += isnan(hc_fleet_row_hours(row)) ? 0 : row->gpu_hours_lost;
        hc_fleet_part_add(&size->straggling, row, hc_fleet_is_straggling(row));
    }
    hc_fleet_part_close(&size->straggling);
    hc_fleet_cdf_of(&size->slowdown, rows->scratch, n);
}

/* ---- Spearman's rank correlation ---- */

static int by_value(const void *left, const void *right)
{
    const struct hc_weighted *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* Give each point, as its value, the rank of its value among the n (the mean rank where they tie).
 * key carries what must stay with it. */
static void rank(struct hc_weighted *points, size_t n)
{
    qsort(points, n, sizeof *points, by_value);
    for (size_t first = 0, after; first < n; first = after) {
        for (after = first + 1; after < n && points[after].value == points[first].value; after++)
            continue;
        for (size_t i = first; i < after; i++)
            points[i].value = (double)(first + after - 1) / 2;
    }
}

static void swap(struct hc_weighted *points, size_t n)
{
    for (size_t i = 0; i < n; i++)
        points[i] = (struct hc_weighted){points[i].weight, points[i].value};
}

/* Pearson's coefficient of two columns of ranks; their mean is (n - 1) / 2 whatever the ties. All
 * terms are quarters of whole numbers, so the sums are exact in any order. */
static double rank_correlation(const struct hc_weighted *points, size_t n)
{
    double mean = (double)(n - 1) / 2, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        double x = points[i].value - mean, y = points[i].weight - mean;
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void find_correlation(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    struct hc_weighted *points = rows->scratch;
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (hc_fleet_is_analysed(row) && row->n_gpus > 0 && isfinite(row->slowdown))
            points[n++] = (struct hc_weighted){(double)row->n_gpus, row->slowdown};
    }
    rank(points, n);
    swap(points, n);
    rank(points, n);
    summary->n_size_pairs = n;
    summary->size_correlation = n > 1 ? rank_correlation(points, n) : NAN;
}

void hc_fleet_find_sizes(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    for (int c = 0; c < N_CLASSES; c++) {
        struct hc_fleet_size *size = &summary->sizes[summary->n_sizes];
        find_size(size, c, rows);
        summary->n_sizes += size->straggling.of > 0;
    }
    find_correlation(summary, rows);
}
