/* intervals.c - how sure S, M_W and M_S are, given how steps differ and how they follow each other
 * (docs/methods/intervals.md). */
#include "sim/replay/ideal_moves.h"
#include "sim/whatif/ideal_slopes.h"
#include "sim/whatif/level_spans.h"
#include "sim/whatif/step_doubt.h"
#include "sim/whatif/whatif_analysis.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVEL 0.95
/* A share of less than this of what a step does to a figure is too little to matter. */
#define LEAST_LEVELS 0.08
/* Of what levels do to S, this much they are taken to do to M_W and M_S at least: in these they can
 * cancel in the steps that are there, and do not in others. */
#define LEVELS_OF_SHARES 0.7
/* Standard errors of the correlation on top of it, where steps have no levels. */
#define ERRORS_OF_S      0.5
#define ERRORS_OF_SHARES 0.7
#define LEAST_FREEDOM    4

/* The figures are ratios of sums over steps. A row holds what one step adds to each sum, ns: its
 * time, and how much it moves the ideals that the sum is made with (sum_moves). */
enum column {
    REPLAYED,
    IDEAL_END,
    IDEAL,
    STAGE_IDEAL,
    SLOWEST_IDEAL, /* 0 when M_W is not done */
    /* The same where only levels are left of the differences between steps. */
    LEVELS_REPLAYED,
    LEVELS_STAGE_IDEAL,
    LEVELS_SLOWEST_IDEAL,
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

struct rows {
    size_t n_steps;
    double *value; /* [n_steps][N_COLUMNS] */
    bool has_levels;
    double *part, *whole, *effect, *levels; /* [n_steps] scratch */
};

static void fill_rows(struct rows *rows, const struct hc_whatif_analysis *a,
                      const struct hc_ideal_moves *moves, const struct hc_ideal_slopes *slopes)
{
    const struct hc_whatif_result *r = a->result;
    for (size_t s = 0; s < rows->n_steps; s++) {
        double *row = rows->value + s * N_COLUMNS;
        double stage = sum_moves(moves, slopes->stage_ideal, s);
        double slowest = sum_moves(moves, slopes->slowest_ideal, s);
        row[REPLAYED] = (double)r->replayed_ns[s];
        row[IDEAL_END] = (double)r->ideal_end_ns[s] + sum_moves(moves, slopes->end, s);
        row[IDEAL] = (double)r->ideal_ns[s] + sum_moves(moves, slopes->span, s);
        row[STAGE_IDEAL] = (double)a->stage_ideal_span_ns[s] + stage;
        row[LEVELS_STAGE_IDEAL] = stage;
        if (a->slowest_ideal_span_ns)
            row[SLOWEST_IDEAL] = (double)a->slowest_ideal_span_ns[s] + slowest;
        row[LEVELS_SLOWEST_IDEAL] = slowest;
    }
}

static void add_levels(struct rows *rows, const struct hc_level_spans *levels)
{
    rows->has_levels = levels->any;
    for (size_t s = 0; levels->any && s < rows->n_steps; s++) {
        double *row = rows->value + s * N_COLUMNS;
        row[LEVELS_REPLAYED] = (double)levels->replayed_ns[s];
        row[LEVELS_STAGE_IDEAL] += (double)levels->stage_ideal_ns[s];
        if (levels->slowest_ideal_ns)
            row[LEVELS_SLOWEST_IDEAL] += (double)levels->slowest_ideal_ns[s];
    }
}

static enum hc_status find_rows(struct rows *rows, const struct hc_whatif_analysis *a)
{
    struct hc_ideal_moves moves;
    struct hc_ideal_slopes slopes;
    struct hc_level_spans levels;
    if (hc_ideal_moves_find(&moves, &a->lanes, &a->ideals, a->err))
        return a->err->status;
    enum hc_status status = hc_ideal_slopes_find(&slopes, a, &moves);
    if (status == HC_OK)
        fill_rows(rows, a, &moves, &slopes);
    hc_ideal_moves_fini(&moves);
    if (status == HC_OK)
        status = hc_level_spans_find(&levels, a);
    if (status == HC_OK) {
        add_levels(rows, &levels);
        hc_level_spans_fini(&levels);
    }
    return status;
}

/* A figure is (part - less) / (whole - whole_less), each the sum of a column over the steps. */
struct figure {
    enum column part, less, whole, whole_less; /* NO_COLUMN: nothing is taken off */
};

static const struct figure slowdown = {REPLAYED, NO_COLUMN, IDEAL_END, NO_COLUMN};
static const struct figure m_s = {REPLAYED, STAGE_IDEAL, REPLAYED, IDEAL};
static const struct figure m_w = {REPLAYED, SLOWEST_IDEAL, REPLAYED, IDEAL};

static enum column with_levels(enum column column)
{
    switch (column) {
    case REPLAYED:
        return LEVELS_REPLAYED;
    case STAGE_IDEAL:
        return LEVELS_STAGE_IDEAL;
    case SLOWEST_IDEAL:
        return LEVELS_SLOWEST_IDEAL;
    default:
        return column;
    }
}

static double difference(const double *row, enum column from, enum column less)
{
    return less == NO_COLUMN ? row[from] : row[from] - row[less];
}

static void center(double *value, size_t n)
{
    double sum = 0;
    for (size_t s = 0; s < n; s++)
        sum += value[s];
    for (size_t s = 0; s < n; s++)
        value[s] -= sum / (double)n;
}

/* How much each step moves the figure, to first order, ns: its part less the figure times its
 * whole. The same by levels alone. Fills all scratch. */
static void find_effects(struct rows *rows, const struct figure *f)
{
    double part = 0, whole = 0;
    size_t n = rows->n_steps;
    for (size_t s = 0; s < n; s++) {
        const double *row = rows->value + s * N_COLUMNS;
        part += rows->part[s] = difference(row, f->part, f->less);
        whole += rows->whole[s] = difference(row, f->whole, f->whole_less);
    }
    struct figure g = {with_levels(f->part), with_levels(f->less), with_levels(f->whole),
                       with_levels(f->whole_less)};
    for (size_t s = 0; s < n; s++) {
        const double *row = rows->value + s * N_COLUMNS;
        rows->effect[s] = rows->part[s] - part / whole * rows->whole[s];
        rows->levels[s] =
            difference(row, g.part, g.less) - part / whole * difference(row, g.whole, g.whole_less);
    }
    center(rows->levels, n);
}

/* The share of the variance of the effects that levels make, 0 to 1. */
static double share_of_levels(const struct rows *rows)
{
    double product = 0, square = 0;
    for (size_t s = 0; rows->has_levels && s < rows->n_steps; s++) {
        product += rows->effect[s] * rows->levels[s];
        square += rows->effect[s] * rows->effect[s];
    }
    return square > 0 ? fmin(1, fmax(0, product / square)) : 0;
}

/* The correlation of the replayed times as levels make them. */
static double correlation_of_levels(struct rows *rows)
{
    for (size_t s = 0; s < rows->n_steps; s++)
        rows->levels[s] = rows->value[s * N_COLUMNS + LEVELS_REPLAYED];
    center(rows->levels, rows->n_steps);
    return hc_step_correlation(rows->levels, rows->n_steps);
}

static struct hc_step_doubt larger(struct hc_step_doubt a, struct hc_step_doubt b)
{
    struct hc_step_doubt both = a.growth < b.growth ? b : a;
    both.is_hopeless = a.is_hopeless || b.is_hopeless;
    both.correlation = fmax(a.correlation, b.correlation);
    return both;
}

/* The freedom that Student's t has for a variance of values as these, not fewer than a few: where a
 * few steps make most of it, it rests on them alone. The variance of a variance is (k - 1) / n of
 * its square, with k the kurtosis, and 2 / freedom for a normal distribution. */
static double freedom_of(const double *effect, size_t n_steps)
{
    double square = 0, fourth = 0, n = (double)n_steps;
    for (size_t s = 0; s < n_steps; s++) {
        square += effect[s] * effect[s];
        fourth += effect[s] * effect[s] * effect[s] * effect[s];
    }
    double kurtosis = square > 0 ? n * fourth / (square * square) : 0;
    return kurtosis > 1 ? fmax(LEAST_FREEDOM, 2 * n / (kurtosis - 1) - 1) : INFINITY;
}

/* Of the figure whose effects the scratch holds. */
static struct hc_step_doubt find_doubt(const struct rows *rows, double errors)
{
    size_t n = rows->n_steps;
    double correlation = hc_step_correlation(rows->effect, n), share = share_of_levels(rows);
    struct hc_step_doubt doubt = hc_doubt_of_steps(correlation, n, errors);
    doubt.freedom = fmin(doubt.freedom, freedom_of(rows->effect, n));
    if (share < LEAST_LEVELS)
        return doubt;
    correlation = fmax(correlation, hc_step_correlation(rows->levels, n));
    struct hc_step_doubt of_levels = hc_doubt_of_levels(correlation, share, n);
    doubt.is_hopeless = false;
    return larger(doubt, of_levels);
}

/* What the levels of the replayed times may do to a share in other steps, even if they are too
 * much alike to tell. of_s: the share that levels have in what the steps do to S. */
static struct hc_step_doubt doubt_by_times(struct rows *rows, double of_s)
{
    size_t n = rows->n_steps;
    double share = fmax(share_of_levels(rows), LEVELS_OF_SHARES * of_s);
    struct hc_step_doubt doubt = hc_doubt_of_levels(correlation_of_levels(rows), share, n);
    doubt.is_hopeless = false;
    doubt.correlation = -1;
    return doubt;
}

/* How many steps of equal excess say as much of its parts as these do: the square of its sum over
 * the sum of its squares (Kish 1965). */
static double steps_of_excess(const struct rows *rows)
{
    double sum = 0, squares = 0;
    for (size_t s = 0; s < rows->n_steps; s++) {
        sum += rows->whole[s];
        squares += rows->whole[s] * rows->whole[s];
    }
    return squares > 0 ? sum * sum / squares : 0;
}

/* Whether the excess lies in fewer steps than an interval needs at all (in a trace that has not
 * twice as many: in fewer than half of its steps). What shares such an excess can differ a lot in
 * other steps, and these steps need not show it: if none of seven pauses is of the last stage, all
 * of them agree that its share is 0. */
static bool lies_in_few_steps(const struct rows *rows)
{
    return steps_of_excess(rows) < fmin(HC_INTERVALS_LEAST_STEPS, (double)rows->n_steps / 2);
}

static void lack_steps(struct hc_interval_reason *reason, const struct rows *rows)
{
    char n[HC_NUMBER_TEXT];
    reason->lack = HC_INTERVAL_TOO_FEW;
    snprintf(
        reason->text, sizeof reason->text,
        "the excess of the %zu steps lies in few of them (it weighs as %s equal ones), and what "
        "has a part in these says little of others",
        rows->n_steps, hc_format_fixed(steps_of_excess(rows), 1, n));
}

static void lack(struct hc_interval_reason *reason, enum hc_interval_lack lack, size_t n_steps)
{
    char r[HC_NUMBER_TEXT];
    reason->lack = lack;
    if (lack == HC_INTERVAL_NO_EXCESS)
        snprintf(reason->text, sizeof reason->text,
                 "beside how the %zu steps differ the excess is small, and a share of it anything",
                 n_steps);
    if (lack == HC_INTERVAL_TOO_CLOSE)
        snprintf(reason->text, sizeof reason->text,
                 "%zu steps that follow each other too closely (correlation %s) hold too little: "
                 "trace some %zu steps",
                 n_steps, hc_format_fixed(reason->correlation, 1, r),
                 hc_enough_steps(reason->correlation));
}

/* The interval of the figure whose effects the scratch holds, or why there is none. The figure of
 * the rows and the estimate differ by rounding. */
static void find_interval(struct hc_interval *interval, struct hc_interval_reason *reason,
                          const struct rows *rows, const struct hc_step_doubt *doubt)
{
    reason->correlation = doubt->correlation;
    if (doubt->is_hopeless) {
        lack(reason, HC_INTERVAL_TOO_CLOSE, rows->n_steps);
        return;
    }
    *interval = hc_ratio_interval(rows->part, rows->whole, rows->n_steps, doubt, LEVEL);
    if (isnan(interval->low))
        lack(reason, HC_INTERVAL_NO_EXCESS, rows->n_steps);
}

/* S of the job is a mean of the S of its steps: no interval goes beyond those. */
static void bound(struct hc_interval *interval, const struct hc_whatif_result *r)
{
    double least = r->step_slowdown[0], most = least;
    for (size_t s = 1; s < r->n_steps; s++) {
        least = fmin(least, r->step_slowdown[s]);
        most = fmax(most, r->step_slowdown[s]);
    }
    if (isnan(interval->low))
        return;
    interval->low = fmin(fmax(interval->low, least), r->slowdown);
    interval->high = fmax(fmin(interval->high, most), r->slowdown);
}

static void find_share(struct hc_interval *interval, struct hc_interval_reason *reason,
                       struct rows *rows, const struct figure *figure, double levels_of_s)
{
    find_effects(rows, figure);
    if (lies_in_few_steps(rows)) {
        lack_steps(reason, rows);
        return;
    }
    struct hc_step_doubt doubt = find_doubt(rows, ERRORS_OF_SHARES);
    if (levels_of_s >= LEAST_LEVELS)
        doubt = larger(doubt, doubt_by_times(rows, levels_of_s));
    doubt.is_hopeless = false;
    find_interval(interval, reason, rows, &doubt);
}

/* Whether the steps may have no excess at all: its interval, as of independent steps, holds 0. */
static bool may_have_no_excess(struct rows *rows)
{
    size_t n = rows->n_steps;
    for (size_t s = 0; s < n; s++) {
        const double *row = rows->value + s * N_COLUMNS;
        rows->part[s] = rows->effect[s] = row[REPLAYED] - row[IDEAL];
        rows->whole[s] = 1;
    }
    center(rows->effect, n);
    struct hc_step_doubt doubt = hc_doubt_of_steps(0, n, 0);
    return !(hc_ratio_interval(rows->part, rows->whole, n, &doubt, LEVEL).low > 0);
}

static void find_all(struct rows *rows, struct hc_whatif_result *r)
{
    struct hc_intervals *out = &r->depth.intervals;
    out->done = true;
    find_effects(rows, &slowdown);
    double levels_of_s = share_of_levels(rows);
    struct hc_step_doubt doubt = find_doubt(rows, ERRORS_OF_S);
    find_interval(&out->slowdown, &out->slowdown_reason, rows, &doubt);
    bound(&out->slowdown, r);
    bool is_small = may_have_no_excess(rows);
    if (is_small) {
        hc_explained_forget(&r->m_s);
        hc_explained_forget(&r->m_w);
    }
    if (is_small || isnan(hc_whatif_excess_s(r))) {
        lack(&out->m_s_reason, HC_INTERVAL_NO_EXCESS, rows->n_steps);
        lack(&out->m_w_reason, HC_INTERVAL_NO_EXCESS, rows->n_steps);
        return;
    }
    if (r->pp_size > 1)
        find_share(&out->m_s, &out->m_s_reason, rows, &m_s, levels_of_s);
    else
        lack(&out->m_s_reason, HC_INTERVAL_NO_FIGURE, rows->n_steps);
    if (r->m_w.done)
        find_share(&out->m_w, &out->m_w_reason, rows, &m_w, levels_of_s);
    else
        lack(&out->m_w_reason, HC_INTERVAL_NO_FIGURE, rows->n_steps);
}

enum hc_status hc_intervals_find(struct hc_whatif_analysis *a)
{
    const struct hc_interval unknown = {NAN, NAN};
    struct hc_intervals *out = &a->result->depth.intervals;
    size_t n = a->result->n_steps;
    *out = (struct hc_intervals){.level = LEVEL,
                                 .n_steps = n,
                                 .unseen_share = 1 - pow(1 - LEVEL, 1 / (double)n),
                                 .slowdown = unknown,
                                 .m_w = unknown,
                                 .m_s = unknown};
    if (n < HC_INTERVALS_LEAST_STEPS)
        return HC_OK;
    struct rows rows = {.n_steps = n, .value = hc_new_array(n * N_COLUMNS, sizeof(double), a->err)};
    double *scratch = hc_new_array(4 * n, sizeof *scratch, a->err);
    enum hc_status status = rows.value && scratch ? HC_OK : a->err->status;
    rows.part = scratch;
    if (status == HC_OK) {
        rows.whole = scratch + n;
        rows.effect = scratch + 2 * n;
        rows.levels = scratch + 3 * n;
        status = find_rows(&rows, a);
    }
    if (status == HC_OK)
        find_all(&rows, a->result);
    free(rows.value);
    free(scratch);
    return status;
}
