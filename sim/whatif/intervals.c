/* intervals.c - how sure S, M_W and M_S are, given how steps differ: a moving-block bootstrap over
 * the steps (docs/methods/intervals.md). */
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/block_bootstrap.h"
#include "sim/whatif/ideal_slopes.h"
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL       0.95
#define N_RESAMPLES 2000
#define NS_PER_S    1e9

/* The figures are ratios of sums over steps. A row holds what one step adds to each sum, ns: its
 * time, and how much it moves the ideals that the sum is made with (sum_moves). */
enum column {
    STEPS, /* 1 */
    REPLAYED,
    IDEAL_END,
    IDEAL,
    STAGE_IDEAL,
    SLOWEST_IDEAL, /* 0 when M_W is not done */
    N_COLUMNS,
    NO_COLUMN
};

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
        row[STEPS] = 1;
        row[REPLAYED] = (double)r->replayed_ns[s];
        row[IDEAL_END] = (double)r->ideal_end_ns[s] + sum_moves(moves, slopes->end, s);
        row[IDEAL] = (double)r->ideal_ns[s] + sum_moves(moves, slopes->span, s);
        row[STAGE_IDEAL] =
            (double)a->stage_ideal_span_ns[s] + sum_moves(moves, slopes->stage_ideal, s);
        if (a->slowest_ideal_span_ns)
            row[SLOWEST_IDEAL] =
                (double)a->slowest_ideal_span_ns[s] + sum_moves(moves, slopes->slowest_ideal, s);
    }
}

/* Fill rows [n_steps][N_COLUMNS]. */
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

/* A figure is (part - less) / (whole - whole_less), each the sum of a column over the steps. */
struct figure {
    enum column part, less, whole, whole_less; /* NO_COLUMN: nothing is taken off */
};

static const struct figure slowdown = {REPLAYED, NO_COLUMN, IDEAL_END, NO_COLUMN};
static const struct figure m_s = {REPLAYED, STAGE_IDEAL, REPLAYED, IDEAL};
static const struct figure m_w = {REPLAYED, SLOWEST_IDEAL, REPLAYED, IDEAL};
static const struct figure excess = {REPLAYED, IDEAL, STEPS, NO_COLUMN};

struct bootstrap {
    struct hc_intervals *out;
    const double *rows; /* [n_steps][N_COLUMNS] */
    double *sums;       /* [n_resamples][N_COLUMNS] */
    double *figures;    /* [n_resamples] scratch */
    double *values;     /* [n_steps] scratch */
};

static double difference(const double *row, enum column from, enum column less)
{
    return less == NO_COLUMN ? row[from] : row[from] - row[less];
}

static double ratio_of(const double *sum, const struct figure *f)
{
    return difference(sum, f->part, f->less) / difference(sum, f->whole, f->whole_less);
}

/* How much each step moves the figure, to first order: its part less the figure times its whole.
 * The correlation of this series from one step to the next. */
static double correlation_of(const struct bootstrap *b, const struct figure *f)
{
    double part = 0, whole = 0;
    for (size_t s = 0; s < b->out->n_steps; s++) {
        part += difference(b->rows + s * N_COLUMNS, f->part, f->less);
        whole += difference(b->rows + s * N_COLUMNS, f->whole, f->whole_less);
    }
    for (size_t s = 0; s < b->out->n_steps; s++) {
        const double *row = b->rows + s * N_COLUMNS;
        b->values[s] = difference(row, f->part, f->less) -
                       part / whole * difference(row, f->whole, f->whole_less);
    }
    return hc_step_correlation(b->values, b->out->n_steps);
}

static struct hc_interval interval_of(const struct bootstrap *b, const struct figure *f,
                                      double estimate)
{
    for (int32_t i = 0; i < b->out->n_resamples; i++) {
        b->figures[i] = ratio_of(b->sums + (size_t)i * N_COLUMNS, f);
        if (isnan(b->figures[i])) /* 0 / 0: steps without any excess, drawn alone */
            return (struct hc_interval){NAN, NAN};
    }
    return hc_bootstrap_interval(estimate, b->figures, correlation_of(b, f), b->out);
}

static void find_all(const struct bootstrap *b, struct hc_whatif_result *r)
{
    struct hc_intervals *out = b->out;
    out->done = true;
    out->slowdown = interval_of(b, &slowdown, r->slowdown);
    /* M_W and M_S are shares of the excess. Where the interval of the excess includes 0, a share of
     * it can be anything, and is not given. */
    struct hc_interval left = interval_of(b, &excess, (r->replayed_s - r->ideal_s) * NS_PER_S);
    if (left.low <= 0) {
        hc_explained_forget(&r->m_s);
        hc_explained_forget(&r->m_w);
    }
    if (!(left.low > 0) || isnan(hc_whatif_excess_s(r)))
        return;
    if (r->pp_size > 1)
        out->m_s = interval_of(b, &m_s, r->m_s.rem);
    if (r->m_w.done)
        out->m_w = interval_of(b, &m_w, r->m_w.rem);
}

static enum hc_status run_bootstrap(struct bootstrap *b, const struct hc_whatif_analysis *a)
{
    size_t n = b->out->n_steps;
    double *rows = hc_new_array(n * N_COLUMNS, sizeof *rows, a->err);
    b->rows = rows;
    b->sums = hc_new_array((size_t)b->out->n_resamples * N_COLUMNS, sizeof *b->sums, a->err);
    b->figures = hc_new_array((size_t)b->out->n_resamples, sizeof *b->figures, a->err);
    b->values = hc_new_array(n, sizeof *b->values, a->err);
    if (!rows || !b->sums || !b->figures || !b->values || find_rows(rows, a))
        return a->err->status;
    struct hc_step_rows table = {n, N_COLUMNS, rows};
    if (hc_block_bootstrap(b->sums, b->out->n_resamples, &table, b->out->block_steps, a->err))
        return a->err->status;
    find_all(b, a->result);
    return HC_OK;
}

enum hc_status hc_intervals_find(struct hc_whatif_analysis *analysis)
{
    const struct hc_interval unknown = {NAN, NAN};
    struct hc_intervals *out = &analysis->result->depth.intervals;
    *out = (struct hc_intervals){.level = LEVEL,
                                 .n_steps = analysis->result->n_steps,
                                 .slowdown = unknown,
                                 .m_w = unknown,
                                 .m_s = unknown};
    if (out->n_steps < HC_INTERVALS_LEAST_STEPS)
        return HC_OK;
    out->block_steps = hc_block_steps(out->n_steps);
    out->n_resamples = N_RESAMPLES;
    struct bootstrap b = {.out = out};
    enum hc_status status = run_bootstrap(&b, analysis);
    free((double *)b.rows);
    free(b.sums);
    free(b.figures);
    free(b.values);
    return status;
}
