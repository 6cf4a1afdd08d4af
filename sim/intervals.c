/* intervals.c - how sure S, M_W and M_S are, given how steps differ: a moving-block bootstrap over
 * the steps (docs/methods/intervals.md). */
#include "sim/block_bootstrap.h"
#include "sim/ideal_moves.h"
#include "sim/ideal_slopes.h"
#include "sim/whatif_analysis.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL       0.95
#define N_RESAMPLES 2000
#define LEAST_STEPS HC_INTERVALS_LEAST_STEPS

/* What each step adds to the sums that the figures are ratios of; with its part of the ideals. */
enum column { REPLAYED, IDEAL_END, IDEAL, STAGE_IDEAL, SLOWEST_IDEAL, N_COLUMNS };

static double sum_moves(const struct hc_ideal_moves *moves, const double *slope, size_t step)
{
    double sum = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (moves->move_ns[type])
            sum += slope[type] * moves->move_ns[type][step];
    return sum;
}

static void fill_rows(double *rows, const struct hc_whatif_analysis *a,
                      const struct hc_ideal_moves *moves, const struct hc_ideal_slopes *slopes)
{
    const struct hc_whatif_result *r = a->result;
    for (size_t s = 0; s < r->n_steps; s++) {
        double *row = rows + s * N_COLUMNS;
        row[REPLAYED] = (double)r->replayed_ns[s];
        row[IDEAL_END] = (double)r->ideal_end_ns[s] + sum_moves(moves, slopes->end, s);
        row[IDEAL] = (double)r->ideal_ns[s] + sum_moves(moves, slopes->span, s);
        row[STAGE_IDEAL] =
            (double)a->stage_ideal_span_ns[s] + sum_moves(moves, slopes->stage_ideal, s);
        row[SLOWEST_IDEAL] =
            a->slowest_ideal_span_ns
                ? (double)a->slowest_ideal_span_ns[s] + sum_moves(moves, slopes->slowest_ideal, s)
                : NAN;
    }
}

/* The steps as rows of the columns. */
static enum hc_status find_rows(double *rows, const struct hc_whatif_analysis *a)
{
    struct hc_ideal_moves moves;
    struct hc_ideal_slopes slopes;
    if (hc_ideal_moves_find(&moves, &a->lanes, &a->ideals, a->err))
        return a->err->status;
    enum hc_status status = hc_ideal_slopes_find(&slopes, a, &moves);
    if (status == HC_OK)
        fill_rows(rows, a, &moves, &slopes);
    hc_ideal_moves_fini(&moves);
    return status;
}

static struct hc_interval interval_of(double estimate, double *figures,
                                      const struct hc_intervals *settings)
{
    return hc_bootstrap_interval(estimate, figures, settings->n_resamples, settings);
}

static void find_slowdown(struct hc_intervals *out, const double *sums, double *figures,
                          double estimate)
{
    for (int32_t b = 0; b < out->n_resamples; b++) {
        const double *sum = sums + (size_t)b * N_COLUMNS;
        figures[b] = sum[REPLAYED] / sum[IDEAL_END];
    }
    out->slowdown = interval_of(estimate, figures, out);
}

/* Whether the excess is sure to be there: a share of nothing can be anything. */
static bool has_excess(const struct hc_intervals *out, const double *sums, double *figures,
                       const struct hc_explained *e)
{
    double mean_ns = 1e9 * (double)out->n_steps;
    for (int32_t b = 0; b < out->n_resamples; b++) {
        const double *sum = sums + (size_t)b * N_COLUMNS;
        figures[b] = sum[REPLAYED] - sum[IDEAL];
    }
    struct hc_interval excess = interval_of((e->replayed_s - e->ideal_s) * mean_ns, figures, out);
    return excess.low > 0 || excess.high < 0;
}

static void find_share(struct hc_interval *interval, const struct hc_intervals *out,
                       const double *sums, double *figures, enum column removed, double estimate)
{
    for (int32_t b = 0; b < out->n_resamples; b++) {
        const double *sum = sums + (size_t)b * N_COLUMNS;
        figures[b] = (sum[REPLAYED] - sum[removed]) / (sum[REPLAYED] - sum[IDEAL]);
    }
    *interval = interval_of(estimate, figures, out);
}

static void find_all(struct hc_intervals *out, const struct hc_whatif_result *r, const double *sums,
                     double *figures)
{
    find_slowdown(out, sums, figures, r->slowdown);
    out->done = true;
    if (!has_excess(out, sums, figures, &r->m_s))
        return;
    find_share(&out->m_s, out, sums, figures, STAGE_IDEAL, r->m_s.rem);
    if (r->m_w.done)
        find_share(&out->m_w, out, sums, figures, SLOWEST_IDEAL, r->m_w.rem);
}

enum hc_status hc_intervals_find(struct hc_whatif_analysis *analysis)
{
    struct hc_whatif_result *r = analysis->result;
    struct hc_intervals *out = &r->depth.intervals;
    const struct hc_interval unknown = {NAN, NAN};
    *out = (struct hc_intervals){
        .level = LEVEL, .n_steps = r->n_steps, .slowdown = unknown, .m_w = unknown, .m_s = unknown};
    if (r->n_steps < LEAST_STEPS)
        return HC_OK;
    out->block_steps = hc_block_steps(r->n_steps);
    out->n_resamples = N_RESAMPLES;
    double *rows = hc_new_array(r->n_steps * N_COLUMNS, sizeof *rows, analysis->err);
    double *sums = hc_new_array((size_t)N_RESAMPLES * N_COLUMNS, sizeof *sums, analysis->err);
    double *figures = hc_new_array(N_RESAMPLES, sizeof *figures, analysis->err);
    enum hc_status status = rows && sums && figures ? HC_OK : analysis->err->status;
    if (status == HC_OK)
        status = find_rows(rows, analysis);
    struct hc_step_rows table = {r->n_steps, N_COLUMNS, rows};
    if (status == HC_OK)
        status = hc_block_bootstrap(sums, N_RESAMPLES, &table, out->block_steps, analysis->err);
    if (status == HC_OK)
        find_all(out, r, sums, figures);
    free(rows);
    free(sums);
    free(figures);
    return status;
}
