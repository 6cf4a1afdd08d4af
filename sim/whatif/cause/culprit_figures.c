/* culprit_figures.c - how strongly a culprit is slow, how often, and since and until when, each
 * with its interval (docs/methods/causes.md). */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "models/stats/binomial_interval.h"
#include "models/stats/student.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One kind of pass is slow, and not the other, when the other grows by less than this part. */
#define OTHER_PASS 0.25
/* All ops are slow when transfers grow by this part of what passes grow by. */
#define TRANSFERS_OF_PASSES 0.4
/* The ends of an interval of a change are where its likelihood is exp(-1.92) of the best: half of
 * the 95 % quantile of chi squared with one degree of freedom. */
#define CHANGE_LOSS 1.92

/* Levels that follow each other within slow steps differ by this part of the lower one, and by so
 * many standard deviations of what is left. */
#define LEVEL_RISE   0.06
#define LEVEL_NOISES 4.0

struct measuring {
    struct hc_straggler_cause_search *search;
    struct hc_culprit *culprit;
    double *ratio[HC_N_PASSES]; /* [n_steps] mean over members: level over that of healthy steps, or
                                   over peers where there are none */
    double *scratch;            /* [n_steps] */
    double *over_peers;         /* [n_steps] of one member */
    struct hc_peers peers;      /* of the culprit */
    uint8_t *is_member;         /* [n_workers] of peers */
    double peer_doubt;          /* of hc_peer_doubt */
};

/* ---- means ---- */

static struct hc_measured mean_of_slow(const struct measuring *m, const double *values)
{
    size_t n = 0;
    for (size_t t = 0; t < m->search->levels.n_steps; t++)
        if (m->culprit->is_slow[t])
            m->scratch[n++] = values[t];
    return hc_mean_of_steps(m->scratch, n);
}

static struct hc_measured mean_of_healthy(const struct measuring *m, const double *values)
{
    size_t n = 0;
    for (size_t t = 0; t < m->search->levels.n_steps; t++)
        if (!m->culprit->is_slow[t])
            m->scratch[n++] = values[t];
    return hc_mean_of_steps(m->scratch, n);
}

/* Where what lasts is held against peers: half of the interval of the factor, as healthy workers
 * differ all along, or as links do, whose usual time is as unsure as their own. */
static double doubt_of_peers(const struct measuring *m, double factor, double half)
{
    if (m->culprit->ops == HC_SLOW_TRANSFERS)
        return half;
    double n_peers = fmax(1, (double)m->search->levels.dp_size - 1);
    return factor * m->peer_doubt * sqrt(1 / (double)m->culprit->n_members + 1 / n_peers);
}

/* The mean over slow steps of ratios to healthy steps, or to peers, with the doubt of both in its
 * interval. */
static struct hc_measured factor_of(const struct measuring *m, const double *values)
{
    struct hc_measured factor = mean_of_slow(m, values);
    double half = factor.high - factor.value, other;
    size_t n_slow = m->culprit->n_slow_steps, n_healthy = m->search->levels.n_steps - n_slow;
    if (n_healthy == 0) {
        other = doubt_of_peers(m, factor.value, half);
    } else {
        struct hc_measured healthy = mean_of_healthy(m, values);
        other = factor.value * (healthy.high - healthy.value);
        /* Too few slow steps, or steps that are slow by more and more (an interval that would hold
         * 1, though they were chosen because they are above it): then it is of these steps alone,
         * which vary as healthy ones do. */
        if (isnan(half) || factor.value - sqrt(half * half + other * other) <= 1)
            half = other * sqrt((double)n_healthy / (double)n_slow);
    }
    half = sqrt(half * half + other * other);
    bool is_told = factor.value - half > 1;
    factor.low = is_told ? factor.value - half : NAN;
    factor.high = is_told ? factor.value + half : NAN;
    return factor;
}

/* ---- factors ---- */

/* The mean over the healthy steps; 1, the level of its peers, without such. */
static double healthy_level(const struct measuring *m, const double *values)
{
    double sum = 0;
    size_t n = 0;
    for (size_t t = 0; t < m->search->levels.n_steps; t++) {
        sum += m->culprit->is_slow[t] ? 0 : values[t];
        n += !m->culprit->is_slow[t];
    }
    return n && sum > 0 ? sum / (double)n : 1;
}

static void fill_ratios(const struct measuring *m, int pass)
{
    const struct hc_culprit *culprit = m->culprit;
    size_t n_steps = m->search->levels.n_steps;
    memset(m->ratio[pass], 0, n_steps * sizeof *m->ratio[pass]);
    for (size_t i = 0; i < culprit->n_members; i++) {
        hc_levels_over_peers(&m->peers, (size_t)culprit->members[i], pass, m->over_peers);
        double healthy = healthy_level(m, m->over_peers);
        for (size_t t = 0; t < n_steps; t++)
            m->ratio[pass][t] += m->over_peers[t] / healthy / (double)culprit->n_members;
    }
}

static double work_of(const struct measuring *m, int pass)
{
    double sum = 0;
    for (size_t i = 0; i < m->culprit->n_members; i++)
        sum += m->search->levels
                   .work_ns[pass][(size_t)m->culprit->members[i] % m->search->levels.n_stages];
    return sum;
}

static void set_peers(struct measuring *m)
{
    const struct hc_culprit *culprit = m->culprit;
    const struct hc_step_levels *levels = &m->search->levels;
    memset(m->is_member, 0, levels->dp_size * levels->n_stages);
    for (size_t i = 0; i < culprit->n_members; i++)
        m->is_member[culprit->members[i]] = 1;
    size_t n = 0, stage = (size_t)culprit->members[0] % levels->n_stages;
    for (size_t d = 0; d < levels->dp_size; d++)
        n += m->is_member[d * levels->n_stages + stage];
    m->peers.is_whole_stage = n == levels->dp_size;
}

static void measure_factors(struct measuring *m)
{
    struct hc_culprit *culprit = m->culprit;
    set_peers(m);
    for (int p = 0; p < HC_N_PASSES; p++)
        fill_ratios(m, p);
    culprit->forward_factor = factor_of(m, m->ratio[HC_FORWARD_PASS]);
    culprit->backward_factor = factor_of(m, m->ratio[HC_BACKWARD_PASS]);
    culprit->transfer_factor = (struct hc_measured){NAN, NAN, NAN};
    double forward = culprit->forward_factor.value - 1;
    double backward = culprit->backward_factor.value - 1;
    if (backward < OTHER_PASS * forward) {
        culprit->ops = HC_SLOW_FORWARD;
        culprit->factor = culprit->forward_factor;
        return;
    }
    if (forward < OTHER_PASS * backward) {
        culprit->ops = HC_SLOW_BACKWARD;
        culprit->factor = culprit->backward_factor;
        return;
    }
    culprit->ops = HC_SLOW_PASSES;
    double work[HC_N_PASSES] = {work_of(m, HC_FORWARD_PASS), work_of(m, HC_BACKWARD_PASS)};
    for (size_t t = 0; t < m->search->levels.n_steps; t++)
        m->ratio[0][t] =
            (work[0] * m->ratio[0][t] + work[1] * m->ratio[1][t]) / (work[0] + work[1]);
    culprit->factor = factor_of(m, m->ratio[0]);
}

/* The ratios of the passes that are slow: those of both together after measure_factors. */
static const double *slow_ratio(const struct measuring *m)
{
    return m->ratio[m->culprit->ops == HC_SLOW_BACKWARD ? HC_BACKWARD_PASS : HC_FORWARD_PASS];
}

/* ---- when ---- */

static enum hc_slow_pattern pattern_of(const struct hc_culprit *culprit, size_t n_steps)
{
    if (culprit->n_slow_steps == n_steps)
        return HC_SLOW_ALWAYS;
    if (culprit->n_stretches > 1)
        return HC_SLOW_RECURRENT;
    if (culprit->lasts)
        return HC_SLOW_SINCE;
    return culprit->since == 0 ? HC_SLOW_UNTIL : HC_SLOW_BETWEEN;
}

/* Of the slow stretches this part begins at one distance, and of the steps at that distance this
 * part is slow. */
#define PART_IN_PERIOD 0.9
#define PART_OF_PERIOD 0.7

/* The distance at which a culprit is slow again and again, in steps; 0 where there is none. A step
 * may be missing, or be slow for another reason. */
static size_t period_of(const struct hc_culprit *culprit, size_t n_steps)
{
    size_t best = 0;
    double n_runs = (double)culprit->n_stretches;
    for (size_t period = 2; n_runs >= 3 && 3 * period <= n_steps + period && !best; period++) {
        double n_in = 0, n_there = 0;
        for (size_t t = culprit->since; t < n_steps; t++) {
            bool begins = culprit->is_slow[t] && (t == 0 || !culprit->is_slow[t - 1]);
            n_there += (t - culprit->since) % period == 0;
            n_in += begins && (t - culprit->since) % period == 0;
        }
        if (n_in >= 3 && n_in >= PART_IN_PERIOD * n_runs && n_in >= PART_OF_PERIOD * n_there)
            best = period;
    }
    return best;
}

void hc_culprit_find_pattern(struct hc_culprit *culprit, size_t n_steps)
{
    culprit->n_slow_steps = culprit->n_stretches = 0;
    for (size_t t = 0; t < n_steps; t++) {
        if (!culprit->is_slow[t])
            continue;
        culprit->n_stretches += t == 0 || !culprit->is_slow[t - 1];
        if (culprit->n_slow_steps++ == 0)
            culprit->since = t;
        culprit->until = t;
    }
    culprit->lasts = n_steps > 0 && culprit->is_slow[n_steps - 1];
    culprit->duty.value = (double)culprit->n_slow_steps / (double)n_steps;
    hc_binomial_interval(culprit->n_slow_steps, n_steps, HC_CONFIDENCE, &culprit->duty.low,
                         &culprit->duty.high);
    culprit->pattern = pattern_of(culprit, n_steps);
    culprit->period = period_of(culprit, n_steps);
}

/* How far the change at step `at` (first step of its level) can be moved by steps of `by` before
 * the likelihood falls too low: levels `before` and `after`, with this noise. */
static size_t move_change(const struct measuring *m, size_t at, int by, const double level[2],
                          double noise)
{
    const double *values = slow_ratio(m);
    double loss = 0;
    size_t end = at;
    for (size_t moved = at;;) {
        if (by > 0 ? moved + 1 >= m->search->levels.n_steps : moved <= 1)
            return end;
        /* Moving the change up gives the step at it to the level before; down, the other way. */
        double value = values[by > 0 ? moved : moved - 1];
        double as_was = value - level[by > 0], as_is = value - level[by < 0];
        loss += (as_is * as_is - as_was * as_was) / (2 * noise * noise);
        moved = by > 0 ? moved + 1 : moved - 1;
        if (loss > CHANGE_LOSS)
            return end;
        end = moved;
    }
}

static double mean_between(const double *values, size_t first, size_t last)
{
    double sum = 0;
    for (size_t t = first; t <= last; t++)
        sum += values[t];
    return sum / (double)(last - first + 1);
}

/* The first step of the second of two levels of steps that follow each other, where they change
 * once and stay; `first` where they are one level. Least squares, as for two levels over time. */
static size_t find_rise(const double *values, size_t first, size_t last)
{
    double least = INFINITY, low = 0, high = 0;
    size_t at = first, n = last - first + 1;
    for (size_t k = first + 2; k + 1 <= last; k++) {
        double before = mean_between(values, first, k - 1), after = mean_between(values, k, last);
        double squares = 0;
        for (size_t t = first; t <= last; t++)
            squares += pow(values[t] - (t < k ? before : after), 2);
        if (squares >= least)
            continue;
        least = squares;
        at = k;
        low = fmin(before, after);
        high = fmax(before, after);
    }
    double noise = n > 2 ? sqrt(least / (double)(n - 2)) : 0;
    bool is_rise = n >= 4 && high - low >= LEVEL_RISE * low && high - low >= LEVEL_NOISES * noise;
    return is_rise ? at : first;
}

/* List the levels of a run of slow steps. */
static void list_levels(const struct measuring *m, size_t first, size_t last)
{
    struct hc_culprit *culprit = m->culprit;
    size_t rise = find_rise(slow_ratio(m), first, last);
    if (rise > first) {
        list_levels(m, first, rise - 1);
        list_levels(m, rise, last);
        return;
    }
    culprit->stretches[culprit->n_stretches++] = (struct hc_slow_stretch){
        .first = first, .last = last, .factor = mean_between(slow_ratio(m), first, last)};
}

static double noise_of(const struct measuring *m)
{
    const double *values = slow_ratio(m);
    double squares = 0;
    for (size_t t = 0; t < m->search->levels.n_steps; t++)
        squares += m->culprit->is_slow[t] ? 0 : (values[t] - 1) * (values[t] - 1);
    for (size_t i = 0; i < m->culprit->n_stretches; i++) {
        const struct hc_slow_stretch *stretch = &m->culprit->stretches[i];
        for (size_t t = stretch->first; t <= stretch->last; t++)
            squares += (values[t] - stretch->factor) * (values[t] - stretch->factor);
    }
    return fmax(sqrt(squares / (double)m->search->levels.n_steps), 1e-3);
}

/* The ends of the intervals of a stretch, whose neighbours are healthy steps or other levels. */
static void find_ends(const struct measuring *m, size_t number, double noise)
{
    struct hc_slow_stretch *stretch = &m->culprit->stretches[number];
    size_t last = stretch->last, n_steps = m->search->levels.n_steps;
    bool follows = number > 0 && stretch[-1].last + 1 == stretch->first;
    bool goes_on = number + 1 < m->culprit->n_stretches && stretch[1].first == last + 1;
    const double start[2] = {follows ? stretch[-1].factor : 1, stretch->factor};
    const double end[2] = {stretch->factor, goes_on ? stretch[1].factor : 1};
    stretch->first_low = stretch->first_high = stretch->first;
    stretch->last_low = stretch->last_high = last;
    if (isnan(stretch->factor)) /* what its peers do not have has clear ends */
        return;
    if (stretch->first > 0) {
        stretch->first_low = move_change(m, stretch->first, -1, start, noise);
        stretch->first_high = move_change(m, stretch->first, +1, start, noise);
    }
    if (last + 1 < n_steps) {
        stretch->last_low = move_change(m, last + 1, -1, end, noise) - 1;
        stretch->last_high = move_change(m, last + 1, +1, end, noise) - 1;
    }
}

static enum hc_status list_stretches(const struct measuring *m)
{
    struct hc_culprit *culprit = m->culprit;
    struct hc_error *err = m->search->analysis->err;
    size_t n_steps = m->search->levels.n_steps;
    culprit->stretches = hc_new_array(culprit->n_slow_steps, sizeof *culprit->stretches, err);
    if (!culprit->stretches)
        return err->status;
    culprit->n_stretches = 0;
    for (size_t t = 0; t < n_steps; t++) {
        size_t first = t;
        while (culprit->is_slow[first] && t + 1 < n_steps && culprit->is_slow[t + 1])
            t++;
        if (culprit->is_slow[first])
            list_levels(m, first, t);
    }
    double noise = noise_of(m);
    for (size_t i = 0; i < culprit->n_stretches; i++)
        find_ends(m, i, noise);
    return HC_OK;
}

/* ---- all together ---- */

/* Whether the transfers of the members are slow when their passes are: then all ops of the machine
 * are. Of one that is slow all along it cannot be told from links that are of another kind. */
static void measure_transfers(const struct measuring *m)
{
    struct hc_culprit *culprit = m->culprit;
    double *ratio = m->ratio[HC_BACKWARD_PASS];
    bool changes = culprit->n_slow_steps < m->search->levels.n_steps;
    if (!changes || culprit->ops != HC_SLOW_PASSES ||
        !hc_worker_link_ratios(m->search, culprit, ratio))
        return;
    struct hc_measured transfers = mean_of_slow(m, ratio);
    if (!(transfers.low > 1) ||
        transfers.value < 1 + TRANSFERS_OF_PASSES * (culprit->factor.value - 1))
        return;
    culprit->ops = HC_SLOW_ALL;
    culprit->transfer_factor = transfers;
}

/* Of ops of several types, by what they usually take; NaN where its peers have no such op. */
static void fill_type_ratios(const struct measuring *m)
{
    const struct hc_culprit *culprit = m->culprit;
    size_t n_steps = m->search->levels.n_steps;
    for (size_t t = 0; t < n_steps; t++) {
        double own = 0, usual = 0;
        for (size_t type = 0; type < HC_N_OP_TYPES; type++) {
            if (!(culprit->op_types >> type & 1))
                continue;
            usual += culprit->type_ns[type];
            own += culprit->type_ns[type] * culprit->type_ratio[type * n_steps + t];
        }
        m->ratio[HC_FORWARD_PASS][t] = isfinite(own) ? own / usual : NAN;
    }
}

static enum hc_status measure(struct measuring *m, size_t number)
{
    struct hc_culprit *culprit = m->culprit;
    size_t n_steps = m->search->levels.n_steps;
    if (culprit->pattern == HC_SLOW_SOME_PASSES) {
        enum hc_status status = hc_culprit_measure_passes(m->search, number);
        hc_culprit_find_pattern(culprit, n_steps);
        culprit->pattern = HC_SLOW_SOME_PASSES;
        culprit->n_stretches = 0;
        return status;
    }
    hc_culprit_find_pattern(culprit, n_steps);
    culprit->pass_duty = (struct hc_measured){1, NAN, NAN};
    if (culprit->ops == HC_SLOW_TRANSFERS) {
        if (hc_culprit_link_ratios(m->search, number, m->ratio[HC_FORWARD_PASS]))
            return m->search->analysis->err->status;
        culprit->factor = culprit->transfer_factor = factor_of(m, m->ratio[HC_FORWARD_PASS]);
        culprit->forward_factor = culprit->backward_factor = (struct hc_measured){NAN, NAN, NAN};
        return list_stretches(m);
    }
    if (culprit->ops == HC_SLOW_TYPES) {
        fill_type_ratios(m);
        culprit->factor = factor_of(m, m->ratio[HC_FORWARD_PASS]);
        return list_stretches(m);
    }
    measure_factors(m);
    measure_transfers(m);
    return list_stretches(m);
}

static enum hc_status allocate(struct measuring *m)
{
    struct hc_error *err = m->search->analysis->err;
    size_t n_steps = m->search->levels.n_steps, n_workers = m->search->analysis->result->n_workers;
    m->scratch = hc_new_array(n_steps, sizeof(double), err);
    m->over_peers = hc_new_array(n_steps, sizeof(double), err);
    m->is_member = hc_new_array(n_workers, 1, err);
    m->peers.scratch = hc_new_array(n_workers, sizeof(double), err);
    m->peers.is_member = m->is_member;
    bool ok = m->scratch && m->over_peers && m->is_member && m->peers.scratch;
    for (int p = 0; p < HC_N_PASSES; p++) {
        m->ratio[p] = hc_new_array(n_steps, sizeof(double), err);
        ok = ok && m->ratio[p];
    }
    return ok ? HC_OK : err->status;
}

enum hc_status hc_culprits_measure(struct hc_straggler_cause_search *search)
{
    struct hc_culprits *culprits = &search->analysis->result->depth.culprits;
    if (culprits->n == 0)
        return HC_OK;
    struct measuring m = {.search = search, .peers = {.search = search}};
    enum hc_status status = allocate(&m);
    m.peer_doubt = hc_peer_doubt(search);
    for (size_t i = 0; status == HC_OK && i < culprits->n; i++) {
        m.culprit = &culprits->culprits[i];
        status = measure(&m, i);
    }
    free(m.scratch);
    free(m.over_peers);
    free(m.is_member);
    free(m.peers.scratch);
    for (int p = 0; p < HC_N_PASSES; p++)
        free(m.ratio[p]);
    return status;
}
