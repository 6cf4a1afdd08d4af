/* Sums that should agree, and sources that should have spoken. */
#include "models/findings/findings_judge.h"

#include "core/random/stable_math.h"
#include "models/stats/rounding.h"

#define MOST_SILENT_D 1e6 /* days: no series is so long */
#define LEAST_SCALE_H 1.0 /* hours by which the age of a source may differ from night to night */

/* No chance here: it differs by more than the limit, or not. */
enum hc_status hc_judge_sums(const struct hc_finding_batch *batch, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < batch->n; i++) {
        const struct hc_finding_series *series = batch->series[i];
        if (!hc_finding_is_watched(series, batch->day))
            continue;
        double ours = series->amount[batch->day], theirs = series->exposure[batch->day];
        bool differs = fabs(ours - theirs) > batch->options->reconciliation_limit * theirs;
        batch->verdicts[i] = (struct hc_finding_verdict){.is_tested = true,
                                                         .p_value = differs ? 0 : 1,
                                                         .probability = NAN,
                                                         .value = ours,
                                                         .expected = theirs,
                                                         .dispersion = NAN,
                                                         .window_days = 1};
    }
    return HC_OK;
}

/* The days before the silence that goes on: what a source is used to. Where it has been silent for
 * so long that the days of the input tell too little of that, it is stale; not where it is so young
 * that there is no more to tell. */
struct source_past {
    double least, most, sum;
    int n;
    bool is_cut; /* the days before are not of the input, and the source was there */
};

static struct source_past look_back(const struct hc_finding_batch *batch,
                                    const struct hc_finding_series *series)
{
    struct source_past past = {.least = INFINITY};
    double silent_days = fmin(series->amount[batch->day] / 24, MOST_SILENT_D);
    int to = batch->day - HC_FINDING_RECENT_DAYS + 1, before = batch->day - (int)silent_days;
    to = before < to ? before : to;
    int first = to < 1 ? 0 : hc_finding_first_day(to - 1, batch->options->baseline_days);
    for (int day = first; day < to; day++) {
        if (!hc_finding_is_watched(series, day))
            continue;
        past.least = fmin(past.least, series->amount[day]);
        past.most = fmax(past.most, series->amount[day]);
        past.sum += series->amount[day];
        past.n++;
    }
    past.is_cut =
        first == 0 && silent_days > HC_FINDING_RECENT_DAYS && hc_finding_is_watched(series, 0);
    return past;
}

/* The ages of the baseline above the least of them are taken as exponential, with a mean that
 * explains their mean and the largest of them; the mean is known from n ages. */
static double chance_of_age(const struct source_past *past, double age)
{
    double n = past->n;
    double scale =
        fmax(past->sum / n - past->least, (past->most - past->least) / hc_stable_log(n + 1));
    double beyond = fmax(0, age - past->least) / (n * fmax(scale, LEAST_SCALE_H));
    double p = hc_stable_exp(-n * hc_stable_log(1 + beyond));
    return age > past->most ? hc_round_digits(p, HC_STATS_DIGITS) : 1;
}

static void judge_source(const struct hc_finding_batch *batch, size_t i)
{
    const struct hc_finding_series *series = batch->series[i];
    if (!hc_finding_is_watched(series, batch->day))
        return;
    struct source_past past = look_back(batch, series);
    bool is_short = past.n < (batch->options->least_baseline + 1) / 2;
    if (is_short && !past.is_cut)
        return;
    batch->verdicts[i] = (struct hc_finding_verdict){
        .is_tested = true,
        .p_value = is_short ? 0 : chance_of_age(&past, series->amount[batch->day]),
        .probability = NAN,
        .value = series->amount[batch->day],
        .expected = past.n ? past.most : NAN,
        .dispersion = NAN,
        .window_days = 1,
        .n_baseline = past.n};
}

enum hc_status hc_judge_sources(const struct hc_finding_batch *batch, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < batch->n; i++)
        judge_source(batch, i);
    return HC_OK;
}
