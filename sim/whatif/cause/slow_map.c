#include "sim/whatif/cause/slow_map.h"

#include "sim/whatif/change/two_levels.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An upper level is this much above the lower one, or it is not called slow. */
#define LEAST_RISE 0.06
#define MOST_STEPS 0.8
/* From this error on of a level, as the passes of a step differ, loads are uneven. */
#define UNEVEN_LOAD 0.05
/* What is slow is slower than its peers, too, by this much. */
#define LEAST_OVER_PEERS 0.03
/* Pairs of workers that must be expected to meet in a slow step, and the part of them that may
 * meet, for slowness to be one that wanders. With 4 expected, none is seen by chance once in 50
 * times. */
#define LEAST_MEETINGS 4.0
#define FEW_MEETINGS   0.25
/* A worker that is slow for so many steps in a row, of each time that it is, is not one that
 * slowness visits. */
#define LEAST_STAY 3

/* Passes that are looked at together. */
static const uint8_t pass_sets[] = {
    1 << HC_FORWARD_PASS | 1 << HC_BACKWARD_PASS,
    1 << HC_FORWARD_PASS,
    1 << HC_BACKWARD_PASS,
};
#define N_PASS_SETS (sizeof pass_sets)

/* One part of the levels being searched. */
struct part_search {
    const struct hc_step_levels *levels;
    enum hc_level_part part;
    double *series[N_PASS_SETS]; /* [n_units][n_steps] */
    double noise[N_PASS_SETS];   /* standard deviation that a usual unit has */
    double *scratch;             /* [max(n_units, n_steps)] twice */
    uint8_t *is_high[2];         /* [n_steps] of the best set, and of the one being tried */
    const int64_t *step_ns;
    double least_cost_s;
    struct hc_slow_map *map;
    struct hc_error *err;
};

static double work_of(const struct part_search *s, size_t unit, enum hc_pass pass)
{
    const struct hc_step_levels *levels = s->levels;
    if (s->part == HC_LEVEL_STAGE || s->part == HC_LEVEL_OWN)
        return levels->work_ns[pass][unit % levels->n_stages];
    double sum = 0;
    for (size_t stage = 0; stage < levels->n_stages; stage++)
        sum += levels->work_ns[pass][stage] / (double)levels->n_stages;
    return sum;
}

static void fill_series(struct part_search *s, size_t set)
{
    size_t n = s->levels->n_steps;
    for (size_t unit = 0; unit < s->levels->n_units[s->part]; unit++) {
        double work[HC_N_PASSES], all = 0;
        for (int p = 0; p < HC_N_PASSES; p++) {
            work[p] = pass_sets[set] & 1 << p ? work_of(s, unit, (enum hc_pass)p) : 0;
            all += work[p];
        }
        for (size_t t = 0; t < n; t++) {
            double sum = 0;
            for (int p = 0; p < HC_N_PASSES; p++)
                sum += work[p] * s->levels->part[s->part][p][unit * n + t];
            s->series[set][unit * n + t] = all > 0 ? sum / all : 1;
        }
    }
}

/* Of two units the faster one has level 1 in each step, and neither has the spread that both have.
 * Their ratio has it. */
static double spread_of_two(const struct part_search *s, size_t set, double *ratio)
{
    size_t n = s->levels->n_steps;
    for (size_t t = 0; t < n; t++)
        ratio[t] = s->series[set][t] / s->series[set][n + t];
    return hc_spread(ratio, n, s->scratch);
}

/* The noise of a usual unit: the median of their spreads, the smaller middle one. */
static double noise_of(const struct part_search *s, size_t set)
{
    size_t n_units = s->levels->n_units[s->part], n = s->levels->n_steps;
    double *spreads = s->scratch + (n_units > n ? n_units : n);
    if (n_units == 2)
        return spread_of_two(s, set, spreads);
    for (size_t unit = 0; unit < n_units; unit++)
        spreads[unit] = hc_spread(s->series[set] + unit * n, n, s->scratch);
    return hc_select(spreads, n_units, (n_units - 1) / 2);
}

/* The error of a level as the passes of a step differ, where nothing else of the part shows what
 * they have in common: of a dp rank, and of workers that are one. */
static double pass_error(const struct part_search *s, size_t set)
{
    const struct hc_step_levels *levels = s->levels;
    if (s->part != HC_LEVEL_DP_RANK && levels->n_stages > 1)
        return 0;
    double error = 0;
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t stage = 0; pass_sets[set] & 1 << p && stage < levels->n_stages; stage++)
            error = fmax(error, levels->pass_error[p][stage]);
    return error;
}

/* ---- one unit ---- */

/* The level of a worker in a step: without what the job has in common, unless half of the job is
 * its stage. */
static double level_of(const struct part_search *s, size_t worker, size_t step, int pass)
{
    double level = hc_worker_level(s->levels, worker, step, pass);
    bool is_half = s->part == HC_LEVEL_STAGE && s->levels->n_stages == 2;
    return is_half ? level * s->levels->part[HC_LEVEL_JOB][pass][step] : level;
}

/* The median level of a worker over the steps that are, or are not, marked. NaN without any. */
static double level_where(const struct part_search *s, size_t worker, int pass,
                          const uint8_t *marks, uint8_t mark)
{
    size_t n = 0;
    for (size_t t = 0; t < s->levels->n_steps; t++)
        if (marks[t] == mark)
            s->scratch[n++] = level_of(s, worker, t, pass);
    return n ? hc_median(s->scratch, n) : NAN;
}

/* Enter a worker into the map, if its own passes are longer in the marked steps: at least half as
 * much as those of what it is a part of. */
static void enter(struct part_search *s, size_t worker, const struct hc_two_levels *found)
{
    size_t n = s->levels->n_steps;
    struct hc_slow_map *map = s->map;
    double least = 1 + (found->high / found->low - 1) / 2;
    uint8_t passes = 0;
    double healthy[HC_N_PASSES], rise[HC_N_PASSES];
    for (int p = 0; p < HC_N_PASSES; p++) {
        healthy[p] = level_where(s, worker, p, found->is_high, 0);
        rise[p] = level_where(s, worker, p, found->is_high, 1) / healthy[p];
    }
    double most = fmax(rise[HC_FORWARD_PASS], rise[HC_BACKWARD_PASS]);
    for (int p = 0; p < HC_N_PASSES; p++)
        if (rise[p] >= fmax(1 + LEAST_RISE / 2, 1 + (most - 1) / 4))
            passes |= (uint8_t)(1 << p);
    if (!passes || most < least)
        return;
    map->n_changing += map->passes[worker] == 0;
    map->passes[worker] |= passes;
    for (size_t t = 0; t < n; t++) {
        if (!found->is_high[t])
            continue;
        map->is_slow[worker * n + t] = 1;
        for (int p = 0; p < HC_N_PASSES; p++)
            if (passes & 1 << p)
                map->level[p][worker * n + t] = fmax(1, level_of(s, worker, t, p) / healthy[p]);
    }
}

/* Work that moves from one stage to another makes either slow against the other, in other steps.
 * To blame is the one that is slow while the steps are long: of two stages the other one, in the
 * other steps, where these are longer. False where no stage is to blame. */
static bool blame_stage(const struct part_search *s, size_t *stage, struct hc_two_levels *found)
{
    double sum[2] = {0, 0}, n[2] = {0, 0};
    for (size_t t = 0; t < s->levels->n_steps; t++) {
        sum[found->is_high[t]] += (double)s->step_ns[t];
        n[found->is_high[t]]++;
    }
    bool is_long = sum[1] / n[1] > sum[0] / n[0];
    if (s->levels->n_stages != 2)
        return is_long;
    found->high = found->low * (1 + LEAST_RISE); /* how much of it is the other's is not known */
    if (is_long)
        return true;
    *stage = 1 - *stage;
    for (size_t t = 0; t < s->levels->n_steps; t++)
        found->is_high[t] = !found->is_high[t];
    return true;
}

static void enter_unit(struct part_search *s, size_t unit, struct hc_two_levels *found)
{
    size_t n_stages = s->levels->n_stages;
    if (s->part == HC_LEVEL_STAGE && !blame_stage(s, &unit, found))
        return;
    if (s->part == HC_LEVEL_OWN)
        enter(s, unit, found);
    for (size_t stage = 0; s->part == HC_LEVEL_DP_RANK && stage < n_stages; stage++)
        enter(s, unit * n_stages + stage, found);
    for (size_t d = 0; s->part == HC_LEVEL_STAGE && d < s->levels->dp_size; d++)
        enter(s, d * n_stages + unit, found);
}

/* What the slow steps of a unit add to the mean step, when nothing hides it. */
static double cost_s(const struct part_search *s, size_t unit, size_t set,
                     const struct hc_two_levels *found)
{
    double work_ns = 0;
    for (int p = 0; p < HC_N_PASSES; p++)
        if (pass_sets[set] & 1 << p)
            work_ns += work_of(s, unit, (enum hc_pass)p);
    return (found->high - found->low) * work_ns * (double)found->n_high /
           (double)s->levels->n_steps / 1e9;
}

static bool may_change(const struct part_search *s, const double *values, double least)
{
    double lowest = values[0], highest = values[0];
    for (size_t t = 1; t < s->levels->n_steps; t++) {
        lowest = fmin(lowest, values[t]);
        highest = fmax(highest, values[t]);
    }
    return highest - lowest >= least * lowest;
}

static enum hc_status search_unit(struct part_search *s, size_t unit)
{
    struct hc_two_levels best = {.found = false};
    double best_score = 0;
    for (size_t set = 0; set < N_PASS_SETS; set++) {
        const double *values = s->series[set] + unit * s->levels->n_steps;
        struct hc_level_rule rule = {s->noise[set], LEAST_RISE, true};
        struct hc_two_levels found = {.is_high = s->is_high[1]};
        if (!may_change(s, values, LEAST_RISE))
            continue;
        if (hc_two_levels_find(&found, values, s->levels->n_steps, &rule, s->err))
            return s->err->status;
        bool has_peers = s->levels->dp_size > 1;
        /* Without peers to say what is usual, what nearly all steps have is usual. */
        bool is_usual =
            !has_peers && (double)found.n_high > MOST_STEPS * (double)s->levels->n_steps;
        /* A whole dp rank may have got long sequences in one step, and where its microbatches
         * differ much in two. */
        double error = pass_error(s, set);
        bool may_be_load =
            (found.n_high == 1 && error > 0) || (found.n_high == 2 && error > UNEVEN_LOAD);
        if (!found.found || may_be_load || is_usual ||
            (has_peers && found.high < 1 + LEAST_OVER_PEERS) ||
            cost_s(s, unit, set, &found) < s->least_cost_s)
            continue;
        double score = (found.high - found.low) / found.noise;
        if (score <= best_score)
            continue;
        best_score = score;
        best = found;
        best.is_high = s->is_high[0];
        memcpy(s->is_high[0], s->is_high[1], s->levels->n_steps);
    }
    if (best.found)
        enter_unit(s, unit, &best);
    return HC_OK;
}

/* ---- all together ---- */

static enum hc_status search_part(struct part_search *s)
{
    size_t n_units = s->levels->n_units[s->part];
    for (size_t set = 0; set < N_PASS_SETS; set++) {
        fill_series(s, set);
        s->noise[set] = fmax(noise_of(s, set), pass_error(s, set));
    }
    for (size_t unit = 0; unit < n_units; unit++)
        if (search_unit(s, unit))
            return s->err->status;
    return HC_OK;
}

/* Whether slowness goes from one worker to the next: several workers are slow in part of the steps,
 * and hardly two of them in the same step, where workers that are slow independently of each other
 * would be so in several. What wanders is no fault of the workers it visits. */
static bool wanders(const struct hc_slow_map *map)
{
    double sum = 0, squares = 0, observed = 0;
    size_t n_workers = 0;
    for (size_t w = 0; w < map->n_workers; w++) {
        double n = 0;
        for (size_t t = 0; t < map->n_steps; t++)
            n += map->is_slow[w * map->n_steps + t];
        sum += n;
        squares += n * n;
        n_workers += n > 0;
    }
    for (size_t t = 0; t < map->n_steps; t++) {
        double n = 0;
        for (size_t w = 0; w < map->n_workers; w++)
            n += map->is_slow[w * map->n_steps + t];
        observed += n * (n - 1) / 2;
    }
    double expected = (sum * sum - squares) / 2 / (double)map->n_steps;
    return n_workers >= 3 && expected >= LEAST_MEETINGS && observed <= FEW_MEETINGS * expected;
}

/* Whether a worker stays slow when it is: what visits a worker goes on in the next step. */
static bool stays(const struct hc_slow_map *map, size_t worker)
{
    const uint8_t *is_slow = map->is_slow + worker * map->n_steps;
    size_t n = 0, n_runs = 0;
    for (size_t t = 0; t < map->n_steps; t++) {
        n += is_slow[t];
        n_runs += is_slow[t] && (t == 0 || !is_slow[t - 1]);
    }
    return n >= LEAST_STAY * n_runs;
}

void hc_slow_map_clear(struct hc_slow_map *map)
{
    for (size_t w = 0; w < map->n_workers; w++) {
        if (!map->passes[w] || stays(map, w))
            continue;
        map->n_changing--;
        map->passes[w] = 0;
        memset(map->is_slow + w * map->n_steps, 0, map->n_steps);
        for (int p = 0; p < HC_N_PASSES; p++)
            for (size_t t = 0; t < map->n_steps; t++)
                map->level[p][w * map->n_steps + t] = 1;
    }
}

static enum hc_status allocate_map(struct hc_slow_map *map, const struct hc_step_levels *levels,
                                   struct hc_error *err)
{
    map->n_steps = levels->n_steps;
    map->n_workers = levels->dp_size * levels->n_stages;
    map->is_slow = hc_new_array(map->n_workers * map->n_steps, 1, err);
    map->passes = hc_new_array(map->n_workers, 1, err);
    for (int p = 0; p < HC_N_PASSES; p++) {
        map->level[p] = hc_new_array(map->n_workers * map->n_steps, sizeof(double), err);
        for (size_t i = 0; map->level[p] && i < map->n_workers * map->n_steps; i++)
            map->level[p][i] = 1;
    }
    return map->is_slow && map->passes && map->level[0] && map->level[1] ? HC_OK : err->status;
}

static enum hc_status allocate_search(struct part_search *s)
{
    size_t n_workers = s->map->n_workers, n = s->map->n_steps;
    s->scratch = hc_new_array(2 * (n_workers > n ? n_workers : n), sizeof *s->scratch, s->err);
    bool ok = s->scratch != NULL;
    for (size_t set = 0; set < N_PASS_SETS; set++) {
        s->series[set] = hc_new_array(n_workers * n, sizeof(double), s->err);
        ok = ok && s->series[set];
    }
    for (int i = 0; i < 2; i++) {
        s->is_high[i] = hc_new_array(n, 1, s->err);
        ok = ok && s->is_high[i];
    }
    return ok ? HC_OK : s->err->status;
}

static void search_fini(struct part_search *s)
{
    free(s->scratch);
    for (size_t set = 0; set < N_PASS_SETS; set++)
        free(s->series[set]);
    free(s->is_high[0]);
    free(s->is_high[1]);
}

enum hc_status hc_slow_map_find(struct hc_slow_map *map, const struct hc_step_levels *levels,
                                const int64_t *step_ns, double least_cost_s, struct hc_error *err)
{
    memset(map, 0, sizeof *map);
    struct part_search s = {
        .levels = levels, .map = map, .step_ns = step_ns, .least_cost_s = least_cost_s, .err = err};
    enum hc_status status = allocate_map(map, levels, err);
    if (status == HC_OK)
        status = allocate_search(&s);
    static const enum hc_level_part parts[] = {HC_LEVEL_DP_RANK, HC_LEVEL_STAGE, HC_LEVEL_OWN};
    for (size_t i = 0; status == HC_OK && i < sizeof parts / sizeof *parts; i++) {
        s.part = parts[i];
        status = search_part(&s);
    }
    search_fini(&s);
    if (status)
        hc_slow_map_fini(map);
    else if (wanders(map))
        hc_slow_map_clear(map);
    return status;
}

void hc_slow_map_fini(struct hc_slow_map *map)
{
    free(map->is_slow);
    free(map->passes);
    for (int p = 0; p < HC_N_PASSES; p++)
        free(map->level[p]);
    memset(map, 0, sizeof *map);
}
