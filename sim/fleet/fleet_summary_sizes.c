#include "core/base/memory.h"
#include "models/stats/rank_correlation.h"
#include "sim/fleet/fleet_summary_tables.h"

#include <math.h>

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
    hc_fleet_cdf_build(&size->slowdown, rows->scratch, n);
}

static bool has_size(const struct hc_fleet_row *row)
{
    return hc_fleet_is_analysed(row) && row->n_gpus > 0 && isfinite(row->slowdown);
}

static void find_correlation(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    /* The scratch holds two columns, GPUs and slowdown, and as much again for their ranks. */
    _Static_assert(HC_FLEET_SAMPLED_STEPS * sizeof *rows->scratch >= 4 * sizeof(double),
                   "the scratch has room for four numbers a row");
    double *gpus = (void *)rows->scratch, *slowdown = gpus + rows->n;
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (!has_size(row))
            continue;
        gpus[n] = (double)row->n_gpus;
        slowdown[n++] = row->slowdown;
    }
    summary->n_size_pairs = n;
    summary->n_size_unknown = summary->n_analysed - n;
    summary->size_correlation = hc_rank_correlation(gpus, slowdown, n, slowdown + rows->n);
}

static enum hc_status list_sized(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows,
                                 struct hc_error *err)
{
    for (int straggles = 0; straggles < 2; straggles++) {
        size_t *sized = hc_new_array(rows->n, sizeof *sized, err), n = 0;
        if (!sized)
            return err->status;
        for (size_t i = 0; i < rows->n; i++)
            if (has_size(&rows->row[i]) && hc_fleet_is_straggling(&rows->row[i]) == straggles)
                sized[n++] = i;
        summary->sized[straggles] = sized;
        summary->n_sized[straggles] = n;
    }
    return HC_OK;
}

enum hc_status hc_fleet_find_sizes(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err)
{
    for (int c = 0; c < N_CLASSES; c++) {
        struct hc_fleet_size *size = &summary->sizes[summary->n_sizes];
        find_size(size, c, rows);
        summary->n_sizes += size->straggling.of > 0;
    }
    find_correlation(summary, rows);
    return list_sized(summary, rows, err);
}
