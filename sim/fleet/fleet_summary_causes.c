#include "sim/fleet/fleet_summary_tables.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- shares by cause ---- */

static void find_cause(struct hc_fleet_summary *summary, enum hc_straggler_cause id,
                       const struct hc_fleet_rows *rows)
{
    struct hc_fleet_cause *cause = &summary->causes[id];
    double sum = 0;
    size_t n_straggling = 0; /* late launches need not straggle */
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (!hc_fleet_is_analysed(row))
            continue;
        bool is_it = row->cause == id;
        hc_fleet_part_add(&cause->part, row, is_it);
        n_straggling += is_it && hc_fleet_is_straggling(row);
        cause->n_also += !is_it && (row->also >> id & 1);
        sum += is_it ? row->slowdown : 0;
        if (is_it && !isnan(hc_fleet_row_hours(row)))
            cause->hours_lost += row->gpu_hours_lost;
    }
    hc_fleet_part_close(&cause->part);
    cause->mean_slowdown = hc_fleet_ratio(sum, (double)cause->part.n);
    cause->lost_share = hc_fleet_ratio(cause->hours_lost, summary->hours_lost);
    cause->share_of_straggling =
        id == HC_STRAGGLER_NONE
            ? NAN
            : hc_fleet_ratio((double)n_straggling, (double)summary->n_straggling);
}

static bool costs_more(const struct hc_fleet_cause *cause, const struct hc_fleet_cause *other)
{
    return cause->hours_lost != other->hours_lost ? cause->hours_lost > other->hours_lost
                                                  : cause->part.n > other->part.n;
}

static enum hc_straggler_cause main_cause_of(const struct hc_fleet_summary *summary)
{
    enum hc_straggler_cause best = HC_STRAGGLER_NONE;
    for (int id = HC_STRAGGLER_NONE + 1; id < HC_N_STRAGGLER_CAUSES; id++)
        if (summary->causes[id].part.n > 0 &&
            (best == HC_STRAGGLER_NONE || costs_more(&summary->causes[id], &summary->causes[best])))
            best = id;
    return best;
}

void hc_fleet_find_causes(struct hc_fleet_summary *summary, const struct hc_fleet_rows *rows)
{
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES; id++)
        find_cause(summary, id, rows);
    summary->main_cause = main_cause_of(summary);
}

/* ---- the ranking ---- */

struct ranked {
    double value;
    size_t index;
};

/* Descending; equal ones in the order of the rows; NaN last. */
static int by_descending(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    double x = isnan(a->value) ? -INFINITY : a->value, y = isnan(b->value) ? -INFINITY : b->value;
    if (x != y)
        return x > y ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* The analysed rows whose GPU-hours are known, or those where they are not. */
static enum hc_status rank_rows(size_t **order, size_t *n, const struct hc_fleet_rows *rows,
                                bool is_known, struct hc_error *err)
{
    struct ranked *ranked = hc_new_array(rows->n, sizeof *ranked, err);
    *order = hc_new_array(rows->n, sizeof **order, err);
    if (!ranked || !*order) {
        free(ranked);
        return err->status;
    }
    *n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct hc_fleet_row *row = &rows->row[i];
        if (hc_fleet_is_analysed(row) && isnan(hc_fleet_row_hours(row)) != is_known)
            ranked[(*n)++] = (struct ranked){is_known ? row->gpu_hours_lost : row->waste, i};
    }
    qsort(ranked, *n, sizeof *ranked, by_descending);
    for (size_t i = 0; i < *n; i++)
        (*order)[i] = ranked[i].index;
    free(ranked);
    return HC_OK;
}

enum hc_status hc_fleet_find_ranking(struct hc_fleet_summary *summary,
                                     const struct hc_fleet_rows *rows, struct hc_error *err)
{
    enum hc_status status = rank_rows(&summary->ranked, &summary->n_ranked, rows, true, err);
    return status == HC_OK ? rank_rows(&summary->unranked, &summary->n_unranked, rows, false, err)
                           : status;
}
