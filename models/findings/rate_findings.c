/* Whether an event comes more often than it did.
 *
 * A day, and the two and the seven days up to it, are compared with what the baseline makes of
 * them: its rate by exposure, the weekdays, and a trend where that expects more. The number is
 * taken as negative binomial; the dispersion is that of the baseline about the same model, for
 * windows of the same length, so that bursts and slow wandering widen what is usual.
 */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"
#include "core/base/select.h"
#include "core/random/stable_math.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <stdlib.h>

#define N_WINDOWS 3
static const int window_days[N_WINDOWS] = {1, 2, 7};
static const double window_share[N_WINDOWS] = {0.2, 0.5, 0.3}; /* of what may be false */

#define PRIOR_EVENTS 10.0 /* that a weekday and a half of the baseline are held near 1 with */
#define POOL_EVENTS  5.0  /* that the dispersion is held near that of the other events with */
#define MOST_TREND   3.0  /* factor between the middle of the baseline and the day */
#define LEVEL_DAYS   28   /* at its end, whose rate is that without a trend */
#define RARE_BURSTS  1.5  /* factor of what bursts add: the largest are in few baselines */
#define LEAST_EVENTS 2.0  /* one event is no rate */
#define USUAL_SHARE  0.05 /* of the windows of the baseline may have been as bad */

struct past {
    const struct hc_finding_series *series;
    int from, to; /* days, to not included */
    int n;        /* watched */
    double events, exposure;
    double rate, level; /* events per exposure: of all, and of its end */
    double weekday[7];
    double middle, slope; /* day, and change of the logarithm of the rate a day */
    double spread;        /* sum over days of the squared distance from the middle */
    double squares[N_WINDOWS], means[N_WINDOWS]; /* of windows: (events - expected)^2, expected */
    double dispersion[N_WINDOWS];
};

static bool has(const struct past *past, int day)
{
    return hc_finding_is_watched(past->series, day);
}

/* Expected events on a day, by weekdays and trend; at the level of the end where that is asked. */
static double expected_on(const struct past *past, const struct hc_findings_input *input, int day)
{
    double trend = hc_stable_exp(past->slope * ((double)day - past->middle));
    trend = fmin(fmax(trend, 1 / MOST_TREND), MOST_TREND);
    return past->series->exposure[day] * past->rate * trend *
           past->weekday[hc_finding_weekday(input, day)];
}

static double level_on(const struct past *past, const struct hc_findings_input *input, int day)
{
    return past->series->exposure[day] * past->level *
           past->weekday[hc_finding_weekday(input, day)];
}

static void sum_up(struct past *past)
{
    double days = 0;
    for (int day = past->from; day < past->to; day++) {
        if (!has(past, day))
            continue;
        past->n++;
        past->events += past->series->amount[day];
        past->exposure += past->series->exposure[day];
        days += day;
    }
    if (past->n == 0)
        return;
    past->middle = days / past->n;
    for (int day = past->from; day < past->to; day++)
        if (has(past, day))
            past->spread += (day - past->middle) * (day - past->middle);
    /* Half an event more: what never happened has a rate, too. */
    past->rate = (past->events + 0.5) / past->exposure;
}

static void find_weekdays(struct past *past, const struct hc_findings_input *input, double prior)
{
    double events[7] = {0}, means[7] = {0}, shaped = 0;
    for (int day = past->from; day < past->to; day++) {
        if (!has(past, day))
            continue;
        int k = hc_finding_weekday(input, day);
        events[k] += past->series->amount[day];
        means[k] += past->series->exposure[day] * past->rate;
    }
    for (int k = 0; k < 7; k++) {
        past->weekday[k] = (events[k] + prior) / (means[k] + prior);
        shaped += means[k] * past->weekday[k];
    }
    past->rate *= (past->events + 0.5) / shaped;
}

/* By the halves of the baseline, and the level of its end. */
static void find_trend(struct past *past, const struct hc_findings_input *input, double prior)
{
    double events[2] = {0}, means[2] = {0}, days[2] = {0}, recent = 0, mean = 0;
    int n[2] = {0};
    for (int day = past->from; day < past->to; day++) {
        if (!has(past, day))
            continue;
        int half = day > past->middle;
        double usual = past->series->exposure[day] * past->rate *
                       past->weekday[hc_finding_weekday(input, day)];
        events[half] += past->series->amount[day];
        means[half] += usual;
        days[half] += day;
        n[half]++;
        if (day >= past->to - LEVEL_DAYS) {
            recent += past->series->amount[day];
            mean += usual;
        }
    }
    past->level = past->rate * (recent + prior) / (mean + prior);
    if (n[0] == 0 || n[1] == 0)
        return;
    double change = hc_stable_log((events[1] + prior) / (means[1] + prior)) -
                    hc_stable_log((events[0] + prior) / (means[0] + prior));
    past->slope = change / (days[1] / n[1] - days[0] / n[0]);
}

/* Calls of a window of whole days up to day: false where one of them was not watched. */
static bool add_window(const struct past *past, const struct hc_findings_input *input, int day,
                       int days, double sum[2])
{
    sum[0] = sum[1] = 0;
    for (int i = day - days + 1; i <= day; i++) {
        if (i < past->from || !has(past, i))
            return false;
        sum[0] += past->series->amount[i];
        sum[1] += expected_on(past, input, i);
    }
    return true;
}

static void find_squares(struct past *past, const struct hc_findings_input *input)
{
    for (int w = 0; w < N_WINDOWS; w++) {
        past->squares[w] = past->means[w] = 0;
        double sum[2];
        for (int day = past->from; day < past->to; day++)
            if (add_window(past, input, day, window_days[w], sum)) {
                past->squares[w] += (sum[0] - sum[1]) * (sum[0] - sum[1]);
                past->means[w] += sum[1];
            }
        /* Some three parameters were fitted. */
        past->squares[w] *= past->n > 6 ? past->n / (past->n - 3.0) : 2;
    }
}

static double own_dispersion(const struct past *past)
{
    return past->means[0] > 0 ? fmax(1, past->squares[0] / past->means[0]) : 1;
}

static void look_back(struct past *past, const struct hc_finding_batch *batch,
                      const struct hc_finding_series *series)
{
    int to = batch->day - HC_FINDING_RECENT_DAYS + 1;
    *past = (struct past){.series = series, .to = to > 0 ? to : 0};
    past->from = hc_finding_first_day(past->to - 1, batch->options->baseline_days);
    for (int k = 0; k < 7; k++)
        past->weekday[k] = 1;
    sum_up(past);
    if (past->n < batch->options->least_baseline)
        return;
    find_squares(past, batch->input); /* without weekdays: only to know how far to believe them */
    double prior = PRIOR_EVENTS * own_dispersion(past);
    find_weekdays(past, batch->input, prior);
    find_trend(past, batch->input, prior);
    find_squares(past, batch->input);
}

/* Held near the usual one of the events of the fleet; never less for more days than for one. */
static void settle_dispersion(struct past *past, double pool)
{
    for (int w = 0; w < N_WINDOWS; w++) {
        double held = POOL_EVENTS * window_days[w];
        double found = (past->squares[w] + held * pool) / (past->means[w] + held);
        found = 1 + RARE_BURSTS * fmax(0, found - 1);
        past->dispersion[w] = fmax(found, w ? past->dispersion[w - 1] : 1);
    }
}

/* How many windows of the baseline were as far above what was expected of them. */
static bool was_usual(const struct past *past, const struct hc_findings_input *input, int w,
                      const double now[2])
{
    int n = 0, n_as_bad = 0;
    double sum[2];
    for (int day = past->from; day < past->to; day++)
        if (add_window(past, input, day, window_days[w], sum)) {
            n++;
            n_as_bad += (sum[0] + 1) * (now[1] + 1) >= (now[0] + 1) * (sum[1] + 1);
        }
    return n_as_bad > (int)(USUAL_SHARE * n);
}

static double upper_tail(const struct past *past, int w, const double now[2], double ahead)
{
    /* The mean itself is known from so many independent events, and its trend from their spread. */
    double independent = (past->events + 0.5) / past->dispersion[w];
    double unsure = (1 + past->n * ahead * ahead / fmax(past->spread, 1)) / independent;
    double variance = past->dispersion[w] * now[1] + unsure * now[1] * now[1];
    return hc_round_digits(hc_sf_negative_binomial_upper(now[0], now[1], variance),
                           HC_STATS_DIGITS);
}

static void judge_series(const struct past *past, const struct hc_finding_batch *batch,
                         struct hc_finding_verdict *verdict)
{
    *verdict = (struct hc_finding_verdict){
        .is_tested = true, .p_value = 1, .probability = NAN, .n_baseline = past->n};
    double least = INFINITY;
    for (int w = 0; w < N_WINDOWS; w++) {
        double now[2] = {0, 0};
        int n = 0;
        for (int day = batch->day; day > batch->day - window_days[w] && day >= 0; day--) {
            if (!has(past, day))
                continue;
            n++;
            now[0] += past->series->amount[day];
            now[1] += fmax(expected_on(past, batch->input, day), level_on(past, batch->input, day));
        }
        double p = upper_tail(past, w, now, batch->day - past->middle);
        bool is_small =
            now[0] < LEAST_EVENTS || now[0] < batch->options->least_growth_events * now[1];
        if (is_small || was_usual(past, batch->input, w, now))
            p = 1;
        if (n < window_days[w] || !(p / window_share[w] < least))
            continue;
        least = p / window_share[w];
        verdict->value = now[0];
        verdict->expected = now[1];
        verdict->dispersion = past->dispersion[w];
        verdict->window_days = window_days[w];
    }
    verdict->p_value = fmin(1, least);
}

static double usual_dispersion(const struct past *past, size_t n, double *scratch)
{
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++)
        if (past[i].means[0] >= POOL_EVENTS)
            scratch[n_known++] = own_dispersion(&past[i]);
    return n_known ? hc_median(scratch, n_known) : 1.5;
}

enum hc_status hc_judge_counts(const struct hc_finding_batch *batch, struct hc_error *err)
{
    struct past *past = hc_new_array(batch->n, sizeof *past, err);
    double *scratch = past ? hc_new_array(batch->n, sizeof *scratch, err) : NULL;
    if (scratch) {
        for (size_t i = 0; i < batch->n; i++)
            look_back(&past[i], batch, batch->series[i]);
        double pool = usual_dispersion(past, batch->n, scratch);
        for (size_t i = 0; i < batch->n; i++) {
            if (past[i].n < batch->options->least_baseline || !has(&past[i], batch->day))
                continue;
            settle_dispersion(&past[i], pool);
            judge_series(&past[i], batch, &batch->verdicts[i]);
        }
    }
    enum hc_status status = scratch ? HC_OK : err->status;
    free(scratch);
    free(past);
    return status;
}
